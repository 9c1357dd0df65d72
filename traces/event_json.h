// Typed events to and from trace lines, and the schema of both.
#pragma once

#include <string>
#include <vector>

#include "traces/event.h"
#include "traces/trace_file.h"

namespace fencepost::traces {

/// A line of an input that was not understood or only in part.
struct Problem {
  Evidence where;
  std::string what;  ///< one clause: what is wrong and what was done about it
  bool operator==(const Problem&) const = default;
};

/// An input of an import: how it is called in answers, its format ("wireshark-text",
/// "librdkafka-log") and its clock ("time-of-day": microseconds since midnight as printed;
/// "unix": microseconds since 1970).
struct Input {
  std::string file;
  std::string format;
  std::string clock;
  bool operator==(const Input&) const = default;
};

/// What an import yields: events in the order of each input, and what was not understood.
struct Trace {
  std::vector<Input> inputs;
  std::vector<Problem> problems;
  std::vector<Event> events;
  bool operator==(const Trace&) const = default;
};

/// The source that typed traces carry in their header.
inline constexpr std::string_view kImportSource = "import";

/// The event's name in a trace, for example "produce-request".
std::string_view event_name(const Payload& payload);

/// A typed trace as it stands in a trace file.
RawTrace to_raw(const Trace& trace);

/// Back from a trace file. Strict: another source, an unknown event, a missing, unknown or
/// ill-typed field, or evidence outside the inputs is Error(kBadInput) naming `name` and the line.
Trace from_raw(const RawTrace& raw, const std::string& name);

/// The JSON schema of header and events, as kept in traces/schema.json.
nlohmann::ordered_json trace_schema();

}  // namespace fencepost::traces
