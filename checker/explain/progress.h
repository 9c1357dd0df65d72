// Batches that do not get on: answered the same again and again, or behind a message that is gone.
#pragma once

#include <vector>

#include "checker/explain/bump.h"
#include "checker/explain/finding.h"

namespace fencepost::explain {

/// Batches that got the same error for the same stamp at least kLoopLength times in a row: how
/// often, how long, why, and how it ended. One finding for each partition and error.
std::vector<Finding> find_loops(const traces::Trace& trace, const History& history,
                                const std::vector<Bump>& bumps);

/// Messages that timed out without a new epoch, so that every later sequence is out of order: what
/// followed, and whether and when the partition delivered again.
std::vector<Finding> find_gaps(const traces::Trace& trace);

inline constexpr std::int64_t kLoopLength = 3;

}  // namespace fencepost::explain
