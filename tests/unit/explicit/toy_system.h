// Transition systems given edge by edge, small enough for answers by hand, and a naive search that
// shares nothing with the engine.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "checker/core/search.h"

namespace fencepost::checker::toy {

struct Edge {
  int to = 0;
  std::uint64_t notes = 0;
  std::uint32_t bounds = 0;
};

struct Action {
  std::map<int, Edge> edges = {};  ///< by node; the guard is that there is one
  int fairness = kUnfair;
};

/// A graph of at most 256 nodes; node 0 is initial.
struct GraphSystem {
  using State = std::array<std::uint8_t, 8>;

  std::vector<Action> actions = {};
  std::set<int> ends = {};
  std::map<int, std::uint32_t> violating = {};
  int classes = 0;

  static State state_of(int node) {
    State state{};
    state[0] = static_cast<std::uint8_t>(node);
    return state;
  }

  [[nodiscard]] State initial() const { return state_of(0); }
  [[nodiscard]] std::size_t action_count() const { return actions.size(); }
  [[nodiscard]] bool guard(std::size_t a, const State& s) const {
    return actions[a].edges.contains(s[0]);
  }
  [[nodiscard]] StepInfo effect(std::size_t a, State& s) const {
    const Edge& edge = actions[a].edges.at(s[0]);
    s = state_of(edge.to);
    return {edge.notes, edge.bounds};
  }
  [[nodiscard]] std::uint32_t violations(const State& s) const {
    const auto found = violating.find(s[0]);
    return found == violating.end() ? 0 : found->second;
  }
  [[nodiscard]] bool ended(const State& s) const { return ends.contains(s[0]); }
  [[nodiscard]] int fairness(std::size_t a) const { return actions[a].fairness; }
  [[nodiscard]] int fairness_classes() const { return classes; }
  [[nodiscard]] ByteWidths widths() const { return {8, 0, 0, 0, 0, 0, 0, 0}; }
};
static_assert(TransitionSystem<GraphSystem>);

/// `axes` counters from 0 to `top`, each with an action that counts up: large levels, and states
/// that are reached in many ways. A state violates property 0 where the counters add up to `bad`.
struct GridSystem {
  using State = std::array<std::uint8_t, 16>;

  int axes = 4;
  int top = 15;
  int bad = -1;
  int slow_loops = 0;  ///< property checks are made slower by this many iterations

  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] std::size_t action_count() const { return static_cast<std::size_t>(axes); }
  [[nodiscard]] bool guard(std::size_t a, const State& s) const { return s[a] < top; }
  [[nodiscard]] StepInfo effect(std::size_t a, State& s) const {
    ++s[a];
    return {};
  }
  [[nodiscard]] std::uint32_t violations(const State& s) const {
    int sum = 0;
    for (int i = 0; i < axes; ++i) sum += s[static_cast<std::size_t>(i)];
    volatile int spin = 0;
    while (spin < slow_loops) spin = spin + 1;
    return sum == bad ? 1U : 0U;
  }
  [[nodiscard]] bool ended(const State& s) const {
    return std::all_of(s.begin(), s.begin() + axes, [this](int v) { return v == top; });
  }
  [[nodiscard]] int fairness(std::size_t a) const { return static_cast<int>(a); }
  [[nodiscard]] int fairness_classes() const { return axes; }
  [[nodiscard]] ByteWidths widths() const {
    ByteWidths widths(sizeof(State));
    for (int i = 0; i < axes; ++i) widths[static_cast<std::size_t>(i)] = 8;
    return widths;
  }
};
static_assert(TransitionSystem<GridSystem>);

/// What a search must find, computed the slow way.
struct Naive {
  std::map<int, std::uint32_t> depth;
  std::uint64_t transitions = 0;
  std::uint64_t bound_hits = 0;
  std::uint64_t notes = 0;
  std::array<std::uint32_t, 32> violation_depth;
  std::uint32_t deadlock_depth = kNever;
};

[[nodiscard]] Naive naive_search(const GraphSystem& system, std::uint32_t properties,
                                 bool expand_violating);

/// Whether some weakly fair run never ends, by transitive closure. Deadlocks do not count.
[[nodiscard]] bool naive_fair_loop(const GraphSystem& system, const Naive& reached);

/// A random system with a seed of its own: up to 40 nodes, 5 actions, 3 classes, some bounds.
[[nodiscard]] GraphSystem random_system(unsigned seed);

}  // namespace fencepost::checker::toy
