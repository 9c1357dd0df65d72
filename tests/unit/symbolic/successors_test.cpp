// One template, two domains: on random well-typed states, reachable or not, every action's guard,
// bounds and successor are the same over numbers and over formulas, and so are properties and
// lemmas. Induction runs on such states, so it is not enough that reachable ones agree.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "checker/symbolic/spec_system.h"
#include "spec/lemmas.h"
#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using checker::FormulaStep;
using checker::SpecSystem;
using checker::Symbolic;
using checker::Values;
using Numbers = std::vector<unsigned>;

constexpr unsigned kSeed = 20240817;

struct Case {
  const char* name;
  const char* variant;
  const char* faults;
};

/// A formula's value in a state: substituted and simplified, so that the formula itself is tested
/// and not only the folding of constants.
class Evaluator {
 public:
  Evaluator(z3::context& c, const Values& variables, const Numbers& values)
      : c_(c), from_(c), to_(c) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (variables[i].is_constant()) continue;
      from_.push_back(variables[i].expr());
      to_.push_back(c.bv_val(values[i], variables[i].expr().get_sort().bv_size()));
    }
  }
  bool truth(const Symbolic::Bool& b) {
    return b.in(c_).substitute(from_, to_).simplify().is_true();
  }
  unsigned number(const Symbolic::Num& n) {
    if (n.is_constant()) return n.value();
    z3::expr e = n.expr();
    return e.substitute(from_, to_).simplify().get_numeral_uint();
  }

 private:
  z3::context& c_;
  z3::expr_vector from_, to_;
};

class Successors : public ::testing::TestWithParam<Case> {
 protected:
  Successors()
      : behaviour_(behaviour(GetParam().variant)),
        instance_(instance_of()),
        system_(behaviour_, instance_, {kAllSafety, true, false}),
        model_(behaviour_, instance_) {}

  static spec::Instance instance_of() {
    spec::Instance i = instance(2, 2, 2, GetParam().faults, 3);
    i.log = 4;
    i.epochs = 2;
    return i;
  }
  Numbers random_state() {
    Numbers values;
    for (const auto& cell : system_.cells()) {
      // Small numbers more often: queues that are empty, offsets within the log.
      const unsigned most = random_() % 2 == 0 ? cell.max : std::min(cell.max, 1U);
      values.push_back(std::uniform_int_distribution<unsigned>(0, most)(random_));
    }
    return values;
  }
  Numbers numbers_of(spec::Model::State state) {
    Numbers values;
    spec::visit_cells(state, model_.rules(),
                      [&](spec::Concrete::Cell& cell, const auto&) { values.push_back(cell.v); });
    return values;
  }
  void expect_same(const FormulaStep& step, std::size_t a, const Numbers& values,
                   Evaluator evaluator);

  spec::Behaviour behaviour_;
  spec::Instance instance_;
  SpecSystem system_;
  spec::Model model_;
  std::mt19937 random_{kSeed};
  std::map<std::size_t, int> taken_;  ///< by action: comparisons of an enabled one
};

void Successors::expect_same(const FormulaStep& step, std::size_t a, const Numbers& values,
                             Evaluator evaluator) {
  spec::Model::State state = system_.concrete(values);
  const bool enabled = model_.guard(a, state);
  ASSERT_EQ(evaluator.truth(step.guard), enabled) << system_.action_text(a);
  if (!enabled) return;
  ++taken_[a];
  const spec::StepInfo info = model_.effect(a, state);
  for (std::size_t b = 0; b < step.bounds.size(); ++b) {
    ASSERT_EQ(evaluator.truth(step.bounds[b]), ((info.bounds >> b) & 1U) != 0)
        << system_.action_text(a);
  }
  if (info.bounds != 0 || evaluator.truth(step.overflow)) return;
  const Numbers expected = numbers_of(state);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(evaluator.number(step.next[i]), expected[i])
        << system_.action_text(a) << ": " << system_.cells()[i].name;
  }
}

TEST_P(Successors, OfFormulasAreThoseOfNumbers) {
  z3::context context;
  const Values variables = checker::state_variables(system_, context, "now");
  for (std::size_t a = 0; a < system_.action_count(); ++a) {
    const FormulaStep step = system_.step(a, variables);
    for (int n = 0; n < 6; ++n) {
      const Numbers values = random_state();
      expect_same(step, a, values, Evaluator(context, variables, values));
    }
  }
}

TEST_P(Successors, OfConstantsAreThoseOfNumbers) {
  z3::context context;
  for (int n = 0; n < 400; ++n) {
    const Numbers values = random_state();
    const Values constants = checker::constant_state(values);
    for (std::size_t a = 0; a < system_.action_count(); ++a) {
      expect_same(system_.step(a, constants), a, values, Evaluator(context, constants, values));
    }
  }
  for (std::size_t a = 0; a < system_.action_count(); ++a) {
    EXPECT_GT(taken_[a], 0) << system_.action_text(a) << " was never enabled";
  }
}

TEST_P(Successors, FactsAreTheSameOverBothDomains) {
  z3::context context;
  for (int n = 0; n < 100; ++n) {
    const Numbers values = random_state();
    const spec::Model::State state = system_.concrete(values);
    const Values constants = checker::constant_state(values);
    for (std::size_t f = 0; f < system_.facts().size(); ++f) {
      const checker::Fact& fact = system_.facts()[f];
      const bool expected =
          fact.property >= 0
              ? spec::Formulas<spec::Concrete>{state, model_.rules()}
                    .holds(static_cast<spec::Property>(fact.property), fact.partition)
                    .value()
              : spec::Lemmas<spec::Concrete>{state, model_.rules()}
                    .holds(*spec::lemma_named(fact.name), fact.partition)
                    .value();
      ASSERT_TRUE(system_.holds(f, constants).is(expected)) << fact.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Spec, Successors,
                         ::testing::Values(Case{"EveryFault", "librdkafka-2.15", "all"},
                                           Case{"Deferred", "librdkafka-deferred", "all"},
                                           Case{"WithLemmas", "librdkafka-deferred-honest",
                                                "all-but:late-request,cache-shrink,expiry"},
                                           Case{"CapsAndPlaces", "librdkafka-deferred-answered",
                                                "leader-lost=1,disconnect,purge@0,p1=2"}),
                         [](const auto& p) { return p.param.name; });

}  // namespace
}  // namespace fencepost::testing
