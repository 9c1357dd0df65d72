// The outcome table of librdkafka's producer, row by row.
#include "impl/outcome.h"

#include <gtest/gtest.h>

#include "spec/variant.h"

namespace fencepost::impl {
namespace {

spec::Behaviour librdkafka(const std::string& name = "librdkafka-2.15") {
  const std::string spec = FENCEPOST_SOURCE_DIR "/spec";
  return spec::combine(spec::load_variant(name, spec + "/variants"),
                       spec::load_variant("kafka-2.5-to-4.4", spec + "/brokers"));
}

struct Row {
  std::string name;
  ErrorCode error;
  Situation at;
  Decision decision;
  bool counts;
  bool possibly;
  bool bumps;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

Situation sequence(int first, int next_ack) {
  Situation at;
  at.sequence = first;
  at.next_ack = next_ack;
  at.next_err = next_ack;
  return at;
}
Situation unsent() {
  Situation at;
  at.sent = false;
  return at;
}
Situation with_offset() {
  Situation at;
  at.has_offset = true;
  return at;
}
Situation retried(int first) {
  Situation at = sequence(first, first);
  at.retries = 1;
  return at;
}
Situation other_epoch() {
  Situation at;
  at.same_epoch = false;
  return at;
}

std::vector<Row> rows() {
  using D = Decision;
  using E = ErrorCode;
  const Situation any;
  return {
      {"NotLeader", E::kNotLeader, any, D::kRetry, false, false, false},
      {"NotLeaderBesideAValidOffset", E::kNotLeader, with_offset(), D::kRetry, false, false, false},
      {"LeaderNotAvailable", E::kLeaderNotAvailable, any, D::kRetry, false, false, false},
      {"UnknownTopic", E::kUnknownTopicOrPartition, any, D::kRetry, false, false, false},
      {"TransportSent", E::kTransport, any, D::kRetry, true, true, false},
      {"TransportUnsent", E::kTransport, unsent(), D::kRetry, false, false, false},
      {"StorageError", E::kStorageError, any, D::kRetry, true, false, false},
      {"NotEnoughReplicas", E::kNotEnoughReplicas, any, D::kRetry, true, false, false},
      {"AfterAppend", E::kNotEnoughReplicasAfterAppend, any, D::kRetry, true, true, false},
      {"RequestTimedOut", E::kRequestTimedOut, any, D::kRetry, true, true, false},
      {"TimedOut", E::kTimedOut, any, D::kRetry, true, true, false},
      {"TimedOutQueueUnsent", E::kTimedOutQueue, unsent(), D::kRetry, false, false, false},
      {"TimedOutQueueSent", E::kTimedOutQueue, any, D::kRetry, true, false, false},
      {"InvalidMessage", E::kInvalidMessage, any, D::kRetry, true, false, false},
      {"OwnRetry", E::kRetry, any, D::kRetry, false, false, false},
      {"CoordinatorLoads", E::kCoordinatorLoadInProgress, any, D::kRetry, true, false, false},
      {"MessageTimedOut", E::kMessageTimedOut, any, D::kFail, true, true, true},
      {"TopicAuthorization", E::kTopicAuthorizationFailed, any, D::kFail, true, false, true},
      {"OutOfOrderNext", E::kOutOfOrderSequence, sequence(4, 4), D::kFatal, true, true, false},
      {"OutOfOrderLater", E::kOutOfOrderSequence, sequence(5, 4), D::kRetry, false, false, true},
      {"OutOfOrderRewound", E::kOutOfOrderSequence, sequence(3, 4), D::kFatal, true, true, false},
      // The difference is a plain one: a wrapped sequence looks like a rewound one.
      {"OutOfOrderWrapped", E::kOutOfOrderSequence, sequence(0, 0x7ffffff0), D::kFatal, true, true,
       false},
      {"Duplicate", E::kDuplicateSequence, any, D::kDelivered, true, false, false},
      {"UnknownProducerFirstTry", E::kUnknownProducerId, sequence(3, 3), D::kRetry, false, false,
       true},
      {"UnknownProducerRetried", E::kUnknownProducerId, retried(3), D::kFatal, true, true, false},
      {"UnknownProducerLater", E::kUnknownProducerId, sequence(4, 3), D::kFatal, true, true, false},
      {"InvalidEpoch", E::kInvalidProducerEpoch, any, D::kFail, true, false, true},
      {"ProducerFenced", E::kProducerFenced, any, D::kFail, true, false, true},
      {"PurgeInFlight", E::kPurgeInFlight, any, D::kFail, true, true, true},
      {"PurgeQueue", E::kPurgeQueue, any, D::kFail, true, false, true},
      {"BadMessage", E::kBadMessage, any, D::kFail, true, true, true},
      {"TooLarge", E::kMessageTooLarge, any, D::kFail, true, false, true},
      {"OtherEpoch", E::kNotLeader, other_epoch(), D::kFail, true, true, true},
  };
}

class OutcomeTable : public ::testing::TestWithParam<Row> {};

TEST_P(OutcomeTable, Row) {
  const Row& row = GetParam();
  const Plan plan = plan_for(row.error, row.at, librdkafka());
  EXPECT_EQ(plan.decision, row.decision);
  if (plan.decision == Decision::kRetry) {
    EXPECT_EQ(plan.counts, row.counts);
  }
  EXPECT_EQ(plan.possibly, row.possibly);
  EXPECT_EQ(plan.bumps, row.bumps);
}

INSTANTIATE_TEST_SUITE_P(Impl, OutcomeTable, ::testing::ValuesIn(rows()),
                         [](const auto& p) { return p.param.name; });

TEST(Outcome, ALaterOutOfOrderAsEachVariantWantsIt) {
  Situation at = sequence(5, 4);
  at.earlier = true;
  const auto bumps = [&](const std::string& name) {
    return plan_for(ErrorCode::kOutOfOrderSequence, at, librdkafka(name)).bumps;
  };
  EXPECT_TRUE(bumps("librdkafka-2.15"));
  EXPECT_FALSE(bumps("librdkafka-pr-4972"));
  EXPECT_FALSE(bumps("librdkafka-conditional-bump"));
  at.earlier = false;
  at.absent = true;
  EXPECT_FALSE(bumps("librdkafka-pr-4972"));
  EXPECT_TRUE(bumps("librdkafka-conditional-bump"));
  EXPECT_TRUE(bumps("librdkafka-deferred-answered"));
  at.current = false;
  EXPECT_FALSE(bumps("librdkafka-deferred-answered"));
}

TEST(Outcome, AnEntryOfTheVariantReplacesItsRow) {
  spec::Behaviour b = librdkafka();
  b.reaction[static_cast<std::size_t>(spec::Outcome::kNotLeaderAfterAppend)] =
      spec::Reaction::kFatal;
  EXPECT_EQ(plan_for(ErrorCode::kNotLeader, with_offset(), b).decision, Decision::kFatal);
  EXPECT_EQ(plan_for(ErrorCode::kNotLeader, {}, b).decision, Decision::kRetry);
}

}  // namespace
}  // namespace fencepost::impl
