// The state of the model: the producer, and per partition its client side, the requests in flight,
// the leader, the log and the producer-state cache. Fixed size, cells only, canonical: slots not in
// use are zero. spec/README.md explains every field and abstraction.
#pragma once

#include <cstdint>

#include "spec/instance.h"

namespace fencepost::spec {

/// The producer instance. An excused fatal error hit a partition that had lost producer state.
enum class Mode : std::uint8_t { kAssigned, kDraining, kFatal, kFatalExcused };
inline constexpr int kModes = 4;

/// A message, as the client sees it. `kRetry`: unresolved and back in the queue.
enum class MessageStatus : std::uint8_t {
  kUnsent,
  kInFlight,
  kRetry,
  kDelivered,
  kFailed,
  kFailedFalsely,  ///< failed although nothing that excuses it hit the message
};
inline constexpr int kMessageStatuses = 6;

/// A request in flight. Up to `kWaiting` the broker has not answered.
enum class Stage : std::uint8_t {
  kSent,
  kWaiting,  ///< appended, or recognised as a duplicate, and waiting for the high watermark
  kOk,
  kNotLeader,
  kNotLeaderAfterAppend,
  kRequestTimedOut,
  kNotEnoughReplicas,
  kNotEnoughReplicasAfterAppend,
  kPermanentError,
  kOutOfOrder,
  kInvalidEpoch,
  kDuplicateSequence,  ///< DUPLICATE_SEQUENCE_NUMBER: older than the cache
  kUnknownProducerId,
};
inline constexpr int kStages = 13;

/// What a partition's leader has lost of its producer state, ever.
enum class CacheLoss : std::uint8_t { kNone, kShrunk, kExpired };

/// Brokers are stored as 1 + number; 0 is none.
inline constexpr int kNobody = 0;

template <class D>
struct Request {
  typename D::Cell message, epoch, sequence, stage;
};

template <class D>
struct LateRequest {
  typename D::Cell broker, message, epoch, sequence;
};

template <class D>
struct LogEntry {
  typename D::Cell message, epoch, sequence;
  typename D::Cell unchecked;  ///< accepted without an entry to check against (after a loss)
};

template <class D>
struct Partition {
  using Cell = typename D::Cell;

  // Client: messages.
  Cell status[kMaxMessages];    ///< MessageStatus
  Cell possibly[kMaxMessages];  ///< reported "possibly persisted" if it fails
  Cell sequence[kMaxMessages];  ///< of an unresolved message, where sequences are given once
  // Client: numbering.
  Cell epoch;          ///< the epoch the partition numbers with
  Cell base;           ///< the message that is its sequence 0
  Cell next_ack;       ///< next sequence expected to be acknowledged
  Cell next_sequence;  ///< the next to be given, where sequences are given once
  Cell next_error;     ///< next_ack, until an error moves it on (next_err_seq of librdkafka)
  Cell expired_next;   ///< the sequence behind a message that expired in doubt; 0: none did
  Cell asked;          ///< it triggered the bump (used where only such partitions adopt)
  Cell draining;       ///< send nothing while something is in flight
  Cell view;           ///< the leader, as the client knows it
  // Client: a failed message that is out of flight and not yet back in the queue.
  Cell between;     ///< 1 + message; 0: none
  Cell between_at;  ///< the broker whose thread of the client holds it
  // Network: one FIFO to one broker.
  Cell target;     ///< the broker of what is in flight; kNobody if nothing is
  Cell in_flight;  ///< requests in the FIFO
  Request<D> request[kMaxInFlight];
  Cell late_count;
  LateRequest<D> late[kMaxLate];
  // Broker.
  Cell leader;  ///< as elected; kNobody between losing a leader and the election
  Cell aware;   ///< the leader knows that it is the leader
  Cell length;  ///< log entries ever; those below `log_start` are deleted
  Cell log_start;
  Cell watermark;  ///< high watermark: entries below it are committed
  LogEntry<D> log[kMaxLog];
  Cell cache_from;  ///< producer state knows nothing of log entries below this
  Cell cache_loss;  ///< CacheLoss
  Cell cut_below;   ///< an unclean election has cut committed entries, ever
};

template <class D>
struct State {
  using Cell = typename D::Cell;

  Cell mode;   ///< Mode
  Cell epoch;  ///< the producer's; of the next producer id, numbered on (Rules::span)
  Cell faults_used;
  Cell kind_used[kFaultKinds];          ///< counted only for kinds with a cap
  Cell partition_used[kMaxPartitions];  ///< counted only for partitions with a cap
  Partition<D> partition[kMaxPartitions];
  Cell padding[3];  ///< always 0: searches want a size that is a multiple of 8
};

}  // namespace fencepost::spec
