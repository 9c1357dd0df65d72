#include "checker/symbolic/support.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "spec/base.h"

namespace fencepost::checker {
namespace {

using Bool = Symbolic::Bool;
using Facts = std::set<std::size_t>;

/// One solver in which each fact of the state before a step can be assumed or not.
class Assumer {
 public:
  Assumer(const FormulaSystem& system, const std::vector<std::size_t>& facts,
          const SolverLimits& limits)
      : system_(system),
        facts_(facts),
        limits_(limits),
        state_(state_variables(system, session_.context(), "now")),
        solver_(session_.make_solver(limits)) {
    z3::context& c = session_.context();
    solver_.add(in_range(system, state_).in(c));
    for (const std::size_t f : facts) {
      switches_.emplace(f, c.bool_const(fmt::format("fact_{}", f).c_str()));
      solver_.add(z3::implies(switches_.at(f), system.holds(f, state_).in(c)));
    }
    for (std::size_t a = 0; a < system.action_count(); ++a) {
      steps_.push_back(system.step(a, state_));
    }
  }

  Support support(std::size_t fact) {
    Support result;
    result.fact = fact;
    Facts needed = needed_with_all(fact, result);
    if (result.broken_by < 0 && result.unknown.empty()) {
      const Facts candidates = needed;
      for (const std::size_t f : candidates) {
        if (f == fact) continue;
        Facts fewer = needed;
        fewer.erase(f);
        if (keeps(fact, fewer)) needed = std::move(fewer);
      }
      result.implied = implied(fact);
    }
    needed.erase(fact);
    result.needs.assign(needed.begin(), needed.end());
    if (result.unknown.empty()) result.unknown = unknown_;
    return result;
  }

 private:
  /// What the action may break; none if it leaves the fact alone.
  [[nodiscard]] std::optional<z3::expr> broken(std::size_t fact, std::size_t a) {
    const FormulaStep& step = steps_[a];
    const Bool after = system_.holds(fact, step.next);
    if (after.same(system_.holds(fact, state_))) return std::nullopt;
    const Bool bad = step.enabled() && !after;
    if (bad.is(false)) return std::nullopt;
    return bad.in(session_.context());
  }

  /// With the facts of `assumed`, in the state, is this unsatisfiable? Then `core_` has those that
  /// were used.
  Sat ask(const z3::expr& bad, const Facts& assumed) {
    z3::context& c = session_.context();
    const z3::expr asked = c.bool_const(fmt::format("asked_{}", queries_++).c_str());
    solver_.add(z3::implies(asked, bad));
    z3::expr_vector assumptions(c);
    assumptions.push_back(asked);
    for (const std::size_t f : assumed) assumptions.push_back(switches_.at(f));
    const Sat sat = session_.check(solver_, assumptions, limits_);
    core_.clear();
    if (sat == Sat::kUnsat) {
      const z3::expr_vector core = solver_.unsat_core();
      for (const z3::expr& used : core) {
        for (const std::size_t f : assumed) {
          if (z3::eq(switches_.at(f), used)) core_.insert(f);
        }
      }
    }
    if (sat == Sat::kUnknown) unknown_ = session_.reason();
    solver_.add(!asked);
    return sat;
  }

  /// The union of the unsat cores of all steps.
  Facts needed_with_all(std::size_t fact, Support& result) {
    const Facts all(facts_.begin(), facts_.end());
    Facts needed;
    for (std::size_t a = 0; a < steps_.size(); ++a) {
      const std::optional<z3::expr> bad = broken(fact, a);
      if (!bad) continue;
      const Sat sat = ask(*bad, all);
      if (sat == Sat::kSat) result.broken_by = static_cast<int>(a);
      if (sat != Sat::kUnsat) break;
      needed.insert(core_.begin(), core_.end());
    }
    return needed;
  }

  /// Every step keeps the fact, with it and these assumed.
  bool keeps(std::size_t fact, Facts assumed) {
    assumed.insert(fact);
    for (std::size_t a = 0; a < steps_.size(); ++a) {
      const std::optional<z3::expr> bad = broken(fact, a);
      if (bad && ask(*bad, assumed) != Sat::kUnsat) return false;
    }
    return true;
  }

  bool implied(std::size_t fact) {
    Facts others(facts_.begin(), facts_.end());
    others.erase(fact);
    const Bool bad = !system_.holds(fact, state_);
    return ask(bad.in(session_.context()), others) == Sat::kUnsat;
  }

  const FormulaSystem& system_;
  const std::vector<std::size_t>& facts_;
  const SolverLimits& limits_;
  Z3Session session_;
  Values state_;
  z3::solver solver_;
  std::map<std::size_t, z3::expr> switches_;
  std::vector<FormulaStep> steps_;
  Facts core_;
  std::string unknown_;
  std::uint64_t queries_ = 0;
};

}  // namespace

std::vector<Support> supports(const FormulaSystem& system, const std::vector<std::size_t>& facts,
                              const SupportOptions& options) {
  Assumer assumer(system, facts, options.limits);
  std::vector<Support> list;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (options.on_fact) options.on_fact(i);
    list.push_back(assumer.support(facts[i]));
  }
  return list;
}

std::vector<std::size_t> closure(const std::vector<Support>& supports, std::size_t fact) {
  Facts reached{fact};
  for (bool grown = true; grown;) {
    grown = false;
    for (const Support& support : supports) {
      if (!reached.contains(support.fact)) continue;
      for (const std::size_t f : support.needs) grown = reached.insert(f).second || grown;
    }
  }
  std::vector<std::size_t> list;
  for (const Support& support : supports) {
    if (support.fact != fact && reached.contains(support.fact)) list.push_back(support.fact);
  }
  return list;
}

}  // namespace fencepost::checker
