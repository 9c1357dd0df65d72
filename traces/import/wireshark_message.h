// Reads the labels below one "Kafka (...)" line of a print-out. Which field a label means depends
// on what it stands in, and that is known from the labels before it; indentation is not trusted, as
// pasted text often loses it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/event.h"
#include "traces/import/problems.h"

namespace fencepost::traces {

/// What the labels of one partition said so far. Of a lost one the line that began it is lost or
/// not readable: which partition its labels belong to is not known.
struct PrintedPartition {
  bool lost = false;
  std::vector<std::string> seen;  ///< labels that stand once in a partition
  std::optional<std::int64_t> id;
  std::optional<std::string> error;
  std::optional<std::int64_t> offset;
  std::optional<std::int64_t> leader;
  std::optional<std::int64_t> leader_epoch;
  std::vector<Batch> batches;
  std::int64_t line = 0;
};

class WiresharkMessage {
 public:
  /// `api` as Wireshark names it ("Produce"); `where` is the line "Kafka (...)".
  WiresharkMessage(std::string api, bool request, const Evidence& where, Problems& problems);

  /// Takes one label line. `label` has no surrounding blanks and brackets.
  void take(std::string_view label, std::string_view value, std::int64_t line);

  /// Ends the message: what it says, brokers and connection not yet filled in. Call once.
  std::vector<Payload> finish();

  /// True for an API whose messages yield events; of others only the ids are read.
  [[nodiscard]] bool is_read() const;
  [[nodiscard]] bool is_request() const { return request_; }
  [[nodiscard]] const Evidence& where() const { return where_; }
  [[nodiscard]] const std::string& api() const { return api_; }
  [[nodiscard]] const std::string& client_id() const { return client_id_; }
  [[nodiscard]] std::optional<std::int64_t> correlation() const { return correlation_; }
  [[nodiscard]] std::optional<std::int64_t> request_frame() const { return request_frame_; }

 private:
  bool take_frame_of_message(std::string_view label, std::string_view value);
  bool take_start(std::string_view label, std::string_view value);
  bool take_in_record(std::string_view label, std::string_view value);
  bool take_in_batch(std::string_view label, std::string_view value);
  bool take_in_partition(std::string_view label, std::string_view value);
  bool take_outside(std::string_view label, std::string_view value);
  void take_tag(std::string_view value);
  void take_topic_name(std::string_view name);

  bool is_second_in_partition(std::string_view label);
  void begin_lost_partition();
  void offset_of_partition(std::string_view value);
  bool offset_of_record(std::string_view value);
  void close_record();
  void close_batch();
  void close_partition();
  void add_produce(PrintedPartition& partition);
  void add_answer(const PrintedPartition& partition);

  bool number(std::string_view label, std::string_view value, std::optional<std::int64_t>& into);
  void problem(const std::string& what, std::int64_t line = 0);

  std::string api_;
  bool request_;
  Evidence where_;
  Problems& problems_;
  std::int64_t line_ = 0;

  std::optional<std::int64_t> correlation_;
  std::optional<std::int64_t> request_frame_;
  std::string client_id_;
  std::string topic_;
  std::optional<std::string> topic_id_;
  bool topic_named_ = false;  // by a line of its own
  std::optional<std::int64_t> node_;
  std::string host_;
  std::optional<PrintedPartition> partition_;
  std::optional<Batch> batch_;
  std::optional<std::int64_t> producer_id_, producer_epoch_, sequence_;
  std::optional<Record> record_;
  bool record_has_time_ = false;
  bool record_has_key_ = false;
  bool record_has_value_ = false;
  std::int64_t batch_line_ = 0;
  std::int64_t record_line_ = 0;
  bool after_topics_ = false;
  std::vector<Payload> done_;
};

}  // namespace fencepost::traces
