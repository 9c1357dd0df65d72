#include "checker/symbolic/step_solvers.h"

#include <fmt/format.h>

#include <bit>

#include "spec/base.h"

namespace fencepost::checker {
namespace {

using Bool = Symbolic::Bool;

Bool all(const Parts& parts) {
  Bool every(true);
  for (const Bool& part : parts) every = every && part;
  return every;
}

}  // namespace

StepSolvers::StepSolvers(const FormulaSystem& system, std::uint32_t stated_bounds,
                         const SolverLimits& limits)
    : system_(system),
      stated_bounds_(stated_bounds),
      limits_(limits),
      now_(state_variables(system, session_.context(), "now")),
      steps_(system.action_count()) {}

void StepSolvers::add(const PartsOf& parts) {
  const std::string name = fmt::format("fact_{}", facts_.size());
  switches_.push_back(session_.context().bool_const(name.c_str()));
  facts_.push_back(parts);
  parts_now_.push_back(parts(now_));
}

StepSolvers::One& StepSolvers::one(std::size_t action) {
  z3::context& c = session_.context();
  std::unique_ptr<One>& entry = steps_[action];
  if (entry == nullptr) {
    entry =
        std::make_unique<One>(One{system_.step(action, now_), session_.make_solver(limits_), 0});
    entry->solver.add(in_range(system_, now_).in(c));
  }
  for (; entry->facts < facts_.size(); ++entry->facts) {
    entry->solver.add(z3::implies(switches_[entry->facts], all(parts_now_[entry->facts]).in(c)));
  }
  return *entry;
}

Sat StepSolvers::ask(std::size_t action, const Bool& bad, const std::vector<std::size_t>& assumed) {
  core_.clear();
  if (bad.is(false)) return Sat::kUnsat;
  z3::context& c = session_.context();
  One& step = one(action);
  const z3::expr asked = c.bool_const(fmt::format("asked_{}", queries_++).c_str());
  step.solver.add(z3::implies(asked, bad.in(c)));
  z3::expr_vector assumptions(c);
  assumptions.push_back(asked);
  for (const std::size_t f : assumed) assumptions.push_back(switches_[f]);
  const Sat sat = session_.check(step.solver, assumptions, limits_);
  if (sat == Sat::kUnsat) {
    const z3::expr_vector core = step.solver.unsat_core();
    for (const std::size_t f : assumed) {
      for (const z3::expr& used : core) {
        if (z3::eq(switches_[f], used)) core_.push_back(f);
      }
    }
  }
  if (sat == Sat::kSat) {
    state_found_ = read_state(step.solver.get_model(), now_);
    last_bad_ = bad.in(c);
  }
  step.solver.add(!asked);
  return sat;
}

Sat StepSolvers::breaks(std::size_t action, std::size_t fact,
                        const std::vector<std::size_t>& assumed) {
  const FormulaStep& step = one(action).step;
  const Parts after = facts_[fact](step.next);
  Bool broken(false);
  for (std::size_t k = 0; k < after.size(); ++k) {
    if (!after[k].same(parts_now_[fact][k])) broken = broken || !after[k];
  }
  return ask(action, step.enabled() && broken, assumed);
}

Bool StepSolvers::out_of_bounds(const FormulaStep& step) const {
  Bool bound(false);
  for (std::size_t b = 0; b < step.bounds.size(); ++b) {
    if (((stated_bounds_ >> b) & 1U) == 0) bound = bound || (step.guard && step.bounds[b]);
  }
  Values changed = step.next;
  for (std::size_t i = 0; i < now_.size(); ++i) {
    if (changed[i].same(now_[i])) changed[i] = Symbolic::Num(0);
  }
  return bound || (step.enabled() && (step.overflow || !in_range(system_, changed)));
}

Sat StepSolvers::leaves_bounds(std::size_t action, const std::vector<std::size_t>& assumed) {
  return ask(action, out_of_bounds(one(action).step), assumed);
}

// What is bad of the state is denied, and the cells are assumed to be as they are: those in the
// core are enough for it.
std::vector<bool> StepSolvers::cells_that_matter() {
  FP_ASSERT(last_bad_.has_value());
  z3::context& c = session_.context();
  z3::solver solver = session_.make_solver(limits_);
  solver.add(!*last_bad_);
  z3::expr_vector assumptions(c);
  std::vector<std::pair<std::size_t, z3::expr>> known;
  for (std::size_t i = 0; i < now_.size(); ++i) {
    if (now_[i].is_constant()) continue;
    const z3::expr is = c.bool_const(fmt::format("cell_{}", i).c_str());
    const auto width = static_cast<unsigned>(std::bit_width(now_[i].max()));
    solver.add(z3::implies(is, now_[i].expr() == c.bv_val(state_found_[i], width)));
    assumptions.push_back(is);
    known.emplace_back(i, is);
  }
  ++queries_;
  if (session_.check(solver, assumptions, limits_) != Sat::kUnsat) {
    return std::vector<bool>(now_.size(), true);
  }
  std::vector<bool> matter(now_.size(), false);
  const z3::expr_vector core = solver.unsat_core();
  for (const auto& [i, is] : known) {
    for (const z3::expr& used : core) {
      if (z3::eq(is, used)) matter[i] = true;
    }
  }
  return matter;
}

}  // namespace fencepost::checker
