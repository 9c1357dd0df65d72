#include "traces/import/wireshark_labels.h"

#include <algorithm>
#include <array>

#include "traces/import/scanner.h"
#include "traces/record_batch.h"

namespace fencepost::traces {
namespace {

// Labels that are understood and say nothing that a trace keeps.
constexpr std::array<std::string_view, 54> kPassedOver = {"Length",
                                                          "API Key",
                                                          "API Version",
                                                          "Tagged fields",
                                                          "Transactional ID",
                                                          "Required Acks",
                                                          "Timeout",
                                                          "Message Set",
                                                          "Message Size",
                                                          "Magic Byte",
                                                          "First Timestamp",
                                                          "Last Timestamp",
                                                          "Record Attributes (reserved)",
                                                          "Headers",
                                                          "Topic",
                                                          "Partitions",
                                                          "Topics",
                                                          "Time",
                                                          "Log Start Offset",
                                                          "Record Errors",
                                                          "Error Message",
                                                          "Field",
                                                          "Tag Value",
                                                          "Throttle time",
                                                          "Allow Auto Topic Creation",
                                                          "Include Topic Authorized Operations",
                                                          "Broker Metadata",
                                                          "Rack",
                                                          "Cluster ID",
                                                          "Controller ID",
                                                          "Topic Metadata",
                                                          "Is Internal",
                                                          "Replicas",
                                                          "Replica ID",
                                                          "Caught-Up Replicas",
                                                          "Caught-Up Replica ID",
                                                          "Offline Replicas",
                                                          "Offline Replica ID",
                                                          "Topic Authorized Operations",
                                                          "Fetch Session ID",
                                                          "Fetch Session Epoch",
                                                          "Last Stable Offset",
                                                          "Aborted Transactions",
                                                          "Isolation Level",
                                                          "Max Wait Time",
                                                          "Min Bytes",
                                                          "Max Bytes",
                                                          "Current Leader Epoch",
                                                          "Fetch Offset",
                                                          "Last Fetched Epoch",
                                                          "Response Frame",
                                                          "Partition Count",
                                                          "Last Offset Delta",
                                                          "Time since request"};

}  // namespace

bool is_passed_over(std::string_view label) {
  return std::find(kPassedOver.begin(), kPassedOver.end(), label) != kPassedOver.end();
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::optional<std::int64_t> number_after(std::string_view label, std::string_view key) {
  const std::size_t at = label.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  Scanner scan(label.substr(at + key.size()));
  const std::int64_t value = scan.number();
  return scan.ok() ? std::optional(value) : std::nullopt;
}

std::optional<int> attribute_shift(std::string_view label) {
  if (label.ends_with("= Compression Codec")) return 0;
  if (label.ends_with("= Timestamp Type")) return 3;
  if (label.ends_with("= Transactional")) return 4;
  if (label.ends_with("= Control Batch")) return 5;
  return std::nullopt;
}

bool read_bytes(std::string_view value, std::optional<std::string>& into) {
  if (value == "[ Null ]" || value == "<NULL>") {
    into.reset();
    return true;
  }
  if (value.empty() || value == "<MISSING>") {
    into.emplace();
    return true;
  }
  if (!bytes_of_hex(value)) return false;
  into = lower(value);
  return true;
}

}  // namespace fencepost::traces
