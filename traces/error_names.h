// Error names, as Kafka spells them, from what captures and client logs print.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fencepost::traces {

/// The names, spelt in one place: Kafka's, and librdkafka's for errors that only the client has.
namespace error {
inline constexpr std::string_view kUnknownServerError = "UNKNOWN_SERVER_ERROR";
inline constexpr std::string_view kNone = "NONE";
inline constexpr std::string_view kOffsetOutOfRange = "OFFSET_OUT_OF_RANGE";
inline constexpr std::string_view kCorruptMessage = "CORRUPT_MESSAGE";
inline constexpr std::string_view kUnknownTopicOrPartition = "UNKNOWN_TOPIC_OR_PARTITION";
inline constexpr std::string_view kLeaderNotAvailable = "LEADER_NOT_AVAILABLE";
inline constexpr std::string_view kNotLeaderOrFollower = "NOT_LEADER_OR_FOLLOWER";
inline constexpr std::string_view kRequestTimedOut = "REQUEST_TIMED_OUT";
inline constexpr std::string_view kBrokerNotAvailable = "BROKER_NOT_AVAILABLE";
inline constexpr std::string_view kReplicaNotAvailable = "REPLICA_NOT_AVAILABLE";
inline constexpr std::string_view kMessageTooLarge = "MESSAGE_TOO_LARGE";
inline constexpr std::string_view kNetworkException = "NETWORK_EXCEPTION";
inline constexpr std::string_view kCoordinatorLoadInProgress = "COORDINATOR_LOAD_IN_PROGRESS";
inline constexpr std::string_view kCoordinatorNotAvailable = "COORDINATOR_NOT_AVAILABLE";
inline constexpr std::string_view kNotCoordinator = "NOT_COORDINATOR";
inline constexpr std::string_view kRecordListTooLarge = "RECORD_LIST_TOO_LARGE";
inline constexpr std::string_view kNotEnoughReplicas = "NOT_ENOUGH_REPLICAS";
inline constexpr std::string_view kNotEnoughReplicasAfterAppend =
    "NOT_ENOUGH_REPLICAS_AFTER_APPEND";
inline constexpr std::string_view kTopicAuthorizationFailed = "TOPIC_AUTHORIZATION_FAILED";
inline constexpr std::string_view kClusterAuthorizationFailed = "CLUSTER_AUTHORIZATION_FAILED";
inline constexpr std::string_view kInvalidTimestamp = "INVALID_TIMESTAMP";
inline constexpr std::string_view kOutOfOrderSequenceNumber = "OUT_OF_ORDER_SEQUENCE_NUMBER";
inline constexpr std::string_view kDuplicateSequenceNumber = "DUPLICATE_SEQUENCE_NUMBER";
inline constexpr std::string_view kInvalidProducerEpoch = "INVALID_PRODUCER_EPOCH";
inline constexpr std::string_view kInvalidTxnState = "INVALID_TXN_STATE";
inline constexpr std::string_view kInvalidProducerIdMapping = "INVALID_PRODUCER_ID_MAPPING";
inline constexpr std::string_view kConcurrentTransactions = "CONCURRENT_TRANSACTIONS";
inline constexpr std::string_view kTransactionalIdAuthorizationFailed =
    "TRANSACTIONAL_ID_AUTHORIZATION_FAILED";
inline constexpr std::string_view kKafkaStorageError = "KAFKA_STORAGE_ERROR";
inline constexpr std::string_view kUnknownProducerId = "UNKNOWN_PRODUCER_ID";
inline constexpr std::string_view kFencedLeaderEpoch = "FENCED_LEADER_EPOCH";
inline constexpr std::string_view kUnknownLeaderEpoch = "UNKNOWN_LEADER_EPOCH";
inline constexpr std::string_view kInvalidRecord = "INVALID_RECORD";
inline constexpr std::string_view kThrottlingQuotaExceeded = "THROTTLING_QUOTA_EXCEEDED";
inline constexpr std::string_view kProducerFenced = "PRODUCER_FENCED";
inline constexpr std::string_view kTransactionAbortable = "TRANSACTION_ABORTABLE";
inline constexpr std::string_view kLocalTransport = "_TRANSPORT";
inline constexpr std::string_view kLocalMsgTimedOut = "_MSG_TIMED_OUT";
inline constexpr std::string_view kLocalTimedOut = "_TIMED_OUT";
inline constexpr std::string_view kLocalTimedOutQueue = "_TIMED_OUT_QUEUE";
inline constexpr std::string_view kLocalPurgeQueue = "_PURGE_QUEUE";
inline constexpr std::string_view kLocalPurgeInflight = "_PURGE_INFLIGHT";
inline constexpr std::string_view kLocalRetry = "_RETRY";
inline constexpr std::string_view kLocalDestroyBroker = "_DESTROY_BROKER";
inline constexpr std::string_view kLocalBadMsg = "_BAD_MSG";
}  // namespace error

/// Success.
inline constexpr std::string_view kNoError = error::kNone;

/// Kafka's name of an error code on the wire; "ERROR_<code>" for one not in the table.
std::string error_name(std::int64_t code);

/// The name for what librdkafka prints: its error text ("Broker: Not leader for partition") or its
/// own spelling of the name ("NOT_LEADER_FOR_PARTITION"). Names of errors that only the client has
/// keep librdkafka's spelling ("_TRANSPORT"). A text not in the table is returned as it is.
std::string error_name_of_text(std::string_view text);

/// True for a failure that only the client has: no broker answered.
bool is_client_error(std::string_view name);

/// True for a failure of a request that never left the client (librdkafka's queues).
bool is_before_sending(std::string_view name);

/// True when an answer with this error and a valid offset means that the broker appended the batch
/// and only then failed to answer for it (KafkaApis and purgatory: the offset is filled in first).
bool may_follow_append(std::string_view name);

}  // namespace fencepost::traces
