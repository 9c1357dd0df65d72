// The solvers against the explicit engine on the transactional model: what is refuted is refuted
// in as many steps and in no fewer, what is exhausted is closed, and neither is said of what is
// not so.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "checker/symbolic/bounded.h"
#include "checker/symbolic/closure.h"
#include "checker/symbolic/locality.h"
#include "checker/symbolic/transactions/transaction_system.h"
#include "checker/transactions/confirm.h"
#include "checker/transactions/run.h"
#include "spec/base.h"
#include "tests/support/transaction_cases.h"

namespace fencepost::testing::transactions {
namespace {

using checker::TransactionSystem;
using fencepost::transactions::Claim;
using fencepost::transactions::exhaustion_sentence;
using fencepost::transactions::Question;
using fencepost::transactions::refutation_sentence;
using model::Property;

constexpr fencepost::transactions::SolverSeconds kNoLimits{0, 0, 0, 0};

Question question(const std::string& client, const std::string& coordinator,
                  const std::string& broker, const std::string& shape, const std::string& faults,
                  int budget, std::uint32_t properties) {
  return {client,
          coordinator,
          broker,
          behaviour(client, coordinator, broker),
          instance(shape, faults, budget),
          faults,
          properties};
}

/// No limits at all.
const gate::Limits& unlimited() {
  static const gate::Limits kLimits;
  return kLimits;
}

std::uint32_t bit(Property property) { return fencepost::transactions::bit(property); }

// --- what is refuted -----------------------------------------------------------------------------

// Depths as the claims' table and the mutants' test have them.
constexpr Refuted kRefuted[] = {
    {"LostInitAnswer", "java-3.9", "expected-epoch-only", "kafka-2.5", kOne,
     "answer-lost,message-timeout", 2, Property::kNoSelfFencing, 9},
    {"NoEpochCheck", "java-3.9", "kip-360", "no-epoch-check", kZombies, "none", 0,
     Property::kEpochMonotonic, 11},
    {"LateProduce", "java-3.9", "kip-360", "kafka-2.5", kOne, "late-produce,message-timeout", 2,
     Property::kFencing, 16},
    {"FailureIgnored", "failure-ignored", "kip-360", "kafka-2.5", kTwoMessages, "message-timeout",
     1, Property::kAtomic, 13},
    {"EpochWraps", "idempotent-loop-wrapping", "kip-360", "kafka-2.5",
     "inputs=2,exhausted-at=1,ids=3,attempts=5,epochs=4,log=14", "message-timeout", 3,
     Property::kExactlyOnce, 18},
    {"StaleMarker", "java-4.0", "kip-890", "kafka-4.0", kTwoMessages, "late-marker", 1,
     Property::kAtomic, 18},
    {"FailureWithoutBump", "failure-without-bump", "kip-360", "kafka-2.5", kTwoMessages,
     "message-timeout,disconnect", 2, Property::kNoFalseFailure, 21},
    {"DelayedEnd", "librdkafka-2.15", "kip-360", "kafka-3.6", kTwoMessages, "late-request", 1,
     Property::kAtomic, 26},
};

Question question(const Refuted& r) {
  return question(r.client, r.coordinator, r.broker, r.shape, r.faults, r.budget, bit(r.property));
}

class TransactionEngines : public ::testing::TestWithParam<Refuted> {};

TEST_P(TransactionEngines, RefuteInAsManySteps) {
  const Refuted& r = GetParam();
  const Question asked = question(r);
  EXPECT_EQ(depth_of(run(asked.behaviour, asked.instance), r.property), static_cast<int>(r.depth));

  const TransactionSystem system(asked.behaviour, asked.instance, asked.properties);
  const auto found = checker::violation_within(system, {0}, r.depth, r.depth, {});
  ASSERT_EQ(found.sat, checker::Sat::kSat);
  ASSERT_EQ(found.path.size(), r.depth);
  // The solver's run is one of the model over numbers, and ends in the violation.
  const model::Model concrete(asked.behaviour, asked.instance, asked.properties);
  model::Model::State state = concrete.initial();
  for (const std::uint32_t a : found.path) {
    ASSERT_EQ(concrete.violations(state), 0U);
    ASSERT_TRUE(concrete.guard(a, state)) << system.action_text(a);
    ASSERT_EQ(concrete.effect(a, state).bounds, 0U);
  }
  EXPECT_EQ(concrete.violations(state), asked.properties);

  if (r.depth > 13) return;  // asked in another way by RefuteInNoFewer
  const auto shorter = checker::violation_within(system, {0}, r.depth - 1, r.depth - 1, {});
  EXPECT_EQ(shorter.sat, checker::Sat::kUnsat);
}

TEST_P(TransactionEngines, RefuteInNoFewer) {
  const Refuted& r = GetParam();
  EXPECT_EQ(refutation_sentence(question(r), r.property, r.depth, unlimited(), kNoLimits),
            fmt::format("refuted by {} in {} steps, too; fewer are not enough",
                        checker::bounded_engine_name(), r.depth));
}

INSTANTIATE_TEST_SUITE_P(Transactions, TransactionEngines, ::testing::ValuesIn(kRefuted),
                         [](const auto& refuted) { return std::string(refuted.param.name); });

TEST(TransactionRefutations, AreErrorsWhereTheEnginesDisagree) {
  const Question asked = question(kRefuted[0]);
  EXPECT_THROW(refutation_sentence(asked, Property::kNoSelfFencing, 8, unlimited(), kNoLimits),
               Error);
  EXPECT_THROW(refutation_sentence(asked, Property::kNoSelfFencing, 10, unlimited(), kNoLimits),
               Error);
  EXPECT_THROW(refutation_sentence(asked, Property::kAtomic, 9, unlimited(), kNoLimits), Error);
}

// Runs of fewer than one step, or of none, are not asked of a solver.
TEST(TransactionRefutations, OfNoStepAndOfOneHaveNoneShorter) {
  const Question asked = question(kRefuted[0]);
  const auto none = [&](std::uint32_t depth) {
    return fencepost::transactions::none_shorter(asked, Property::kNoSelfFencing, depth,
                                                 unlimited(), kNoLimits);
  };
  EXPECT_EQ(none(0), true);
  EXPECT_EQ(none(1), true);
  EXPECT_EQ(none(2), true);
  EXPECT_EQ(none(9), true);
  EXPECT_EQ(none(10), false);
}

// What no guard and not the property reads is left out; what the property reads is not.
TEST(TransactionRefutations, LeaveOutWhatDoesNotMatter) {
  const Question asked = question(kRefuted[2]);
  const TransactionSystem system(asked.behaviour, asked.instance,
                                 bit(Property::kFencing) | bit(Property::kNoSelfFencing));
  checker::Z3Session session;
  const checker::Values state = checker::state_variables(system, session.context(), "now");
  const auto stale = std::find_if(
      system.cells().begin(), system.cells().end(),
      [](const checker::CellInfo& cell) { return cell.name.starts_with("entry_stale"); });
  ASSERT_NE(stale, system.cells().end());
  const auto at = static_cast<std::size_t>(stale - system.cells().begin());
  EXPECT_TRUE(checker::cone(system, 0, state)[at]);
  EXPECT_FALSE(checker::cone(system, 1, state)[at]);
  // Every guard of a fault reads how many there were.
  const auto used = std::find_if(
      system.cells().begin(), system.cells().end(),
      [](const checker::CellInfo& cell) { return cell.name.starts_with("faults_used"); });
  ASSERT_NE(used, system.cells().end());
  EXPECT_TRUE(
      checker::cone(system, 1, state)[static_cast<std::size_t>(used - system.cells().begin())]);
}

// --- what is exhausted ---------------------------------------------------------------------------

std::vector<std::vector<unsigned>> reached(const Question& asked, const TransactionSystem& system) {
  const model::Model concrete(asked.behaviour, asked.instance);
  std::vector<std::vector<unsigned>> states{system.initial()};
  for (std::size_t at = 0; at < states.size(); ++at) {
    for (std::size_t a = 0; a < concrete.action_count(); ++a) {
      model::Model::State state = system.concrete(states[at]);
      if (!concrete.guard(a, state) || concrete.effect(a, state).bounds != 0) continue;
      const std::vector<unsigned> next = system.values(state);
      if (std::find(states.begin(), states.end(), next) == states.end()) states.push_back(next);
    }
  }
  return states;
}

checker::ClosureResult closed(const TransactionSystem& system,
                              std::vector<std::vector<unsigned>> states) {
  return checker::check_closed(system, checker::StateSet(std::move(states)),
                               checker::AtBound::kFails, {});
}

const Question& restarts() {
  static const Question kAsked =
      question("java-3.9", "kip-360", "kafka-2.5", kOne, "answer-lost,message-timeout", 2,
               bit(Property::kNoSelfFencing) | bit(Property::kAtomic));
  return kAsked;
}

TEST(TransactionClosure, IsConfirmedOfAllStatesAndOfNoFewer) {
  const Question& asked = restarts();
  const TransactionSystem system(asked.behaviour, asked.instance, asked.properties);
  const auto states = reached(asked, system);
  ASSERT_GT(states.size(), 100U);
  EXPECT_TRUE(closed(system, states).closed);
  for (const std::size_t missing : {std::size_t{0}, states.size() / 2, states.size() - 1}) {
    auto fewer = states;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(missing));
    const checker::ClosureResult result = closed(system, fewer);
    EXPECT_FALSE(result.closed);
    EXPECT_TRUE(result.unknown.empty());
    if (missing > 0) {
      ASSERT_TRUE(result.action.has_value());
      EXPECT_EQ(result.next, states[missing]);
    } else {
      EXPECT_FALSE(result.action.has_value());
    }
  }
}

TEST(TransactionClosure, IsNotConfirmedOfABrokenProtocol) {
  for (const Refuted& r : {kRefuted[0], kRefuted[2]}) {
    const Question asked = question(r);
    const TransactionSystem system(asked.behaviour, asked.instance, asked.properties);
    const checker::ClosureResult result = closed(system, reached(asked, system));
    EXPECT_FALSE(result.closed) << r.name;
    ASSERT_TRUE(result.action.has_value()) << r.name;
    const model::Model concrete(asked.behaviour, asked.instance, asked.properties);
    EXPECT_EQ(concrete.violations(system.concrete(result.next)), asked.properties) << r.name;
    EXPECT_THROW(exhaustion_sentence(asked, reached(asked, system).size(), unlimited(), kNoLimits),
                 Error)
        << r.name;
  }
}

TEST(TransactionClosure, MeetsNoBound) {
  Question tight = restarts();
  tight.instance.attempts = 1;
  const TransactionSystem system(tight.behaviour, tight.instance, tight.properties);
  const auto states = reached(tight, system);
  const checker::ClosureResult result = closed(system, states);
  EXPECT_FALSE(result.closed);
  ASSERT_TRUE(result.action.has_value());
  EXPECT_EQ(system.action_text(*result.action), "begin producer=0");
  EXPECT_TRUE(
      checker::check_closed(system, checker::StateSet(states), checker::AtBound::kDisables, {})
          .closed);
}

TEST(TransactionClosure, IsSaidOfAsManyStatesAsTheSearchVisited) {
  const Question& asked = restarts();
  const gate::Limits& limits = unlimited();
  const std::uint64_t states = fencepost::transactions::search(asked, limits).facts.stats.distinct;
  const std::string says = exhaustion_sentence(asked, states, limits, kNoLimits);
  EXPECT_TRUE(says.starts_with("confirmed by Z3 " + checker::z3_version() +
                               ": every step from the " + std::to_string(states) +
                               " states visited"))
      << says;
  EXPECT_THROW(exhaustion_sentence(asked, states + 1, limits, kNoLimits), Error);
  EXPECT_THROW(exhaustion_sentence(asked, states - 1, limits, kNoLimits), Error);
}

TEST(TransactionClosure, OfTooManyStatesOnlyShortRunsAreAsked) {
  const std::string says = exhaustion_sentence(restarts(), 155758, unlimited(), kNoLimits);
  EXPECT_EQ(says, "bounded by " + checker::bounded_engine_name() +
                      ": no violation within 10 steps; of longer runs the search alone vouches, "
                      "its 155758 states are too many to ask Z3 of");
  const Question broken = question(kRefuted[0]);
  EXPECT_THROW(exhaustion_sentence(broken, 155758, unlimited(), kNoLimits), Error);
}

// --- in the gate ---------------------------------------------------------------------------------

gate::GateResult gate_of(const std::string& id, const std::vector<Claim>& claims,
                         const fencepost::transactions::Confirmation& confirmation) {
  const auto found = std::find_if(claims.begin(), claims.end(),
                                  [&](const Claim& claim) { return claim.claim.id == id; });
  FP_ASSERT(found != claims.end());
  gate::GateResult result;
  const gate::GateOptions options;
  fencepost::transactions::run_claims(claims, {&found->claim}, options, result,
                                      fencepost::transactions::search, confirmation);
  return result;
}

TEST(TransactionConfirmation, StandsBelowSafetyRows) {
  const auto claims = fencepost::transactions::read_claims(data_folder());
  std::vector<std::string> asked;
  const fencepost::transactions::Confirmation confirmation{
      [&](const Question&, Property property, std::uint32_t depth, const gate::Limits&) {
        asked.emplace_back(model::properties()[static_cast<std::size_t>(property)].name);
        return "refuted at " + std::to_string(depth);
      },
      [&](const Question& question, std::uint64_t states, const gate::Limits&) {
        EXPECT_FALSE(question.asks(Property::kProgress));
        asked.push_back(std::to_string(states));
        return std::string("closed");
      }};
  const gate::GateResult refuted = gate_of("late-produce-joins-next", claims, confirmation);
  ASSERT_EQ(refuted.rows.size(), 2U);
  EXPECT_EQ(refuted.rows[0].proof, "refuted at 16");
  EXPECT_EQ(refuted.rows[1].proof, "refuted at 27");
  EXPECT_EQ(asked, (std::vector<std::string>{"fencing", "atomic"}));

  asked.clear();
  const gate::GateResult holds = gate_of("stale-marker-refused", claims, confirmation);
  EXPECT_EQ(asked, std::vector<std::string>{"111"});
  for (const gate::RowResult& row : holds.rows) {
    EXPECT_EQ(row.proof, row.answer.property == "progress" ? "" : "closed");
  }

  asked.clear();
  static_cast<void>(gate_of("late-init", claims, confirmation));  // open, refuted
  EXPECT_TRUE(asked.empty());
}

TEST(TransactionConfirmation, ThatThrowsIsAnErrorOfTheRow) {
  const auto claims = fencepost::transactions::read_claims(data_folder());
  const fencepost::transactions::Confirmation confirmation{
      {}, [](const Question&, std::uint64_t, const gate::Limits&) -> std::string {
        throw Error(Exit::kInternal, "the engines disagree");
      }};
  const gate::GateResult result = gate_of("stale-marker-refused", claims, confirmation);
  EXPECT_EQ(result.exit_code(), Exit::kInternal);
  EXPECT_EQ(result.rows.front().answer.verdict, checker::Verdict::kError);
  EXPECT_EQ(result.rows.front().answer.reason, "the engines disagree");
}

}  // namespace
}  // namespace fencepost::testing::transactions
