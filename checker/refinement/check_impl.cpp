#include "checker/refinement/check_impl.h"

#include <fmt/format.h>

#include "checker/explicit/explicit_search.h"
#include "checker/gate/explicit_task.h"

namespace fencepost::refinement {
namespace {

using spec::Property;

/// A search for nothing but divergences still has to look for them.
checker::SearchOptions search_options(const gate::Task& task) {
  checker::SearchOptions options = gate::options_of(task);
  if (options.properties == 0) options.properties = 1U << kDivergence;
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

void add_findings(const ImplSystem& system, const gate::Task& task,
                  const checker::SearchResult& found, gate::TaskResult& result) {
  for (const checker::Violation& violation : found.violations) {
    if (system.diverges(violation.path)) {
      result.error = first_divergence(system, violation.path);
      return;
    }
  }
  for (const checker::Violation& violation : found.violations) {
    const auto property = static_cast<Property>(violation.property);
    gate::add_confirmed(system.model(), task, {property, -1, spec_path(system, violation.path), {}},
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
    gate::add_confirmed(system.model(), task,
                        {Property::kProgress, -1, stem, {middle, whole.end()}}, result);
  } else if (found.deadlock) {
    gate::add_confirmed(system.model(), task,
                        {Property::kProgress, -1, spec_path(system, *found.deadlock), {}}, result);
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
  const ImplSystem system(task.behaviour, task.instance, task.properties & gate::kSafetyMask);
  const checker::SearchResult found = checker::search(system, search_options(task));
  gate::TaskResult result = gate::result_of(found);
  result.stats.fired = fired_by_action(system, found.stats);
  add_findings(system, task, found, result);
  return result;
}

}  // namespace fencepost::refinement
