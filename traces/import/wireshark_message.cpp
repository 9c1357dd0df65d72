#include "traces/import/wireshark_message.h"

#include <algorithm>
#include <array>

#include "traces/error_names.h"
#include "traces/import/scanner.h"
#include "traces/import/wireshark_fields.h"
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

// "Partition (ID=12, Offset=15168)": the number after `key`, if it is there.
std::optional<std::int64_t> number_after(std::string_view label, std::string_view key) {
  const std::size_t at = label.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  Scanner scan(label.substr(at + key.size()));
  const std::int64_t value = scan.number();
  return scan.ok() ? std::optional(value) : std::nullopt;
}

// Bits of the batch's attributes by the label of the line that prints them.
std::optional<int> attribute_shift(std::string_view label) {
  if (label.ends_with("= Compression Codec")) return 0;
  if (label.ends_with("= Timestamp Type")) return 3;
  if (label.ends_with("= Transactional")) return 4;
  if (label.ends_with("= Control Batch")) return 5;
  return std::nullopt;
}

// Null, empty and hex as Wireshark prints them; false when it is none of these.
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

}  // namespace

WiresharkMessage::WiresharkMessage(std::string api, bool request, const Evidence& where,
                                   Problems& problems)
    : api_(std::move(api)), request_(request), where_(where), problems_(problems) {}

bool WiresharkMessage::is_read() const {
  return api_ == "Produce" || api_ == "Metadata" || api_ == "OffsetForLeaderEpoch" ||
         api_ == "Fetch";
}

void WiresharkMessage::problem(const std::string& what, std::int64_t line) {
  Evidence where = where_;
  where.line = line == 0 ? line_ : line;
  problems_.add(where, what);
}

bool WiresharkMessage::number(std::string_view label, std::string_view value,
                              std::optional<std::int64_t>& into) {
  std::int64_t parsed = 0;
  if (parse_number(value, parsed)) {
    into = parsed;
  } else {
    problem(fmt::format("\"{}\" is no number for \"{}\"; the field is left out", value, label));
  }
  return true;
}

void WiresharkMessage::take(std::string_view label, std::string_view value, std::int64_t line) {
  line_ = line;
  if (take_frame_of_message(label, value) || !is_read()) return;
  if (take_start(label, value)) return;
  const bool understood = record_      ? take_in_record(label, value)
                          : batch_     ? take_in_batch(label, value)
                          : partition_ ? take_in_partition(label, value)
                                       : take_outside(label, value);
  if (label == "Throttle time") {
    close_partition();
    after_topics_ = true;
  }
  if (!understood && !is_passed_over(label)) {
    problem(fmt::format("\"{}\" is not understood; the line is passed over", label));
  }
}

bool WiresharkMessage::take_frame_of_message(std::string_view label, std::string_view value) {
  if (label == "Correlation ID") return number(label, value, correlation_);
  if (label == "Request Frame") return number(label, value, request_frame_);
  if (label != "Client ID") return false;
  client_id_ = value;
  return true;
}

bool WiresharkMessage::take_start(std::string_view label, std::string_view value) {
  if (label.starts_with("Topic (")) {
    close_partition();
    std::string_view name = label.substr(7);
    if (name.starts_with("Name=")) name.remove_prefix(5);
    if (name.ends_with(")")) name.remove_suffix(1);
    topic_ = name.find(' ') == std::string_view::npos ? name : std::string_view();
    topic_id_.reset();
    return true;
  }
  if (label == "Topic Name") {
    topic_ = value;
    return true;
  }
  if (label == "Topic ID") {
    topic_id_ = std::string(value);
    return true;
  }
  if (label.starts_with("Partition (")) {
    close_partition();
    partition_.emplace();
    partition_->id = number_after(label, "ID=");
    partition_->offset = number_after(label, "Offset=");
    partition_->line = line_;
    return true;
  }
  if (label == "Record Batch" && partition_) {
    close_batch();
    batch_.emplace();
    batch_line_ = line_;
    return true;
  }
  if (label != "Record" || !batch_) return false;
  close_record();
  record_.emplace();
  record_line_ = line_;
  return true;
}

bool WiresharkMessage::take_in_record(std::string_view label, std::string_view value) {
  if (label == "Timestamp") {
    if (record_has_time_) {  // the line that began this record is lost
      problem("a second time in one record; a line \"Record\" before it must be lost");
      close_record();
      record_.emplace();
      record_line_ = line_;
    }
    const std::optional<std::int64_t> time = parse_record_time(value);
    if (!time) {
      problem(fmt::format("\"{}\" is no record time; the record is left out", value));
      return true;
    }
    record_->time_ms = *time;
    record_has_time_ = true;
    return true;
  }
  if (label == "Offset") return number(label, value, record_->offset);
  if (label == "Key" || label == "Value") {
    const bool is_value = label == "Value";
    if (!read_bytes(value, is_value ? record_->value : record_->key)) {
      problem(fmt::format("\"{}\" is not hex; the {} is left out", value.substr(0, 40),
                          is_value ? "value" : "key"));
    } else if (is_value) {
      record_has_value_ = true;
    }
    return true;
  }
  if (label.starts_with("Header (") || label == "Header") {
    batch_->headers = batch_->headers.value_or(0) + 1;
    return true;
  }
  return label.starts_with("Header ");
}

bool WiresharkMessage::take_in_batch(std::string_view label, std::string_view value) {
  if (label == "Offset") return number(label, value, batch_->base_offset);
  if (label == "Leader Epoch") return number(label, value, batch_->leader_epoch);
  if (label == "Producer ID") return number(label, value, producer_id_);
  if (label == "Producer Epoch") return number(label, value, producer_epoch_);
  if (label == "Base Sequence") return number(label, value, sequence_);
  if (label == "Size") return number(label, value, batch_->count);
  if (label == "CRC32") {
    if (value.size() == 10 && value.starts_with("0x") && bytes_of_hex(value.substr(2))) {
      batch_->crc = lower(value.substr(2));
    } else {
      problem(fmt::format("\"{}\" is no CRC; the field is left out", value));
    }
    return true;
  }
  const std::optional<int> shift = attribute_shift(label);
  if (!shift) return false;
  const std::optional<std::int64_t> bits = parse_code(value);
  if (bits && *bits >= 0 && *bits < 8) {
    batch_->attributes = batch_->attributes.value_or(0) | (*bits << *shift);
  } else {
    problem(fmt::format("\"{}\" has no code in brackets; the attribute is left out", value));
  }
  return true;
}

bool WiresharkMessage::take_in_partition(std::string_view label, std::string_view value) {
  if (label == "Partition ID") return number(label, value, partition_->id);
  if (label == "Offset") return number(label, value, partition_->offset);
  if (label == "Leader ID") return number(label, value, partition_->leader);
  if (label == "Leader Epoch") return number(label, value, partition_->leader_epoch);
  if (label == "Tag Data") {
    take_tag(value);
    return true;
  }
  if (label != "Error") return false;
  const std::optional<std::int64_t> code = parse_code(value);
  if (code) {
    partition_->error = error_name(*code);
  } else {
    problem(fmt::format("\"{}\" has no error code in brackets; the error is left out", value));
  }
  return true;
}

bool WiresharkMessage::take_outside(std::string_view label, std::string_view value) {
  if (label == "Error") return true;  // of the whole answer or of a topic
  if (label == "Tag Data") {
    take_tag(value);
    return true;
  }
  if (label.starts_with("Broker (node")) return true;
  if (label == "Node ID") return number(label, value, node_);
  if (label == "Host") {
    host_ = value;
    return true;
  }
  if (label != "Port") return false;
  std::optional<std::int64_t> port;
  number(label, value, port);
  if (node_ && port && !host_.empty()) {
    done_.emplace_back(BrokerSeen{*node_, fmt::format("{}:{}", host_, *port)});
  }
  node_.reset();
  return true;
}

void WiresharkMessage::take_tag(std::string_view value) {
  if (api_ != "Produce" || request_) return;
  if (partition_ && !after_topics_) {
    const std::optional<LeaderHint> hint = parse_current_leader(value);
    if (hint) {
      partition_->leader = hint->leader;
      partition_->leader_epoch = hint->leader_epoch;
    } else {
      problem("the tagged field of this partition is no current leader; it is left out");
    }
    return;
  }
  for (const BrokerSeen& node : parse_node_endpoints(value)) {
    done_.emplace_back(node);
    for (Payload& payload : done_) {
      auto* answer = std::get_if<ProduceAnswer>(&payload);
      if (answer != nullptr && answer->hint && answer->hint->leader == node.node) {
        answer->hint->endpoint = node.endpoint;
      }
    }
  }
}

void WiresharkMessage::close_record() {
  if (!record_) return;
  if (!record_has_value_ && record_has_time_) {
    problem("this record has no readable value", record_line_);
  }
  if (record_has_time_) batch_->records.push_back(std::move(*record_));
  record_.reset();
  record_has_time_ = record_has_value_ = false;
}

void WiresharkMessage::close_batch() {
  if (!batch_) return;
  close_record();
  if (producer_id_ && producer_epoch_ && sequence_) {
    batch_->stamp = Stamp{*producer_id_, *producer_epoch_, *sequence_};
  } else {
    problem("this batch lacks producer id, epoch or sequence", batch_line_);
  }
  const auto printed = static_cast<std::int64_t>(batch_->records.size());
  if (batch_->count && *batch_->count != printed) {
    problem(fmt::format("this batch prints {} of its {} records", printed, *batch_->count),
            batch_line_);
  }
  if (!batch_->count) batch_->count = printed;
  partition_->batches.push_back(std::move(*batch_));
  batch_.reset();
  producer_id_.reset();
  producer_epoch_.reset();
  sequence_.reset();
}

void WiresharkMessage::close_partition() {
  if (!partition_) return;
  close_batch();
  PrintedPartition partition = std::move(*partition_);
  partition_.reset();
  if (!partition.id) {
    problem("this partition has no number; it is passed over", partition.line);
  } else if (api_ == "Produce" && request_) {
    add_produce(partition);
  } else if (!request_) {
    add_answer(partition);
  }
}

void WiresharkMessage::add_produce(PrintedPartition& partition) {
  if (partition.batches.empty()) {
    problem("this partition of a Produce request prints no record batch", partition.line);
  }
  for (Batch& batch : partition.batches) {
    // In a request the batch's own offset and leader epoch are fillers.
    batch.base_offset.reset();
    batch.leader_epoch.reset();
    for (Record& record : batch.records) record.offset.reset();
    ProduceRequest request;
    request.topic = topic_;
    request.partition = *partition.id;
    request.batch = std::move(batch);
    done_.emplace_back(std::move(request));
  }
}

void WiresharkMessage::add_answer(const PrintedPartition& partition) {
  if (api_ == "Fetch") {
    RecordsRead read{"", topic_, topic_id_, *partition.id, partition.offset, partition.batches};
    done_.emplace_back(std::move(read));
  } else if (api_ == "Metadata") {
    if (!partition.leader) {
      problem("this partition names no leader; it is passed over", partition.line);
      return;
    }
    done_.emplace_back(LeaderSeen{"", topic_, topic_id_, *partition.id, *partition.leader,
                                  partition.leader_epoch.value_or(-1)});
  } else if (!partition.error) {
    problem("this partition's answer has no readable error code; it is passed over",
            partition.line);
  } else if (api_ == "OffsetForLeaderEpoch") {
    done_.emplace_back(EpochEnd{"", topic_, *partition.id, *partition.error,
                                partition.leader_epoch.value_or(-1),
                                partition.offset.value_or(-1)});
  } else {
    ProduceAnswer answer;
    answer.topic = topic_;
    answer.partition = *partition.id;
    answer.error = *partition.error;
    if (partition.offset && *partition.offset >= -1) answer.offset = partition.offset;
    if (partition.leader) {
      answer.hint = LeaderHint{*partition.leader, partition.leader_epoch.value_or(-1), {}};
    }
    done_.emplace_back(std::move(answer));
  }
}

std::vector<Payload> WiresharkMessage::finish() {
  close_partition();
  if (api_ == "Produce" && done_.empty()) {
    problem(fmt::format("this Produce {} names no partition that can be used",
                        request_ ? "request" : "answer"),
            where_.line);
  }
  if (is_read() && !correlation_) {
    problem("this message has no correlation id; it is paired by nothing", where_.line);
  }
  return std::move(done_);
}

}  // namespace fencepost::traces
