#include "checker/transactions/search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "checker/core/fair.h"
#include "checker/explicit/explicit_search.h"
#include "checker/gate/explicit_task.h"
#include "checker/gate/judge.h"
#include "checker/transactions/history.h"
#include "spec/base.h"
#include "spec/transactions/model.h"

namespace fencepost::transactions {
namespace {

namespace model = spec::transactions;
using checker::Verdict;
using model::Model;

const gate::ModelNames& names() {
  static const gate::ModelNames kNames = [] {
    gate::ModelNames all{{model::kBoundNames.begin(), model::kBoundNames.end()}, {}, ""};
    for (const model::NameInfo& info : model::notes()) all.notes.push_back(info.name);
    return all;
  }();
  return kNames;
}

/// Faults allowed of which no action ever fired.
std::vector<std::string_view> unfired(const Question& question, const Found& found) {
  const Model system(question.behaviour, question.instance);
  const std::vector<std::uint64_t>& fired = found.facts.stats.fired;
  std::vector<std::string_view> missing;
  if (fired.size() != system.action_count()) return missing;
  std::uint32_t happened = 0;
  for (std::size_t a = 0; a < fired.size(); ++a) {
    const model::ActionKind kind = system.action(a).kind;
    if (fired[a] == 0 || !model::is_fault(kind)) continue;
    happened |= 1U << static_cast<unsigned>(model::fault_of(kind));
  }
  for (int k = 0; k < model::kFaultKinds; ++k) {
    if (!question.instance.faults.allows(static_cast<model::Fault>(k))) continue;
    if ((happened >> k & 1U) == 0) {
      missing.push_back(model::fault_kinds()[static_cast<std::size_t>(k)].name);
    }
  }
  return missing;
}

/// Whether the finding shows what it should, on the model itself.
bool shows(const Model& system, const Finding& finding) {
  checker::ActionPath path = finding.stem;
  path.insert(path.end(), finding.loop.begin(), finding.loop.end());
  const std::vector<Model::State> states = checker::replay(system, path);
  if (finding.property != Property::kProgress) {
    return (system.violations(states.back()) >> static_cast<unsigned>(finding.property) & 1U) != 0;
  }
  if (!finding.loop.empty()) {
    return checker::is_fair_loop(system, states, path, finding.stem.size());
  }
  return !system.ended(states.back()) && !checker::any_free_action(system, states.back());
}

}  // namespace

checker::SearchOptions options_of(const Question& question, const gate::Limits& limits) {
  checker::SearchOptions options = gate::options_of(limits);
  options.properties = question.properties & kSafetyMask;
  options.progress = question.asks(Property::kProgress);
  return options;
}

void add_confirmed(const Model& system, Finding finding, const std::string& failure, Found& found) {
  std::string objection = shows(system, finding) ? "" : failure;
  if (objection.empty() && system.rules().instance.endless) {
    const HistoryReplay replay = replay_with_history(system, finding);
    if (replay.end == HistoryReplay::End::kDiffers) {
      objection = fmt::format("the counterexample to {} is none where nothing is forgotten",
                              property_name(finding));
    }
    finding.remark = remark_of(replay, finding);
  }
  if (found.facts.error.empty()) found.facts.error = std::move(objection);
  found.findings.push_back(std::move(finding));
}

void require_possible(const Question& question) {
  if (!question.instance.endless) return;
  const std::string_view fault = model::endless_fault(question.behaviour, question.instance);
  if (!fault.empty()) throw Error(Exit::kUsage, std::string(fault));
  const std::uint32_t forgotten = question.properties & model::needs_history();
  for (int p = 0; p < model::kProperties; ++p) {
    if ((forgotten >> p & 1U) == 0) continue;
    throw Error(Exit::kUsage,
                fmt::format("an endless instance forgets what {} looks at: leave it out",
                            model::properties()[static_cast<std::size_t>(p)].name));
  }
}

std::string missing_witnesses(const Found& found, std::uint64_t witnesses) {
  return gate::missing_names(names(), found.facts, witnesses);
}

std::string_view property_name(const Finding& finding) {
  return model::properties()[static_cast<std::size_t>(finding.property)].name;
}

std::string Question::key() const {
  return fmt::format("{} {} {} {}; {}; {}; {} {}", client, coordinator, broker,
                     spec::transactions::instance_text(instance), faults, instance.faults.budget,
                     instance.overlap, instance.rereads);
}

Found search(const Question& question, const gate::Limits& limits) {
  const checker::SearchOptions options = options_of(question, limits);
  const Model system(question.behaviour, question.instance, options.properties);
  const checker::SearchResult result = checker::search(system, options);
  Found found{gate::result_of(result), {}};
  const auto add = [&](const Finding& finding) {
    const std::string failure =
        fmt::format("the counterexample to {} does not violate it when replayed on the spec",
                    property_name(finding));
    add_confirmed(system, finding, failure, found);
  };
  for (const checker::Violation& violation : result.violations) {
    add({static_cast<Property>(violation.property), violation.path, {}});
  }
  if (result.lasso) {
    add({Property::kProgress, result.lasso->stem, result.lasso->loop});
  } else if (result.deadlock) {
    add({Property::kProgress, *result.deadlock, {}});
  }
  return found;
}

checker::Answer judge(const Question& question, const Found& found, const gate::Limits& limits,
                      Property property, std::uint64_t witnesses) {
  FP_ASSERT(question.asks(property));
  const bool liveness = property == Property::kProgress;
  checker::Answer answer;
  answer.on = found.on;
  answer.kind = liveness ? checker::PropertyKind::kLiveness : checker::PropertyKind::kSafety;
  answer.property = model::properties()[static_cast<std::size_t>(property)].name;
  answer.variant = question.client;
  answer.broker = fmt::format("{} and {}", question.coordinator, question.broker);
  answer.instance = model::instance_text(question.instance);
  answer.faults = question.faults;
  gate::fill_statistics(found.facts, answer);
  const Finding* finding = finding_for(found, property);
  if (!found.facts.error.empty()) {
    answer.verdict = Verdict::kError;
    answer.reason = found.facts.error;
  } else if (finding != nullptr) {
    answer.verdict = Verdict::kRefuted;
    answer.depth = finding->depth();
    answer.remark = finding->remark;
    if (liveness && finding->loop.empty()) answer.kind = checker::PropertyKind::kDeadlock;
  } else {
    gate::judge_unviolated(names(), limits, found.facts, liveness, witnesses, answer);
    if (const auto missing = unfired(question, found); !missing.empty()) {
      answer.remark = fmt::format("never happened, so not covered: {}", fmt::join(missing, ", "));
    }
  }
  answer.not_covered = checker::not_covered(answer.verdict, answer.depth, answer.kind);
  return answer;
}

const Finding* finding_for(const Found& found, Property property) {
  for (const Finding& finding : found.findings) {
    if (finding.property == property) return &finding;
  }
  return nullptr;
}

}  // namespace fencepost::transactions
