// What happened to each batch: every attempt to send it, in order, with its answer. Built from the
// events of captures and client logs; all later analysis reads this.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "traces/event_json.h"

namespace fencepost::explain {

/// The answer to one attempt. `order` is the index of its event in the trace.
struct Answer {
  std::string error;
  std::optional<std::int64_t> offset;  ///< -1 as printed; absent: in a log, or not readable
  std::optional<traces::LeaderHint> hint;
  std::string broker;
  traces::Evidence seen;
  std::size_t order = 0;
};

/// One sending of a batch. Without `sent` only its answer was seen. Without `answer` none was seen.
struct Attempt {
  std::optional<traces::Stamp> stamp;
  std::optional<std::string> crc;
  std::string broker;
  std::string connection;  ///< the client's end, or empty
  std::optional<traces::Evidence> sent;
  std::size_t order = 0;
  std::optional<Answer> answer;
};

/// A batch with its attempts, in the order of the input.
struct BatchHistory {
  bool from_log = false;  ///< known by message id, else by its records
  std::string client;
  std::string topic;
  std::int64_t partition = 0;
  std::int64_t count = 0;
  std::optional<std::int64_t> message_id;
  traces::Batch batch;  ///< as first seen with all its records
  std::vector<Attempt> attempts;
  std::optional<traces::Evidence> timed_out;
};

struct History {
  std::vector<BatchHistory> batches;            ///< by first appearance
  std::map<std::string, std::int64_t> node_of;  ///< endpoint to node id
};

/// The batch's stamp; none when its producer is not idempotent (producer id -1).
std::optional<traces::Stamp> stamp_of(const traces::Batch& batch);

/// Pairs requests and answers of `trace`. Answers are paired by connection and correlation id, or
/// by request frame and correlation id where an address is lost; in a log by message id and
/// sequence. A batch whose stamp or records a damaged line lost is known by its CRC.
History build_history(const traces::Trace& trace);

/// The answer says that the batch is in the log.
bool is_success(const Answer& answer);

/// The offset that the answer names, if it is not -1.
std::optional<std::int64_t> valid_offset(const Answer& answer);

/// The answer is an error that carries a valid offset: the broker had appended the batch.
bool is_append_then_error(const Answer& answer);

/// The node id of a broker called `broker` ("host:port" or "host:port/7"), if the input tells it.
std::optional<std::int64_t> node_of(const History& history, const std::string& broker);

}  // namespace fencepost::explain
