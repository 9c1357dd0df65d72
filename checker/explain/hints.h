// Leader hints in answers that point back and forth.
#pragma once

#include <vector>

#include "checker/explain/finding.h"

namespace fencepost::explain {

/// Partitions for which one broker names a second as leader and the second names the first: each
/// works from its own view of the metadata, and the hint with the lower leader epoch is stale.
std::vector<Finding> find_hints(const traces::Trace& trace, const History& history);

}  // namespace fencepost::explain
