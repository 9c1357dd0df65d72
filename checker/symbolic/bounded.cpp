#include "checker/symbolic/bounded.h"

#include <fmt/format.h>

#include <chrono>

#include "checker/symbolic/unroller.h"

namespace fencepost::checker {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

BoundedResult check_bounded(const FormulaSystem& system, const std::vector<std::size_t>& facts,
                            const BoundedOptions& options) {
  const auto start = Clock::now();
  Z3Session session;
  z3::context& context = session.context();
  z3::solver solver = session.make_solver(options.limits);
  Unroller unroller(system, context);
  solver.add(unroller.initial());
  BoundedResult result;
  for (std::uint32_t k = 0; k <= options.max_depth; ++k) {
    if (options.on_depth) options.on_depth(k);
    if (k > 0) {
      const z3::expr_vector step = unroller.add_step();
      for (const z3::expr& fact : step) solver.add(fact);
    }
    Symbolic::Bool good(true);
    for (const std::size_t f : facts) good = good && system.holds(f, unroller.state(k));
    const z3::expr bad = context.bool_const(fmt::format("bad_{}", k).c_str());
    solver.add(z3::implies(bad, !good.in(context)));
    z3::expr_vector assumptions(context);
    assumptions.push_back(bad);
    SolverLimits limits = options.limits;
    if (options.seconds > 0) {
      const double left = std::max(0.01, options.seconds - since(start));
      if (limits.seconds <= 0 || left < limits.seconds) limits.seconds = left;
    }
    const Sat sat = session.check(solver, assumptions, limits);
    if (sat == Sat::kSat) {
      result.path = unroller.path(solver.get_model());
      break;
    }
    if (sat == Sat::kUnknown) {
      result.unknown = session.reason();
      break;
    }
    result.checked = k + 1;
    solver.add(good.in(context));
  }
  result.seconds = since(start);
  return result;
}

}  // namespace fencepost::checker
