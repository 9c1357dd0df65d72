// What the search for lemmas asks Z3: one solver an action, in which every fact of the state before
// the step can be assumed or not.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "checker/symbolic/formula_system.h"
#include "checker/symbolic/z3_session.h"

namespace fencepost::checker {

/// A formula over a state, in parts of which a step may leave some alone.
using Parts = std::vector<Symbolic::Bool>;
/// The parts over the given state. Called for the state before and after a step.
using PartsOf = std::function<Parts(const Values&)>;

class StepSolvers {
 public:
  /// Requires: all outlive this. Bounds that are not stated must not be hit.
  StepSolvers(const FormulaSystem& system, std::uint32_t stated_bounds, const SolverLimits& limits);

  /// Adds something that can be assumed; its number counts from 0.
  void add(const PartsOf& parts);

  /// Whether the action can break a fact: a state before it in which `assumed` hold and after which
  /// the fact does not.
  /// kUnsat: `core()` has those of `assumed` that were used. kSat: `state()` is the state.
  Sat breaks(std::size_t action, std::size_t fact, const std::vector<std::size_t>& assumed);
  /// Likewise: whether it can leave a cell's range or hit a bound that is not stated.
  Sat leaves_bounds(std::size_t action, const std::vector<std::size_t>& assumed);

  [[nodiscard]] const std::vector<std::size_t>& core() const { return core_; }
  [[nodiscard]] const std::vector<unsigned>& state() const { return state_found_; }
  /// The cells of `state()` that make the last answer kSat, whatever is in the others; all if that
  /// is not known.
  std::vector<bool> cells_that_matter();

  [[nodiscard]] const std::string& reason() const { return session_.reason(); }
  [[nodiscard]] std::uint32_t queries() const { return queries_; }

 private:
  struct One {
    FormulaStep step;
    z3::solver solver;
    std::size_t facts = 0;  ///< of those added, how many the solver has
  };
  One& one(std::size_t action);
  Sat ask(std::size_t action, const Symbolic::Bool& bad, const std::vector<std::size_t>& assumed);
  [[nodiscard]] Symbolic::Bool out_of_bounds(const FormulaStep& step) const;

  const FormulaSystem& system_;
  std::uint32_t stated_bounds_;
  const SolverLimits& limits_;
  Z3Session session_;
  Values now_;
  std::vector<PartsOf> facts_;
  std::vector<Parts> parts_now_;
  std::vector<z3::expr> switches_;
  std::vector<std::unique_ptr<One>> steps_;
  std::vector<std::size_t> core_;
  std::vector<unsigned> state_found_;
  std::optional<z3::expr> last_bad_;
  std::uint32_t queries_ = 0;
};

}  // namespace fencepost::checker
