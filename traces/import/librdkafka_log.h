// Importer for librdkafka's debug log, in its own prefix style (`%7|time|FACILITY|client| text`)
// and in that of an application's log callback (`12:33:45 info: Name:[0] kafka-log Facility:F,
// Message...`).
#pragma once

#include <string>
#include <string_view>

#include "traces/event_json.h"

namespace fencepost::traces {

/// True for a line that only such a log has.
bool is_librdkafka_line(std::string_view line);

/// Events of the idempotent producer, in the order of the log; the actor is the client's name.
/// Lines of facilities that say nothing about it are passed over. Never throws: a line that should
/// say something and cannot be read becomes a Problem with its line number.
Trace import_librdkafka_log(std::string_view text, const std::string& name);

}  // namespace fencepost::traces
