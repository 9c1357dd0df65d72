// What every reader's fuzz target does with a trace that was read: analyse and print it.
#pragma once

#include "checker/explain/render.h"
#include "traces/event_json.h"

namespace fencepost::fuzz {

/// Analyses the trace and prints the answer both ways; an empty answer is a failure.
inline void explain_trace(const traces::Trace& trace) {
  const explain::Report report = explain::analyse(trace);
  if (explain::explain_text(report).empty() || explain::explain_json(report).empty()) {
    __builtin_trap();
  }
}

}  // namespace fencepost::fuzz
