// The tables of names: faults, properties, notes.
#include "spec/faults.h"
#include "spec/instance.h"
#include "spec/properties.h"

namespace fencepost::spec {
namespace {

template <class E, class Table>
std::optional<E> find(const Table& table, std::string_view name) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

constexpr std::array<FaultInfo, kFaultKinds> kFaults{{
    {"leader-lost",
     "a partition loses its leader; who waits for replication there is told NOT_LEADER beside "
     "the offset of the append",
     "DelayedProduce and Partition.makeFollower, Kafka 1eb7644; frame 1566024 of the capture "
     "rolling-restart-topic-0188"},
    {"stale-view",
     "a leader with no request waiting believes for a while that it is not the leader and "
     "answers NOT_LEADER",
     "brokers learn of leadership one by one; frames 1567506 to 1571293 of the capture "
     "rolling-restart-topic-0188"},
    {"disconnect",
     "a connection closes: everything in flight to that broker fails, what it had not taken yet "
     "is lost",
     "rd_kafka_broker_fail and the _TRANSPORT row of the outcome table, librdkafka 2.15.0"},
    {"late-request",
     "a connection closes, and requests the broker had not taken stay behind: it may take them "
     "at any later time",
     "SocketServer goes on with what it has read of a closed connection, Kafka 1eb7644"},
    {"request-timeout",
     "the broker gives up waiting for replication and answers REQUEST_TIMED_OUT beside the "
     "offset of the append",
     "DelayedProduce.onExpiration, Kafka 1eb7644"},
    {"too-few-replicas",
     "the leader refuses a request with NOT_ENOUGH_REPLICAS, before looking for a duplicate",
     "Partition.appendRecordsToLeader, Kafka 1eb7644"},
    {"too-few-replicas-after-append",
     "the leader answers NOT_ENOUGH_REPLICAS_AFTER_APPEND to a request that waits",
     "DelayedProduce.tryComplete, Kafka 1eb7644"},
    {"message-timeout",
     "messages of the queue expire (message.timeout.ms) while the client knows a leader",
     "rd_kafka_broker_toppar_msgq_scan, librdkafka 2.15.0"},
    {"message-timeout-leaderless",
     "messages of the queue expire while the client knows of no leader",
     "rd_kafka_broker_internal_serve, librdkafka 2.15.0; client log gap-heals-2.15.0"},
    {"purge", "the application purges a prefix of what is queued",
     "rd_kafka_purge(RD_KAFKA_PURGE_F_QUEUE), librdkafka 2.15.0"},
    {"retries-exhausted",
     "a message that a counted error would send back to the queue fails for want of retries",
     "rd_kafka_retry_msgq, librdkafka 2.15.0"},
    {"permanent-error",
     "the leader refuses a request for good (MESSAGE_TOO_LARGE, INVALID_RECORD, ...)",
     "rd_kafka_handle_Produce_error, librdkafka 2.15.0; client log "
     "dup-permanent-error-conditional-bump"},
    {"cache-shrink", "the leader's producer state is reloaded and knows only the last batch",
     "ProducerStateManager snapshot format, Kafka 1eb7644"},
    {"expiry", "the leader forgets the producer (producer.id.expiration.ms)",
     "ProducerStateManager.removeExpiredProducers, Kafka 1eb7644"},
    {"retention",
     "committed records of a partition are deleted (retention, DeleteRecords): the log start "
     "moves; nothing is lost by it",
     "UnifiedLog.maybeIncrementLogStartOffset, Kafka 1eb7644; KAFKA-7190", true},
    {"state-rebuilt",
     "the leader restarts, or one comes that never had the deleted records: it knows of the "
     "producer what the log still holds",
     "ProducerStateManager.truncateAndReload, Kafka 1eb7644: entries that only memory kept "
     "(KAFKA-7190) are gone",
     true},
    {"producer-restart",
     "the producer's process restarts with nothing kept: a new producer id, and the application "
     "sends again what it does not know to be delivered",
     "librdkafka INTRODUCTION.md on idempotent producers: out of scope across restarts; the "
     "maintainer on confluentinc/librdkafka issue 4953",
     true},
    {"unclean-election",
     "a partition without a leader gets one that lacks committed records (needs leader-lost): a "
     "replica outside the in-sync set, or one that lost the end of its log; the others truncate",
     "unclean.leader.election.enable, off by default since 0.11 (KIP-106); KIP-966, motivation: "
     "the last replica after an unclean shutdown",
     true},
}};

}  // namespace

const std::array<FaultInfo, kFaultKinds>& fault_kinds() { return kFaults; }

std::optional<Fault> fault_named(std::string_view name) { return find<Fault>(fault_kinds(), name); }

const std::array<PropertyInfo, kProperties>& properties() {
  static constexpr std::array<PropertyInfo, kProperties> kTable{{
      {"no-duplicate", "no message stands twice below the high watermark"},
      {"in-order",
       "below the high watermark the first copies of messages stand in the application's order"},
      {"no-loss",
       "a message reported delivered, also implicitly, stands below the high watermark from then "
       "on"},
      {"no-false-failure",
       "no fatal error, and no message fails unless a message timeout, a purge, exhausted retries "
       "or a permanent error hit it, or its partition lost producer state or committed records"},
      {"honest-status", "a message reported as not persisted is not in the log"},
      {"well-formed",
       "per epoch the log's sequences are contiguous from 0, the first entry excepted where the "
       "broker accepts any; epochs never go back"},
      {"progress",
       "every weakly fair run ends every message delivered or failed, or the producer fatal"},
  }};
  return kTable;
}

std::optional<Property> property_named(std::string_view name) {
  return find<Property>(properties(), name);
}

const std::array<NoteInfo, kNotes>& notes() {
  static constexpr std::array<NoteInfo, kNotes> kTable{{
      {"deduplicated", "a retry is recognised by its stamp and not appended"},
      {"duplicate-waits", "a recognised duplicate waits for the high watermark"},
      {"appended", "a request is appended"},
      {"not-leader-after-append", "a request is appended and then answered NOT_LEADER"},
      {"plain-not-leader-behind",
       "an append answered NOT_LEADER is followed by a plain NOT_LEADER on the next request"},
      {"suffix-cut", "an election cuts entries above the high watermark"},
      {"late-append", "a late request is appended"},
      {"late-dropped", "a late request changes nothing"},
      {"implicit-acknowledgement", "an acknowledgement delivers an earlier message"},
      {"bump-requested", "the client decides to bump its epoch"},
      {"bump-completes", "the client bumps its epoch"},
      {"adopts", "a partition starts to number in the new epoch"},
      {"renumbers-unresolved", "an unresolved message gets a new stamp"},
      {"adoption-deferred", "an unresolved message keeps its old stamp after a bump"},
      {"next-expected-out-of-order", "OUT_OF_ORDER comes for the next expected sequence"},
      {"later-out-of-order", "OUT_OF_ORDER comes for a later sequence"},
      {"absence-proved", "OUT_OF_ORDER proves that a message is in no log"},
      {"gap-left", "messages leave the queue and the client does not bump"},
      {"accepted-without-entry", "a partition without producer state accepts a sequence above 0"},
      {"fatal", "the producer becomes fatal"},
      {"failed", "a message is reported failed"},
      {"epoch-exhausted", "a bump finds the protocol's highest epoch"},
      {"unknown-producer-id", "the client is told UNKNOWN_PRODUCER_ID"},
      {"older-duplicate", "a stamp older than the cache is answered DUPLICATE_SEQUENCE_NUMBER"},
      {"expired-in-doubt", "a message expires that was sent and never answered for good"},
      {"later-renumbered", "later messages move down a sequence within the epoch"},
      {"records-deleted", "committed records are deleted"},
      {"state-rebuilt", "producer state that only memory kept is lost"},
      {"restarts", "the producer starts anew with a new id"},
      {"committed-cut", "an unclean election cuts entries below the high watermark"},
      {"overtakes-requeue",
       "a message is sent while an earlier one is out of flight and not yet back in the queue"},
  }};
  return kTable;
}

std::optional<Note> note_named(std::string_view name) { return find<Note>(notes(), name); }

std::string_view instance_fault(const Instance& i) {
  if (i.partitions < 1 || i.partitions > kMaxPartitions) return "partitions must be 1 to 4";
  if (i.warm < 0 || i.warm > 1) return "warm must be 0 or 1";
  if (i.messages < 1 || i.total_messages() > kMaxMessages) {
    return "messages must be at least 1, and with the warm one at most 7";
  }
  if (i.in_flight < 1 || i.in_flight > kMaxInFlight) return "in flight must be 1 to 5";
  if (i.brokers < 1 || i.brokers > kMaxBrokers) return "brokers must be 1 to 3";
  if (i.epochs < 1 || i.epochs > kMaxEpochs) return "epochs must be 1 to 15";
  if (i.max_epoch < 0 || i.max_epoch > i.epochs) {
    return "the protocol's highest epoch must be 1 to epochs, or 0 for one that is never reached";
  }
  if (i.log < i.total_messages() || i.log > kMaxLog) {
    return "the log must hold every message once, and at most 15 entries";
  }
  if (i.faults.budget < 0 || i.faults.budget > 15) return "the fault budget must be 0 to 15";
  return {};
}

}  // namespace fencepost::spec
