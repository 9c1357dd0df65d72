// The same text over the domain of formulas: on random well-typed states, given as constants, every
// guard, bound, successor and property comes out as over numbers. So the model can be given to the
// solver as the other one is.
#include <gtest/gtest.h>

#include "checker/symbolic/symbolic.h"
#include "tests/support/transaction_cases.h"

namespace fencepost::testing::transactions {
namespace {

using checker::Symbolic;
using model::CellPlace;
using spec::Concrete;
using State = model::Model::State;
using SymbolicState = model::State<Symbolic>;

SymbolicState constants_of(State& state, const model::Rules& rules) {
  std::vector<unsigned> values;
  model::visit_cells(state, rules,
                     [&](Concrete::Cell& cell, const CellPlace&) { values.push_back(cell.v); });
  SymbolicState s;
  std::size_t i = 0;
  model::visit_cells(s, rules, [&](Symbolic::Cell& cell, const CellPlace& place) {
    cell.value = Symbolic::Num(static_cast<int>(values[i++]));
    cell.max = static_cast<unsigned>(place.max);
  });
  return s;
}

void expect_same_properties(const model::Model& system, const State& state,
                            const SymbolicState& s) {
  const std::uint32_t violations = system.violations(state);
  for (int p = 0; p < model::kSafetyProperties; ++p) {
    const model::Formulas<Symbolic> formulas{s, system.rules()};
    const Symbolic::Bool holds = formulas.holds(static_cast<model::Property>(p));
    ASSERT_TRUE(holds.is_constant());
    ASSERT_EQ(holds.value(), (violations >> p & 1U) == 0) << p;
  }
}

/// Returns how often the action was enabled.
int expect_same_steps(const model::Model& system, std::size_t a, State state) {
  SymbolicState s = constants_of(state, system.rules());
  Symbolic d;
  model::Steps<Symbolic> steps{d, s, system.rules()};
  const Symbolic::Bool guard = steps.guard(system.action(a));
  const bool enabled = system.guard(a, state);
  EXPECT_TRUE(guard.is_constant());
  EXPECT_EQ(guard.value(), enabled) << model::action_text(system.action(a));
  if (!enabled) return 0;
  const spec::StepInfo info = system.effect(a, state);
  steps.effect(system.action(a));
  for (std::size_t b = 0; b < model::kBounds; ++b) {
    EXPECT_EQ(d.bound_hit(b).is(true), ((info.bounds >> b) & 1U) != 0)
        << model::action_text(system.action(a));
  }
  if (info.bounds != 0 || !d.overflow().is(false)) return 1;
  std::vector<unsigned> expected;
  model::visit_cells(state, system.rules(),
                     [&](Concrete::Cell& cell, const CellPlace&) { expected.push_back(cell.v); });
  std::size_t i = 0;
  model::visit_cells(s, system.rules(), [&](Symbolic::Cell& cell, const CellPlace& place) {
    EXPECT_EQ(cell.value.value(), expected[i++])
        << model::action_text(system.action(a)) << " " << place.field;
  });
  return 1;
}

/// A state that some run reaches, or a random one.
State some_state(const model::Model& system, bool reached, std::mt19937& random) {
  if (!reached) return random_state(system.rules(), random);
  State state = system.initial();
  for (auto left = 1 + random() % 60; left > 0; --left) {
    std::vector<std::size_t> enabled;
    for (std::size_t a = 0; a < system.action_count(); ++a) {
      State next = state;
      if (system.guard(a, state) && system.effect(a, next).bounds == 0) enabled.push_back(a);
    }
    if (enabled.empty()) break;
    static_cast<void>(system.effect(enabled[random() % enabled.size()], state));
  }
  return state;
}

void expect_same(const model::Behaviour& behaviour, const model::Instance& shape) {
  std::mt19937 random(23);
  const model::Model system(behaviour, shape);
  std::vector<int> taken(system.action_count(), 0);
  for (int i = 0; i < 3000; ++i) {
    const State state = some_state(system, i % 4 != 0, random);
    State copy = state;
    expect_same_properties(system, state, constants_of(copy, system.rules()));
    for (std::size_t a = 0; a < system.action_count(); ++a) {
      taken[a] += expect_same_steps(system, a, state);
    }
  }
  for (std::size_t a = 0; a < taken.size(); ++a) {
    EXPECT_GT(taken[a], 0) << model::action_text(system.action(a));
  }
}

TEST(TransactionFormulas, AgreeWithNumbersOnRandomStates) {
  expect_same(behaviour("java-3.9", "kip-360", "kafka-3.6"),
              instance("producers=2,offsets,messages=2,in-flight=2,attempts=2,ids=2,log=4",
                       "answer-lost,late-request,disconnect,late-produce,not-leader,"
                       "message-timeout,coordinator-move,transaction-timeout,late-marker",
                       3));
  expect_same(behaviour("java-4.0", "kip-890", "kafka-4.2"),
              instance("attempts=2,ids=3,epochs=3,exhausted-at=2,log=4",
                       "application-abort,transactional-id-expiry,producer-id-expiry,crash", 3));
}

}  // namespace
}  // namespace fencepost::testing::transactions
