// Broken protocols must be refuted, by the property that they break and at the depth stated.
#include <gtest/gtest.h>

#include "tests/support/transaction_cases.h"

namespace fencepost::testing::transactions {
namespace {

using model::Property;

constexpr const char* kTwoPartitions = "partitions=2,inputs=2,attempts=5,epochs=7,log=14";
constexpr const char* kBothPipelined =
    "partitions=2,messages=2,in-flight=2,inputs=2,attempts=5,epochs=7,log=14";
constexpr const char* kExhaustion = "inputs=3,exhausted-at=1,ids=3,attempts=5,epochs=4,log=14";

constexpr Refuted kMutants[] = {
    {"ExpectedEpochOnly", "java-3.9", "expected-epoch-only", "kafka-2.5", kOne,
     "answer-lost,message-timeout", 2, Property::kNoSelfFencing, 9},
    {"ZombieRecovers", "java-3.9", "kip-98", "kafka-2.5", kZombies, "message-timeout", 1,
     Property::kFencing, 15},
    {"ZombieFencesItsSuccessor", "java-3.9", "kip-360", "kafka-2.5", kZombies, "message-timeout", 1,
     Property::kNoSelfFencing, 19},
    {"PlainInitKeepsLast", "java-3.9", "plain-init-keeps-last", "kafka-2.5", kZombies,
     "message-timeout", 1, Property::kFencing, 15},
    {"ForeignIdAccepted", "java-3.9", "foreign-id-accepted", "kafka-2.5", kLoop,
     "transactional-id-expiry", 1, Property::kFencing, 19},
    {"NoBumpAtInit", "java-3.9", "no-bump-at-init", "kafka-2.5", kZombies, "none", 0,
     Property::kFencing, 13},
    {"NoBumpAtTimeout", "java-3.9", "no-bump-at-timeout", "kafka-2.5", kTwoPartitions,
     "transaction-timeout", 1, Property::kAtomic, 21},
    {"BumpInside", "bump-inside-transaction", "kip-98", "kafka-2.5", kBothPipelined, "not-leader",
     1, Property::kAtomic, 61},
    {"BumpInsideResets", "bump-inside-transaction", "kip-98", "kafka-2.5", kBothPipelined,
     "not-leader", 1, Property::kNoResetInside, 43},
    {"BumpBeforeAbort", "bump-before-abort", "kip-360", "kafka-2.5", kOne, "message-timeout", 1,
     Property::kNoSelfFencing, 13},
    {"BumpAlone", "bump-alone", "kip-360", "kafka-2.5", kOne, "message-timeout", 1,
     Property::kNoSelfFencing, 9},
    {"FailureIgnored", "failure-ignored", "kip-360", "kafka-2.5", kTwoMessages, "message-timeout",
     1, Property::kAtomic, 13},
    {"FailureWithoutBump", "failure-without-bump", "kip-360", "kafka-2.5", kTwoMessages,
     "message-timeout,disconnect", 2, Property::kNoFalseFailure, 21},
    {"EndErrorsIgnored", "end-errors-ignored", "kip-360", "kafka-2.5", kOne, "transaction-timeout",
     1, Property::kAtomic, 13},
    {"RestartOfAnIdempotentLoop", "idempotent-loop", "kip-360", "kafka-2.5", kLoop, "none", 0,
     Property::kExactlyOnce, 13},
    {"EpochWraps", "idempotent-loop-wrapping", "kip-360", "kafka-2.5",
     "inputs=2,exhausted-at=1,ids=3,attempts=5,epochs=4,log=14", "message-timeout", 3,
     Property::kExactlyOnce, 18},
    {"DelayedEnd", "librdkafka-2.15", "kip-360", "kafka-3.6", kTwoMessages, "late-request", 1,
     Property::kAtomic, 26},
    {"StaleMarker", "java-4.0", "kip-890", "kafka-4.0", kTwoMessages, "late-marker", 1,
     Property::kAtomic, 18},
    {"RepeatedMarkerRefused", "java-4.0", "kip-890", "kafka-4.2-strict", kTwoPartitions,
     "coordinator-move", 1, Property::kProgress, 18},
    {"OlderOpenCounts", "java-4.0", "kip-890", "older-open-counts", kTwoPartitions, "none", 0,
     Property::kAtomic, 16},
    {"Hanging", "java-3.9", "kip-360", "kafka-2.5", kOne, "late-produce,message-timeout,crash", 3,
     Property::kProgress, 15},
    {"NoEpochCheck", "java-3.9", "kip-360", "no-epoch-check", kZombies, "none", 0,
     Property::kEpochMonotonic, 11},
    {"NoDuplicateCheck", "librdkafka-2.15", "kip-360", "no-duplicate-check", kOne, "disconnect", 1,
     Property::kNoFalseFailure, 12},
    {"OldIdAnswered", "java-4.0", "old-id-answered", "kafka-4.0", kExhaustion, "none", 0,
     Property::kNoSelfFencing, 24},
    {"TimeoutAtTheLastEpoch", "java-4.0", "kip-890", "kafka-4.2",
     "messages=2,inputs=2,exhausted-at=1,ids=3,attempts=5,epochs=4,log=14",
     "transaction-timeout,message-timeout", 2, Property::kWellFormed, 24},
};

class TransactionMutants : public ::testing::TestWithParam<Refuted> {};

TEST_P(TransactionMutants, AreRefuted) {
  const Refuted& mutant = GetParam();
  const auto result = run(behaviour(mutant.client, mutant.coordinator, mutant.broker),
                          instance(mutant.shape, mutant.faults, mutant.budget));
  EXPECT_EQ(depth_of(result, mutant.property), static_cast<int>(mutant.depth));
}

INSTANTIATE_TEST_SUITE_P(Transactions, TransactionMutants, ::testing::ValuesIn(kMutants),
                         [](const auto& mutant) { return std::string(mutant.param.name); });

}  // namespace
}  // namespace fencepost::testing::transactions
