// `check --on impl`: the search of a task over the implementation, every step compared with the
// spec.
#pragma once

#include "checker/gate/task.h"
#include "checker/refinement/impl_system.h"

namespace fencepost::refinement {

/// Searches the implementation as `task` asks. A counterexample comes back as the path of the spec
/// that the run is, without its stutters, and is confirmed there; statistics are the
/// implementation's, counted by the spec's actions. Every step taken was compared with the spec:
/// `stats.transitions` of them. A step that is not the spec's comes back as `error`, with the
/// divergence in words.
///
/// Throws Error(kUsage) for an instance that the implementation's fixed-size state cannot hold.
gate::TaskResult check_on_impl(const gate::Task& task);

/// The spec's actions along a run of the implementation, stutters left out.
checker::ActionPath spec_path(const ImplSystem& system, const checker::ActionPath& path);

}  // namespace fencepost::refinement
