#include "checker/explain/words.h"

#include <fmt/format.h>

#include "traces/error_names.h"
#include "traces/record_batch.h"

namespace fencepost::explain {
namespace {

constexpr std::size_t kLongestValue = 32;  // hex digits shown of one value
constexpr std::size_t kMostValues = 8;

std::string one_value(const traces::Record& record) {
  if (!record.value) return "(none)";
  std::string hex = *record.value;
  if (hex.size() == 16) {  // an eight-byte number
    std::size_t zeros = 0;
    while (zeros < 14 && hex[zeros] == '0' && hex[zeros + 1] == '0') zeros += 2;
    return hex.substr(zeros);
  }
  if (hex.size() <= kLongestValue) return hex.empty() ? "(empty)" : hex;
  return fmt::format("{}... ({} bytes)", hex.substr(0, kLongestValue), hex.size() / 2);
}

}  // namespace

std::string partition_words(const std::string& topic, std::int64_t partition) {
  return fmt::format("{} [{}]", topic.empty() ? "(unnamed topic)" : topic, partition);
}

std::string stamp_words(const traces::Stamp& stamp, bool with_producer) {
  const std::string tail = fmt::format("epoch {} sequence {}", stamp.epoch, stamp.sequence);
  return with_producer ? fmt::format("producer {}, {}", stamp.producer_id, tail) : tail;
}

std::string broker_words(const History& history, const std::string& broker) {
  if (broker.empty()) return "an unknown broker";
  const std::optional<std::int64_t> node = node_of(history, broker);
  if (!node) return fmt::format("broker {}", broker);
  return fmt::format("broker {} ({})", *node, broker.substr(0, broker.rfind('/')));
}

std::string error_words(const std::string& error) {
  if (error == traces::error::kNotLeaderOrFollower) return "NOT_LEADER";
  if (error == traces::error::kMessageTooLarge)
    return "MESSAGE_TOO_LARGE (librdkafka: MSG_SIZE_TOO_LARGE)";
  if (error == traces::error::kNone) return "success";
  return error;
}

std::string range_words(std::int64_t first, std::int64_t last) {
  return first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
}

std::string value_words(const std::vector<traces::Record>& records) {
  if (records.empty()) return "a batch whose records are not shown";
  if (records.size() == 1) {
    const std::optional<std::int64_t> number = value_as_number(records.front());
    const std::string value = one_value(records.front());
    return number ? fmt::format("value {} ({})", value, *number) : fmt::format("value {}", value);
  }
  std::string words = "values ";
  for (std::size_t i = 0; i < records.size() && i < kMostValues; ++i) {
    words += (i == 0 ? "" : ", ") + one_value(records[i]);
  }
  if (records.size() > kMostValues) words += fmt::format(", ... ({} records)", records.size());
  return words;
}

std::string batch_words(const BatchHistory& batch) {
  if (!batch.message_id) return value_words(batch.batch.records);
  if (batch.count <= 1) return fmt::format("message {}", *batch.message_id);
  return fmt::format("messages {}",
                     range_words(*batch.message_id, *batch.message_id + batch.count - 1));
}

std::string duration_words(std::int64_t micros) {
  if (micros < 1'000'000) return fmt::format("{} ms", micros / 1000);
  return fmt::format("{:.2f} s", static_cast<double>(micros) / 1e6);
}

std::string times_words(std::int64_t times) {
  if (times == 1) return "once";
  if (times == 2) return "twice";
  return fmt::format("{} times", times);
}

std::optional<std::int64_t> value_as_number(const traces::Record& record) {
  if (!record.value) return std::nullopt;
  const std::optional<std::string> bytes = traces::bytes_of_hex(*record.value);
  if (!bytes || bytes->empty() || bytes->size() > 8) return std::nullopt;
  std::uint64_t number = 0;
  for (const char c : *bytes) number = (number << 8) | static_cast<unsigned char>(c);
  return static_cast<std::int64_t>(number);
}

std::optional<std::int64_t> elapsed(const traces::Evidence& from, const traces::Evidence& to) {
  if (from.input != to.input || !from.time_us || !to.time_us) return std::nullopt;
  const auto micros = static_cast<std::int64_t>(static_cast<std::uint64_t>(*to.time_us) -
                                                static_cast<std::uint64_t>(*from.time_us));
  return micros < 0 ? std::nullopt : std::optional(micros);
}

}  // namespace fencepost::explain
