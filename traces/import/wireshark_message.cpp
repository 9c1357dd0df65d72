#include "traces/import/wireshark_message.h"

#include <algorithm>

#include "traces/error_names.h"
#include "traces/import/scanner.h"
#include "traces/import/wireshark_fields.h"
#include "traces/import/wireshark_labels.h"
#include "traces/record_batch.h"

namespace fencepost::traces {

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
  if (is_second_in_partition(label)) {
    problem(
        fmt::format("a second \"{}\" in one partition: a line before it is lost; what follows "
                    "belongs to no known partition",
                    label));
    begin_lost_partition();
  }
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
    // It may have been the line that begins a partition.
    const bool header = value.empty() && label.find_first_of("(=)") != std::string_view::npos;
    const bool loses = header && partition_ && !batch_ && !partition_->lost;
    problem(fmt::format("\"{}\" is not understood; the line is passed over{}", label,
                        loses ? ", and what follows belongs to no known partition" : ""));
    if (loses) begin_lost_partition();
  }
}

// The labels that stand once in a partition: a second one belongs to another partition.
bool WiresharkMessage::is_second_in_partition(std::string_view label) {
  const bool once = label == "Partition ID" || label == "Error" || label == "Leader ID" ||
                    (label == "Offset" && !batch_) ||
                    (label == "Record Batch" && api_ == "Produce");
  if (!once || !partition_ || partition_->lost) return false;
  std::vector<std::string>& seen = partition_->seen;
  if (std::find(seen.begin(), seen.end(), label) != seen.end()) return true;
  seen.emplace_back(label);
  return false;
}

void WiresharkMessage::begin_lost_partition() {
  close_partition();
  partition_.emplace();
  partition_->lost = true;
  partition_->line = line_;
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
    topic_named_ = false;
    return true;
  }
  if (label == "Topic" && value.empty()) {
    close_partition();
    topic_.clear();
    topic_id_.reset();
    topic_named_ = false;
    return true;
  }
  if (label == "Topic Name") {
    take_topic_name(value);
    return true;
  }
  if (label == "Topic ID") {
    close_partition();
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

// The name stands in the line that begins the topic, and in one of its own.
void WiresharkMessage::take_topic_name(std::string_view name) {
  close_partition();
  if (topic_named_ || topic_.empty() || topic_ == name) {
    topic_ = name;
  } else {
    problem(
        fmt::format("the topic is called \"{}\" here and \"{}\" above; what follows belongs to "
                    "no known topic",
                    name, topic_));
    topic_.clear();
  }
  topic_named_ = true;
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
  if (label == "Offset") return offset_of_record(value);
  if (label == "Key" || label == "Value") {
    const bool is_value = label == "Value";
    if (!read_bytes(value, is_value ? record_->value : record_->key)) {
      problem(fmt::format("\"{}\" is not hex; the {} is left out", value.substr(0, 40),
                          is_value ? "value" : "key"));
    } else {
      (is_value ? record_has_value_ : record_has_key_) = true;
    }
    return true;
  }
  if (label.starts_with("Header (") || label == "Header") {
    batch_->headers = batch_->headers.value_or(0) + 1;
    return true;
  }
  return label.starts_with("Header ");
}

bool WiresharkMessage::offset_of_record(std::string_view value) {
  if (!record_->offset) return number("Offset", value, record_->offset);
  problem("a second offset in one record; a line \"Record Batch\" before it must be lost");
  close_batch();
  return true;
}

bool WiresharkMessage::take_in_batch(std::string_view label, std::string_view value) {
  if (label == "Offset") {
    if (!batch_->base_offset) return number(label, value, batch_->base_offset);
    problem("a second offset in one batch; a line \"Record\" before it must be lost");
    return true;
  }
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
  if (label == "Partition ID") {
    std::optional<std::int64_t> id;
    if (partition_->lost) return true;
    number(label, value, id);
    if (id && partition_->id && id != partition_->id) {
      problem(fmt::format("this partition is called {} here and {} above", *id, *partition_->id));
      begin_lost_partition();
    } else if (id) {
      partition_->id = id;
    }
    return true;
  }
  if (label == "Offset") {
    offset_of_partition(value);
    return true;
  }
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

// It stands in the line that begins the partition, and in one of its own.
void WiresharkMessage::offset_of_partition(std::string_view value) {
  std::optional<std::int64_t> offset;
  number("Offset", value, offset);
  if (offset && partition_->offset && offset != partition_->offset) {
    problem(fmt::format("the offset is {} here and {} above; it is left out", *offset,
                        *partition_->offset));
    partition_->offset.reset();
  } else if (offset) {
    partition_->offset = offset;
  }
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
  if (record_has_time_ && !record_has_value_) {
    problem("this record has no readable value; it is left out", record_line_);
  } else if (record_has_time_ && !record_has_key_) {
    problem("this record has no readable key; it is left out", record_line_);
  } else if (record_has_time_) {
    batch_->records.push_back(std::move(*record_));
  }
  record_.reset();
  record_has_time_ = record_has_key_ = record_has_value_ = false;
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
  if (topic_.empty() && topic_id_ && api_ == "Produce") topic_ = *topic_id_;
  if (partition.lost) {
    return;  // said where it began
  }
  if (!partition.id) {
    problem("this partition has no number; it is passed over", partition.line);
  } else if (topic_.empty() && !topic_id_) {
    problem("this partition's topic has no readable name; it is passed over", partition.line);
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
