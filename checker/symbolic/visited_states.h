// A set of states as an invariant that a solver checks: it holds the initial states, every step
// from a state of the set leads into the set, and no state of the set violates a property. So
// whoever found the set, by whatever search, has missed none that can be reached.
#pragma once

#include <string>
#include <vector>

#include "checker/symbolic/formula_system.h"

namespace fencepost::checker {

/// A system with one more fact, the last: "the state is one of these". The set is one formula, a
/// decision diagram over the cells that differ.
class VisitedStates : public FormulaSystem {
 public:
  /// Requires: `system` outlives this; every state has one value a cell; at least one state, none
  /// twice.
  VisitedStates(const FormulaSystem& system, std::vector<std::vector<unsigned>> states);

  [[nodiscard]] const std::vector<CellInfo>& cells() const override { return system_.cells(); }
  [[nodiscard]] std::vector<unsigned> initial() const override { return system_.initial(); }
  [[nodiscard]] std::size_t action_count() const override { return system_.action_count(); }
  [[nodiscard]] std::string action_text(std::size_t a) const override {
    return system_.action_text(a);
  }
  [[nodiscard]] int action_partition(std::size_t a) const override {
    return system_.action_partition(a);
  }
  [[nodiscard]] FormulaStep step(std::size_t a, const Values& state) const override {
    return system_.step(a, state);
  }
  [[nodiscard]] const std::vector<Fact>& facts() const override { return facts_; }
  [[nodiscard]] Symbolic::Bool holds(std::size_t fact, const Values& state) const override;
  [[nodiscard]] std::vector<std::string> bound_names() const override {
    return system_.bound_names();
  }
  /// A measure of the formula's size.
  [[nodiscard]] std::size_t nodes() const { return nodes_.size(); }

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

  const FormulaSystem& system_;
  std::vector<Fact> facts_;
  std::vector<unsigned> first_;       ///< the value of every cell that does not differ
  std::vector<std::size_t> varying_;  ///< the cells that differ, in order
  std::vector<Node> nodes_;           ///< the first stands for "yes"; edges lead to lower numbers
};

}  // namespace fencepost::checker
