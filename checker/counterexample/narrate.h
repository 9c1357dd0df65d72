// Tells a path in Kafka's words: one line a step, the ambiguous append and the renumbering called
// out, the logs at the end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/core/search.h"
#include "spec/model/model.h"

namespace fencepost::checker {

/// One step of a path.
struct TalkedStep {
  std::string actor;                 ///< "producer", "broker 1", "controller", "network", ...
  std::string text;                  ///< what it does, one line
  std::vector<std::string> remarks;  ///< what a reader must not miss
};

struct Narration {
  std::vector<TalkedStep> steps;
  std::vector<std::string> logs;  ///< one block of lines per partition that is worth showing
};

/// Requires: `path` is a path of `model` (replayed here, every guard asserted).
Narration narrate(const spec::Model& model, const ActionPath& path);

/// "A1" is message 1 of partition 0; message 0 is the warm one where there is one.
std::string message_name(int partition, int message);

/// The narration as text. `loop_from` is the step at which a lasso's loop begins.
std::string narration_text(const Narration& narration, std::optional<std::size_t> loop_from = {});

}  // namespace fencepost::checker
