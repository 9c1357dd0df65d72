#include "checker/refinement/transactions/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/core/fair.h"
#include "checker/explicit/explicit_search.h"
#include "spec/base.h"

namespace fencepost::refinement::transactions {
namespace {

using fencepost::transactions::Claim;
using fencepost::transactions::Finding;
using fencepost::transactions::Found;
using fencepost::transactions::Question;
using spec::Property;

constexpr std::uint32_t kSafetyMask = (1U << spec::kSafetyProperties) - 1;
/// Faults that a claim which holds is asked with at most.
constexpr int kMostFaults = 2;

checker::SearchOptions options_of(const Question& question, const gate::Limits& limits) {
  checker::SearchOptions options;
  options.properties = (question.properties & kSafetyMask) | (1U << kDivergence);
  options.progress = question.asks(Property::kProgress);
  options.memory_bytes = limits.memory_bytes;
  options.seconds = limits.seconds;
  options.threads = limits.threads;
  options.max_depth = limits.max_depth;
  options.stop = limits.stop;
  options.on_level = limits.on_level;
  return options;
}

/// Steps by the spec's actions, as far as a choice has one whatever the state.
std::vector<std::uint64_t> fired_by_action(const System& system, const checker::Statistics& stats) {
  std::vector<std::uint64_t> fired(system.model().action_count());
  for (std::size_t a = 0; a < stats.fired.size(); ++a) {
    const std::string_view name = choice_name(system.choice(a).kind);
    for (std::size_t b = 0; b < fired.size(); ++b) {
      const spec::Action& action = system.model().action(b);
      if (spec::action_name(action.kind) != name) continue;
      fired[b] += stats.fired[a];
      break;
    }
  }
  return fired;
}

bool shows(const spec::Model& model, const Finding& finding) {
  checker::ActionPath path = finding.stem;
  path.insert(path.end(), finding.loop.begin(), finding.loop.end());
  const auto states = checker::replay(model, path);
  if (finding.property != Property::kProgress) {
    return (model.violations(states.back()) >> static_cast<unsigned>(finding.property) & 1U) != 0;
  }
  if (!finding.loop.empty()) {
    return checker::is_fair_loop(model, states, path, finding.stem.size());
  }
  return !model.ended(states.back()) && !checker::any_free_action(model, states.back());
}

void add_confirmed(const System& system, Finding finding, Found& found) {
  if (!shows(system.model(), finding) && found.facts.error.empty()) {
    found.facts.error =
        fmt::format("the run that violates {} on the implementation does not on the spec",
                    spec::properties()[static_cast<std::size_t>(finding.property)].name);
  }
  found.findings.push_back(std::move(finding));
}

void add_findings(const System& system, const checker::SearchResult& result, Found& found) {
  for (const checker::Violation& violation : result.violations) {
    if (violation.property != kDivergence) continue;
    found.facts.error = fmt::format("a step of the implementation is not one of the spec\n{}",
                                    path_text(system, violation.path));
    return;
  }
  for (const checker::Violation& violation : result.violations) {
    add_confirmed(
        system, {static_cast<Property>(violation.property), spec_path(system, violation.path), {}},
        found);
  }
  if (result.lasso) {
    checker::ActionPath whole = result.lasso->stem;
    whole.insert(whole.end(), result.lasso->loop.begin(), result.lasso->loop.end());
    const checker::ActionPath stem = spec_path(system, result.lasso->stem);
    const checker::ActionPath path = spec_path(system, whole);
    const auto middle = path.begin() + static_cast<std::ptrdiff_t>(stem.size());
    add_confirmed(system, {Property::kProgress, stem, {middle, path.end()}}, found);
  } else if (result.deadlock) {
    add_confirmed(system, {Property::kProgress, spec_path(system, *result.deadlock), {}}, found);
  }
}

}  // namespace

checker::ActionPath spec_path(const System& system, const checker::ActionPath& path) {
  checker::ActionPath steps;
  System::State s = system.initial();
  for (const checker::ActionIndex a : path) {
    const int claimed = system.claim(a, s);
    if (claimed >= 0) steps.push_back(static_cast<checker::ActionIndex>(claimed));
    static_cast<void>(system.effect(a, s));
  }
  return steps;
}

Found check_on_impl(const Question& question, const gate::Limits& limits) {
  const std::string fault = instance_fault(question.behaviour, question.instance);
  if (!fault.empty()) throw Error(Exit::kUsage, fault);
  const System system(question.behaviour, question.instance, question.properties & kSafetyMask);
  const checker::SearchResult result = checker::search(system, options_of(question, limits));
  Found found;
  found.facts.end = result.end;
  found.facts.stats = result.stats;
  found.facts.stats.fired = fired_by_action(system, result.stats);
  found.facts.memory_refused = result.memory_refused;
  found.facts.notes = result.notes;
  found.facts.progress_checked = result.progress_checked;
  found.facts.progress_end = result.progress_end;
  add_findings(system, result, found);
  return found;
}

std::vector<Claim> claims_for_impl(std::vector<Claim> claims) {
  std::erase_if(claims, [](const Claim& c) { return c.claim.expect == gate::Expect::kOpen; });
  for (Claim& c : claims) {
    c.claim.witnesses = 0;
    if (c.claim.expect != gate::Expect::kHolds) continue;
    FP_ASSERT(c.claim.rows.size() == c.questions.size());
    for (std::size_t r = 0; r < c.questions.size(); ++r) {
      int& budget = c.questions[r].instance.faults.budget;
      budget = std::min(budget, kMostFaults);
      c.claim.rows[r].instance.faults.budget = budget;  // what the table says was asked
    }
  }
  return claims;
}

}  // namespace fencepost::refinement::transactions
