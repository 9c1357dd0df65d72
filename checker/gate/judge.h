// From what a search did to a verdict on one property. This is the only place that decides whether
// something holds.
#pragma once

#include <cstdint>

#include "checker/core/verdict.h"
#include "checker/gate/task.h"

namespace fencepost::gate {

/// The verdict with depth, states, transitions, seconds, partition, engine, version, reason, a
/// remark on faults that never happened, and what it does not cover; the caller fills in the names.
///
/// Refuted if there is a counterexample. Holds only if every reachable state was visited, no bound
/// was hit, and every witness (bit = spec::Note) was seen. Requires: the task asks for `property`.
checker::Answer judge(const Task& task, const TaskResult& result, spec::Property property,
                      std::uint64_t witnesses);

/// "never reached: ..." with the witnesses (bit = spec::Note) that were not seen, or empty.
std::string missing_witnesses(const TaskResult& result, std::uint64_t witnesses);

/// The finding for the property, or null.
const Finding* finding_for(const TaskResult& result, spec::Property property);

}  // namespace fencepost::gate
