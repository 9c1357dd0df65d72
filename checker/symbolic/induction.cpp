#include "checker/symbolic/induction.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>

namespace fencepost::checker {
namespace {

using Bool = Symbolic::Bool;
using Clock = std::chrono::steady_clock;

/// One solver with the invariant assumed in it.
struct Bench {
  Z3Session session;
  Values state;
  std::vector<Bool> before;  ///< the facts in `state`
  std::optional<z3::solver> solver;

  Bench(const FormulaSystem& system, const std::vector<std::size_t>& facts,
        const SolverLimits& limits)
      : state(state_variables(system, session.context(), "now")),
        solver(session.make_solver(limits)) {
    z3::context& c = session.context();
    solver->add(in_range(system, state).in(c));
    for (const std::size_t f : facts) {
      before.push_back(system.holds(f, state));
      solver->add(before.back().in(c));
    }
  }
};

class Prover {
 public:
  Prover(const FormulaSystem& system, const std::vector<std::size_t>& facts,
         const InductionOptions& options)
      : system_(system), facts_(facts), options_(options) {}

  InductionResult run() {
    const auto start = Clock::now();
    initial();
    for (std::size_t a = 0; a < system_.action_count() && going_on(); ++a) {
      if (options_.on_action) options_.on_action(a);
      if (options_.fresh || bench_ == nullptr) {
        bench_ = std::make_unique<Bench>(system_, facts_, options_.limits);
      }
      step(a);
    }
    result_.proved = result_.failures.empty() && result_.unknown.empty();
    result_.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return result_;
  }

 private:
  [[nodiscard]] bool going_on() const {
    return result_.unknown.empty() && (options_.all_failures || result_.failures.empty());
  }

  /// The initial state is one state: its facts fold to constants, and Z3 is asked only so that the
  /// proof is whole on paper.
  void initial() {
    Z3Session session;
    z3::context& c = session.context();
    z3::solver solver = session.make_solver(options_.limits);
    const std::vector<unsigned> values = system_.initial();
    const Values state = state_variables(system_, c, "now");
    Bool is(true);
    for (std::size_t i = 0; i < values.size(); ++i) {
      is = is && state[i] == Symbolic::Num(static_cast<int>(values[i]));
    }
    solver.add(is.in(c));
    Bool good = in_range(system_, state);
    for (const std::size_t f : facts_) good = good && system_.holds(f, state);
    solver.add(!good.in(c));
    announce("initial", "the initial state breaks a fact, or a cell's range", solver);
    const Sat sat = session.check(solver, z3::expr_vector(c), options_.limits);
    ++result_.queries;
    if (sat == Sat::kUnknown) result_.unknown = session.reason();
    if (sat != Sat::kSat) return;
    CounterexampleToInduction failure{values, std::nullopt, {}, {}, {}};
    const Values constants = constant_state(values);
    for (const std::size_t f : facts_) {
      if (system_.holds(f, constants).is(false)) failure.broken.push_back(f);
    }
    result_.failures.push_back(std::move(failure));
  }

  void announce(const std::string& name, const std::string& says, z3::solver& solver) const {
    if (options_.on_query) options_.on_query(name, says, solver.to_smt2());
  }

  /// What must not follow an action: a broken fact, a bound, a cell beyond its range.
  struct Bad {
    std::vector<std::pair<std::size_t, Bool>> facts;  ///< the facts that the step may touch
    Bool bound = Bool(false);
    Bool range = Bool(false);
    Bool enabled = Bool(false);

    [[nodiscard]] Bool any() const {
      Bool some = bound || (enabled && range);
      for (const auto& [f, holds] : facts) some = some || (enabled && !holds);
      return some;
    }
  };

  Bad bad_of(const FormulaStep& step) {
    Bad bad;
    bad.enabled = step.enabled();
    for (std::size_t b = 0; b < step.bounds.size(); ++b) {
      if (((options_.stated_bounds >> b) & 1U) != 0) continue;
      bad.bound = bad.bound || (step.guard && step.bounds[b]);
    }
    bad.range = step.overflow || !in_range(system_, step.next);
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      const Bool after = system_.holds(facts_[i], step.next);
      if (!after.same(bench_->before[i])) bad.facts.emplace_back(facts_[i], after);
    }
    return bad;
  }

  void step(std::size_t a) {
    z3::context& c = bench_->session.context();
    const FormulaStep step = system_.step(a, bench_->state);
    if (step.guard.is(false)) return;
    const Bad bad = bad_of(step);
    const Bool any = bad.any();
    if (any.is(false)) return;
    z3::solver& solver = *bench_->solver;
    z3::expr_vector assumptions(c);
    if (options_.fresh) {
      solver.add(any.in(c));
      announce("step-" + std::to_string(a),
               "a state in which all facts hold, and the step \"" + system_.action_text(a) +
                   "\" from it that breaks one of them, a bound, or a cell's range",
               solver);
    } else {
      const z3::expr asked = c.bool_const(fmt::format("step_{}", a).c_str());
      solver.add(z3::implies(asked, any.in(c)));
      assumptions.push_back(asked);
    }
    const Sat sat = bench_->session.check(solver, assumptions, options_.limits);
    ++result_.queries;
    if (sat == Sat::kUnknown) {
      result_.unknown = bench_->session.reason();
    } else if (sat == Sat::kSat) {
      note_failure(a, step, bad, solver.get_model());
    }
  }

  void note_failure(std::size_t a, const FormulaStep& step, const Bad& bad,
                    const z3::model& model) {
    z3::context& c = bench_->session.context();
    const auto is_true = [&](const Bool& b) { return model.eval(b.in(c), true).is_true(); };
    CounterexampleToInduction failure;
    failure.state = read_state(model, bench_->state);
    failure.action = a;
    failure.next = read_state(model, step.next);
    for (const auto& [f, holds] : bad.facts) {
      if (!is_true(holds)) failure.broken.push_back(f);
    }
    if (is_true(bad.bound)) failure.other = "a bound is hit that should never be";
    if (is_true(bad.enabled && bad.range)) failure.other = "a value leaves its cell's range";
    result_.failures.push_back(std::move(failure));
  }

  const FormulaSystem& system_;
  const std::vector<std::size_t>& facts_;
  const InductionOptions& options_;
  std::unique_ptr<Bench> bench_;
  InductionResult result_;
};

}  // namespace

InductionResult prove(const FormulaSystem& system, const std::vector<std::size_t>& facts,
                      const InductionOptions& options) {
  return Prover(system, facts, options).run();
}

}  // namespace fencepost::checker
