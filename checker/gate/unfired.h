// Faults that a search was allowed and never met: its verdicts say nothing of them.
#pragma once

#include <string_view>
#include <vector>

#include "checker/gate/task.h"

namespace fencepost::gate {

/// The allowed fault kinds of which no action ever fired, in the order of the kinds; none if the
/// search did not count how often each action fired.
std::vector<std::string_view> unfired_faults(const Task& task, const TaskResult& result);

}  // namespace fencepost::gate
