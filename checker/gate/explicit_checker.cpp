#include <fmt/format.h>

#include "checker/counterexample/recording.h"
#include "checker/explicit/explicit_search.h"
#include "checker/gate/task.h"
#include "spec/model/model.h"

namespace fencepost::gate {
namespace {

using spec::Model;
using spec::Property;

constexpr std::uint32_t kSafetyMask = (1U << spec::kSafetyProperties) - 1;

checker::SearchOptions options_of(const Task& task) {
  checker::SearchOptions options;
  options.properties = task.properties & kSafetyMask;
  options.progress = task.asks(Property::kProgress);
  options.memory_bytes = task.limits.memory_bytes;
  options.seconds = task.limits.seconds;
  options.threads = task.limits.threads;
  options.max_depth = task.limits.max_depth;
  options.stop = task.limits.stop;
  options.on_level = task.limits.on_level;
  return options;
}

/// Replays a counterexample and finds its partition; a sentence if it shows nothing.
std::string confirm(const Model& model, const Task& task, Finding& finding) {
  checker::Recording recording{"", "", task.behaviour, task.instance, finding.property, {}, {}};
  recording.path = finding.stem;
  recording.path.insert(recording.path.end(), finding.loop.begin(), finding.loop.end());
  if (!finding.loop.empty()) recording.loop_from = finding.stem.size();
  if (!checker::violates(model, recording)) {
    return fmt::format("the counterexample to {} does not violate it when replayed",
                       spec::properties()[static_cast<std::size_t>(finding.property)].name);
  }
  if (finding.property != Property::kProgress) {
    const Model::State last = checker::replay(model, finding.stem).back();
    finding.partition = model.violated_partition(last, finding.property);
  }
  return {};
}

void add_findings(const Model& model, const Task& task, const checker::SearchResult& found,
                  TaskResult& result) {
  for (const checker::Violation& violation : found.violations) {
    Finding finding{static_cast<Property>(violation.property), -1, violation.path, {}};
    if (result.error.empty()) result.error = confirm(model, task, finding);
    result.findings.push_back(std::move(finding));
  }
  if (!found.lasso && !found.deadlock) return;
  Finding finding{Property::kProgress, -1, {}, {}};
  if (found.lasso) {
    finding.stem = found.lasso->stem;
    finding.loop = found.lasso->loop;
  } else {
    finding.stem = *found.deadlock;
  }
  if (result.error.empty()) result.error = confirm(model, task, finding);
  result.findings.push_back(std::move(finding));
}

}  // namespace

TaskResult check_explicitly(const Task& task) {
  const checker::SearchOptions options = options_of(task);
  const Model model(task.behaviour, task.instance, options.properties);
  const checker::SearchResult found = checker::search(model, options);
  TaskResult result;
  result.end = found.end;
  result.stats = found.stats;
  result.notes = found.notes;
  result.progress_checked = found.progress_checked;
  result.progress_end = found.progress_end;
  add_findings(model, task, found, result);
  return result;
}

}  // namespace fencepost::gate
