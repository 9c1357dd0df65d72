// A recorded run for the reader: in Kafka's words, or as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "checker/counterexample/recording.h"

namespace fencepost::cli {

/// What it refutes, the steps, and the logs at the end.
std::string recording_text(const checker::Recording& recording);

/// {"steps": [{"actor", "text", "remarks", "action"}], "loop-from", "logs"}.
nlohmann::ordered_json recording_json(const checker::Recording& recording);

}  // namespace fencepost::cli
