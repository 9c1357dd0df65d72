#include "checker/gate/explicit_task.h"

#include <fmt/format.h>

#include "checker/counterexample/recording.h"

namespace fencepost::gate {

using spec::Property;

checker::SearchOptions options_of(const Limits& limits) {
  checker::SearchOptions options;
  options.memory_bytes = limits.memory_bytes;
  options.seconds = limits.seconds;
  options.threads = limits.threads;
  options.symmetry = limits.symmetry;
  options.max_depth = limits.max_depth;
  options.stop = limits.stop;
  options.on_level = limits.on_level;
  return options;
}

checker::SearchOptions options_of(const Task& task) {
  checker::SearchOptions options = options_of(task.limits);
  options.properties = task.properties & kSafetyMask;
  options.progress = task.asks(Property::kProgress);
  return options;
}

TaskResult result_of(const checker::SearchResult& found) {
  TaskResult result;
  result.end = found.end;
  result.stats = found.stats;
  result.permutations = found.permutations;
  result.notes = found.notes;
  result.progress_checked = found.progress_checked;
  result.progress_end = found.progress_end;
  result.memory_refused = found.memory_refused;
  return result;
}

namespace {

/// A sentence if the counterexample shows nothing.
std::string confirm(const spec::Model& model, const Task& task, Finding& finding) {
  checker::Recording recording{"", "", task.behaviour, task.instance, finding.property, {}, {}};
  recording.path = finding.stem;
  recording.path.insert(recording.path.end(), finding.loop.begin(), finding.loop.end());
  if (!finding.loop.empty()) recording.loop_from = finding.stem.size();
  if (!checker::violates(model, recording)) {
    return fmt::format("the counterexample to {} does not violate it when replayed on the spec",
                       spec::properties()[static_cast<std::size_t>(finding.property)].name);
  }
  if (finding.property != Property::kProgress) {
    const spec::Model::State last = checker::replay(model, finding.stem).back();
    finding.partition = model.violated_partition(last, finding.property);
  }
  return {};
}

}  // namespace

void add_confirmed(const spec::Model& model, const Task& task, Finding finding,
                   TaskResult& result) {
  if (result.error.empty()) result.error = confirm(model, task, finding);
  result.findings.push_back(std::move(finding));
}

}  // namespace fencepost::gate
