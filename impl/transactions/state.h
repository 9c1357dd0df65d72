// The transactional side as plain values: client instances, the connections, the coordinator with
// its log, and the partitions' leaders with theirs. What only an observer outside could know is
// kept apart (`Observed`).
#pragma once

#include <array>

#include "impl/cell.h"
#include "impl/transactions/mutant.h"
#include "spec/transactions/behaviour.h"
#include "spec/transactions/instance.h"

namespace fencepost::impl::transactions {

namespace shared = spec::transactions;  // behaviour, instances, faults: what both sides know
using Int = Cell<std::uint8_t>;
template <class T, int N>
using Seq = FixedSeq<T, N>;
template <class T, int N>
using Array = std::array<T, static_cast<std::size_t>(N)>;

struct Rules {
  shared::Behaviour behaviour;
  shared::Instance instance;
  Mutant mutant = Mutant::kNone;
  /// Between the coordinator's yes and the append something can happen. The spec has one step.
  bool verification_window = false;

  [[nodiscard]] int partitions() const { return instance.all_partitions(); }
  [[nodiscard]] bool is(Mutant m) const { return mutant == m; }
};

// --- requests and answers
// -------------------------------------------------------------------------

enum class Api : std::uint8_t { kNone, kInitProducerId, kAddPartitions, kEndTxn };

enum class Code : std::uint8_t {
  kNone,
  kConcurrent,      ///< CONCURRENT_TRANSACTIONS: send it again
  kFenced,          ///< PRODUCER_FENCED
  kInvalidMapping,  ///< INVALID_PRODUCER_ID_MAPPING
  kInvalidState,    ///< INVALID_TXN_STATE
  kUnexpected,      ///< UNKNOWN_SERVER_ERROR
  kNotLeader,       ///< NOT_LEADER_OR_FOLLOWER
  kOutOfOrder,      ///< OUT_OF_ORDER_SEQUENCE_NUMBER
  kInvalidEpoch,    ///< INVALID_PRODUCER_EPOCH
  kAbortable,       ///< TRANSACTION_ABORTABLE (INVALID_TXN_STATE for older clients)
};

/// A request to the coordinator, as it is on the wire.
struct Call {
  Int api;        ///< Api
  Int asks_bump;  ///< InitProducerId of an instance that has an id already
  Int commit;     ///< EndTxn
  Int partition;  ///< AddPartitionsToTxn
  Int pid, epoch;
  bool operator==(const Call&) const = default;
};

struct Answer {
  Int code;  ///< Code
  Int pid, epoch;
  bool operator==(const Answer&) const = default;
};

enum class CallStage : std::uint8_t {
  kSent,
  kTaken,  ///< the coordinator writes a record for it
  kAnswered,
};

/// A request on its way, with its answer. One at a time per instance.
struct CallInNetwork {
  Call call;
  Int stage;  ///< CallStage
  Answer answer;
  bool operator==(const CallInNetwork&) const = default;
};

/// A copy of a request that comes late; nobody waits for its answer.
struct LateCall {
  Call call;
  Int owner;
  Int taken;  ///< the coordinator writes a record for it
  bool operator==(const LateCall&) const = default;
};

/// A batch: its stamp, and its content, which is the message of a transaction of an instance.
struct Batch {
  Int pid, epoch, sequence;
  Int owner, attempt, input, message;
  bool operator==(const Batch&) const = default;
};

struct ProduceInNetwork {
  Batch batch;
  Int answered;
  Int code;
  Int guard;  ///< the coordinator said yes under this guard (verification window only)
  bool operator==(const ProduceInNetwork&) const = default;
};

// --- the client
// -----------------------------------------------------------------------------------

enum class ClientState : std::uint8_t {
  kNotStarted,
  kInitialising,
  kPositioning,
  kReady,
  kInTransaction,
  kBumpingInside,
  kCommitting,
  kAbortable,
  kAborting,
  kBumping,
  kCrashed,
  kFenced,
  kFatal,
};

struct QueuedMessage {
  Int id;    ///< within the transaction and partition
  Int sent;  ///< has a stamp
  bool operator==(const QueuedMessage&) const = default;
};

struct ClientPartition {
  Int registered;                                  ///< part of the transaction
  Int next_sequence;                               ///< for the next message that has no stamp
  Seq<QueuedMessage, shared::kMaxMessages> queue;  ///< lowest first
  Seq<Int, shared::kMaxInFlight> in_flight;        ///< message ids, oldest first
  Array<Int, shared::kMaxMessages> stamp;          ///< the sequence a message goes by
  Array<Int, shared::kMaxMessages> over;           ///< 1 acknowledged, 2 failed
  bool operator==(const ClientPartition&) const = default;
};

struct Client {
  Int state;  ///< ClientState
  Int pid, epoch;
  Int wants_epoch;   ///< asks for a new epoch after the abort
  Int mapping_lost;  ///< the coordinator does not know the id: EndTxn is pointless
  Int calling;       ///< Api it waits for
  Int call_bumps, call_commits, call_partition;
  Int input;    ///< the next one to be processed
  Int attempt;  ///< transactions begun
  Array<ClientPartition, shared::kMaxPartitions> partition;
  bool operator==(const Client&) const = default;
};

// --- the coordinator
// ------------------------------------------------------------------------------

enum class TxnState : std::uint8_t {
  kEmpty,
  kOngoing,
  kPrepareCommit,
  kPrepareAbort,
  kCompleteCommit,
  kCompleteAbort,
};

/// A record of __transaction_state. There is no field for the last epoch in Kafka's; a variant
/// persists it.
struct Record {
  Int exists;  ///< 0: a tombstone, or none yet
  Int pid, previous_pid, next_pid;
  Int epoch;
  Int state;       ///< TxnState
  Int partitions;  ///< bit = partition
  Int last_epoch;  ///< 1 + epoch; only where the variant persists it
  [[nodiscard]] bool in(TxnState s) const { return state == s; }
  [[nodiscard]] bool preparing() const {
    return in(TxnState::kPrepareCommit) || in(TxnState::kPrepareAbort);
  }
  [[nodiscard]] bool complete() const {
    return in(TxnState::kCompleteCommit) || in(TxnState::kCompleteAbort);
  }
  bool operator==(const Record&) const = default;
};

/// For whom a record is being written.
enum class Why : std::uint8_t { kNobody, kCall, kLateCall, kCompletion };

/// A transition whose record is not in the log yet.
struct Pending {
  Int why;  ///< Why; kNobody: nothing is pending
  Int who;  ///< instance, or slot of the late call
  Record next;
  Int last_epoch;   ///< 1 + epoch; 0: none
  Int gives_id;     ///< the next producer id is taken
  Int challenges;   ///< observer: other instances lose their right
  Int establishes;  ///< observer: who waits for the answer gets it
  Int renews;       ///< observer: the answer is a new epoch
  Answer answer;
  bool operator==(const Pending&) const = default;
};

/// A marker that a prepared transaction owes a partition.
enum class MarkerStage : std::uint8_t { kNone, kOwed, kSent, kWritten, kAnswered };

struct Coordinator {
  Record log;     ///< the newest record of the transactional id: the topic is compacted
  Record memory;  ///< what the coordinator works with
  Int last_epoch;
  Pending pending;
  Array<Int, shared::kMaxPartitions> marker;  ///< MarkerStage
  Int ids_given;
  bool operator==(const Coordinator&) const = default;
};

// --- partitions
// -----------------------------------------------------------------------------------

enum class BatchKind : std::uint8_t { kNothing, kTransactional, kPlain, kCommit, kAbort };

struct LogEntry {
  Int kind;  ///< BatchKind
  Batch batch;
  Int stale;  ///< observer: its right had passed
  bool operator==(const LogEntry&) const = default;
};

/// What a leader knows of a producer id (ProducerStateEntry).
struct ProducerEntry {
  Int known;
  Int epoch;
  Seq<Int, 5> cache;  ///< sequences of the newest batches of this epoch, oldest first
  Int first;          ///< observer: the sequence that this epoch began with here
  Int open;           ///< currentTxnFirstOffset is set
  [[nodiscard]] int next() const { return cache.empty() ? 0 : cache.back() + 1; }
  bool operator==(const ProducerEntry&) const = default;
};

struct Marker {
  Int valid;
  Int pid, epoch, commit;
  bool operator==(const Marker&) const = default;
};

struct Leader {
  Seq<LogEntry, shared::kMaxLog> log;
  Array<ProducerEntry, shared::kMaxIds + 1> producer;
  Array<Int, shared::kMaxIds + 1> guard;  ///< by producer id: of the verification under way, or 0
  Int last_guard;
  bool operator==(const Leader&) const = default;
};

/// What belongs to no actor: who has which right, who may complain of being fenced, and what the
/// applications were told.
struct Observed {
  Int newest;  ///< 1 + the instance whose first InitProducerId came last
  Int right_owner, right_pid, right_epoch;
  Array<Int, shared::kMaxProducers> excused;    ///< id and epoch replaced, timed out or expired
  Array<Int, shared::kMaxProducers> forgotten;  ///< a partition forgot the state of its id
  Array<Int, shared::kMaxProducers> ended_excused;
  Array<Int, shared::kMaxProducers> reset_inside;  ///< sequences began anew inside a transaction
  Array<Array<Int, shared::kMaxAttempts + 1>, shared::kMaxProducers> told;  ///< 1 commit, 2 abort
  bool operator==(const Observed&) const = default;
};

struct State {
  Array<Client, shared::kMaxProducers> client;
  Array<CallInNetwork, shared::kMaxProducers> call;
  Array<Array<Seq<ProduceInNetwork, shared::kMaxInFlight>, shared::kMaxPartitions>,
        shared::kMaxProducers>
      produce;  ///< by instance and partition
  Seq<LateCall, shared::kMaxLate> late_calls;
  Array<Batch, shared::kMaxPartitions> late_batch;  ///< a batch has an id above 0
  Array<Int, shared::kMaxPartitions> late_guard;    ///< its verification, as ProduceInNetwork's
  Array<Marker, shared::kMaxPartitions> late_marker;
  Coordinator coordinator;
  Array<Leader, shared::kMaxPartitions> leader;
  Observed observed;
  Int faults_used;
  Array<Int, shared::kFaultKinds> kind_used;
  Int unseen_moves;  ///< moves of the coordinator that lost nothing but a pending record
  bool operator==(const State&) const = default;
};

}  // namespace fencepost::impl::transactions
