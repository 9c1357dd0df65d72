// The state of the transactional model: producer instances with their requests, the coordinator's
// entry for the one transactional id, and per partition a log and producer state. Fixed size,
// cells only, canonical: slots not in use are zero. README.md explains every field.
#pragma once

#include "spec/transactions/instance.h"

namespace fencepost::spec::transactions {

enum class Mode : std::uint8_t {
  kNotStarted,
  kInitialising,  ///< InitProducerId without an epoch is on its way
  kPositioning,   ///< has to read its position from the offsets partition
  kReady,         ///< between transactions
  kInTransaction,
  kBumpingInside,  ///< asks for an epoch inside a transaction (faulty clients)
  kCommitting,
  kAbortable,  ///< an error that only an abort leaves
  kAborting,
  kBumping,  ///< InitProducerId with the current epoch, after the abort
  kCrashed,
  kFenced,         ///< fatal: somebody or something excuses it
  kFencedFalsely,  ///< fatal although nobody replaced the producer
  kFatal,          ///< fatal, for another reason
  kFatalExcused,
};
inline constexpr int kModes = 15;

enum class RequestKind : std::uint8_t { kNone, kInit, kInitBump, kAdd, kCommit, kAbort };
inline constexpr int kRequestKinds = 6;

/// What the coordinator answered; `kSent`: nothing yet. CONCURRENT_TRANSACTIONS is no answer here:
/// the request stays where it is, as the client sends it again.
enum class Result : std::uint8_t {
  kSent,
  kOk,
  kFenced,          ///< PRODUCER_FENCED (INVALID_PRODUCER_EPOCH from older coordinators)
  kInvalidMapping,  ///< INVALID_PRODUCER_ID_MAPPING
  kInvalidState,    ///< INVALID_TXN_STATE
  kUnexpected,      ///< UNKNOWN_SERVER_ERROR
};
inline constexpr int kResults = 6;

enum class MessageStatus : std::uint8_t { kUnsent, kInFlight, kRetry, kAcknowledged, kFailed };
inline constexpr int kMessageStatuses = 5;

/// A Produce request in flight; up to `kSent` the broker has not answered.
enum class Stage : std::uint8_t {
  kNone,
  kSent,
  kOk,
  kNotLeader,
  kOutOfOrder,
  kInvalidEpoch,
  kInvalidMapping,
  kUnverified,  ///< TRANSACTION_ABORTABLE, INVALID_TXN_STATE for older clients
};
inline constexpr int kStages = 8;

enum class TransactionState : std::uint8_t {
  kEmpty,
  kOngoing,
  kPrepareCommit,
  kPrepareAbort,
  kCompleteCommit,
  kCompleteAbort,
};
inline constexpr int kTransactionStates = 6;

/// What stands in a log. A data entry carries its fate: a marker settles the open ones of its
/// producer id, which is what a read-committed reader works out.
enum class EntryKind : std::uint8_t {
  kNothing,
  kOpen,
  kCommitted,
  kAborted,
  kPlain,  ///< not transactional, visible at once
  kCommitMarker,
  kAbortMarker,
};
inline constexpr int kEntryKinds = 7;

/// What the application was told of a transaction.
enum class Told : std::uint8_t { kNothing, kCommitted, kAborted };

template <class D>
struct InstancePartition {
  using Cell = typename D::Cell;
  Cell added;     ///< the client knows the partition to be part of the transaction
  Cell sequence;  ///< the next one to be assigned
  Cell status[kMaxMessages];
  Cell stamp[kMaxMessages];  ///< sequence of a message that was sent
  Cell in_flight;
  Cell message[kMaxInFlight];
  Cell stage[kMaxInFlight];
};

template <class D>
struct Producer {
  using Cell = typename D::Cell;
  Cell mode;
  Cell pid;  ///< 0: none yet
  Cell epoch;
  Cell bump;          ///< after the abort a new epoch is asked for
  Cell mapping_lost;  ///< INVALID_PRODUCER_ID_MAPPING: EndTxn is skipped
  Cell input;         ///< the next input to be processed
  Cell attempt;       ///< transactions begun
  Cell excused;       ///< ghost: its id and epoch were replaced, timed out or expired
  Cell forgotten;     ///< ghost: a partition forgot the state of its id
  Cell reset_inside;  ///< ghost: sequences began anew inside a transaction
  // The one outstanding coordinator request; its id and epoch are the instance's.
  Cell request, request_partition, result, result_pid, result_epoch;
  Cell told[kMaxAttempts + 1];  ///< by attempt, from 1
  InstancePartition<D> partition[kMaxPartitions];
};

template <class D>
struct Coordinator {
  using Cell = typename D::Cell;
  Cell mapped;  ///< there is an entry for the transactional id
  Cell pid, previous_pid, next_pid;
  Cell epoch;
  Cell last_epoch;  ///< + 1; 0: none
  Cell state;
  Cell added[kMaxPartitions];
  Cell pending[kMaxPartitions];  ///< has still to get its marker
  Cell ids_given;
  // Ghosts: whose InitProducerId succeeded, and with what.
  Cell newest;  ///< 1 + the instance whose first InitProducerId came last
  Cell right_owner, right_pid, right_epoch;
};

template <class D>
struct LateRequest {
  typename D::Cell kind, owner, pid, epoch, partition;
};

template <class D>
struct LogEntry {
  typename D::Cell kind, pid, epoch, sequence;
  typename D::Cell owner, attempt, input, message;  ///< ghosts: which message of which transaction
  typename D::Cell stale;                           ///< ghost: appended after its right had passed
};

/// Producer state of one id in one partition. `from`..`next`-1 are in the cache.
template <class D>
struct ProducerState {
  typename D::Cell known, epoch, from, next, open;
};

template <class D>
struct LateProduce {
  typename D::Cell valid, owner, pid, epoch, sequence, attempt, input, message;
};

template <class D>
struct LateMarker {
  typename D::Cell valid, pid, epoch, commit;
};

template <class D>
struct Partition {
  typename D::Cell length;
  LogEntry<D> log[kMaxLog];
  ProducerState<D> producer[kMaxIds + 1];  ///< by producer id, from 1
  LateProduce<D> late;
  LateMarker<D> late_marker;
};

template <class D>
struct State {
  using Cell = typename D::Cell;
  Producer<D> producer[kMaxProducers];
  Coordinator<D> coordinator;
  LateRequest<D> late[kMaxLate];
  Partition<D> partition[kMaxPartitions];
  Cell faults_used;
  Cell kind_used[kFaultKinds];  ///< counted only for kinds with a cap
  Cell padding[1];              ///< to a multiple of 8 bytes
};

}  // namespace fencepost::spec::transactions
