#include "checker/cli/recording_text.h"

#include <fmt/format.h>

#include "checker/counterexample/narrate.h"

namespace fencepost::cli {

using Json = nlohmann::ordered_json;

std::string recording_text(const checker::Recording& recording) {
  const spec::Model model(recording.behaviour, recording.instance);
  const checker::Narration narration = checker::narrate(model, recording.path);
  return fmt::format("Counterexample to {}, {} steps:\n\n{}",
                     spec::properties()[static_cast<std::size_t>(recording.property)].name,
                     recording.path.size(),
                     checker::narration_text(narration, recording.loop_from));
}

Json recording_json(const checker::Recording& recording) {
  const spec::Model model(recording.behaviour, recording.instance);
  const checker::Narration narration = checker::narrate(model, recording.path);
  Json steps = Json::array();
  for (std::size_t i = 0; i < narration.steps.size(); ++i) {
    const checker::TalkedStep& step = narration.steps[i];
    steps.push_back({{"actor", step.actor},
                     {"text", step.text},
                     {"remarks", step.remarks},
                     {"action", spec::action_text(model.action(recording.path[i]))}});
  }
  return {{"steps", steps},
          {"loop-from", recording.loop_from ? Json(*recording.loop_from) : Json(nullptr)},
          {"logs", narration.logs}};
}

}  // namespace fencepost::cli
