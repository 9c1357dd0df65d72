// A trace file: JSON lines, a header and then events with a monotonic index. This layer knows no
// kind of event: what an event carries beyond index, actor and name is a JSON object, so that
// imported traces and recorded model runs share one reader and one writer.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::traces {

inline constexpr std::string_view kTraceSchema = "fencepost-trace";
inline constexpr int kTraceVersion = 1;

/// One line after the header. `body` is an object without the keys "i", "actor", "event".
struct RawEvent {
  std::string actor;
  std::string event;
  nlohmann::ordered_json body = nlohmann::ordered_json::object();
  bool operator==(const RawEvent&) const = default;
};

/// A whole trace. `source` says what made it (for example "import" or "model"); `header` holds all
/// other header fields ("observed", "inputs", "bounds", ...), an object.
struct RawTrace {
  std::string source;
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  std::vector<RawEvent> events;
  bool operator==(const RawTrace&) const = default;
};

/// The text of a trace file: header first, with the number of events, then events indexed from 0,
/// every line ended.
std::string write_trace(const RawTrace& trace);

/// Reads the text of a trace file; `name` is used in errors only. Strict: an unknown schema or
/// version, a second header, an index that is not the previous one plus one (from 0), a line that
/// is not a JSON object, a last line without line end, and another number of events than the header
/// promises (if it does) are Error(kBadInput) naming file and line.
RawTrace read_trace(std::string_view text, const std::string& name);

/// True when the first line of `text` claims to be the header of a trace file.
bool looks_like_trace(std::string_view text);

/// Throws Error(kBadInput) if `write_file_whole` could not, or should not, put a file at `path`: a
/// device, a pipe or a folder stands there, or the place may not be written to. For commands that
/// compute long before they write.
void require_replaceable(const std::string& path);

/// Puts `text` at `path` as a whole or not at all: written beside it, then renamed.
/// Error(kBadInput) when that fails; nothing is left behind then.
void write_file_whole(const std::string& path, std::string_view text);

}  // namespace fencepost::traces
