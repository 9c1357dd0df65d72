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
    Name{-1, "UNKNOWN_SERVER_ERROR", "UNKNOWN", "Unknown broker error"},
    Name{0, "NONE", "NO_ERROR", "Success"},
    Name{1, "OFFSET_OUT_OF_RANGE", "", "Broker: Offset out of range"},
    Name{2, "CORRUPT_MESSAGE", "INVALID_MSG", "Broker: Invalid message"},
    Name{3, "UNKNOWN_TOPIC_OR_PARTITION", "UNKNOWN_TOPIC_OR_PART",
         "Broker: Unknown topic or partition"},
    Name{5, "LEADER_NOT_AVAILABLE", "", "Broker: Leader not available"},
    Name{6, "NOT_LEADER_OR_FOLLOWER", "NOT_LEADER_FOR_PARTITION",
         "Broker: Not leader for partition"},
    Name{7, "REQUEST_TIMED_OUT", "", "Broker: Request timed out"},
    Name{8, "BROKER_NOT_AVAILABLE", "", "Broker: Broker not available"},
    Name{9, "REPLICA_NOT_AVAILABLE", "", "Broker: Replica not available"},
    Name{10, "MESSAGE_TOO_LARGE", "MSG_SIZE_TOO_LARGE", "Broker: Message size too large"},
    Name{13, "NETWORK_EXCEPTION", "", "Broker: Broker disconnected before response received"},
    Name{14, "COORDINATOR_LOAD_IN_PROGRESS", "", "Broker: Coordinator load in progress"},
    Name{15, "COORDINATOR_NOT_AVAILABLE", "", "Broker: Coordinator not available"},
    Name{16, "NOT_COORDINATOR", "", "Broker: Not coordinator"},
    Name{18, "RECORD_LIST_TOO_LARGE", "",
         "Broker: Message batch larger than configured server segment size"},
    Name{19, "NOT_ENOUGH_REPLICAS", "", "Broker: Not enough in-sync replicas"},
    Name{20, "NOT_ENOUGH_REPLICAS_AFTER_APPEND", "",
         "Broker: Message(s) written to insufficient number of in-sync replicas"},
    Name{29, "TOPIC_AUTHORIZATION_FAILED", "", "Broker: Topic authorization failed"},
    Name{31, "CLUSTER_AUTHORIZATION_FAILED", "", "Broker: Cluster authorization failed"},
    Name{32, "INVALID_TIMESTAMP", "", "Broker: Invalid timestamp"},
    Name{45, "OUT_OF_ORDER_SEQUENCE_NUMBER", "",
         "Broker: Broker received an out of order sequence number"},
    Name{46, "DUPLICATE_SEQUENCE_NUMBER", "",
         "Broker: Broker received a duplicate sequence number"},
    Name{47, "INVALID_PRODUCER_EPOCH", "",
         "Broker: Producer attempted an operation with an old epoch"},
    Name{48, "INVALID_TXN_STATE", "",
         "Broker: Producer attempted a transactional operation in an invalid state"},
    Name{49, "INVALID_PRODUCER_ID_MAPPING", "",
         "Broker: Producer attempted to use a producer id which is not currently assigned to its "
         "transactional id"},
    Name{51, "CONCURRENT_TRANSACTIONS", "",
         "Broker: Producer attempted to update a transaction while another concurrent operation on "
         "the same transaction was ongoing"},
    Name{53, "TRANSACTIONAL_ID_AUTHORIZATION_FAILED", "",
         "Broker: Transactional Id authorization failed"},
    Name{56, "KAFKA_STORAGE_ERROR", "",
         "Broker: Disk error when trying to access log file on disk"},
    Name{59, "UNKNOWN_PRODUCER_ID", "", "Broker: Unknown Producer Id"},
    Name{74, "FENCED_LEADER_EPOCH", "", "Broker: Leader epoch is older than broker epoch"},
    Name{75, "UNKNOWN_LEADER_EPOCH", "", "Broker: Leader epoch is newer than broker epoch"},
    Name{87, "INVALID_RECORD", "", "Broker: Broker failed to validate record"},
    Name{89, "THROTTLING_QUOTA_EXCEEDED", "", "Broker: Request throttled"},
    Name{90, "PRODUCER_FENCED", "",
         "Broker: There is a newer producer with the same "
         "transactionalId which fences the current one"},
    Name{120, "TRANSACTION_ABORTABLE", "", "Broker: Transaction abortable"},
    Name{kClientOnly, "_TRANSPORT", "", "Local: Broker transport failure"},
    Name{kClientOnly, "_MSG_TIMED_OUT", "", "Local: Message timed out"},
    Name{kClientOnly, "_TIMED_OUT", "", "Local: Timed out"},
    Name{kClientOnly, "_TIMED_OUT_QUEUE", "", "Local: Timed out in queue"},
    Name{kClientOnly, "_PURGE_QUEUE", "", "Local: Purged in queue"},
    Name{kClientOnly, "_PURGE_INFLIGHT", "", "Local: Purged in flight"},
    Name{kClientOnly, "_RETRY", "", "Local: Retry operation"},
    Name{kClientOnly, "_DESTROY_BROKER", "", "Local: Broker handle destroyed without termination"},
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

bool is_client_error(std::string_view error) { return error.starts_with("_"); }

bool is_before_sending(std::string_view error) {
  return error == "_RETRY" || error == "_TIMED_OUT_QUEUE" || error == "_PURGE_QUEUE";
}

bool may_follow_append(std::string_view error) {
  return error == "NOT_LEADER_OR_FOLLOWER" || error == "REQUEST_TIMED_OUT" ||
         error == "NOT_ENOUGH_REPLICAS_AFTER_APPEND" || error == "UNKNOWN_TOPIC_OR_PARTITION" ||
         error == "KAFKA_STORAGE_ERROR";
}

}  // namespace fencepost::traces
