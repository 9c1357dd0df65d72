// From what a search did to a verdict on one property. This is the only place that decides whether
// something holds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "checker/core/verdict.h"
#include "checker/gate/task.h"

namespace fencepost::gate {

/// The names that a model gives to its bounds and notes, by number.
struct ModelNames {
  std::vector<std::string_view> bounds;
  std::vector<std::string_view> notes;
  std::string_view raise = "--";  ///< what stands before a bound's name where it is set
};
/// Those of the model in spec/model.
ModelNames model_names();

/// Verdict, depth and reason of a property for which there is no counterexample, of whatever model.
/// `liveness`: it is progress.
void judge_unviolated(const ModelNames& names, const Limits& limits, const TaskResult& result,
                      bool liveness, std::uint64_t witnesses, checker::Answer& answer);

/// "never reached: ..." with the notes of `witnesses` that were not seen, or empty.
std::string missing_names(const ModelNames& names, const TaskResult& result,
                          std::uint64_t witnesses);

/// Whether the search, or that for progress, was stopped by the user: what it leaves unknown was
/// not checked.
bool interrupted(const TaskResult& result);

/// Engine, version, states, transitions and seconds of the search.
void fill_statistics(const TaskResult& result, checker::Answer& answer);

/// The verdict with depth, states, transitions, seconds, partition, engine, version, reason, a
/// remark on faults that never happened, and what it does not cover; the caller fills in the names.
///
/// Refuted if there is a counterexample. Holds only if every reachable state was visited, no bound
/// was hit, and every witness (bit = spec::Note) was seen. Requires: the task asks for `property`.
checker::Answer judge(const Task& task, const TaskResult& result, spec::Property property,
                      std::uint64_t witnesses);

/// "never reached: ..." with the witnesses (bit = spec::Note) that were not seen, or empty.
std::string missing_witnesses(const TaskResult& result, std::uint64_t witnesses);

/// The finding for the property, or null.
const Finding* finding_for(const TaskResult& result, spec::Property property);

}  // namespace fencepost::gate
