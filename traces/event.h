// What a trace may say happened: one struct per kind of event, holding only what was seen. A field
// that the source did not show is absent, never guessed. traces/README.md describes the vocabulary.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fencepost::traces {

/// Where an event was seen.
struct Evidence {
  std::int64_t input = 0;  ///< index into the trace's inputs
  /// First line, counted from 1. Of a capture: that of the frame's header for the first message of
  /// a frame, that of the message for further ones.
  std::int64_t line = 0;
  std::optional<std::int64_t> frame;    ///< frame number of a capture
  std::optional<std::int64_t> time_us;  ///< microseconds, on the clock of the input
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 of a rewritten < for a pointer
  auto operator<=>(const Evidence&) const = default;
};

/// A producer id with its epoch.
struct ProducerEpoch {
  std::int64_t id = 0;
  std::int64_t epoch = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr): as above
  auto operator<=>(const ProducerEpoch&) const = default;
};

/// What makes a batch unique to a partition leader: producer id, epoch, first sequence number.
struct Stamp {
  std::int64_t producer_id = 0;
  std::int64_t epoch = 0;
  std::int64_t sequence = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr): as above
  auto operator<=>(const Stamp&) const = default;
};

/// One record: time in milliseconds since 1970; key and value as lower-case hex, absent when null;
/// a record of which one is not readable is left out.
struct Record {
  std::int64_t time_ms = 0;
  std::optional<std::int64_t> offset;
  std::optional<std::string> key;
  std::optional<std::string> value;
  // NOLINTNEXTLINE(modernize-use-nullptr): as above
  auto operator<=>(const Record&) const = default;
};

/// A record batch, as sent or as read.
struct Batch {
  std::optional<std::int64_t> base_offset;
  std::optional<std::int64_t> leader_epoch;
  std::optional<std::string> crc;  ///< CRC-32C, eight lower-case hex digits
  std::optional<Stamp> stamp;
  std::optional<std::int64_t> count;       ///< number of records or messages
  std::optional<std::int64_t> attributes;  ///< bits as in record batch v2
  std::optional<std::int64_t> headers;     ///< number of record headers, which are not kept
  std::optional<std::int64_t> message_id;  ///< the client's own number of the first message
  std::vector<Record> records;
  bool operator==(const Batch&) const = default;
};

/// Who a broker says leads a partition (KIP-951).
struct LeaderHint {
  std::int64_t leader = 0;
  std::int64_t leader_epoch = 0;
  std::optional<std::string> endpoint;
  bool operator==(const LeaderHint&) const = default;
};

/// A batch was sent (capture) or a request for it was built (client log).
struct ProduceRequest {
  std::string broker;
  std::string connection;  ///< the client's end of the connection, or empty
  std::optional<std::int64_t> correlation;
  std::string topic;
  std::int64_t partition = 0;
  Batch batch;
  bool operator==(const ProduceRequest&) const = default;
};

/// A request for one partition was answered. `error` is Kafka's name, `NONE` for success.
struct ProduceAnswer {
  std::string broker;
  std::string connection;
  std::optional<std::int64_t> correlation;
  std::optional<std::int64_t> request_frame;
  std::string topic;
  std::int64_t partition = 0;
  std::string error;
  std::optional<std::int64_t> offset;
  std::optional<LeaderHint> hint;
  std::optional<std::int64_t> message_id;  ///< client log: which batch is answered
  std::optional<std::int64_t> sequence;
  std::optional<std::int64_t> count;
  std::optional<std::string> actions;  ///< client log: what the client decided to do
  bool operator==(const ProduceAnswer&) const = default;
};

/// A broker's node id and address.
struct BrokerSeen {
  std::int64_t node = 0;
  std::string endpoint;
  bool operator==(const BrokerSeen&) const = default;
};

/// Metadata said who leads a partition (leader -1: nobody).
struct LeaderSeen {
  std::string broker;  ///< who said so, or empty
  std::string topic;
  std::optional<std::string> topic_id;
  std::int64_t partition = 0;
  std::int64_t leader = -1;
  std::int64_t leader_epoch = -1;
  bool operator==(const LeaderSeen&) const = default;
};

/// OffsetForLeaderEpoch was answered: where a leader epoch ends in that broker's log.
struct EpochEnd {
  std::string broker;
  std::string topic;
  std::int64_t partition = 0;
  std::string error;
  std::int64_t leader_epoch = -1;
  std::int64_t end_offset = -1;
  bool operator==(const EpochEnd&) const = default;
};

/// A Fetch answer delivered records of one partition.
struct RecordsRead {
  std::string broker;
  std::string topic;  ///< empty when the answer names only an id that nothing resolves
  std::optional<std::string> topic_id;
  std::int64_t partition = 0;
  std::optional<std::int64_t> high_watermark;
  std::vector<Batch> batches;
  bool operator==(const RecordsRead&) const = default;
};

/// The client reported a sequence error with the earlier failure it blames (librdkafka ERRSEQ).
struct SequenceError {
  std::string broker;
  std::string topic;
  std::int64_t partition = 0;
  std::int64_t count = 0;
  ProducerEpoch producer;
  std::int64_t sequence = 0;
  std::int64_t next_sequence = 0;
  std::optional<std::string> earlier_error;
  std::optional<std::string> earlier_actions;
  std::optional<std::int64_t> earlier_first;
  std::optional<std::int64_t> earlier_last;
  std::optional<std::int64_t> earlier_message_id;
  std::optional<std::int64_t> earlier_age_ms;
  bool operator==(const SequenceError&) const = default;
};

/// The client began to drain all partitions, in order to bump its epoch or to reset its id.
struct DrainBegun {
  std::string state;
  ProducerEpoch producer;
  std::string purpose;  ///< "epoch bump" or "reset"
  std::int64_t in_flight_partitions = 0;
  std::string reason;
  bool operator==(const DrainBegun&) const = default;
};

/// One partition is drained before it sends again.
struct PartitionDrain {
  std::string topic;
  std::int64_t partition = 0;
  std::string reason;
  bool operator==(const PartitionDrain&) const = default;
};

/// The client bumped its epoch by itself.
struct EpochBumped {
  ProducerEpoch producer;
  bool operator==(const EpochBumped&) const = default;
};

/// The client got a producer id from a broker.
struct ProducerIdAcquired {
  ProducerEpoch producer;
  bool operator==(const ProducerIdAcquired&) const = default;
};

/// The client's idempotence state changed (librdkafka IDEMPSTATE).
struct ProducerState {
  std::string from;
  std::string to;
  bool operator==(const ProducerState&) const = default;
};

/// A partition starts to number in a new epoch: `message_id` becomes its sequence 0.
struct Renumbered {
  std::string broker;
  std::string topic;
  std::int64_t partition = 0;
  std::optional<ProducerEpoch> from;  ///< absent: the first id this partition has
  ProducerEpoch to;
  std::int64_t message_id = 0;
  bool operator==(const Renumbered&) const = default;
};

/// The message that is sequence 0 changed (librdkafka RESETSEQ).
struct BaseMoved {
  std::string topic;
  std::int64_t partition = 0;
  std::int64_t from = 0;
  std::int64_t to = 0;
  bool operator==(const BaseMoved&) const = default;
};

/// Messages left the queue because their time was over.
struct MessagesTimedOut {
  std::string broker;  ///< ":0/internal" while the partition had no leader
  std::string topic;
  std::int64_t partition = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
  bool operator==(const MessagesTimedOut&) const = default;
};

/// A consumer of the application met a value it did not expect.
struct ConsumerReport {
  std::string topic;
  std::int64_t partition = 0;
  std::int64_t previous_offset = 0;
  std::int64_t offset = 0;
  std::int64_t previous_leader_epoch = -1;
  std::int64_t leader_epoch = -1;
  std::int64_t previous_value = 0;
  std::int64_t value = 0;
  bool operator==(const ConsumerReport&) const = default;
};

/// A line of the client that matters but has no fields of its own here.
struct ClientNote {
  std::string facility;
  std::string text;
  bool operator==(const ClientNote&) const = default;
};

using Payload = std::variant<ProduceRequest, ProduceAnswer, BrokerSeen, LeaderSeen, EpochEnd,
                             RecordsRead, SequenceError, DrainBegun, PartitionDrain, EpochBumped,
                             ProducerIdAcquired, ProducerState, Renumbered, BaseMoved,
                             MessagesTimedOut, ConsumerReport, ClientNote>;

/// One event: who did or saw it, where it was seen, what happened.
struct Event {
  std::string actor;
  Evidence evidence;
  Payload payload;
  bool operator==(const Event&) const = default;
};

}  // namespace fencepost::traces
