// Weak fairness of a concrete run, recomputed from guards: the check that every lasso passes
// before it is shown.
#pragma once

#include <cstring>
#include <vector>

#include "checker/core/path.h"

namespace fencepost::checker {

/// Whether some action of a fairness class is enabled. One that only a bound disables counts: the
/// bound is the instance's, not the protocol's.
template <TransitionSystem S>
bool any_free_action(const S& system, const typename S::State& state) {
  for (std::size_t a = 0; a < system.action_count(); ++a) {
    if (system.fairness(a) != kUnfair && system.guard(a, state)) return true;
  }
  return false;
}

/// Whether the steps from `from` on, repeated for ever, are a weakly fair run outside the states
/// that a run may end in: the loop closes, and every class is taken in it or disabled somewhere in
/// it. Requires: `states` are those along `path`, the initial one first.
template <TransitionSystem S>
bool is_fair_loop(const S& system, const std::vector<typename S::State>& states,
                  const ActionPath& path, std::size_t from) {
  FP_ASSERT(from < path.size() && states.size() == path.size() + 1);
  if (std::memcmp(&states[from], &states.back(), sizeof states[from]) != 0) return false;
  const auto classes = static_cast<std::size_t>(system.fairness_classes());
  std::vector<bool> met(classes, false);
  for (std::size_t i = from; i < path.size(); ++i) {
    if (system.ended(states[i])) return false;
    std::vector<bool> enabled(classes, false);
    for (std::size_t a = 0; a < system.action_count(); ++a) {
      const int c = system.fairness(a);
      if (c != kUnfair && system.guard(a, states[i])) enabled[static_cast<std::size_t>(c)] = true;
    }
    for (std::size_t c = 0; c < classes; ++c) {
      if (!enabled[c]) met[c] = true;
    }
    const int taken = system.fairness(path[i]);
    if (taken != kUnfair) met[static_cast<std::size_t>(taken)] = true;
  }
  for (const bool m : met) {
    if (!m) return false;
  }
  return true;
}

}  // namespace fencepost::checker
