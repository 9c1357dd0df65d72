// The errors a Produce request can end with, as the client sees them: the broker's codes and the
// client's own.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace fencepost::impl {

enum class ErrorCode : std::uint8_t {
  kNone,
  // The broker's.
  kNotLeader,
  kLeaderNotAvailable,
  kUnknownTopicOrPartition,
  kStorageError,
  kNotEnoughReplicas,
  kNotEnoughReplicasAfterAppend,
  kRequestTimedOut,
  kInvalidMessage,
  kCoordinatorLoadInProgress,
  kTopicAuthorizationFailed,
  kMessageTooLarge,
  kOutOfOrderSequence,
  kDuplicateSequence,
  kUnknownProducerId,
  kInvalidProducerEpoch,
  kProducerFenced,
  // The client's own.
  kTransport,      ///< the connection closed, the request had been sent
  kTimedOut,       ///< no response within the request's time
  kTimedOutQueue,  ///< the same before the request was sent
  kRetry,          ///< taken back out of the out-queue
  kMessageTimedOut,
  kPurgeInFlight,
  kPurgeQueue,
  kBadMessage,  ///< an answer that cannot be parsed
};
inline constexpr int kErrorCodes = 25;

/// Kafka's or librdkafka's name of each code.
inline constexpr std::array<std::string_view, kErrorCodes> kErrorNames{
    "NONE",
    "NOT_LEADER_OR_FOLLOWER",
    "LEADER_NOT_AVAILABLE",
    "UNKNOWN_TOPIC_OR_PARTITION",
    "KAFKA_STORAGE_ERROR",
    "NOT_ENOUGH_REPLICAS",
    "NOT_ENOUGH_REPLICAS_AFTER_APPEND",
    "REQUEST_TIMED_OUT",
    "CORRUPT_MESSAGE",
    "COORDINATOR_LOAD_IN_PROGRESS",
    "TOPIC_AUTHORIZATION_FAILED",
    "MESSAGE_TOO_LARGE",
    "OUT_OF_ORDER_SEQUENCE_NUMBER",
    "DUPLICATE_SEQUENCE_NUMBER",
    "UNKNOWN_PRODUCER_ID",
    "INVALID_PRODUCER_EPOCH",
    "PRODUCER_FENCED",
    "_TRANSPORT",
    "_TIMED_OUT",
    "_TIMED_OUT_QUEUE",
    "_RETRY",
    "_MSG_TIMED_OUT",
    "_PURGE_INFLIGHT",
    "_PURGE_QUEUE",
    "_BAD_MSG",
};

inline std::string_view name_of(ErrorCode code) {
  return kErrorNames[static_cast<std::size_t>(code)];
}

}  // namespace fencepost::impl
