// The graph of stored states, compressed, and its strongly connected components.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "checker/explicit/state_store.h"

namespace fencepost::checker {

/// The successors of state `i` are `targets[offsets[i]]` up to without `targets[offsets[i + 1]]`.
struct StateGraph {
  std::vector<std::uint64_t> offsets = {0};
  std::vector<StateIndex> targets;

  [[nodiscard]] StateIndex size() const { return static_cast<StateIndex>(offsets.size() - 1); }
  [[nodiscard]] std::span<const StateIndex> successors(StateIndex state) const {
    return {targets.data() + offsets[state], targets.data() + offsets[std::size_t{state} + 1]};
  }
};

/// By state, the number of its component, below `count`. The numbers themselves mean nothing.
struct Components {
  std::vector<StateIndex> of;
  StateIndex count = 0;
};

/// Thrown where liveness was stopped from outside; caught by who began it.
struct LivenessStopped {};

/// The strongly connected components. `stopped` is asked from time to time; when it answers true,
/// LivenessStopped is thrown.
[[nodiscard]] Components strong_components(
    const StateGraph& graph, const std::function<bool()>& stopped = [] { return false; });

/// Whether a component has an edge inside, by number.
[[nodiscard]] std::vector<bool> cyclic(const StateGraph& graph, const Components& components);

/// An upper estimate of the bytes that liveness needs besides the stored states. `permutations`:
/// how many a representative stands for.
[[nodiscard]] std::uint64_t liveness_bytes(std::uint64_t states, std::uint64_t edges,
                                           std::uint64_t fairness_classes, int permutations = 1);

}  // namespace fencepost::checker
