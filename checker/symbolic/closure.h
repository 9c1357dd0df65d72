// A set of states as an invariant that a solver checks: it holds the initial states, every step
// from a state of the set leads into the set, and no state of the set violates a fact. So whoever
// found the set, by whatever search, has missed none that can be reached.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checker/symbolic/formula_system.h"
#include "checker/symbolic/z3_session.h"

namespace fencepost::checker {

/// States as one formula: a decision diagram over the cells that differ.
class StateSet {
 public:
  /// Requires: at least one state, all with as many cells, none twice.
  explicit StateSet(std::vector<std::vector<unsigned>> states);

  [[nodiscard]] Symbolic::Bool has(const Values& state) const;
  [[nodiscard]] bool has(const std::vector<unsigned>& state) const {
    return has(constant_state(state)).is(true);
  }

 private:
  struct Edge {
    unsigned value;
    std::size_t to;
    auto operator<=>(const Edge&) const = default;
  };
  struct Node {
    std::size_t cell;
    std::vector<Edge> edges;
    auto operator<=>(const Node&) const = default;
  };

  std::vector<unsigned> first_;       ///< one of the states
  std::vector<std::size_t> varying_;  ///< the cells that differ, in order
  std::vector<Node> nodes_;           ///< the first is "yes"; edges lead to lower numbers
};

/// What the one query came to.
struct ClosureResult {
  bool closed = false;
  std::string unknown;  ///< why there is no answer, or empty
  /// If it is not closed: a state of the set and a step from it that leads out of the set, to a
  /// violation, beyond a bound or a cell's range; none: an initial state is no good.
  std::optional<std::size_t> action;
  std::vector<unsigned> state;
  std::vector<unsigned> next;
};

/// What a bound does that a step meets.
enum class AtBound : std::uint8_t { kFails, kDisables };

/// Every fact of the system is asked.
ClosureResult check_closed(const FormulaSystem& system, const StateSet& states, AtBound at_bound,
                           const SolverLimits& limits);

/// The system with one more cell, the last: the steps taken, which end at `most`. What is closed
/// there says what is so within so many steps.
class CountedSteps : public FormulaSystem {
 public:
  /// Requires: `system` outlives this; `most` is at least 1.
  CountedSteps(const FormulaSystem& system, unsigned most);

  [[nodiscard]] const std::vector<CellInfo>& cells() const override { return cells_; }
  [[nodiscard]] std::vector<unsigned> initial() const override;
  [[nodiscard]] std::size_t action_count() const override { return system_.action_count(); }
  [[nodiscard]] std::string action_text(std::size_t a) const override {
    return system_.action_text(a);
  }
  [[nodiscard]] int action_partition(std::size_t a) const override {
    return system_.action_partition(a);
  }
  [[nodiscard]] FormulaStep step(std::size_t a, const Values& state) const override;
  [[nodiscard]] const std::vector<Fact>& facts() const override { return system_.facts(); }
  [[nodiscard]] Symbolic::Bool holds(std::size_t fact, const Values& state) const override;
  [[nodiscard]] std::vector<std::string> bound_names() const override {
    return system_.bound_names();
  }

 private:
  const FormulaSystem& system_;
  unsigned most_;
  std::vector<CellInfo> cells_;
};

}  // namespace fencepost::checker
