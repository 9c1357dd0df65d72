// A report as text for a reader, or as JSON for a program.
#pragma once

#include <string>

#include "checker/explain/finding.h"

namespace fencepost::explain {

/// Plain text, lines of at most about 100 columns, the answer in the first line. Deterministic.
std::string explain_text(const Report& report);

/// One JSON object: "answer", "findings", "batches", "notes", "problems", "inputs".
std::string explain_json(const Report& report);

/// The word a finding begins with: "DUPLICATE confirmed", "NO PROGRESS", ...
std::string kind_words(const Finding& finding);

/// The answer in one line, as the text begins with it.
std::string answer_line(const Report& report);

}  // namespace fencepost::explain
