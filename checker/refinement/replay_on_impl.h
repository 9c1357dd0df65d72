// Drives the implementation along a run of the spec, by choosing for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/counterexample/recording.h"
#include "checker/refinement/impl_system.h"

namespace fencepost::refinement {

/// What became of a replay.
struct Replayed {
  bool followed = false;                 ///< the implementation has a run that is this one
  checker::ActionPath path;              ///< that run, or the longest part of it, as choices
  std::size_t steps = 0;                 ///< steps of the spec that were followed
  std::uint32_t violations = 0;          ///< safety properties violated at the end, bit = property
  std::optional<std::size_t> loop_from;  ///< progress: the choices from here on repeat for ever
  bool stuck = false;                    ///< no choice that a run must make is left at the end
};

/// Looks for a run of the implementation that takes the steps of `recording` one by one, with
/// stutters between them; breadth-first, so the run is a shortest one. Of a lasso, the loop is
/// followed until the implementation is where it was at the beginning of a round.
/// Requires: the recording's path is one of the spec. Throws Error(kUsage) for an instance that the
/// implementation cannot hold.
Replayed replay_on_impl(const checker::Recording& recording);

/// Whether the replay shows that the implementation violates the recording's property as the run of
/// the spec does. For progress: a loop that closed, or an end at which the implementation is stuck.
/// Requires: `replayed` is that of `recording`.
bool violates(const checker::Recording& recording, const Replayed& replayed);

/// The choices of a replay, one a line.
std::string replayed_text(const checker::Recording& recording, const Replayed& replayed);

}  // namespace fencepost::refinement
