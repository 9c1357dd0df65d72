// From a file that somebody made to a trace: detection of the format by content, and the import.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "traces/event_json.h"

namespace fencepost::traces {

/// The most that one input may hold, in bytes: it is read as a whole.
inline constexpr std::size_t kLargestInput = std::size_t{512} * 1024 * 1024;

enum class Format { kWiresharkText, kLibrdkafkaLog, kTrace };

/// The whole file. Error(kBadInput), one sentence, when `path` is missing, no readable file, empty
/// or larger than kLargestInput.
std::string read_input(const std::string& path);

/// What `text` is, by its content. Error(kBadInput), one sentence naming `name`, when it is binary
/// (a packet capture is named as such, with the way to print it) or none of the formats.
Format detect_format(std::string_view text, const std::string& name);

/// Imports `text` as `format` and adds its events, problems and input to `trace`, after those
/// there. `name` is how answers call the input. A trace file is read strictly (see from_raw); in
/// the other formats a damaged line becomes a Problem and the rest is used: these never throw.
void import_text(std::string_view text, const std::string& name, Format format, Trace& trace);

}  // namespace fencepost::traces
