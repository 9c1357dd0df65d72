// The transition relation, unrolled into frames. A frame has a slot for each partition, for the
// actions that are about it, and one for the actions that are about none or several; slots are
// taken in this order, and any may stay empty. So one frame, as large as one step of a plain
// unrolling, does a step in every partition.
//
// Every action stands in the earliest slot that what it depends on allows. Every run can be brought
// into this shape by exchanging neighbours that commute (locality.h), without changing where it
// ends or how many actions it has; and then it has no more frames than actions, as every frame
// before the last holds one. So "at most n actions in n frames" speaks of all runs of at most n
// steps.
#pragma once

#include <cstdint>
#include <vector>

#include "checker/symbolic/formula_system.h"
#include "checker/symbolic/locality.h"
#include "checker/symbolic/sat_solver.h"

namespace fencepost::checker {

class Frames {
 public:
  /// The initial states, and what holds of them. Cells that do not matter to `fact` keep what they
  /// are (locality.h). `system` and `context` outlive this.
  Frames(const FormulaSystem& system, std::size_t fact, z3::context& context);

  void add_frame();
  [[nodiscard]] std::size_t frames() const { return frames_.size(); }
  /// Where the run so far ends.
  [[nodiscard]] const Values& state() const { return state_; }
  /// The run so far has at most so many actions.
  void limit_actions(std::uint32_t most);
  /// All that holds of the run.
  [[nodiscard]] const z3::expr_vector& facts() const { return facts_; }
  /// The actions of a run that satisfies the facts, in their order.
  [[nodiscard]] std::vector<std::uint32_t> path(const Clauses& clauses,
                                                const std::vector<bool>& assignment) const;

 private:
  struct Slot {
    std::vector<std::size_t> actions;  ///< of the system
    std::vector<z3::expr> taken;       ///< one per action; at most one is true
  };
  using Frame = std::vector<Slot>;

  Slot fill(std::size_t slot, const std::string& tag);
  void require_earliest(const Frame& before, const Frame& now);
  /// Some action of the slot is taken for which `which(locality)` holds.
  template <class F>
  [[nodiscard]] z3::expr any(const Slot& slot, F which) const;
  [[nodiscard]] z3::expr any(const Slot& slot) const;
  [[nodiscard]] bool is_local(const Locality& l, std::size_t slot) const {
    return l.partition >= 0 && static_cast<std::size_t>(l.partition) == slot;
  }

  const FormulaSystem& system_;
  z3::context& context_;
  std::vector<Locality> localities_;
  std::vector<bool> matters_;                     ///< by cell
  std::vector<std::vector<std::size_t>> groups_;  ///< the actions of each slot; the last: of none
  std::vector<Frame> frames_;
  Values state_;
  z3::expr_vector facts_;
};

}  // namespace fencepost::checker
