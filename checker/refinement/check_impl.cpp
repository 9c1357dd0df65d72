#include "checker/refinement/check_impl.h"

#include <fmt/format.h>

#include "checker/counterexample/recording.h"
#include "checker/explicit/explicit_search.h"

namespace fencepost::refinement {
namespace {

using spec::Property;

constexpr std::uint32_t kSafetyMask = (1U << spec::kSafetyProperties) - 1;

checker::SearchOptions options_of(const gate::Task& task) {
  checker::SearchOptions options;
  options.properties = task.properties & kSafetyMask;
  if (options.properties == 0) options.properties = 1U << kDivergence;
  options.progress = task.asks(Property::kProgress);
  options.memory_bytes = task.limits.memory_bytes;
  options.seconds = task.limits.seconds;
  options.threads = task.limits.threads;
  options.max_depth = task.limits.max_depth;
  options.stop = task.limits.stop;
  options.on_level = task.limits.on_level;
  return options;
}

/// The text of the first step along `path` that diverges.
std::string first_divergence(const ImplSystem& system, const checker::ActionPath& path) {
  ImplSystem::State s = system.initial();
  std::string steps;
  for (const checker::ActionIndex a : path) {
    if (const auto divergence = system.compare(a, s)) {
      return fmt::format(
          "a step of the implementation is not one of the spec, after {} steps\n{}{}",
          path.size() - 1, steps, divergence_text(*divergence));
    }
    steps += fmt::format("  {}\n", choice_text(system.choice(a)));
    static_cast<void>(system.effect(a, s));
  }
  return "a step of the implementation was found not to be one of the spec, and then was";
}

/// Confirms a counterexample on the spec and finds its partition; a sentence if it shows nothing.
std::string confirm(const spec::Model& model, const gate::Task& task, gate::Finding& finding) {
  checker::Recording recording{"", "", task.behaviour, task.instance, finding.property, {}, {}};
  recording.path = finding.stem;
  recording.path.insert(recording.path.end(), finding.loop.begin(), finding.loop.end());
  if (!finding.loop.empty()) recording.loop_from = finding.stem.size();
  if (!checker::violates(model, recording)) {
    return fmt::format("the implementation's counterexample to {} is none on the spec",
                       spec::properties()[static_cast<std::size_t>(finding.property)].name);
  }
  if (finding.property != Property::kProgress) {
    finding.partition =
        model.violated_partition(checker::replay(model, finding.stem).back(), finding.property);
  }
  return {};
}

void add(const ImplSystem& system, const gate::Task& task, gate::Finding finding,
         gate::TaskResult& result) {
  if (result.error.empty()) result.error = confirm(system.model(), task, finding);
  result.findings.push_back(std::move(finding));
}

void add_findings(const ImplSystem& system, const gate::Task& task,
                  const checker::SearchResult& found, gate::TaskResult& result) {
  for (const checker::Violation& violation : found.violations) {
    if (system.diverges(violation.path)) {
      result.error = first_divergence(system, violation.path);
      return;
    }
  }
  for (const checker::Violation& violation : found.violations) {
    add(system, task,
        {static_cast<Property>(violation.property), -1, spec_path(system, violation.path), {}},
        result);
  }
  if (found.lasso) {
    const checker::ActionPath whole = [&] {
      checker::ActionPath path = found.lasso->stem;
      path.insert(path.end(), found.lasso->loop.begin(), found.lasso->loop.end());
      return spec_path(system, path);
    }();
    const checker::ActionPath stem = spec_path(system, found.lasso->stem);
    const auto middle = whole.begin() + static_cast<std::ptrdiff_t>(stem.size());
    add(system, task, {Property::kProgress, -1, stem, {middle, whole.end()}}, result);
  } else if (found.deadlock) {
    add(system, task, {Property::kProgress, -1, spec_path(system, *found.deadlock), {}}, result);
  }
}

/// Steps by the spec's actions; an election that loses entries counts as one that loses none.
std::vector<std::uint64_t> fired_by_action(const ImplSystem& system,
                                           const checker::Statistics& stats) {
  std::vector<std::uint64_t> fired(system.model().action_count());
  for (std::size_t a = 0; a < stats.fired.size(); ++a) {
    const int claimed = system.claimed(a);
    if (claimed >= 0) fired[static_cast<std::size_t>(claimed)] += stats.fired[a];
  }
  return fired;
}

}  // namespace

checker::ActionPath spec_path(const ImplSystem& system, const checker::ActionPath& path) {
  checker::ActionPath steps;
  ImplSystem::State s = system.initial();
  for (const checker::ActionIndex a : path) {
    const int claimed = system.claim(a, s);
    if (claimed >= 0) steps.push_back(static_cast<checker::ActionIndex>(claimed));
    static_cast<void>(system.effect(a, s));
  }
  return steps;
}

gate::TaskResult check_on_impl(const gate::Task& task) {
  const std::string fault = impl_instance_fault(task.behaviour, task.instance);
  if (!fault.empty()) throw Error(Exit::kUsage, fault);
  const ImplSystem system(task.behaviour, task.instance, task.properties & kSafetyMask);
  const checker::SearchResult found = checker::search(system, options_of(task));
  gate::TaskResult result;
  result.end = found.end;
  result.stats = found.stats;
  result.stats.fired = fired_by_action(system, found.stats);
  result.notes = found.notes;
  result.progress_checked = found.progress_checked;
  result.progress_end = found.progress_end;
  add_findings(system, task, found, result);
  return result;
}

}  // namespace fencepost::refinement
