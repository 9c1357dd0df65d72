#include "checker/symbolic/sat_solver.h"

#include <fmt/format.h>

#include <cadical.hpp>
#include <chrono>

#include "spec/base.h"

namespace fencepost::checker {
namespace {

using Clock = std::chrono::steady_clock;

/// Asked by CaDiCaL from time to time.
class Limit : public CaDiCaL::Terminator {
 public:
  explicit Limit(const SolverLimits& limits) : limits_(limits) {}
  bool terminate() override {
    stopped_ = limits_.stop != nullptr && limits_.stop->load();
    const std::chrono::duration<double> taken = Clock::now() - start_;
    late_ = limits_.seconds > 0 && taken.count() > limits_.seconds;
    return stopped_ || late_;
  }
  /// Why there is no answer.
  [[nodiscard]] std::string reason() const {
    if (stopped_) return "interrupted";
    if (late_) return fmt::format("the time of {:g} s for one query is over", limits_.seconds);
    return fmt::format("the limit of {} conflicts is reached", limits_.conflicts);
  }

 private:
  const SolverLimits& limits_;
  const Clock::time_point start_ = Clock::now();
  bool stopped_ = false;
  bool late_ = false;
};

constexpr int kSatisfiable = 10;
constexpr int kUnsatisfiable = 20;

}  // namespace

SatAnswer solve(const Clauses& clauses, const SolverLimits& limits) {
  Limit limit(limits);
  CaDiCaL::Solver solver;
  solver.set("quiet", 1);
  solver.set("seed", static_cast<int>(limits.seed));
  solver.connect_terminator(&limit);
  if (limits.conflicts > 0) solver.limit("conflicts", static_cast<int>(limits.conflicts));
  for (const int literal : clauses.literals) solver.add(literal);
  SatAnswer answer;
  const int result = solver.solve();
  if (result == kSatisfiable) {
    answer.sat = Sat::kSat;
    answer.assignment.assign(static_cast<std::size_t>(clauses.variables) + 1, false);
    for (int v = 1; v <= clauses.variables; ++v) {
      answer.assignment[static_cast<std::size_t>(v)] = solver.val(v) > 0;
    }
  } else if (result == kUnsatisfiable) {
    answer.sat = Sat::kUnsat;
  } else {
    answer.reason = limit.reason();
  }
  solver.disconnect_terminator();
  return answer;
}

}  // namespace fencepost::checker
