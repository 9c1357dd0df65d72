// The cluster's state: one producer, its connections, the brokers' replicas, the controller's view,
// and what the application has been told.
#pragma once

#include "impl/coordinator.h"
#include "impl/producer_state.h"
#include "impl/replica.h"
#include "spec/instance.h"

namespace fencepost::impl {

enum class RequestStage : std::uint8_t {
  kSent,      ///< in the broker's socket buffer
  kWaiting,   ///< in purgatory: appended or recognised, below no watermark yet
  kAnswered,  ///< the answer is on its way back
};

template <class Z>
struct Request {
  using Int = typename Z::Int;
  Int partition;
  WireBatch<Z> wire;
  Int stage;       ///< RequestStage
  Int required;    ///< purgatory: the batch's offset, which must fall below the watermark
  Int error;       ///< ErrorCode of the answer
  Int has_offset;  ///< the answer carries a valid offset
  Int hint;        ///< with NOT_LEADER: 1 + whom the broker takes for the leader; 0: no hint
  Int hint_epoch;
  bool operator==(const Request&) const = default;
};

/// A connection of the client to a broker: requests in order, the oldest first, each until its
/// answer has been received. The broker works on one at a time (Kafka mutes the channel).
template <class Z>
struct Connection {
  typename Z::template Seq<Request<Z>, Z::kPartitions * Z::kInFlight> requests;
  bool operator==(const Connection&) const = default;
};

/// A request that outlived its connection in the broker's buffer.
template <class Z>
struct LateRequest {
  using Int = typename Z::Int;
  Int broker;  ///< 1 + number
  Int partition;
  WireBatch<Z> wire;
  Int follows;  ///< stands behind the one before it on the same connection
  bool operator==(const LateRequest&) const = default;
};

/// A partition at the controller, and what only an observer outside knows of it.
template <class Z>
struct Controlled {
  using Int = typename Z::Int;
  Int leader;  ///< 1 + broker; 0 between losing one and the election
  Int leader_epoch;
  Int out_of_sync;  ///< bit per broker that is not among the in-sync replicas
  Int log_of;       ///< observer: whose log counts, 1 + broker: the leader's or the last leader's
  Int committed;    ///< observer: the highest watermark any leader has reached
  Int cache_loss;   ///< observer: what producer state was lost, as the spec counts it
  Int unclean;      ///< observer: an unclean election has cut committed entries
  bool operator==(const Controlled&) const = default;
};

/// What the application was told of a message.
enum class Told : std::uint8_t {
  kNothing,
  kDelivered,
  kFailed,
  kFailedFalsely,  ///< failed although nothing that excuses it hit the message
  kFatal,          ///< failed by the error that made the producer fatal
  kFatalAbsent,    ///< the same, and that error proved it to be in no log
};

template <class Z>
struct Report {
  using Int = typename Z::Int;
  Int told;
  Int possibly;  ///< with the status "possibly persisted"
  bool operator==(const Report&) const = default;
};

template <class Z>
struct ClusterState {
  using Int = typename Z::Int;
  static constexpr std::size_t kP = static_cast<std::size_t>(Z::kPartitions);
  static constexpr std::size_t kB = static_cast<std::size_t>(Z::kBrokers);

  ProducerState<Z> producer;
  std::array<typename Z::template Seq<Report<Z>, Z::kMessages>, kP> reports;
  std::array<Connection<Z>, kB> connection;
  typename Z::template Seq<LateRequest<Z>, Z::kPartitions * spec::kMaxLate> late;
  std::array<std::array<Replica<Z>, kP>, kB> replica;
  std::array<Controlled<Z>, kP> controlled;
  CoordinatorState<Z> coordinator;
  Int fatal_excused;  ///< observer: the fatal error hit a partition that had lost producer state
  Int faults_used;
  std::array<Int, static_cast<std::size_t>(spec::kFaultKinds)> kind_used;
  std::array<Int, static_cast<std::size_t>(spec::kMaxPartitions)> partition_used;
  bool operator==(const ClusterState&) const = default;
};

}  // namespace fencepost::impl
