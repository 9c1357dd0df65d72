#include "checker/refinement/transactions/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/explicit/explicit_search.h"
#include "checker/gate/explicit_task.h"
#include "spec/base.h"

namespace fencepost::refinement::transactions {
namespace {

using fencepost::transactions::Claim;
using fencepost::transactions::Finding;
using fencepost::transactions::Found;
using fencepost::transactions::Question;
using spec::Property;

/// Faults that a claim which holds is asked with at most.
constexpr int kMostFaults = 2;
/// Of an instance that is asked: without symmetry, three partitions are millions of states.
constexpr int kMostPartitions = 2;

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

void add_findings(const System& system, const checker::SearchResult& result, Found& found) {
  for (const checker::Violation& violation : result.violations) {
    if (violation.property != kDivergence) continue;
    found.facts.error = fmt::format("a step of the implementation is not one of the spec\n{}",
                                    path_text(system, violation.path));
    return;
  }
  const auto add = [&](const Finding& finding) {
    const std::string failure =
        fmt::format("the run that violates {} on the implementation does not on the spec",
                    fencepost::transactions::property_name(finding));
    fencepost::transactions::add_confirmed(system.model(), finding, failure, found);
  };
  for (const checker::Violation& violation : result.violations) {
    add({static_cast<Property>(violation.property), spec_path(system, violation.path), {}});
  }
  if (result.lasso) {
    checker::ActionPath whole = result.lasso->stem;
    whole.insert(whole.end(), result.lasso->loop.begin(), result.lasso->loop.end());
    const checker::ActionPath stem = spec_path(system, result.lasso->stem);
    const checker::ActionPath path = spec_path(system, whole);
    const auto middle = path.begin() + static_cast<std::ptrdiff_t>(stem.size());
    add({Property::kProgress, stem, {middle, path.end()}});
  } else if (result.deadlock) {
    add({Property::kProgress, spec_path(system, *result.deadlock), {}});
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
  const System system(question.behaviour, question.instance,
                      question.properties & fencepost::transactions::kSafetyMask);
  checker::SearchOptions options = fencepost::transactions::options_of(question, limits);
  options.properties |= 1U << kDivergence;
  const checker::SearchResult result = checker::search(system, options);
  Found found{gate::result_of(result), {}, "impl"};
  found.facts.stats.fired = fired_by_action(system, result.stats);
  add_findings(system, result, found);
  return found;
}

std::vector<Claim> claims_for_impl(std::vector<Claim> claims) {
  std::erase_if(claims, [](const Claim& c) {
    const fencepost::spec::transactions::Instance& instance = c.questions.front().instance;
    return c.claim.expect == gate::Expect::kOpen || instance.endless ||
           instance.partitions > kMostPartitions;
  });
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
