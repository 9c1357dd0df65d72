#include "traces/import/librdkafka_log.h"

#include <utility>

#include "traces/import/librdkafka_line.h"
#include "traces/import/problems.h"

namespace fencepost::traces {
namespace {

// Facilities of the idempotent producer as one word, to notice one that is damaged: a name of upper
// case letters only is taken as a facility of librdkafka that says nothing here.
bool is_facility(std::string_view name) {
  for (const char c : name) {
    if ((c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_') return false;
  }
  return !name.empty();
}

}  // namespace

bool is_librdkafka_line(std::string_view line) {
  const std::optional<LogLine> parsed = parse_log_prefix(line);
  if (!parsed) return false;
  return is_facility(parsed->facility) || parsed->text.starts_with("Unexpected message value");
}

Trace import_librdkafka_log(std::string_view text, const std::string& name) {
  Trace trace;
  Problems problems;
  bool unix_clock = false;
  Evidence where;
  const auto unreadable = [&](const char* what, std::string_view line) {
    problems.add(where,
                 fmt::format("{}; the line is passed over: \"{}\"", what, line.substr(0, 60)));
  };
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++where.line;
    where.time_us.reset();
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const std::optional<LogLine> parsed = parse_log_prefix(line);
    if (!parsed) {
      unreadable("no prefix of a librdkafka log", line);
      continue;
    }
    where.time_us = parsed->time_us;
    unix_clock = unix_clock || parsed->unix_clock;
    Payload payload;
    const LogReading reading = parse_log_text(*parsed, payload);
    if (reading == LogReading::kEvent) {
      if (end == std::string_view::npos && line.back() >= '0' && line.back() <= '9') {
        problems.add(where, "the last line has no line end, so its last number may be cut");
      }
      trace.events.push_back({parsed->client, where, std::move(payload)});
    } else if (reading == LogReading::kUnreadable) {
      unreadable(fmt::format("this {} line is not in a known form",
                             parsed->facility.empty() ? "consumer" : parsed->facility)
                     .c_str(),
                 parsed->text);
    } else if (!parsed->facility.empty() && !is_facility(parsed->facility)) {
      unreadable("the facility is damaged", line);
    }
  }
  trace.inputs.push_back({name, "librdkafka-log", unix_clock ? "unix" : "time-of-day"});
  trace.problems = problems.take();
  return trace;
}

}  // namespace fencepost::traces
