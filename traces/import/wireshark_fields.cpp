#include "traces/import/wireshark_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "traces/import/scanner.h"
#include "traces/record_batch.h"

namespace fencepost::traces {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "address:port", or empty.
std::string parse_endpoint(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  std::int64_t port = 0;
  if (colon == std::string_view::npos || colon == 0) return {};
  if (!parse_number(text.substr(colon + 1), port) || port < 1 || port > 65535) return {};
  return std::string(text);
}

void parse_addresses(std::string_view text, FrameHeader& header) {
  const std::string_view addresses = text.substr(0, text.find(" - "));
  const std::size_t arrow = addresses.find("->");
  if (arrow == std::string_view::npos) {
    header.damage.push_back("no \"->\" between two addresses");
    return;
  }
  const auto take = [&](std::string_view endpoint, std::string& into) {
    into = parse_endpoint(endpoint);
    if (into.empty()) {
      header.damage.push_back(fmt::format("no colon and port in the address \"{}\"", endpoint));
    }
  };
  take(addresses.substr(0, arrow), header.from);
  take(addresses.substr(arrow + 2), header.to);
}

// The direction in "... - Kafka Produce v10 Response [Request Timed Out]", if it stands there
// whole.
std::optional<bool> parse_direction(std::string_view line) {
  const std::size_t at = line.find(" - Kafka ");
  if (at == std::string_view::npos) return std::nullopt;
  Scanner scan(line.substr(at + 9));
  scan.until(" v");
  scan.number();
  const bool request = scan.maybe(" Request");
  if (!scan.ok() || (!request && !scan.maybe(" Response"))) return std::nullopt;
  return request;
}

// A big-endian number of `bytes` bytes, removed from the front of `data`.
std::optional<std::int64_t> take_number(std::string_view& data, std::size_t bytes) {
  if (data.size() < bytes) return std::nullopt;
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    value = (value << 8) | static_cast<unsigned char>(data[i]);
  }
  data.remove_prefix(bytes);
  return static_cast<std::int32_t>(value);
}

}  // namespace

bool is_frame_header(std::string_view line) {
  if (line.empty() || line.front() == ' ' || line.front() == '\t') return false;
  if (line.find("->") != std::string_view::npos) return true;
  if (line.find(" - Kafka ") != std::string_view::npos) return true;
  std::size_t digits = 0;
  while (digits < line.size() && is_digit(line[digits])) ++digits;
  return digits > 0 && line.substr(digits).starts_with(", ");
}

FrameHeader parse_frame_header(std::string_view line) {
  FrameHeader header;
  const std::size_t first = line.find(", ");
  std::int64_t frame = 0;
  if (first != std::string_view::npos && parse_number(line.substr(0, first), frame)) {
    header.frame = frame;
  } else {
    header.damage.push_back("no frame number at its start");
  }
  std::string_view rest = first == std::string_view::npos ? line : line.substr(first + 2);
  const std::size_t second = rest.find(", ");
  if (second != std::string_view::npos) header.time_us = parse_clock_time(rest.substr(0, second));
  if (!header.time_us) header.damage.push_back("no time after the frame number");
  header.request = parse_direction(line);
  parse_addresses(second == std::string_view::npos ? rest : rest.substr(second + 2), header);
  return header;
}

std::optional<std::int64_t> parse_clock_time(std::string_view text) {
  Scanner scan(text);
  const std::int64_t hours = scan.number();
  scan.expect(":");
  const std::int64_t minutes = scan.number();
  scan.expect(":");
  const std::int64_t seconds = scan.number();
  std::int64_t micros = 0;
  if (scan.maybe(".")) {
    const std::string_view digits = scan.rest();
    if (digits.empty() || digits.size() > 9 || !std::all_of(digits.begin(), digits.end(), is_digit))
      return std::nullopt;
    for (std::size_t i = 0; i < 6; ++i) {
      micros = micros * 10 + (i < digits.size() ? digits[i] - '0' : 0);
    }
  } else if (!scan.rest().empty()) {
    return std::nullopt;
  }
  const bool in_range =
      hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60 && seconds >= 0 && seconds <= 60;
  if (!scan.ok() || !in_range) return std::nullopt;
  return ((hours * 60 + minutes) * 60 + seconds) * 1'000'000 + micros;
}

std::optional<std::int64_t> parse_record_time(std::string_view text) {
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  Scanner scan(text);
  const auto month = std::find(kMonths.begin(), kMonths.end(), scan.until(" "));
  while (scan.maybe(" ")) {
  }
  const std::int64_t day = scan.number();
  scan.expect(", ");
  const std::int64_t year = scan.number();
  scan.expect(" ");
  const std::string_view clock = scan.rest().substr(0, scan.rest().find(' '));
  const std::optional<std::int64_t> micros = parse_clock_time(clock);
  if (!scan.ok() || month == kMonths.end() || !micros) return std::nullopt;
  if (day < 1 || day > 31 || year < 1970 || year > 9999) return std::nullopt;
  const std::chrono::year_month_day date{
      std::chrono::year(static_cast<int>(year)),
      std::chrono::month(static_cast<unsigned>(month - kMonths.begin()) + 1),
      std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return days * 86'400'000 + *micros / 1000;
}

std::optional<std::int64_t> parse_code(std::string_view text) {
  const std::size_t open = text.rfind('(');
  std::int64_t code = 0;
  if (open == std::string_view::npos || !text.ends_with(")")) return std::nullopt;
  if (!parse_number(text.substr(open + 1, text.size() - open - 2), code)) return std::nullopt;
  return code;
}

std::optional<LeaderHint> parse_current_leader(std::string_view hex) {
  const std::optional<std::string> bytes = bytes_of_hex(hex);
  if (!bytes || bytes->size() < 8) return std::nullopt;
  std::string_view data = *bytes;
  LeaderHint hint;
  hint.leader = *take_number(data, 4);
  hint.leader_epoch = *take_number(data, 4);
  return hint;
}

std::vector<BrokerSeen> parse_node_endpoints(std::string_view hex) {
  // Compact array: count + 1, then per node: id, compact host (length + 1), port, rack, tags.
  std::vector<BrokerSeen> nodes;
  const std::optional<std::string> bytes = bytes_of_hex(hex);
  if (!bytes || bytes->empty()) return nodes;
  std::string_view data = *bytes;
  const int count = static_cast<unsigned char>(data.front()) - 1;
  data.remove_prefix(1);
  for (int i = 0; i < count; ++i) {
    const std::optional<std::int64_t> node = take_number(data, 4);
    if (!node || data.empty()) break;
    const int length = static_cast<unsigned char>(data.front()) - 1;
    data.remove_prefix(1);
    if (length < 0 || data.size() < static_cast<std::size_t>(length)) break;
    const std::string_view host = data.substr(0, static_cast<std::size_t>(length));
    data.remove_prefix(static_cast<std::size_t>(length));
    const std::optional<std::int64_t> port = take_number(data, 4);
    if (!port || data.size() < 2 || data.front() != '\0') break;  // a named rack is not read
    data.remove_prefix(2);
    const bool printable =
        std::all_of(host.begin(), host.end(), [](char c) { return c > ' ' && c < '\x7f'; });
    if (printable) nodes.push_back({*node, fmt::format("{}:{}", host, *port)});
  }
  return nodes;
}

}  // namespace fencepost::traces
