// Counterexamples of the transactional spec are runs of the implementation, too, and end in the
// same violation there.
#include <gtest/gtest.h>

#include "checker/explicit/explicit_search.h"
#include "checker/refinement/steering.h"
#include "checker/refinement/transactions/check.h"
#include "tests/refinement/transactions/cases.h"

namespace fencepost::testing {
namespace {

using refinement::Steering;
using refinement::transactions::System;

struct Case {
  std::string name, client, coordinator, broker;
  txn::Instance instance;
  std::vector<std::string> broken;  ///< properties, in their order
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

/// Steers the implementation along the spec's path; the violations at its end.
std::uint32_t followed(const System& system, const checker::ActionPath& path) {
  const auto states = checker::replay(system.model(), path);
  Steering<System> steering(system);
  for (std::size_t k = 0; k < path.size(); ++k) {
    if (steering.follow(path[k], states[k + 1])) continue;
    ADD_FAILURE() << "the implementation cannot do step " << k + 1 << " of " << path.size() << ": "
                  << txn::action_text(system.model().action(path[k]));
    return 0;
  }
  EXPECT_GE(steering.path(steering.front().front()).size(), path.size());
  return system.violations(steering.state(steering.front().front()));
}

txn::Instance with(int producers, const std::string& faults, int budget) {
  txn::Instance n = txn_instance(producers, 1, faults, budget);
  n.attempts = 2;
  n.epochs = 4;
  return n;
}
txn::Instance loop(txn::Instance n) {
  n.offsets = true;
  return n;
}
txn::Instance transactions_of(txn::Instance n, int messages = 1) {
  n.inputs = 2;
  n.attempts = 3;
  n.messages = messages;
  n.in_flight = messages;
  return n;
}
txn::Instance exhausted(txn::Instance n) {
  n.exhausted_at = 1;
  n.ids = 3;
  return n;
}

std::vector<Case> cases() {
  return {
      {"ALostAnswerFencesTheOnlyProducer",
       "java-3.9",
       "expected-epoch-only",
       "kafka-2.5",
       with(1, "answer-lost,message-timeout", 2),
       {"no-self-fencing"}},
      {"AZombieBumpsOverItsSuccessor",
       "java-3.9",
       "kip-98",
       "kafka-2.5",
       with(2, "message-timeout", 1),
       {"fencing"}},
      {"ADelayedEndDecidesTheNextTransaction",
       "java-3.9",
       "kip-360",
       "kafka-2.5",
       transactions_of(with(1, "late-request", 2)),
       {"atomic", "exactly-once"}},
      {"ARestartedIdempotentLoopDuplicates",
       "idempotent-loop",
       "kip-360",
       "kafka-2.5",
       loop(with(2, "crash", 1)),
       {"exactly-once"}},
      {"ABumpInsideATransaction",
       "bump-inside-transaction",
       "kip-360",
       "kafka-2.5",
       transactions_of(with(1, "not-leader", 1), 2),
       {"no-reset-inside-transaction", "no-false-failure"}},
      {"ARetryAtTheLastEpoch",
       "java-3.9",
       "kip-360",
       "kafka-2.5",
       exhausted(transactions_of(with(1, "answer-lost,message-timeout", 2))),
       {"no-false-failure"}},
      {"ARefusedEndIsReportedAsSuccess",
       "end-errors-ignored",
       "kip-360",
       "kafka-2.5",
       with(1, "transaction-timeout", 1),
       {"atomic", "exactly-once"}},
  };
}

class TxnReplay : public ::testing::TestWithParam<Case> {};

TEST_P(TxnReplay, EndsInTheSameViolation) {
  const Case& c = GetParam();
  const System system(txn_behaviour(c.client, c.coordinator, c.broker), c.instance);
  checker::SearchOptions options;
  options.properties = (1U << txn::kSafetyProperties) - 1;
  const auto found = checker::search(system.model(), options);
  std::vector<std::string> broken;
  for (const checker::Violation& v : found.violations) {
    const auto& name = txn::properties()[static_cast<std::size_t>(v.property)].name;
    broken.emplace_back(name);
    EXPECT_NE((followed(system, v.path) >> v.property) & 1U, 0U) << name;
  }
  EXPECT_EQ(broken, c.broken);
}

/// Every claim of a broken safety property, at the size at which it is claimed.
TEST(TxnReplayAll, EveryRefutedClaim) {
  const std::string data = std::string(FENCEPOST_SOURCE_DIR) + "/spec/transactions";
  int replayed = 0;
  for (const transactions::Claim& claim : transactions::read_claims(data)) {
    if (claim.claim.expect != gate::Expect::kRefuted || claim.claim.slow) continue;
    for (const transactions::Question& question : claim.questions) {
      if (question.asks(txn::Property::kProgress)) continue;
      const auto found = transactions::search(question, {});
      ASSERT_EQ(found.findings.size(), 1U) << claim.claim.id;
      const auto& finding = found.findings[0];
      const System system(question.behaviour, question.instance);
      EXPECT_NE((followed(system, finding.stem) >> static_cast<int>(finding.property)) & 1U, 0U)
          << claim.claim.id;
      ++replayed;
    }
  }
  EXPECT_GT(replayed, 20);
}

/// Whatever breaks in any combination of client, coordinator and brokers with any two faults.
TEST(TxnReplayAll, EveryCombination) {
  const std::string data = std::string(FENCEPOST_SOURCE_DIR) + "/spec/transactions";
  int replayed = 0;
  std::uint32_t properties = 0;
  for (const auto& client : txn::load_variants(txn::VariantKind::kClient, data)) {
    for (const auto& coordinator : txn::load_variants(txn::VariantKind::kCoordinator, data)) {
      for (const auto& broker : txn::load_variants(txn::VariantKind::kBroker, data)) {
        txn::Behaviour behaviour;
        try {
          behaviour = txn::combine(client, coordinator, broker);
        } catch (const Error&) {
          continue;  // cannot run together
        }
        txn::Instance n = txn_instance(1, 1, kAllTxnFaults, 2);
        n.inputs = 2;
        n.attempts = 3;
        const System system(behaviour, n);
        checker::SearchOptions options;
        options.properties = (1U << txn::kSafetyProperties) - 1;
        options.stop_when_decided = false;
        for (const auto& v : checker::search(system.model(), options).violations) {
          EXPECT_NE((followed(system, v.path) >> v.property) & 1U, 0U)
              << client.name << ", " << coordinator.name << ", " << broker.name;
          properties |= 1U << v.property;
          ++replayed;
        }
      }
    }
  }
  EXPECT_GT(replayed, 2000);
  // All but the reset of sequences inside a transaction, which needs two messages in flight.
  const std::uint32_t all = (1U << txn::kSafetyProperties) - 1;
  EXPECT_EQ(properties | 1U << static_cast<unsigned>(txn::Property::kNoResetInside), all);
}

INSTANTIATE_TEST_SUITE_P(Impl, TxnReplay, ::testing::ValuesIn(cases()),
                         [](const auto& p) { return p.param.name; });

}  // namespace
}  // namespace fencepost::testing
