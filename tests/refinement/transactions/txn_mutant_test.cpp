// Mistakes in the transactional state machines must be caught: by a property that breaks on the
// implementation itself, or by a step that is not one of the spec.
#include <gtest/gtest.h>

#include "checker/explicit/explicit_search.h"
#include "checker/refinement/transactions/system.h"
#include "tests/refinement/transactions/cases.h"

namespace fencepost::testing {
namespace {

using impl::transactions::Mutant;
using refinement::transactions::System;

struct Case {
  std::string name;
  Mutant mutant;
  txn::Instance instance;
  std::string property;  ///< what breaks when steps are not compared, and where; "" if nothing does
  int divergence;        ///< choices to the shortest divergence
  std::string client = "java-3.9";
  std::string coordinator = "kip-360";
  std::string broker = "kafka-2.5";
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

checker::SearchResult search(const Case& c, Mutant mutant, bool refine) {
  constexpr std::uint32_t kAll = (1U << txn::kSafetyProperties) - 1;
  const System system(txn_behaviour(c.client, c.coordinator, c.broker), c.instance,
                      refine ? 0 : kAll, mutant, refine);
  checker::SearchOptions options;
  options.properties = refine ? 1U << refinement::transactions::kDivergence : kAll;
  options.progress = !refine;
  return checker::search(system, options);
}

/// "atomic at 9": the shallowest property that breaks, or that a fair run never ends.
std::string broken(const checker::SearchResult& result) {
  const checker::Violation* first = nullptr;
  for (const checker::Violation& v : result.violations) {
    if (first == nullptr || v.depth < first->depth) first = &v;
  }
  if (first != nullptr) {
    return std::string(txn::properties()[static_cast<std::size_t>(first->property)].name) + " at " +
           std::to_string(first->depth);
  }
  return result.lasso || result.deadlock ? "progress" : "";
}

std::vector<Case> cases() {
  const auto two = [](int partitions, const std::string& faults, int budget) {
    txn::Instance n = txn_instance(1, partitions, faults, budget);
    n.inputs = 2;
    n.attempts = 3;
    return n;
  };
  const auto loop = [](const std::string& faults, int budget) {
    txn::Instance n = txn_instance(2, 1, faults, budget);
    n.offsets = true;
    return n;
  };
  const auto two_messages = [](txn::Instance n) {
    n.messages = 2;
    return n;
  };
  return {
      {"AnswersBeforeTheRecord", Mutant::kAnswersBeforeWrite, two(1, "coordinator-move", 1),
       "no-self-fencing at 14", 1},
      {"MarkersForgottenAtAMove", Mutant::kForgetsMarkersAtMove, two(2, "coordinator-move", 1),
       "atomic at 24", 24},
      {"TheLastEpochSurvivesAMove", Mutant::kRemembersLastEpoch,
       two(1, "message-timeout,coordinator-move", 2), "", 9},
      {"SequencesGoOnUnderANewEpoch", Mutant::kKeepsSequences, two(1, "message-timeout", 1), "",
       26},
      {"ARetryWithANewSequence", Mutant::kRenumbersRetries, two(1, "disconnect", 1), "atomic at 19",
       11},
      {"TheQueueOutlivesTheAbort", Mutant::kKeepsQueueAfterAbort,
       two_messages(two(1, "message-timeout", 1)), "progress", 15},
      {"AnUnstablePosition", Mutant::kReadsUnstablePosition, loop("crash", 1), "", 23},
      {"ProducerStateExpiresWhileOpen", Mutant::kExpiresOpen, two(1, "producer-id-expiry", 1), "",
       11},
      {"AMarkerThatClosesNothing", Mutant::kMarkerLeavesOpen, two(1, "none", 0), "progress", 16},
      {"CompleteBeforeTheMarkers", Mutant::kCompletesEarly, two(1, "none", 0), "atomic at 18", 17},
  };
}

class TxnMutant : public ::testing::TestWithParam<Case> {};

TEST_P(TxnMutant, IsCaught) {
  const Case& c = GetParam();
  const auto compared = search(c, c.mutant, true);
  ASSERT_FALSE(compared.violations.empty()) << "no step diverges";
  EXPECT_EQ(static_cast<int>(compared.violations[0].depth), c.divergence);
  EXPECT_EQ(broken(search(c, c.mutant, false)), c.property);
  const std::string sound = broken(search(c, Mutant::kNone, false));
  EXPECT_TRUE(c.property.empty() || sound != c.property) << "the instance shows nothing";
  EXPECT_TRUE(search(c, Mutant::kNone, true).violations.empty());
}

/// Verification and append as two steps: the spec has one, because of the guard. With it nothing
/// more breaks than on the spec. Without it a batch that was verified in one transaction is
/// appended after its marker; of version 2 the epoch check refuses it, as every end raises the
/// epoch.
class TxnWindow : public ::testing::TestWithParam<std::pair<std::string, std::string>> {
 protected:
  [[nodiscard]] static checker::SearchResult search(Mutant mutant, bool window) {
    const bool two = GetParam().first == "kip-890";
    const auto behaviour =
        txn_behaviour(two ? "java-4.0" : "java-3.9", GetParam().first, GetParam().second);
    txn::Instance n =
        txn_instance(1, 1, "late-produce,message-timeout,transaction-timeout,disconnect", 2);
    n.inputs = 2;
    n.attempts = 4;
    constexpr std::uint32_t kAll = (1U << txn::kSafetyProperties) - 1;
    const System system(behaviour, n, kAll, mutant, false, window);
    checker::SearchOptions options;
    options.properties = kAll;
    options.progress = true;
    return checker::search(system, options);
  }
};

TEST_P(TxnWindow, TheGuardMakesOneStepOfTwo) {
  const auto one_step = search(Mutant::kNone, false);
  const auto two_steps = search(Mutant::kNone, true);
  EXPECT_EQ(broken(one_step), "");
  EXPECT_EQ(broken(two_steps), "");
  EXPECT_TRUE(two_steps.progress_checked);
  EXPECT_GT(two_steps.stats.distinct, one_step.stats.distinct);
}

TEST_P(TxnWindow, WithoutTheGuardABatchOutlivesItsTransaction) {
  const bool two = GetParam().first == "kip-890";
  EXPECT_EQ(broken(search(Mutant::kIgnoresGuard, true)), two ? "" : "fencing at 24");
}

INSTANTIATE_TEST_SUITE_P(Impl, TxnWindow,
                         ::testing::Values(std::pair("kip-360", "kafka-3.6"),
                                           std::pair("kip-890", "kafka-4.2")),
                         [](const auto& p) { return p.index == 0 ? "Verifies" : "Adds"; });

INSTANTIATE_TEST_SUITE_P(Impl, TxnMutant, ::testing::ValuesIn(cases()),
                         [](const auto& p) { return p.param.name; });

}  // namespace
}  // namespace fencepost::testing
