#include <fmt/format.h>

#include <algorithm>

#include "checker/explicit/breadth_first.h"
#include "checker/gate/task.h"
#include "spec/model/model.h"

namespace fencepost::gate {
namespace {

using checker::ActionPath;
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

/// Replays a violation and finds its partition; a sentence if it does not violate.
std::string confirm(const Model& model, Finding& finding) {
  const Model::State last = checker::replay(model, finding.stem).back();
  if ((model.violations(last) & bit(finding.property)) == 0) {
    return fmt::format("the counterexample to {} does not violate it when replayed",
                       spec::properties()[static_cast<std::size_t>(finding.property)].name);
  }
  finding.partition = model.violated_partition(last, finding.property);
  return {};
}

/// Replays a run that never ends, or ends where it must not.
std::string confirm_progress(const Model& model, const Finding& finding) {
  ActionPath path = finding.stem;
  path.insert(path.end(), finding.loop.begin(), finding.loop.end());
  const std::vector<Model::State> states = checker::replay(model, path);
  if (model.ended(states.back())) return "the counterexample to progress ends as it should";
  const Model::State& start = states[finding.stem.size()];
  const auto* a = reinterpret_cast<const unsigned char*>(&start);
  const auto* b = reinterpret_cast<const unsigned char*>(&states.back());
  if (!std::equal(a, a + sizeof(Model::State), b)) {
    return "the loop of the counterexample to progress does not return to where it starts";
  }
  return {};
}

void add_findings(const Model& model, const checker::SearchResult& found, TaskResult& result) {
  for (const checker::Violation& violation : found.violations) {
    Finding finding{static_cast<Property>(violation.property), -1, violation.path, {}};
    if (result.error.empty()) result.error = confirm(model, finding);
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
  if (result.error.empty()) result.error = confirm_progress(model, finding);
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
  add_findings(model, found, result);
  return result;
}

}  // namespace fencepost::gate
