#include "checker/gate/judge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "checker/gate/unfired.h"
#include "spec/instance_text.h"

namespace fencepost::gate {
namespace {

using checker::Answer;
using checker::SearchEnd;
using checker::Verdict;
using spec::Property;

/// The bounds that were hit, with the way out; empty if none was.
std::string bounds_sentence(const ModelNames& names, const checker::Statistics& stats) {
  std::vector<std::string> hits;
  for (std::size_t b = 0; b < names.bounds.size(); ++b) {
    if (stats.bound_hits[b] == 0) continue;
    hits.push_back(fmt::format("the bound on {} was hit {} times: raise {}{}", names.bounds[b],
                               stats.bound_hits[b], names.raise, names.bounds[b]));
  }
  if (hits.empty() && stats.bounded()) hits.emplace_back("a bound was hit");
  return fmt::format("{}", fmt::join(hits, "; "));
}

std::string stopped_sentence(const Limits& limits, const TaskResult& result, SearchEnd end) {
  switch (end) {
    case SearchEnd::kMemory:
      if (result.memory_refused) {
        return fmt::format(
            "the system gave no more memory after {} states: lower --memory or --threads",
            result.stats.distinct);
      }
      return fmt::format("the memory of {} MiB is used up after {} states: raise --memory",
                         limits.memory_bytes >> 20U, result.stats.distinct);
    case SearchEnd::kTime:
      return fmt::format("the time of {:g} s is over: raise --seconds", limits.seconds);
    case SearchEnd::kInterrupted:
      return "interrupted";
    case SearchEnd::kDepth:
      return fmt::format("not searched deeper than {} steps", limits.max_depth);
    default:
      return "the search ended early";
  }
}

/// Of these verdicts somebody could think that they speak of every fault allowed.
bool speaks_of_faults(Verdict verdict) {
  return checker::holds(verdict) || verdict == Verdict::kBounded || verdict == Verdict::kProbable ||
         verdict == Verdict::kVacuous;
}

}  // namespace

std::string missing_names(const ModelNames& names, const TaskResult& result,
                          std::uint64_t witnesses) {
  std::vector<std::string_view> missing;
  for (std::size_t n = 0; n < names.notes.size(); ++n) {
    if (((witnesses & ~result.notes) >> n & 1U) != 0) missing.push_back(names.notes[n]);
  }
  if (missing.empty()) return {};
  return fmt::format("never reached: {}", fmt::join(missing, ", "));
}

ModelNames model_names() {
  ModelNames names{{spec::kBoundNames.begin(), spec::kBoundNames.end()}, {}};
  for (const spec::NoteInfo& info : spec::notes()) names.notes.push_back(info.name);
  return names;
}

void judge_unviolated(const ModelNames& names, const Limits& limits, const TaskResult& result,
                      bool liveness, std::uint64_t witnesses, Answer& answer) {
  answer.depth = result.stats.depth;
  answer.verdict = Verdict::kUnknown;
  // Steps that a bound disabled are missing from what was searched, at whatever depth it ended.
  const bool to_depth = result.end == SearchEnd::kDepth && !liveness;
  if (result.end == SearchEnd::kExhausted || to_depth) {
    answer.reason = bounds_sentence(names, result.stats);
    if (!answer.reason.empty()) return;
  }
  if (result.end != SearchEnd::kExhausted) {
    if (to_depth) answer.verdict = Verdict::kBounded;
    answer.reason = stopped_sentence(limits, result, result.end);
    return;
  }
  if (liveness && result.progress_end != SearchEnd::kExhausted) {
    answer.reason = stopped_sentence(limits, result, result.progress_end);
    return;
  }
  if (liveness && !result.progress_checked) {
    answer.verdict = Verdict::kError;
    answer.reason = "all states were visited, but progress was not checked";
    return;
  }
  answer.reason = missing_names(names, result, witnesses);
  answer.verdict = answer.reason.empty() ? Verdict::kExhausted : Verdict::kVacuous;
}

bool interrupted(const TaskResult& result) {
  return result.end == SearchEnd::kInterrupted || result.progress_end == SearchEnd::kInterrupted;
}

void fill_statistics(const TaskResult& result, Answer& answer) {
  answer.engine = result.engine;
  answer.version = checker::version();
  answer.states = result.stats.distinct;
  answer.permutations = result.permutations;
  answer.transitions = result.stats.transitions;
  answer.seconds = result.stats.seconds;
}

std::string missing_witnesses(const TaskResult& result, std::uint64_t witnesses) {
  return missing_names(model_names(), result, witnesses);
}

const Finding* finding_for(const TaskResult& result, Property property) {
  for (const Finding& finding : result.findings) {
    if (finding.property == property) return &finding;
  }
  return nullptr;
}

Answer judge(const Task& task, const TaskResult& result, Property property,
             std::uint64_t witnesses) {
  FP_ASSERT(task.asks(property));
  Answer answer;
  answer.kind = property == Property::kProgress ? checker::PropertyKind::kLiveness
                                                : checker::PropertyKind::kSafety;
  answer.property = spec::properties()[static_cast<std::size_t>(property)].name;
  answer.instance = spec::instance_text(task.instance);
  answer.on = task.on;
  fill_statistics(result, answer);
  const Finding* finding = finding_for(result, property);
  if (!result.error.empty()) {
    answer.verdict = Verdict::kError;
    answer.reason = result.error;
  } else if (finding != nullptr) {
    answer.verdict = Verdict::kRefuted;
    answer.depth = finding->depth();
    if (property == Property::kProgress && finding->loop.empty()) {
      answer.kind = checker::PropertyKind::kDeadlock;
    }
    answer.remark = finding->note;
    if (finding->partition >= 0) answer.partition = finding->partition;
  } else {
    judge_unviolated(model_names(), task.limits, result, property == Property::kProgress, witnesses,
                     answer);
  }
  if (speaks_of_faults(answer.verdict)) {
    const std::vector<std::string_view> unfired = unfired_faults(task, result);
    if (!unfired.empty()) {
      answer.remark = fmt::format("never happened, so not covered: {}", fmt::join(unfired, ", "));
    }
  }
  answer.not_covered = checker::not_covered(answer.verdict, answer.depth, answer.kind);
  return answer;
}

}  // namespace fencepost::gate
