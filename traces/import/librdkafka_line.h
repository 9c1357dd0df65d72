// One line of a librdkafka log: its prefix, and what its text says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "traces/event.h"

namespace fencepost::traces {

/// A line without its prefix.
struct LogLine {
  std::string client;
  std::string facility;  ///< empty for a line of the application
  std::string_view text;
  std::optional<std::int64_t> time_us;
  bool unix_clock = false;  ///< else the time is of the day
};

/// Splits a prefix of either style off; nothing when the line has none.
std::optional<LogLine> parse_log_prefix(std::string_view line);

enum class LogReading {
  kEvent,      ///< `payload` holds what the line says
  kNothing,    ///< understood, says nothing that a trace keeps
  kUnreadable  ///< of a facility that is read, but not in a form that is known
};

/// Reads the text of a line by its facility (the lines of librdkafka 2.6 to 2.15).
LogReading parse_log_text(const LogLine& line, Payload& payload);

}  // namespace fencepost::traces
