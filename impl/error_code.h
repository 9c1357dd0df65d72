// The errors a Produce request can end with, as the client sees them: the broker's codes and the
// client's own.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "traces/error_names.h"

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
    traces::error::kNone,
    traces::error::kNotLeaderOrFollower,
    traces::error::kLeaderNotAvailable,
    traces::error::kUnknownTopicOrPartition,
    traces::error::kKafkaStorageError,
    traces::error::kNotEnoughReplicas,
    traces::error::kNotEnoughReplicasAfterAppend,
    traces::error::kRequestTimedOut,
    traces::error::kCorruptMessage,
    traces::error::kCoordinatorLoadInProgress,
    traces::error::kTopicAuthorizationFailed,
    traces::error::kMessageTooLarge,
    traces::error::kOutOfOrderSequenceNumber,
    traces::error::kDuplicateSequenceNumber,
    traces::error::kUnknownProducerId,
    traces::error::kInvalidProducerEpoch,
    traces::error::kProducerFenced,
    traces::error::kLocalTransport,
    traces::error::kLocalTimedOut,
    traces::error::kLocalTimedOutQueue,
    traces::error::kLocalRetry,
    traces::error::kLocalMsgTimedOut,
    traces::error::kLocalPurgeInflight,
    traces::error::kLocalPurgeQueue,
    traces::error::kLocalBadMsg,
};

inline std::string_view name_of(ErrorCode code) {
  return kErrorNames[static_cast<std::size_t>(code)];
}

}  // namespace fencepost::impl
