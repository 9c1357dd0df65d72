// The producer's state: what librdkafka keeps per instance (rk_eos) and per partition (rktp), as
// plain values. Field by field as `rk_eos` and `rktp` are in librdkafka 2.15.0.
#pragma once

#include <array>

#include "impl/cell.h"

namespace fencepost::impl {

/// rd_kafka_idemp_state_t, as far as a producer without a transactional id goes.
enum class IdempotenceState : std::uint8_t {
  kRequestId,  ///< wants a producer id and has not asked yet
  kWaitId,     ///< has asked
  kAssigned,   ///< the only state in which anything is sent
  kDrainBump,  ///< waits for what is in flight, then bumps its epoch
  kFatal,
};

/// A message (rd_kafka_msg_t).
template <class Z>
struct Message {
  using Int = typename Z::Int;
  Int id;          ///< message id, from 1 per partition
  Int last_id;     ///< on the first message of a batch that failed once: the id of its last
  Int retries;     ///< retries counted so far
  Int unresolved;  ///< sent at least once, no final answer (not in librdkafka: the deferral's mark)
  Int possibly;    ///< status "possibly persisted"; never taken back
  bool operator==(const Message&) const = default;
};

/// A batch in flight (rd_kafka_msgbatch_t).
template <class Z>
struct Batch {
  using Int = typename Z::Int;
  typename Z::template Seq<Message<Z>, Z::kBatch> messages;
  Int epoch;     ///< of the producer id it was stamped with
  Int sequence;  ///< of its first message
  Int broker;    ///< 1 + broker it was sent to
  [[nodiscard]] int first_id() const { return messages[0].id; }
  [[nodiscard]] int last_id() const { return messages.back().id; }
  [[nodiscard]] int count() const { return messages.size(); }
  bool operator==(const Batch&) const = default;
};

/// A partition, as the client keeps it (rd_kafka_toppar_t).
template <class Z>
struct ClientPartition {
  using Int = typename Z::Int;
  template <class T, int N>
  using Seq = typename Z::template Seq<T, N>;

  Int last_id;                          ///< message ids handed out
  Seq<Message<Z>, Z::kMessages> queue;  ///< shared: the application and retries put in here
  Seq<Message<Z>, Z::kMessages> xmit;   ///< the leader thread's own; sends from here
  Seq<Batch<Z>, Z::kInFlight> in_flight;
  Seq<Batch<Z>, 1> limbo;  ///< counted out of flight and not yet put back
  Int messages_in_flight;  ///< rktp_msgs_inflight: messages, not requests
  Int has_id;              ///< eos.pid is valid
  Int epoch;               ///< eos.pid: the epoch the partition numbers with
  Int base;                ///< eos.epoch_base_msgid: the message id of sequence 0
  Int acked_id;            ///< eos.acked_msgid
  Int next_ack;            ///< eos.next_ack_seq
  Int next_err;            ///< eos.next_err_seq
  Int wait_drain;          ///< eos.wait_drain
  Int asked;               ///< it triggered the bump (variants in which only such adopt)
  Int leader;              ///< 1 + broker; 0: delegated to the internal broker
  Int leader_epoch;
  Seq<Int, Z::kMessages> doubtful;  ///< ids that failed with their fate unknown in this epoch
  /// 1 + broker of what is in flight; 0 if nothing is.
  [[nodiscard]] int target() const { return in_flight.empty() ? 0 : int{in_flight[0].broker}; }
  bool operator==(const ClientPartition&) const = default;
};

template <class Z>
struct ProducerState {
  using Int = typename Z::Int;
  Int state;  ///< IdempotenceState
  Int id;     ///< producer id
  Int epoch;
  Int partitions_in_flight;  ///< inflight_toppar_cnt
  std::array<ClientPartition<Z>, static_cast<std::size_t>(Z::kPartitions)> partition;
  bool operator==(const ProducerState&) const = default;
};

}  // namespace fencepost::impl
