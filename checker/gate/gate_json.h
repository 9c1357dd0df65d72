// The result of the gate as JSON: every row, unfolded.
#pragma once

#include <nlohmann/json.hpp>

#include "checker/gate/gate.h"

namespace fencepost::gate {

/// One answer with everything that is needed to ask again. "partition" is null where it is none.
nlohmann::ordered_json answer_json(const checker::Answer& answer);

/// {"version", "claims": [rows], "summary": {...}, "searches", "seconds", "interrupted"}.
std::string gate_json(const GateResult& result);

}  // namespace fencepost::gate
