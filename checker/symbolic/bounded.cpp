#include "checker/symbolic/bounded.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "checker/symbolic/frames.h"
#include "spec/base.h"

namespace fencepost::checker {
namespace {


using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One query about one fact: two about one partition each are cheaper than one about both.
BoundedAnswer ask(const FormulaSystem& system, std::size_t fact, std::uint32_t k,
                  std::uint32_t count, const SolverLimits& limits) {
  Z3Session session;
  Frames frames(system, fact, session.context());
  for (std::uint32_t i = 0; i < count; ++i) frames.add_frame();
  frames.limit_actions(k);
  z3::expr_vector formulas = frames.facts();
  formulas.push_back(!system.holds(fact, frames.state()).in(session.context()));
  BoundedAnswer answer;
  const std::optional<Clauses> clauses = session.clauses(formulas, limits);
  if (!clauses) {
    answer.reason = session.reason();
    return answer;
  }
  const SatAnswer solved = solve(*clauses, limits);
  answer.sat = solved.sat;
  answer.reason = solved.reason;
  if (solved.sat == Sat::kSat) answer.path = frames.path(*clauses, solved.assignment);
  return answer;
}

class BoundedChecker {
 public:
  BoundedChecker(const FormulaSystem& system, const std::vector<std::size_t>& facts,
                 const BoundedOptions& options)
      : system_(system), facts_(facts), options_(options) {}

  BoundedResult run() {
    for (std::uint32_t k = std::min(options_.stride, options_.max_depth);;) {
      if (!query(k) || result_.path || k == options_.max_depth) break;
      k = std::min(k + options_.stride, options_.max_depth);
    }
    while (result_.path && result_.checked < result_.path->size()) {
      if (!query(static_cast<std::uint32_t>(result_.path->size()) - 1)) break;
    }
    result_.seconds = since(start_);
    return std::move(result_);
  }

 private:
  /// Runs of at most k steps: one that violates becomes the path, or they count as checked. False
  /// if there is no answer.
  bool query(std::uint32_t k) {
    if (options_.on_depth) options_.on_depth(k);
    SolverLimits limits = options_.limits;
    if (options_.seconds > 0) {
      const double left = std::max(0.01, options_.seconds - since(start_));
      if (limits.seconds <= 0 || left < limits.seconds) limits.seconds = left;
    }
    BoundedAnswer answer = violation_within(system_, facts_, k, k, limits);
    result_.unknown = answer.reason;
    if (answer.sat == Sat::kSat) {
      result_.path = std::move(answer.path);
    } else if (answer.sat == Sat::kUnsat) {
      result_.checked = k + 1;
    }
    return answer.sat != Sat::kUnknown;
  }

  const FormulaSystem& system_;
  const std::vector<std::size_t>& facts_;
  const BoundedOptions& options_;
  const Clock::time_point start_ = Clock::now();
  BoundedResult result_;
};

}  // namespace

BoundedAnswer violation_within(const FormulaSystem& system, const std::vector<std::size_t>& facts,
                               std::uint32_t k, std::uint32_t frames, const SolverLimits& limits) {
  const auto start = Clock::now();
  BoundedAnswer answer;
  answer.sat = Sat::kUnsat;
  // The last partition first, as counterexamples are mostly told of it; any order would do.
  for (auto fact = facts.rbegin(); fact != facts.rend(); ++fact) {
    SolverLimits left = limits;
    if (limits.seconds > 0) left.seconds = std::max(0.01, limits.seconds - since(start));
    BoundedAnswer one = ask(system, *fact, k, frames, left);
    FP_ASSERT(one.path.size() <= k);
    if (one.sat == Sat::kSat) return one;
    if (one.sat == Sat::kUnknown) answer = std::move(one);
  }
  const bool late = limits.seconds > 0 && since(start) > limits.seconds;
  if (answer.sat == Sat::kUnknown && late && answer.reason != "interrupted") {
    answer.reason = fmt::format("the time of {:g} s for one query is over", limits.seconds);
  }
  return answer;
}

BoundedAnswer violation_before(const FormulaSystem& system, const std::vector<std::size_t>& facts,
                               std::uint32_t k, const SolverLimits& limits) {
  if (k == 0) return {Sat::kUnsat, {}, {}};
  return violation_within(system, facts, k - 1, k - 1, limits);
}

BoundedResult check_bounded(const FormulaSystem& system, const std::vector<std::size_t>& facts,
                            const BoundedOptions& options) {
  return BoundedChecker(system, facts, options).run();
}

std::string bounded_engine_name() { return fmt::format("bmc (Z3 {}, CaDiCaL)", z3_version()); }

}  // namespace fencepost::checker
