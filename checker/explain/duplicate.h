// Records that stand twice, or may: read at two offsets, reported by a consumer, or sent again
// under another stamp while unresolved.
#pragma once

#include <vector>

#include "checker/explain/bump.h"
#include "checker/explain/finding.h"
#include "checker/explain/resend.h"

namespace fencepost::explain {

/// The duplicates of the trace, confirmed ones first, and what a consumer reported that is none.
std::vector<Finding> find_duplicates(const traces::Trace& trace, const History& history,
                                     const std::vector<Bump>& bumps,
                                     const std::vector<Resend>& resends);

}  // namespace fencepost::explain
