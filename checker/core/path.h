// Paths: the indices of the actions taken from the initial state. States are rebuilt by replay, so
// that a path says nothing that the transition system does not confirm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "checker/core/transition_system.h"
#include "spec/base.h"

namespace fencepost::checker {

using ActionIndex = std::uint32_t;
using ActionPath = std::vector<ActionIndex>;

/// The states along `path`, the initial one first: `path.size() + 1` of them. Asserts that every
/// action is enabled where it is taken and exceeds no bound.
template <TransitionSystem S>
std::vector<typename S::State> replay(const S& system, const ActionPath& path) {
  std::vector<typename S::State> states;
  states.reserve(path.size() + 1);
  states.push_back(system.initial());
  for (const ActionIndex action : path) {
    FP_ASSERT(action < system.action_count());
    typename S::State state = states.back();
    FP_ASSERT(system.guard(action, state));
    const StepInfo info = system.effect(action, state);
    FP_ASSERT(info.bounds == 0);
    states.push_back(state);
  }
  return states;
}

/// The state at the end of a path that somebody else found, or none if it is no run: an action that
/// does not exist, is not enabled where it is taken, or exceeds a bound.
template <TransitionSystem S>
std::optional<typename S::State> end_of(const S& system, const ActionPath& path) {
  typename S::State state = system.initial();
  for (const ActionIndex action : path) {
    if (action >= system.action_count() || !system.guard(action, state)) return std::nullopt;
    if (system.effect(action, state).bounds != 0) return std::nullopt;
  }
  return state;
}

}  // namespace fencepost::checker
