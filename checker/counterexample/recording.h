// A counterexample as a trace file: everything needed to step through it again on the concrete
// spec, and what every step changed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "checker/core/path.h"
#include "spec/model/model.h"
#include "traces/trace_file.h"

namespace fencepost::checker {

/// A run of the spec and what it was found under.
struct Recording {
  std::string variant;  ///< names, for the reader; what counts is the behaviour
  std::string broker;
  spec::Behaviour behaviour;
  spec::Instance instance;
  spec::Property property = spec::Property::kNoDuplicate;
  ActionPath path;
  std::optional<std::size_t> loop_from;  ///< progress: the steps from here on repeat for ever
};

/// Requires: the path is one of the model of that behaviour and instance (asserted).
traces::RawTrace record(const Recording& recording);

/// Reads back what `record` wrote. Every step is checked: the action exists in the instance, its
/// guard holds, and it changes exactly what the file says. Throws Error(kBadInput) naming the file
/// and the line of the step or header field that is wrong.
Recording read_recording(std::string_view text, const std::string& name);

/// Whether the end of the recorded run violates its property: the state after the last step for
/// safety; for progress a loop that closes and is weakly fair, or a state in which no free action
/// is enabled although the run has not ended.
bool violates(const spec::Model& model, const Recording& recording);

}  // namespace fencepost::checker
