// The transition relation, unrolled: one copy of the state per time, and per step an action number
// as input. A cell's next value is a multiplexer over only those actions that change it; its
// other selectors never appear. States stay variables per time, tied to the step by equalities.
//
// Two adjacent actions of different partitions that commute are taken in the order of their
// partitions. Every run can be brought into that order without changing where it ends, so no
// violation is lost and no depth changes.
#pragma once

#include <cstdint>
#include <vector>

#include "checker/symbolic/formula_system.h"
#include "checker/symbolic/locality.h"
#include "checker/symbolic/z3_session.h"

namespace fencepost::checker {

class Unroller {
 public:
  Unroller(const FormulaSystem& system, z3::context& context);

  /// The state at a time. Requires: `time` is at most the number of steps so far.
  [[nodiscard]] const Values& state(std::size_t time) const { return states_[time]; }
  [[nodiscard]] std::size_t steps() const { return selectors_.size(); }
  /// Adds one step and returns what holds of it: the selected action is enabled, hits no bound,
  /// and leads from the last state to a new one.
  z3::expr_vector add_step();
  /// The state at time 0 is the initial one.
  [[nodiscard]] z3::expr initial() const;
  /// The actions that a model selects, one per step.
  [[nodiscard]] std::vector<std::uint32_t> path(const z3::model& model) const;

 private:
  /// What an ordered step excludes: commuting actions of a higher partition right before.
  void add_order(z3::expr_vector& facts);
  z3::expr selected(std::size_t time, std::size_t action) const;

  const FormulaSystem& system_;
  z3::context& context_;
  std::vector<Values> states_;
  std::vector<z3::expr> selectors_;
  std::vector<Locality> localities_;
};

}  // namespace fencepost::checker
