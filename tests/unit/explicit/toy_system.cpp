#include "tests/unit/explicit/toy_system.h"

#include <deque>
#include <random>

namespace fencepost::checker::toy {

Naive naive_search(const GraphSystem& system, std::uint32_t properties, bool expand_violating) {
  Naive naive;
  naive.violation_depth.fill(kNever);
  naive.depth[0] = 0;
  std::deque<int> queue = {0};
  while (!queue.empty()) {
    const int node = queue.front();
    queue.pop_front();
    const std::uint32_t depth = naive.depth[node];
    const std::uint32_t violated = system.violations(GraphSystem::state_of(node)) & properties;
    for (unsigned p = 0; p < 32; ++p) {
      if ((violated >> p & 1) != 0) {
        naive.violation_depth[p] = std::min(naive.violation_depth[p], depth);
      }
    }
    if (violated != 0 && !expand_violating) continue;
    bool any_free = false;
    for (const Action& action : system.actions) {
      const auto edge = action.edges.find(node);
      if (edge == action.edges.end()) continue;
      any_free |= action.fairness != kUnfair;
      if (edge->second.bounds != 0) {
        ++naive.bound_hits;
        continue;
      }
      ++naive.transitions;
      naive.notes |= edge->second.notes;
      if (naive.depth.emplace(edge->second.to, depth + 1).second) {
        queue.push_back(edge->second.to);
      }
    }
    if (!any_free && !system.ends.contains(node)) {
      naive.deadlock_depth = std::min(naive.deadlock_depth, depth);
    }
  }
  return naive;
}

namespace {

using Closure = std::map<int, std::set<int>>;

// Which nodes each node reaches in one or more steps, along states that have not ended.
Closure closure_of(const GraphSystem& system, const Naive& reached) {
  Closure closure;
  for (const auto& [from, depth] : reached.depth) {
    std::deque<int> queue = {from};
    while (!queue.empty()) {
      const int node = queue.front();
      queue.pop_front();
      if (system.ends.contains(node)) continue;
      for (const Action& action : system.actions) {
        const auto edge = action.edges.find(node);
        if (edge == action.edges.end() || edge->second.bounds != 0) continue;
        if (closure[from].insert(edge->second.to).second) queue.push_back(edge->second.to);
      }
    }
  }
  return closure;
}

bool meets(const GraphSystem& system, const std::set<int>& component, int fairness) {
  for (const int node : component) {
    bool enabled = false;
    for (const Action& action : system.actions) {
      const auto edge = action.edges.find(node);
      if (action.fairness != fairness || edge == action.edges.end()) continue;
      enabled = true;
      if (edge->second.bounds == 0 && component.contains(edge->second.to)) return true;
    }
    if (!enabled) return true;
  }
  return false;
}

}  // namespace

bool naive_fair_loop(const GraphSystem& system, const Naive& reached) {
  Closure closure = closure_of(system, reached);
  for (const auto& [node, depth] : reached.depth) {
    if (system.ends.contains(node) || !closure[node].contains(node)) continue;
    std::set<int> component;
    for (const int other : closure[node]) {
      if (closure[other].contains(node)) component.insert(other);
    }
    bool all = true;
    for (int c = 0; c < system.classes; ++c) all = all && meets(system, component, c);
    if (all) return true;
  }
  return false;
}

GraphSystem random_system(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&random](int n) {
    return static_cast<int>(random() % static_cast<unsigned>(n));
  };
  GraphSystem system;
  const int nodes = 2 + below(39);
  system.classes = 1 + below(3);
  for (int i = below(4); i > 0; --i) system.ends.insert(nodes - i);
  for (int i = below(4); i > 0; --i) system.violating[below(nodes)] = 1U << below(3);
  const int density = 10 + below(60);
  for (int a = 1 + below(5); a > 0; --a) {
    Action action;
    action.fairness = below(system.classes + 1) - 1;
    for (int node = 0; node < nodes; ++node) {
      const int to = below(nodes);
      if (below(100) >= density) continue;
      if (system.ends.contains(node) && !system.ends.contains(to)) continue;
      action.edges[node] = {to, std::uint64_t{1} << below(64), below(20) == 0 ? 2U : 0U};
    }
    system.actions.push_back(std::move(action));
  }
  return system;
}

}  // namespace fencepost::checker::toy
