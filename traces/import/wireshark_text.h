// Importer for Wireshark's text print-out of Kafka messages: frames under a one-line header
// ("frame, time, from->to - Kafka ...") or under the full layers that `tshark -V` prints.
#pragma once

#include <string>
#include <string_view>

#include "traces/event_json.h"

namespace fencepost::traces {

/// True for a line that only such a print-out has.
bool is_wireshark_line(std::string_view line);

/// Events of Produce, Metadata, OffsetForLeaderEpoch and Fetch messages, ordered by frame number.
/// Answers carry their connection and correlation id; pairing is left to the reader of the trace.
/// Never throws: a damaged line becomes a Problem with its line number, the rest is used. An
/// address that a damaged header lost is taken from the other half of the exchange, which is said.
Trace import_wireshark_text(std::string_view text, const std::string& name);

}  // namespace fencepost::traces
