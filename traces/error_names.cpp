#include "traces/error_names.h"

#include <fmt/format.h>

#include <array>

namespace fencepost::traces {
namespace {

struct Name {
  std::int64_t code;
  std::string_view kafka;
  std::string_view rdkafka;  // librdkafka's spelling of the name, where it differs
  std::string_view text;     // librdkafka's error text
};

constexpr std::int64_t kClientOnly = 1'000'000;

// Codes: org.apache.kafka.common.protocol.Errors. Texts: librdkafka's rd_kafka_err_descs.
constexpr std::array kNames = {
    Name{-1, error::kUnknownServerError, "UNKNOWN", "Unknown broker error"},
    Name{0, error::kNone, "NO_ERROR", "Success"},
    Name{1, error::kOffsetOutOfRange, "", "Broker: Offset out of range"},
    Name{2, error::kCorruptMessage, "INVALID_MSG", "Broker: Invalid message"},
    Name{3, error::kUnknownTopicOrPartition, "UNKNOWN_TOPIC_OR_PART",
         "Broker: Unknown topic or partition"},
    Name{5, error::kLeaderNotAvailable, "", "Broker: Leader not available"},
    Name{6, error::kNotLeaderOrFollower, "NOT_LEADER_FOR_PARTITION",
         "Broker: Not leader for partition"},
    Name{7, error::kRequestTimedOut, "", "Broker: Request timed out"},
    Name{8, error::kBrokerNotAvailable, "", "Broker: Broker not available"},
    Name{9, error::kReplicaNotAvailable, "", "Broker: Replica not available"},
    Name{10, error::kMessageTooLarge, "MSG_SIZE_TOO_LARGE", "Broker: Message size too large"},
    Name{13, error::kNetworkException, "", "Broker: Broker disconnected before response received"},
    Name{14, error::kCoordinatorLoadInProgress, "", "Broker: Coordinator load in progress"},
    Name{15, error::kCoordinatorNotAvailable, "", "Broker: Coordinator not available"},
    Name{16, error::kNotCoordinator, "", "Broker: Not coordinator"},
    Name{18, error::kRecordListTooLarge, "",
         "Broker: Message batch larger than configured server segment size"},
    Name{19, error::kNotEnoughReplicas, "", "Broker: Not enough in-sync replicas"},
    Name{20, error::kNotEnoughReplicasAfterAppend, "",
         "Broker: Message(s) written to insufficient number of in-sync replicas"},
    Name{29, error::kTopicAuthorizationFailed, "", "Broker: Topic authorization failed"},
    Name{31, error::kClusterAuthorizationFailed, "", "Broker: Cluster authorization failed"},
    Name{32, error::kInvalidTimestamp, "", "Broker: Invalid timestamp"},
    Name{45, error::kOutOfOrderSequenceNumber, "",
         "Broker: Broker received an out of order sequence number"},
    Name{46, error::kDuplicateSequenceNumber, "",
         "Broker: Broker received a duplicate sequence number"},
    Name{47, error::kInvalidProducerEpoch, "",
         "Broker: Producer attempted an operation with an old epoch"},
    Name{48, error::kInvalidTxnState, "",
         "Broker: Producer attempted a transactional operation in an invalid state"},
    Name{49, error::kInvalidProducerIdMapping, "",
         "Broker: Producer attempted to use a producer id which is not currently assigned to its "
         "transactional id"},
    Name{51, error::kConcurrentTransactions, "",
         "Broker: Producer attempted to update a transaction while another concurrent operation on "
         "the same transaction was ongoing"},
    Name{53, error::kTransactionalIdAuthorizationFailed, "",
         "Broker: Transactional Id authorization failed"},
    Name{56, error::kKafkaStorageError, "",
         "Broker: Disk error when trying to access log file on disk"},
    Name{59, error::kUnknownProducerId, "", "Broker: Unknown Producer Id"},
    Name{74, error::kFencedLeaderEpoch, "", "Broker: Leader epoch is older than broker epoch"},
    Name{75, error::kUnknownLeaderEpoch, "", "Broker: Leader epoch is newer than broker epoch"},
    Name{87, error::kInvalidRecord, "", "Broker: Broker failed to validate record"},
    Name{89, error::kThrottlingQuotaExceeded, "", "Broker: Request throttled"},
    Name{90, error::kProducerFenced, "",
         "Broker: There is a newer producer with the same "
         "transactionalId which fences the current one"},
    Name{120, error::kTransactionAbortable, "", "Broker: Transaction abortable"},
    Name{kClientOnly, error::kLocalTransport, "", "Local: Broker transport failure"},
    Name{kClientOnly, error::kLocalMsgTimedOut, "", "Local: Message timed out"},
    Name{kClientOnly, error::kLocalTimedOut, "", "Local: Timed out"},
    Name{kClientOnly, error::kLocalTimedOutQueue, "", "Local: Timed out in queue"},
    Name{kClientOnly, error::kLocalPurgeQueue, "", "Local: Purged in queue"},
    Name{kClientOnly, error::kLocalPurgeInflight, "", "Local: Purged in flight"},
    Name{kClientOnly, error::kLocalRetry, "", "Local: Retry operation"},
    Name{kClientOnly, error::kLocalDestroyBroker, "",
         "Local: Broker handle destroyed without termination"},
};

}  // namespace

std::string error_name(std::int64_t code) {
  for (const Name& name : kNames) {
    if (name.code == code && code != kClientOnly) return std::string(name.kafka);
  }
  return fmt::format("ERROR_{}", code);
}

std::string error_name_of_text(std::string_view text) {
  for (const Name& name : kNames) {
    if (text == name.text || text == name.kafka || (!text.empty() && text == name.rdkafka)) {
      return std::string(name.kafka);
    }
  }
  return std::string(text);
}

bool is_client_error(std::string_view name) { return name.starts_with("_"); }

bool is_before_sending(std::string_view name) {
  return name == error::kLocalRetry || name == error::kLocalTimedOutQueue ||
         name == error::kLocalPurgeQueue;
}

bool may_follow_append(std::string_view name) {
  return name == error::kNotLeaderOrFollower || name == error::kRequestTimedOut ||
         name == error::kNotEnoughReplicasAfterAppend || name == error::kUnknownTopicOrPartition ||
         name == error::kKafkaStorageError;
}

}  // namespace fencepost::traces
