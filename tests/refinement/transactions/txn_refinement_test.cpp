// Every step of the transactional cluster is one of the transactional spec or a stutter.
#include <gtest/gtest.h>

#include <algorithm>

#include "checker/explicit/explicit_search.h"
#include "checker/refinement/transactions/check.h"
#include "impl/random.h"
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

/// The claims come out on the implementation as they do on the spec, progress included.
TEST(TxnRefinement, EveryClaimIsAskedOfTheImplementation) {
  const std::string data = std::string(FENCEPOST_SOURCE_DIR) + "/spec/transactions";
  int asked = 0;
  for (const auto& claim :
       refinement::transactions::claims_for_impl(transactions::read_claims(data))) {
    if (claim.claim.slow) continue;
    for (const transactions::Question& question : claim.questions) {
      const auto found = refinement::transactions::check_on_impl(question, {});
      EXPECT_EQ(found.facts.error, "") << claim.claim.id;
      EXPECT_EQ(found.findings.size(), claim.claim.expect == gate::Expect::kRefuted ? 1U : 0U)
          << claim.claim.id << " " << question.client;
      ++asked;
    }
  }
  EXPECT_GT(asked, 100);
}

/// The table prints the budget of a row: it must be the one that its question was asked with.
TEST(TxnRefinement, ARowSaysTheBudgetItIsAskedWith) {
  const std::string data = std::string(FENCEPOST_SOURCE_DIR) + "/spec/transactions";
  const auto claims = transactions::read_claims(data);
  int cut = 0;
  for (const auto& asked : refinement::transactions::claims_for_impl(claims)) {
    const auto whole = std::find_if(claims.begin(), claims.end(), [&](const auto& claim) {
      return claim.claim.id == asked.claim.id;
    });
    ASSERT_EQ(asked.claim.rows.size(), asked.questions.size());
    for (std::size_t r = 0; r < asked.questions.size(); ++r) {
      const int budget = asked.questions[r].instance.faults.budget;
      const int before = whole->claim.rows[r].instance.faults.budget;
      const bool holds = asked.claim.expect == gate::Expect::kHolds;
      EXPECT_EQ(budget, holds ? std::min(before, 2) : before) << asked.claim.id;
      EXPECT_EQ(asked.claim.rows[r].instance.faults.budget, budget) << asked.claim.id;
      cut += budget < before ? 1 : 0;
    }
  }
  EXPECT_GT(cut, 5);
}

/// Where no search can go: random runs of the greatest instances, with fifteen faults.
TEST(TxnRefinement, LongRandomWalks) {
  txn::Instance big = txn_instance(2, 2, kAllTxnFaults, 15);
  big.offsets = true;
  big.rereads = true;
  big.messages = 2;
  big.in_flight = 2;
  big.inputs = 3;
  big.attempts = 6;
  big.ids = 3;
  big.late = 2;
  big.exhausted_at = 5;
  big.log = txn::kMaxLog;
  std::uint64_t steps = 0;
  for (const auto& behaviour : {txn_behaviour("java-3.9", "kip-360", "kafka-3.6"),
                                txn_behaviour("java-4.0", "kip-890", "kafka-4.2")}) {
    const System system(behaviour, big, 0);
    impl::Random random(1);
    for (int run = 0; run < 1000; ++run) {
      System::State s = system.initial();
      for (int step = 0; step < 2000; ++step) {
        const auto a =
            static_cast<std::size_t>(random.below(static_cast<int>(system.action_count())));
        // Faults are many among the choices: most of them are passed over.
        const bool passed = is_fault(system.choice(a).kind) && random.below(16) != 0;
        if (passed || !system.guard(a, s)) continue;
        System::State next = s;
        if (system.effect(a, next).bounds != 0) continue;
        if (next.diverged != 0) FAIL() << divergence_text(*system.compare(a, s));
        s = next;
        ++steps;
      }
    }
  }
  EXPECT_GT(steps, 50'000U);
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
