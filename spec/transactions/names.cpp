// The tables of names: faults, properties, notes.
#include "spec/transactions/instance.h"
#include "spec/transactions/properties.h"

namespace fencepost::spec::transactions {
namespace {

template <class E, class Table>
std::optional<E> find(const Table& table, std::string_view name) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

}  // namespace

const std::array<FaultInfo, kFaultKinds>& fault_kinds() {
  static constexpr std::array<FaultInfo, kFaultKinds> kTable{{
      {"answer-lost",
       "the coordinator's answer is lost, and the client sends the same request again",
       "TransactionManager.TxnRequestHandler (retry on disconnect), Kafka 1eb7644; "
       "rd_kafka_txn_handle_EndTxn, librdkafka 2.15.0"},
      {"late-init",
       "an InitProducerId without an epoch is sent again on another connection, and the first copy "
       "is taken at any later time or never",
       "SocketServer goes on with what it has read of a closed connection, Kafka 1eb7644"},
      {"late-bump", "the same for an InitProducerId that asks for a new epoch after an abort",
       "SocketServer goes on with what it has read of a closed connection, Kafka 1eb7644"},
      {"late-request", "the same for AddPartitionsToTxn and EndTxn", "KAFKA-17754"},
      {"disconnect",
       "an instance loses its connection to a partition's leader: what is in flight there fails, "
       "answered or not",
       "rd_kafka_broker_fail and the _TRANSPORT row of the outcome table, librdkafka 2.15.0"},
      {"late-produce",
       "the same, and the next request in flight stays behind: the leader may take it at any later "
       "time",
       "KAFKA-14402: the stuck Produce of a hanging transaction"},
      {"not-leader", "the leader refuses a Produce request with NOT_LEADER_OR_FOLLOWER",
       "Partition.appendRecordsToLeader, Kafka 1eb7644"},
      {"message-timeout", "the first message that a partition has queued fails for good",
       "delivery.timeout.ms, Sender.failBatch, Kafka 1eb7644; rd_kafka_broker_toppar_msgq_scan, "
       "librdkafka 2.15.0"},
      {"application-abort", "the application aborts a transaction in which nothing went wrong",
       "KafkaProducer.abortTransaction, Kafka 1eb7644"},
      {"coordinator-move",
       "another broker becomes the coordinator and knows only what was written to "
       "__transaction_state",
       "TransactionLogValue has no lastProducerEpoch; TransactionStateManager."
       "loadTransactionsForTxnTopicPartition, Kafka 1eb7644"},
      {"transaction-timeout", "transaction.timeout.ms is over: the coordinator aborts",
       "TransactionCoordinator.abortTimedOutTransactions, Kafka 1eb7644"},
      {"transactional-id-expiry",
       "transactional.id.expiration.ms is over: the coordinator forgets the transactional id",
       "TransactionStateManager.removeExpiredTransactionalIds, Kafka 1eb7644"},
      {"producer-id-expiry", "a partition forgets a producer id (producer.id.expiration.ms)",
       "ProducerStateManager.removeExpiredProducers, Kafka 1eb7644"},
      {"late-marker",
       "a marker is written twice: its answer was lost, and a second copy comes at any later time",
       "KAFKA-19446; TransactionMarkerRequestCompletionHandler, Kafka 1eb7644"},
      {"crash", "a producer instance stops for ever; what it had in flight is lost",
       "the process dies; nothing is kept on the client's side"},
  }};
  return kTable;
}

std::optional<Fault> fault_named(std::string_view name) { return find<Fault>(fault_kinds(), name); }

const std::array<NameInfo, kProperties>& properties() {
  static constexpr std::array<NameInfo, kProperties> kTable{{
      {"fencing",
       "once the InitProducerId of a newer instance, or for a newer epoch of the same one, has "
       "succeeded, nothing of the older one is appended"},
      {"no-self-fencing", "a producer that nobody replaced is never fenced"},
      {"atomic",
       "a read-committed reader sees all of a transaction or nothing, each message once, and what "
       "it sees is what the application was told"},
      {"exactly-once",
       "the output of an input is visible at most once, and stands if the input counts as done"},
      {"epoch-monotonic",
       "per producer id, epochs never go back in a log, and no partition knows a higher one than "
       "the coordinator"},
      {"no-reset-inside-transaction",
       "a client never begins its sequences anew inside a transaction"},
      {"no-false-failure",
       "no fatal error other than being fenced, unless the producer was replaced, timed out or "
       "expired"},
      {"well-formed",
       "per producer id and epoch the log's sequences are contiguous from 0, and no epoch is the "
       "one kept for fencing"},
      {"progress",
       "every weakly fair run ends every instance done or fatal, and no transaction open in any "
       "partition"},
  }};
  return kTable;
}

std::optional<Property> property_named(std::string_view name) {
  return find<Property>(properties(), name);
}

const std::array<NameInfo, kNotes>& notes() {
  static constexpr std::array<NameInfo, kNotes> kTable{{
      {"committed", "an instance is told that its transaction is committed"},
      {"successor-committed", "the second instance is told so"},
      {"aborted", "an instance is told that its transaction is aborted"},
      {"abort-after-error", "an instance leaves an error by aborting"},
      {"epoch-bumped", "InitProducerId raises the epoch"},
      {"retry-recognised", "InitProducerId with the last epoch gets the current one"},
      {"expected-epoch-refused", "InitProducerId with an old epoch is fenced"},
      {"foreign-id-refused", "InitProducerId with another producer id is fenced"},
      {"new-id-for-unknown", "InitProducerId with an epoch finds no entry and gets a new id"},
      {"new-id-at-exhaustion", "InitProducerId at the last epoch gets a new id"},
      {"unexpected-error", "InitProducerId fails with an unexpected error"},
      {"ongoing-aborted", "InitProducerId aborts a transaction that is under way"},
      {"transaction-timed-out", "the coordinator times a transaction out"},
      {"end-retry-recognised", "EndTxn is recognised as one that was carried out already"},
      {"end-refused", "EndTxn is refused with INVALID_TXN_STATE"},
      {"mapping-refused", "the coordinator answers INVALID_PRODUCER_ID_MAPPING"},
      {"fenced", "an instance learns that it is fenced"},
      {"fatal", "an instance becomes fatal for another reason"},
      {"message-failed", "a message of a transaction fails"},
      {"sequences-restart", "an instance begins a new epoch at sequence 0"},
      {"appended", "a write is appended"},
      {"deduplicated", "a retry is recognised by its stamp and not appended"},
      {"next-expected-out-of-order", "OUT_OF_ORDER comes for the next expected message"},
      {"later-out-of-order", "OUT_OF_ORDER comes for a later message"},
      {"old-epoch-refused", "a leader refuses a write of an old epoch"},
      {"verification-refused", "a leader asks the coordinator and refuses the write"},
      {"added-by-broker", "a leader adds its partition to the transaction"},
      {"accepted-without-entry",
       "a partition that does not know the producer accepts a sequence above 0"},
      {"late-produce-appended", "a late Produce request is appended"},
      {"late-produce-dropped", "a late Produce request changes nothing"},
      {"late-request-decides", "a late EndTxn ends a transaction"},
      {"late-request-taken", "a late copy of a coordinator request is taken"},
      {"marker-written", "a marker is written"},
      {"marker-repeated", "a marker is written where no transaction is open"},
      {"late-marker-taken", "the second copy of a marker is written"},
      {"position-read", "a loop begins behind what was committed before"},
      {"partly-acknowledged", "a transaction of which something was acknowledged is aborted"},
  }};
  return kTable;
}

std::optional<Note> note_named(std::string_view name) { return find<Note>(notes(), name); }

}  // namespace fencepost::spec::transactions
