// The fields of each event, listed once: writing, strict reading and the schema all walk this list.
#pragma once

#include <string_view>

#include "traces/event.h"

namespace fencepost::traces {

/// `Fields<E>::kName` is the event's name in a trace, empty for a nested value.
/// `Fields<E>::visit(v, e)` calls `v(name, field)` for every field, in the order of the trace.
template <class E>
struct Fields;

// One specialisation: the body lists the fields of `e` for the visitor `v`.
#define FP_FIELDS(Type, name, body)                 \
  template <>                                       \
  struct Fields<Type> {                             \
    static constexpr std::string_view kName = name; \
    template <class Visitor, class Value>           \
    static void visit(Visitor& v, Value& e) {       \
      body                                          \
    }                                               \
  };
// clang-format off
FP_FIELDS(Evidence, "", v("input", e.input); v("line", e.line); v("frame", e.frame);
  v("time_us", e.time_us);)
FP_FIELDS(ProducerEpoch, "", v("id", e.id); v("epoch", e.epoch);)
FP_FIELDS(Stamp, "", v("producer_id", e.producer_id); v("epoch", e.epoch);
  v("sequence", e.sequence);)
FP_FIELDS(Record, "", v("time_ms", e.time_ms); v("offset", e.offset); v("key", e.key);
  v("value", e.value);)
FP_FIELDS(Batch, "", v("base_offset", e.base_offset); v("leader_epoch", e.leader_epoch);
  v("crc", e.crc); v("stamp", e.stamp); v("count", e.count); v("attributes", e.attributes);
  v("headers", e.headers); v("message_id", e.message_id); v("records", e.records);)
FP_FIELDS(LeaderHint, "", v("leader", e.leader); v("leader_epoch", e.leader_epoch);
  v("endpoint", e.endpoint);)
FP_FIELDS(ProduceRequest, "produce-request", v("broker", e.broker);
  v("connection", e.connection); v("correlation", e.correlation); v("topic", e.topic);
  v("partition", e.partition); v("batch", e.batch);)
FP_FIELDS(ProduceAnswer, "produce-answer", v("broker", e.broker); v("connection", e.connection);
  v("correlation", e.correlation); v("request_frame", e.request_frame); v("topic", e.topic);
  v("partition", e.partition); v("error", e.error); v("offset", e.offset); v("hint", e.hint);
  v("message_id", e.message_id); v("sequence", e.sequence); v("count", e.count);
  v("actions", e.actions);)
FP_FIELDS(BrokerSeen, "broker-seen", v("node", e.node); v("endpoint", e.endpoint);)
FP_FIELDS(LeaderSeen, "leader-seen", v("broker", e.broker); v("topic", e.topic);
  v("topic_id", e.topic_id); v("partition", e.partition); v("leader", e.leader);
  v("leader_epoch", e.leader_epoch);)
FP_FIELDS(EpochEnd, "epoch-end", v("broker", e.broker); v("topic", e.topic);
  v("partition", e.partition); v("error", e.error); v("leader_epoch", e.leader_epoch);
  v("end_offset", e.end_offset);)
FP_FIELDS(RecordsRead, "records-read", v("broker", e.broker); v("topic", e.topic);
  v("topic_id", e.topic_id); v("partition", e.partition); v("high_watermark", e.high_watermark);
  v("batches", e.batches);)
FP_FIELDS(SequenceError, "sequence-error", v("broker", e.broker); v("topic", e.topic);
  v("partition", e.partition); v("count", e.count); v("producer", e.producer);
  v("sequence", e.sequence); v("next_sequence", e.next_sequence);
  v("earlier_error", e.earlier_error); v("earlier_actions", e.earlier_actions);
  v("earlier_first", e.earlier_first); v("earlier_last", e.earlier_last);
  v("earlier_message_id", e.earlier_message_id); v("earlier_age_ms", e.earlier_age_ms);)
FP_FIELDS(DrainBegun, "drain-begun", v("state", e.state); v("producer", e.producer);
  v("purpose", e.purpose); v("in_flight_partitions", e.in_flight_partitions);
  v("reason", e.reason);)
FP_FIELDS(PartitionDrain, "partition-drain", v("topic", e.topic); v("partition", e.partition);
  v("reason", e.reason);)
FP_FIELDS(EpochBumped, "epoch-bumped", v("producer", e.producer);)
FP_FIELDS(ProducerIdAcquired, "producer-id-acquired", v("producer", e.producer);)
FP_FIELDS(ProducerState, "producer-state", v("from", e.from); v("to", e.to);)
FP_FIELDS(Renumbered, "renumbered", v("broker", e.broker); v("topic", e.topic);
  v("partition", e.partition); v("from", e.from); v("to", e.to);
  v("message_id", e.message_id);)
FP_FIELDS(BaseMoved, "base-moved", v("topic", e.topic); v("partition", e.partition);
  v("from", e.from); v("to", e.to);)
FP_FIELDS(MessagesTimedOut, "messages-timed-out", v("broker", e.broker); v("topic", e.topic);
  v("partition", e.partition); v("first", e.first); v("last", e.last);)
FP_FIELDS(ConsumerReport, "consumer-report", v("topic", e.topic); v("partition", e.partition);
  v("previous_offset", e.previous_offset); v("offset", e.offset);
  v("previous_leader_epoch", e.previous_leader_epoch); v("leader_epoch", e.leader_epoch);
  v("previous_value", e.previous_value); v("value", e.value);)
FP_FIELDS(ClientNote, "client-note", v("facility", e.facility); v("text", e.text);)
// clang-format on
#undef FP_FIELDS

}  // namespace fencepost::traces
