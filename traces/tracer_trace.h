// Traces that the tracer wrote (impl/tracer/fencepost_tracer.h): their vocabulary, and a reader
// that checks a trace against it. TRACER.md describes both for people.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "traces/trace_file.h"

namespace fencepost::traces {

inline constexpr std::string_view kTracerSource = "tracer";

/// A field of an event; what every event carries ("n", "after", "after_n", "cut") is not listed.
struct TracerField {
  enum class Kind : std::uint8_t { kInteger, kText, kBoolean };
  std::string_view name;
  Kind kind = Kind::kInteger;
  bool required = true;
};
struct TracerEventInfo {
  std::string_view name;
  std::string_view says;
  std::vector<TracerField> fields;
};

/// The vocabulary, in the order of the document.
const std::vector<TracerEventInfo>& tracer_events();

struct TracerSummary {
  std::string by;  ///< who wrote it
  std::size_t events = 0;
  std::map<std::string, std::size_t> actors;  ///< events by actor
};

/// Checks that every event is one of the vocabulary with its fields and no others, that each
/// actor's "n" counts from 0 without a gap, and that "after" names an earlier event of another
/// actor. Throws Error(kBadInput) naming `name` and the line.
TracerSummary check_tracer_trace(const RawTrace& trace, const std::string& name);

}  // namespace fencepost::traces
