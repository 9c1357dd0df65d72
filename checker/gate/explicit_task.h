// What every explicit search of a task has in common, whatever system it explores: the options,
// what is taken over of the result, and that a counterexample counts only once the spec confirms
// it.
#pragma once

#include "checker/core/search.h"
#include "checker/gate/task.h"
#include "spec/model/model.h"

namespace fencepost::gate {

inline constexpr std::uint32_t kSafetyMask = (1U << spec::kSafetyProperties) - 1;

/// What limits say to a search.
checker::SearchOptions options_of(const Limits& limits);
checker::SearchOptions options_of(const Task& task);

/// All of the result but the counterexamples.
TaskResult result_of(const checker::SearchResult& found);

/// Replays a counterexample on the spec, finds its partition and adds it to the result; one that
/// shows nothing becomes the result's error.
void add_confirmed(const spec::Model& model, const Task& task, Finding finding, TaskResult& result);

}  // namespace fencepost::gate
