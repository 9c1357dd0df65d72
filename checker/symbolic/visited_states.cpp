#include "checker/symbolic/visited_states.h"

#include <algorithm>
#include <functional>
#include <map>

#include "spec/base.h"

namespace fencepost::checker {

using States = std::vector<std::vector<unsigned>>;

VisitedStates::VisitedStates(const FormulaSystem& system, States states)
    : system_(system), facts_(system.facts()) {
  FP_ASSERT(!states.empty());
  facts_.push_back({"visited", "the state is one of those visited", -1, -1});
  first_ = states.front();
  FP_ASSERT(first_.size() == system.cells().size());
  for (std::size_t c = 0; c < first_.size(); ++c) {
    if (std::any_of(states.begin(), states.end(),
                    [&](const std::vector<unsigned>& s) { return s[c] != first_[c]; })) {
      varying_.push_back(c);
    }
  }
  std::sort(states.begin(), states.end());
  FP_ASSERT(std::adjacent_find(states.begin(), states.end()) == states.end());
  nodes_.push_back({0, {}});
  std::map<Node, std::size_t> known;
  // The states from `begin` to `end` agree in all cells before the level's.
  const std::function<std::size_t(std::size_t, std::size_t, std::size_t)> build =
      [&](std::size_t level, std::size_t begin, std::size_t end) -> std::size_t {
    if (level == varying_.size()) return 0;
    Node node{varying_[level], {}};
    for (std::size_t from = begin; from < end;) {
      const unsigned value = states[from][node.cell];
      std::size_t to = from;
      while (to < end && states[to][node.cell] == value) ++to;
      node.edges.push_back({value, build(level + 1, from, to)});
      from = to;
    }
    const auto [found, fresh] = known.try_emplace(node, nodes_.size());
    if (fresh) nodes_.push_back(std::move(node));
    return found->second;
  };
  const std::size_t root = build(0, 0, states.size());
  FP_ASSERT(root + 1 == nodes_.size());
}

Symbolic::Bool VisitedStates::holds(std::size_t fact, const Values& state) const {
  if (fact + 1 != facts_.size()) return system_.holds(fact, state);
  std::vector<Symbolic::Bool> is{Symbolic::Bool(true)};
  for (std::size_t n = 1; n < nodes_.size(); ++n) {
    Symbolic::Bool any(false);
    for (const Edge& edge : nodes_[n].edges) {
      const Symbolic::Num value(static_cast<int>(edge.value));
      any = any || (state[nodes_[n].cell] == value && is[edge.to]);
    }
    is.push_back(any);
  }
  Symbolic::Bool all = is.back();
  for (std::size_t c = 0; c < first_.size(); ++c) {
    if (std::binary_search(varying_.begin(), varying_.end(), c)) continue;
    all = all && state[c] == Symbolic::Num(static_cast<int>(first_[c]));
  }
  return all;
}

}  // namespace fencepost::checker
