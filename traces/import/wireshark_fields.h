// The values inside a Wireshark text print-out: frame headers, times, errors, tagged fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/event.h"

namespace fencepost::traces {

/// What a frame header tells: "1560411, 15:37:11.568610, 192.0.2.3:65494->198.51.100.8:40001 -
/// ...".
struct FrameHeader {
  std::optional<std::int64_t> frame;
  std::optional<std::int64_t> time_us;  ///< microseconds since midnight, as printed
  std::string from;                     ///< "address:port", empty when damaged
  std::string to;
  std::optional<bool> request;      ///< whether its summary says Request, or else Response
  std::vector<std::string> damage;  ///< one clause for each part that could not be read
};

/// True for a line that is a frame header, be it damaged.
bool is_frame_header(std::string_view line);

/// Reads a frame header as far as it goes.
FrameHeader parse_frame_header(std::string_view line);

/// "15:37:11.568610" to microseconds since midnight; up to nine digits after the point.
std::optional<std::int64_t> parse_clock_time(std::string_view text);

/// "Jan 24, 2025 15:37:11.519000000 UTC" to milliseconds since 1970, read as UTC.
std::optional<std::int64_t> parse_record_time(std::string_view text);

/// "Not Leader For Partition (6)" to 6: the number in the last brackets.
std::optional<std::int64_t> parse_code(std::string_view text);

/// CurrentLeader of a Produce answer (KIP-951): leader and leader epoch, four bytes each.
std::optional<LeaderHint> parse_current_leader(std::string_view hex);

/// NodeEndpoints of a Produce answer (KIP-951): node ids with "host:port".
std::vector<BrokerSeen> parse_node_endpoints(std::string_view hex);

}  // namespace fencepost::traces
