#include <fmt/format.h>

#include <algorithm>

#include "checker/gate/task.h"
#include "checker/symbolic/bounded.h"
#include "checker/symbolic/spec_system.h"
#include "spec/model/model.h"

namespace fencepost::gate {
namespace {

using spec::Property;

checker::BoundedOptions options_of(const Task& task) {
  checker::BoundedOptions options;
  options.max_depth = std::min(task.limits.max_depth, kBoundedDepth);
  options.limits.stop = task.limits.stop;
  options.seconds = task.limits.seconds < 1e9 ? task.limits.seconds : 0;
  return options;
}

/// Replays what the solver found; a sentence if it shows nothing.
std::string confirm(const Task& task, Finding& finding) {
  const spec::Model model(task.behaviour, task.instance, bit(finding.property));
  spec::Model::State state = model.initial();
  for (const checker::ActionIndex a : finding.stem) {
    if (a >= model.action_count() || !model.guard(a, state) || model.effect(a, state).bounds != 0) {
      return "the solver's counterexample is no run of the spec";
    }
  }
  finding.partition = model.violated_partition(state, finding.property);
  return finding.partition >= 0 ? "" : "the solver's counterexample violates nothing";
}

}  // namespace

TaskResult check_bounded_depth(const Task& task) {
  TaskResult result;
  result.engine = fmt::format("bmc (Z3 {})", checker::z3_version());
  result.end = checker::SearchEnd::kDepth;
  result.stats.depth = std::min(task.limits.max_depth, kBoundedDepth);
  for (int k = 0; k < spec::kSafetyProperties; ++k) {
    const auto property = static_cast<Property>(k);
    if (!task.asks(property)) continue;
    const checker::SpecSystem system(task.behaviour, task.instance, {bit(property), false, false});
    std::vector<std::size_t> facts(system.facts().size());
    for (std::size_t f = 0; f < facts.size(); ++f) facts[f] = f;
    checker::BoundedOptions options = options_of(task);
    if (task.limits.on_level) {
      options.on_depth = [&](std::uint32_t depth) {
        checker::Statistics stats;
        stats.depth = depth;
        task.limits.on_level(stats);
      };
    }
    const checker::BoundedResult found = checker::check_bounded(system, facts, options);
    result.stats.seconds += found.seconds;
    if (found.path) {
      Finding finding{property, -1, *found.path, {}};
      if (result.error.empty()) result.error = confirm(task, finding);
      result.findings.push_back(std::move(finding));
    } else if (!found.unknown.empty()) {
      result.end = checker::SearchEnd::kTime;
      result.stopped =
          fmt::format("no run of fewer than {} steps violates {}, then {}", found.checked,
                      spec::properties()[static_cast<std::size_t>(k)].name, found.unknown);
    }
  }
  return result;
}

}  // namespace fencepost::gate
