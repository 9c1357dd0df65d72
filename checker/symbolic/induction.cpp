#include "checker/symbolic/induction.h"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <memory>
#include <set>

namespace fencepost::checker {
namespace {

using Bool = Symbolic::Bool;
using Clock = std::chrono::steady_clock;

/// One context in which facts are assumed: all, or those of one partition and of none. Every query
/// has a solver of its own: one that has seen the queries before takes several times as long.
struct Bench {
  Z3Session session;
  Values state;
  z3::expr_vector assumed;

  Bench(const FormulaSystem& system, const std::vector<std::size_t>& facts, int partition)
      : state(state_variables(system, session.context(), "now")), assumed(session.context()) {
    z3::context& c = session.context();
    assumed.push_back(in_range(system, state).in(c));
    for (const std::size_t f : facts) {
      const int where = system.facts()[f].partition;
      if (partition >= 0 && where >= 0 && where != partition) continue;
      assumed.push_back(system.holds(f, state).in(c));
    }
  }

  /// The question whether a state with these facts has this, too.
  z3::expr_vector asking(const Bool& what) {
    z3::expr_vector formulas(session.context());
    for (const z3::expr& fact : assumed) formulas.push_back(fact);
    formulas.push_back(what.in(session.context()));
    return formulas;
  }
};

class Prover {
 public:
  Prover(const FormulaSystem& system, const std::vector<std::size_t>& facts,
         const InductionOptions& options)
      : system_(system), facts_(facts), options_(options) {}

  InductionResult run() {
    const auto start = Clock::now();
    if (options_.fresh || !starts_well()) initial();
    for (std::size_t a = 0; a < system_.action_count() && going_on(); ++a) {
      if (options_.on_action) options_.on_action(a);
      step(a);
    }
    if (options_.fresh && going_on()) property();
    result_.proved = result_.failures.empty() && result_.unknown.empty();
    result_.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return result_;
  }

 private:
  [[nodiscard]] bool going_on() const {
    return result_.unknown.empty() && (options_.all_failures || result_.failures.empty());
  }

  /// The facts evaluated in the initial states.
  [[nodiscard]] bool starts_well() const {
    for (const std::vector<unsigned>& values : system_.initials()) {
      const Values state = constant_state(values);
      Bool good = in_range(system_, state);
      for (const std::size_t f : facts_) good = good && system_.holds(f, state);
      if (!good.is(true)) return false;
    }
    return true;
  }

  /// Few states, or one; asked of Z3 all the same, so that the proof is whole on paper.
  void initial() {
    Z3Session session;
    z3::context& c = session.context();
    const Values state = state_variables(system_, c, "now");
    z3::expr_vector formulas(c);
    formulas.push_back(is_initial(system_, state).in(c));
    Bool good = in_range(system_, state);
    for (const std::size_t f : facts_) good = good && system_.holds(f, state);
    formulas.push_back(!good.in(c));
    announce("initial", "an initial state breaks a fact, or a cell's range", formulas);
    z3::solver solver = session.make_solver(formulas, options_.limits);
    const Sat sat = session.check(solver, z3::expr_vector(c), options_.limits);
    ++result_.queries;
    if (sat == Sat::kUnknown) result_.unknown = session.reason();
    if (sat != Sat::kSat) return;
    CounterexampleToInduction failure;
    failure.state = read_state(solver.get_model(), state);
    const Values constants = constant_state(failure.state);
    for (const std::size_t f : facts_) {
      if (system_.holds(f, constants).is(false)) failure.broken.push_back(f);
    }
    result_.failures.push_back(std::move(failure));
  }

  /// The properties are among the facts, so this is plain; it is there to make the proof whole.
  void property() {
    benches_.clear();
    Bench& bench = bench_of(-1);
    Bool good(true);
    for (const std::size_t f : facts_) {
      if (system_.facts()[f].property >= 0) good = good && system_.holds(f, bench.state);
    }
    z3::context& c = bench.session.context();
    const z3::expr_vector formulas = bench.asking(!good);
    announce("property", "a state in which all facts hold breaks a property", formulas);
    z3::solver solver = bench.session.make_solver(formulas, options_.limits);
    const Sat sat = bench.session.check(solver, z3::expr_vector(c), options_.limits);
    ++result_.queries;
    if (sat == Sat::kUnknown) result_.unknown = bench.session.reason();
    FP_ASSERT(sat != Sat::kSat);
  }

  void announce(const std::string& name, const std::string& says,
                const z3::expr_vector& formulas) const {
    if (options_.on_query) options_.on_query(name, says, smt2(formulas));
  }

  /// What must not follow an action, as far as one partition is concerned.
  struct Bad {
    Bool enabled = Bool(false);
    std::vector<std::pair<std::size_t, Bool>> facts;  ///< the facts that the step may touch
    Bool bound = Bool(false);
    Bool range = Bool(false);

    [[nodiscard]] Bool any() const {
      Bool some = range;
      for (const auto& [f, holds] : facts) some = some || !holds;
      return bound || (enabled && some);
    }
  };

  /// Where a fact is looked at: facts of no partition go with the action's own.
  [[nodiscard]] int group_of(std::size_t fact, std::size_t a) const {
    const int partition = system_.facts()[fact].partition;
    return partition >= 0 ? partition : system_.action_partition(a);
  }
  /// The groups whose facts an action may touch.
  [[nodiscard]] std::set<int> groups(std::size_t a) {
    Bench& bench = bench_of(system_.action_partition(a));
    const FormulaStep step = system_.step(a, bench.state);
    std::set<int> found{system_.action_partition(a)};
    for (const std::size_t f : facts_) {
      if (found.contains(group_of(f, a))) continue;
      if (!system_.holds(f, step.next).same(system_.holds(f, bench.state))) {
        found.insert(group_of(f, a));
      }
    }
    return found;
  }

  Bad bad_of(const FormulaStep& step, const Values& state, std::size_t a, int group) const {
    Bad bad;
    bad.enabled = step.enabled();
    for (const std::size_t f : facts_) {
      if (group_of(f, a) != group) continue;
      const Bool after = system_.holds(f, step.next);
      if (!after.same(system_.holds(f, state))) bad.facts.emplace_back(f, after);
    }
    if (group != system_.action_partition(a)) return bad;
    for (std::size_t b = 0; b < step.bounds.size(); ++b) {
      if (((options_.stated_bounds >> b) & 1U) != 0) continue;
      bad.bound = bad.bound || (step.guard && step.bounds[b]);
    }
    Values changed = step.next;
    for (std::size_t i = 0; i < state.size(); ++i) {
      if (changed[i].same(state[i])) changed[i] = Symbolic::Num(0);
    }
    bad.range = step.overflow || !in_range(system_, changed);
    return bad;
  }

  Bench& bench_of(int partition) {
    std::unique_ptr<Bench>& bench = benches_[partition];
    if (bench == nullptr) {
      bench = std::make_unique<Bench>(system_, facts_, partition);
    }
    return *bench;
  }

  void step(std::size_t a) {
    for (const int group : groups(a)) {
      if (options_.fresh) benches_.clear();
      if (ask(bench_of(group), a, group) != Sat::kSat || !going_on()) continue;
      // With the facts of one partition alone the step fails: does it with all of them?
      if (group >= 0) {
        if (ask(bench_of(-1), a, group) != Sat::kSat) continue;
      }
      result_.failures.push_back(std::move(*found_));
    }
  }

  /// One query; a failure is left in `found_`.
  Sat ask(Bench& bench, std::size_t a, int group) {
    z3::context& c = bench.session.context();
    const FormulaStep step = system_.step(a, bench.state);
    const Bad bad = bad_of(step, bench.state, a, group);
    const Bool any = bad.any();
    if (any.is(false)) return Sat::kUnsat;
    const z3::expr_vector formulas = bench.asking(any);
    announce(fmt::format("step-{}{}", a, group < 0 ? "" : fmt::format("-p{}", group)),
             "a state in which all facts hold, and the step \"" + system_.action_text(a) +
                 "\" from it that breaks one of them, a bound, or a cell's range",
             formulas);
    z3::solver solver = bench.session.make_solver(formulas, options_.limits);
    const Sat sat = bench.session.check(solver, z3::expr_vector(c), options_.limits);
    ++result_.queries;
    if (sat == Sat::kUnknown) result_.unknown = bench.session.reason();
    if (sat == Sat::kSat) found_ = failure_of(bench, solver.get_model(), a, step, bad);
    return sat;
  }

  static CounterexampleToInduction failure_of(Bench& bench, const z3::model& model, std::size_t a,
                                              const FormulaStep& step, const Bad& bad) {
    z3::context& c = bench.session.context();
    const auto is_true = [&](const Bool& b) { return model.eval(b.in(c), true).is_true(); };
    CounterexampleToInduction failure;
    failure.state = read_state(model, bench.state);
    failure.action = a;
    failure.next = read_state(model, step.next);
    for (const auto& [f, holds] : bad.facts) {
      if (!is_true(holds)) failure.broken.push_back(f);
    }
    if (is_true(bad.bound)) failure.other = "a bound is hit that should never be";
    if (is_true(bad.enabled && bad.range)) failure.other = "a value leaves its cell's range";
    return failure;
  }

  const FormulaSystem& system_;
  const std::vector<std::size_t>& facts_;
  const InductionOptions& options_;
  std::map<int, std::unique_ptr<Bench>> benches_;  ///< by partition; -1: all
  std::optional<CounterexampleToInduction> found_;
  InductionResult result_;
};

}  // namespace

InductionResult prove(const FormulaSystem& system, const std::vector<std::size_t>& facts,
                      const InductionOptions& options) {
  return Prover(system, facts, options).run();
}

}  // namespace fencepost::checker
