// How a client and a broker behave, as data: one value per entry. The spec reads entries, never
// names of variants. Files in spec/variants give the values with their sources; variant.h reads
// them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fencepost::spec {

/// What the client is told, or learns, of a request it sent. OUT_OF_ORDER has entries of its own.
enum class Outcome : std::uint8_t {
  kNotLeader,             ///< NOT_LEADER_OR_FOLLOWER, offset -1: this attempt was not appended
  kNotLeaderAfterAppend,  ///< the same error beside a valid offset: appended, fate unknown
  kDisconnect,            ///< the connection closed before an answer came
  kRequestTimedOut,       ///< REQUEST_TIMED_OUT of the broker, beside a valid offset
  kNotEnoughReplicas,     ///< NOT_ENOUGH_REPLICAS: refused before the append
  kNotEnoughReplicasAfterAppend,
  kPermanentError,  ///< MESSAGE_TOO_LARGE, INVALID_RECORD, ...: refused for good
};
inline constexpr int kOutcomes = 7;
const std::array<std::string_view, kOutcomes>& outcome_names();

/// What the client does with the message of such a request.
enum class Reaction : std::uint8_t { kRetry, kFail, kFailAndBump, kFatal };
enum class Status : std::uint8_t { kNotPersisted, kPossiblyPersisted };
enum class NextExpected : std::uint8_t { kFatal, kRetry, kBump, kFailAndBump };
enum class Later : std::uint8_t {
  kBump,
  kRetry,
  kBumpIfNoEarlierPending,
  kFatal,
  kBumpIfAbsenceProved,  ///< and the partition already numbers in the current epoch
};
/// When OUT_OF_ORDER with no earlier message pending proves that the message is in no log.
/// `kIfGapWasAnswered`: not while an earlier message of the epoch failed with its fate unknown: a
/// late request of it could still close the gap.
enum class ProvesAbsence : std::uint8_t { kNo, kYes, kIfGapWasAnswered };
enum class BumpWaits : std::uint8_t { kNothingInFlight, kNothingUnresolved, kNothing, kNextLoop };
enum class AdoptPartitions : std::uint8_t { kAll, kTriggering };
enum class Requeue : std::uint8_t { kSorted, kBehind };
/// A failed batch leaves flight and is put back in the queue. `kAfterCount`: between the two
/// another thread of the client, that of a new leader, can run, and finds the batch in neither.
enum class RequeueWhen : std::uint8_t { kAtomic, kAfterCount };
enum class ImplicitAck : std::uint8_t { kLower, kNone, kAllSent };
enum class NoEntry : std::uint8_t { kAnySequence, kZeroOnFreshLog, kZero, kUnknownProducerId };
/// How a message comes by its sequence: its distance from the partition's base, or the next one,
/// given at the first send and kept.
enum class Sequences : std::uint8_t { kByMessage, kAtFirstSend };
enum class Restamps : std::uint8_t { kNothing, kTriggering, kAll };
/// `kWithLastAcknowledgement`: when the last request of the old epoch is acknowledged; a partition
/// that was idle, or whose last request failed, goes on with its sequences (KAFKA-12152).
enum class AdoptWhen : std::uint8_t { kNextSend, kWithLastAcknowledgement };
enum class BumpTakes : std::uint8_t { kNextEpoch, kNewProducerId };
enum class EpochExhausted : std::uint8_t { kWraps, kNewProducerId };
/// UNKNOWN_PRODUCER_ID. `kRestartIfLogMoved`: sequences from 0 in the same epoch if everything
/// acknowledged is gone from the log, otherwise the message fails and the client bumps.
enum class UnknownProducer : std::uint8_t { kBumpOnFirstAttempt, kBump, kRestartIfLogMoved };
/// A partition in which a message expired with its fate unknown, until nothing is pending there:
/// which OUT_OF_ORDER then counts as one for the next expected sequence.
enum class ExpiredInDoubt : std::uint8_t { kForgotten, kFollowerIsNext, kEverythingIsNext };
enum class LostSequence : std::uint8_t { kBump, kRenumberLater };
enum class OlderDuplicate : std::uint8_t { kOutOfOrder, kDuplicateSequence };
enum class ProducerState : std::uint8_t { kFollowsLog, kKept };

/// The whole behaviour. Plain values: two variants that behave alike are equal.
struct Behaviour {
  // Client, per outcome.
  std::array<Reaction, kOutcomes> reaction{};
  std::array<Status, kOutcomes> status{};
  std::array<bool, kOutcomes> counts_a_retry{};  ///< the retry is counted against `retries`
  // Client, OUT_OF_ORDER_SEQUENCE_NUMBER; r = sequence - next expected acknowledgement.
  NextExpected next_expected_out_of_order{};    ///< r == 0
  NextExpected earlier_out_of_order{};          ///< r < 0
  Later later_out_of_order{};                   ///< r > 0
  ProvesAbsence out_of_order_proves_absence{};  ///< no earlier message pending: not in the log
  UnknownProducer unknown_producer{};
  // Client, how messages are numbered.
  Sequences sequences{};
  LostSequence lost_sequence{};  ///< where the client would bump because a message failed
  // Client, what removes messages from the queue: does the client bump afterwards?
  bool message_timeout_bumps = false;
  bool leaderless_timeout_bumps = false;
  bool purge_offered = true;
  bool purge_bumps = false;
  bool retries_exhausted_bumps = false;
  ExpiredInDoubt expired_in_doubt{};
  // Client, the bump and who adopts it.
  BumpWaits bump_waits_for{};
  BumpTakes bump_takes{};
  EpochExhausted epoch_exhausted{};
  Restamps bump_restamps{};  ///< unresolved messages get new stamps with the bump itself
  bool adopt_waits_for_in_flight = true;  ///< a partition adopts only with nothing in flight
  bool adopt_defers_unresolved = false;   ///< an unresolved head keeps the old epoch
  AdoptPartitions adopt_partitions{};
  AdoptWhen adopt_when{};
  bool old_epoch_retries = true;  ///< no: what fails under a stamp of an older epoch is dropped
  // Client, retries and acknowledgements.
  bool drain_before_retry =
      true;  ///< after an error or a new leader send only with nothing in flight
  bool retry_only_lowest = false;  ///< a retry waits until nothing before it is in flight
  Requeue requeue{};
  RequeueWhen requeue_when{};
  ImplicitAck implicit_ack{};
  // Broker.
  NoEntry no_entry{};               ///< what a partition without producer state accepts
  bool new_epoch_from_zero = true;  ///< a new epoch must start at sequence 0
  bool duplicate_check = true;      ///< an exact stamp in the cache is acknowledged, not appended
  bool duplicate_at_watermark = true;  ///< the answer to a duplicate waits for the high watermark
  int cache_size = 5;                  ///< batches remembered per producer, 1..5
  OlderDuplicate older_duplicate{};    ///< the answer to a stamp older than the cache
  ProducerState producer_state{};      ///< what becomes of it when its records are deleted

  [[nodiscard]] Reaction react(Outcome o) const { return reaction[static_cast<std::size_t>(o)]; }
  [[nodiscard]] Status status_of(Outcome o) const { return status[static_cast<std::size_t>(o)]; }
  [[nodiscard]] bool counts(Outcome o) const { return counts_a_retry[static_cast<std::size_t>(o)]; }
  bool operator==(const Behaviour&) const = default;
};

enum class VariantKind : std::uint8_t { kClient, kBroker };

/// One entry of the table: its name, what it decides, and the values it can take.
struct EntryInfo {
  std::string_view name;
  VariantKind kind;
  std::string_view says;
  std::vector<std::string_view> values;
};

/// The entries, in the order in which they are documented. The table is the only place that knows
/// their names: the reader of variant files, `fencepost variants` and the tests go through it.
const std::vector<EntryInfo>& entries();
/// Reads or writes the entry with that index; a value is an index into `EntryInfo::values`.
int entry_value(const Behaviour& behaviour, std::size_t entry);
void set_entry(Behaviour& behaviour, std::size_t entry, int value);

/// An entry whose value, beside the others, can make no difference: its name, and why. Such a
/// combination is refused, so that nobody believes to have changed something.
struct WithoutEffect {
  std::string_view entry;
  std::string_view why;
};
std::optional<WithoutEffect> without_effect(const Behaviour& client);

}  // namespace fencepost::spec
