#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "checker/core/path.h"
#include "checker/gate/task.h"
#include "checker/symbolic/bounded.h"
#include "checker/symbolic/spec_system.h"
#include "spec/base.h"
#include "spec/model/model.h"

namespace fencepost::gate {
namespace {

using checker::BoundedAnswer;
using checker::SpecSystem;
using spec::Property;

/// How hard the gate tries to repeat a refutation, and to exclude shorter runs: on a quiet machine
/// about a minute and 7 s. In conflicts, not in time, so that a row says the same on every machine,
/// unless the user set a time, too.
constexpr unsigned kRefuteConflicts = 300000;
constexpr unsigned kShorterConflicts = 40000;

checker::BoundedOptions options_of(const Task& task) {
  checker::BoundedOptions options;
  options.max_depth = std::min(task.limits.max_depth, kBoundedDepth);
  options.limits.stop = task.limits.stop;
  options.seconds = task.limits.seconds < 1e9 ? task.limits.seconds : 0;
  return options;
}

/// Enough for most counterexamples of so many steps, and several times as fast (measured on the
/// claims: with a fifth fewer, some no longer fit). A single partition takes no turns.
std::uint32_t few_frames(const Task& task, std::uint32_t depth) {
  return task.instance.partitions > 1 ? (depth * 17 + 19) / 20 : depth;
}

std::string_view name_of(Property property) {
  return spec::properties()[static_cast<std::size_t>(property)].name;
}

/// Replays what the solver found; a sentence if it shows nothing.
std::string confirm(const Task& task, Finding& finding) {
  const spec::Model model(task.behaviour, task.instance, bit(finding.property));
  const std::optional<spec::Model::State> end = checker::end_of(model, finding.stem);
  if (!end) return "the solver's counterexample is no run of the spec";
  finding.partition = model.violated_partition(*end, finding.property);
  return finding.partition >= 0 ? "" : "the solver's counterexample violates nothing";
}

[[noreturn]] void disagree(Property property, std::uint32_t depth, const std::string& what) {
  throw Error(Exit::kInternal,
              fmt::format("the engines disagree on {}: the explicit search refutes it in {} steps, "
                          "but {}",
                          name_of(property), depth, what));
}

void add_found(const Task& task, Property property, const checker::BoundedResult& found,
               TaskResult& result) {
  Finding finding{property, -1, *found.path, {}};
  if (!found.shortest()) {
    finding.note = fmt::format("whether {} to {} steps are enough is not known: {}", found.checked,
                               found.path->size() - 1, found.unknown);
  }
  if (result.error.empty()) result.error = confirm(task, finding);
  result.findings.push_back(std::move(finding));
}

}  // namespace

TaskResult check_bounded_depth(const Task& task) {
  TaskResult result;
  result.engine = checker::bounded_engine_name();
  result.end = checker::SearchEnd::kDepth;
  result.stats.depth = std::min(task.limits.max_depth, kBoundedDepth);
  for (int k = 0; k < spec::kSafetyProperties; ++k) {
    const auto property = static_cast<Property>(k);
    if (!task.asks(property)) continue;
    const SpecSystem system(task.behaviour, task.instance, {bit(property), false, false});
    checker::BoundedOptions options = options_of(task);
    if (task.limits.on_level) {
      options.on_depth = [&](std::uint32_t depth) {
        checker::Statistics stats;
        stats.depth = depth;
        task.limits.on_level(stats);
      };
    }
    const checker::BoundedResult found =
        checker::check_bounded(system, facts_to_ask(system), options);
    result.stats.seconds += found.seconds;
    if (found.path) {
      add_found(task, property, found, result);
    } else if (!found.unknown.empty()) {
      result.end = checker::SearchEnd::kTime;
      result.stopped = fmt::format("no run of fewer than {} steps violates {}, then {}",
                                   found.checked, name_of(property), found.unknown);
    }
  }
  return result;
}

std::string refutation_sentence(const Task& task, Property property, std::uint32_t depth) {
  const SpecSystem system(task.behaviour, task.instance, {bit(property), false, false});
  const std::string engine = checker::bounded_engine_name();
  checker::SolverLimits limits;
  limits.stop = task.limits.stop;
  limits.conflicts = kRefuteConflicts;
  if (task.limits.seconds < 1e9) limits.seconds = task.limits.seconds;
  const std::vector<std::size_t> facts = facts_to_ask(system);
  const std::uint32_t few = few_frames(task, depth);
  BoundedAnswer found = checker::violation_within(system, facts, depth, few, limits);
  if (found.sat != checker::Sat::kSat && few < depth) {
    found = checker::violation_within(system, facts, depth, depth, limits);
  }
  if (found.sat == checker::Sat::kUnknown) {
    return fmt::format("the search alone vouches for it; {} has no answer: {}", engine,
                       found.reason);
  }
  if (found.sat == checker::Sat::kUnsat) disagree(property, depth, engine + " finds no such run");
  Finding finding{property, -1, found.path, {}};
  const std::string shows_nothing = confirm(task, finding);
  if (!shows_nothing.empty()) disagree(property, depth, shows_nothing);
  if (finding.depth() < depth) {
    disagree(property, depth, fmt::format("{} finds {} steps enough", engine, finding.depth()));
  }
  limits.conflicts = kShorterConflicts;
  const BoundedAnswer shorter = checker::violation_before(system, facts, depth, limits);
  if (shorter.sat == checker::Sat::kSat) {
    disagree(property, depth, fmt::format("{} finds {} steps enough", engine, shorter.path.size()));
  }
  return fmt::format("refuted by {} in {} steps, too; {}", engine, depth,
                     shorter.sat == checker::Sat::kUnsat
                         ? "fewer are not enough"
                         : "for fewer not being enough the search vouches");
}

}  // namespace fencepost::gate
