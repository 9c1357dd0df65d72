// Every step of the transactional cluster is one of the transactional spec or a stutter.
#include <gtest/gtest.h>

#include "checker/explicit/explicit_search.h"
#include "checker/refinement/transactions/system.h"
#include "tests/refinement/transactions/cases.h"

namespace fencepost::testing {
namespace {

using refinement::transactions::System;

/// Steps compared; a divergence fails the test and is told.
std::uint64_t compared(const txn::Behaviour& behaviour, const txn::Instance& instance,
                       const std::string& what) {
  const System system(behaviour, instance, 0);
  checker::SearchOptions options;
  options.properties = 1U << refinement::transactions::kDivergence;
  const checker::SearchResult result = checker::search(system, options);
  EXPECT_TRUE(!result.violations.empty() || result.end == checker::SearchEnd::kExhausted) << what;
  for (const checker::Violation& v : result.violations) {
    ADD_FAILURE() << what << "\n" << path_text(system, v.path);
  }
  return result.stats.transitions;
}

/// Any client with any coordinator and any brokers that can run together; any one fault.
TEST(TxnRefinement, EveryCombination) {
  const std::string data = std::string(FENCEPOST_SOURCE_DIR) + "/spec/transactions";
  int combinations = 0;
  for (const auto& client : txn::load_variants(txn::VariantKind::kClient, data)) {
    for (const auto& coordinator : txn::load_variants(txn::VariantKind::kCoordinator, data)) {
      for (const auto& broker : txn::load_variants(txn::VariantKind::kBroker, data)) {
        txn::Behaviour behaviour;
        try {
          behaviour = txn::combine(client, coordinator, broker);
        } catch (const Error&) {
          continue;  // cannot run together
        }
        const std::string what = client.name + ", " + coordinator.name + ", " + broker.name;
        txn::Instance n = txn_instance(1, 1, kAllTxnFaults, 1);
        EXPECT_GT(compared(behaviour, n, what), 50U) << what;
        ++combinations;
      }
    }
  }
  EXPECT_GT(combinations, 100);
}

struct Case {
  std::string name, client, coordinator, broker;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class TxnVariants : public ::testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] txn::Behaviour behaviour() const {
    return txn_behaviour(GetParam().client, GetParam().coordinator, GetParam().broker);
  }
};

/// Two messages a transaction, two partitions, two faults.
TEST_P(TxnVariants, AtomicityOverTwoPartitions) {
  txn::Instance n = txn_instance(1, 2, kAllTxnFaults, 1);
  n.messages = 2;
  n.in_flight = 2;
  EXPECT_GT(compared(behaviour(), n, GetParam().name), 1000U);
}

/// Two transactions one after the other, three faults.
TEST_P(TxnVariants, TwoTransactionsAndThreeFaults) {
  txn::Instance n = txn_instance(1, 1, kAllTxnFaults, 3);
  n.inputs = 2;
  n.attempts = 3;
  n.late = 2;
  EXPECT_GT(compared(behaviour(), n, GetParam().name), 1000U);
}

/// Two instances at once, with a read-process-write loop.
TEST_P(TxnVariants, TwoInstancesAndALoop) {
  txn::Instance n = txn_instance(2, 1, kAllTxnFaults, 1);
  n.offsets = true;
  n.rereads = true;
  EXPECT_GT(compared(behaviour(), n, GetParam().name), 1000U);
}

/// The epoch runs out.
TEST_P(TxnVariants, Exhaustion) {
  txn::Instance n = txn_instance(1, 1, kAllTxnFaults, 2);
  n.inputs = 2;
  n.attempts = 3;
  n.exhausted_at = 1;
  n.ids = 3;
  EXPECT_GT(compared(behaviour(), n, GetParam().name), 1000U);
}

INSTANTIATE_TEST_SUITE_P(
    Impl, TxnVariants,
    ::testing::Values(Case{"Java39Kip98", "java-3.9", "kip-98", "kafka-2.5"},
                      Case{"Java39Kip360", "java-3.9", "kip-360", "kafka-2.5"},
                      Case{"LibrdkafkaVerified", "librdkafka-2.15", "kip-360", "kafka-3.6"},
                      Case{"Java40VersionTwo", "java-4.0", "kip-890", "kafka-4.2"},
                      Case{"Idempotent", "idempotent-loop", "kip-360", "kafka-2.5"},
                      Case{"BumpInside", "bump-inside-transaction", "kip-360-persisted",
                           "kafka-2.5"}),
    [](const auto& p) { return p.param.name; });

}  // namespace
}  // namespace fencepost::testing
