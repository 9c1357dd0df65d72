// How a transactional client, its coordinator and the brokers of its partitions behave, as data:
// one value per entry. The model reads entries, never names of variants. The files in clients,
// coordinators and brokers give the values with their sources; variant.h reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fencepost::spec::transactions {

/// The client, on OUT_OF_ORDER_SEQUENCE_NUMBER.
enum class OutOfOrder : std::uint8_t {
  kFatal,
  kAbortAndBump,
  kRetry,
  kBumpInside,  ///< asks for a new epoch inside the transaction and goes on with it
};
/// The client, when a message of the transaction has failed for good.
enum class MessageFailure : std::uint8_t { kAbortAndBump, kAbort, kIgnore };
enum class OnError : std::uint8_t { kFatal, kAbortAndBump };
/// The coordinator, on an expected producer id that is not the installed one.
enum class ForeignId : std::uint8_t { kFenced, kFencedUnlessPrevious, kAccepted };
/// The broker, on the first write of a transaction to a partition.
enum class Verification : std::uint8_t { kNone, kVerify, kAdd };
/// The broker, on the epoch of a marker.
enum class MarkerEpoch : std::uint8_t { kAtLeast, kAbove, kAboveUnlessClosed };
/// The broker, on a sequence above 0 of a producer id it has no state for.
enum class NoEntry : std::uint8_t { kAnySequence, kZeroOnFreshLog, kZero };

/// The whole behaviour. Plain values: two variants that behave alike are equal.
struct Behaviour {
  // Client.
  bool transactional = true;        ///< false: idempotent only, offsets are committed on their own
  bool version_two = false;         ///< EndTxn v5: epoch from the answer, no AddPartitionsToTxn
  bool sends_epoch = true;          ///< InitProducerId v3+ with producer id and epoch
  bool end_before_bump = true;      ///< EndTxn(abort) before InitProducerId
  bool bumps_alone = false;         ///< epoch + 1 without asking the coordinator
  bool mapping_recovers = true;     ///< INVALID_PRODUCER_ID_MAPPING: abort and bump, else fatal
  bool end_errors_honoured = true;  ///< false: a refused EndTxn is reported as success
  OutOfOrder next_expected{};
  OutOfOrder later{};
  MessageFailure message_failure{};
  OnError invalid_epoch{};    ///< INVALID_PRODUCER_EPOCH on Produce
  OnError unverified{};       ///< TRANSACTION_ABORTABLE (INVALID_TXN_STATE) on Produce
  bool wraps{};               ///< an idempotent producer goes from the last epoch to 0
  bool retries_unexpected{};  ///< an unexpected error of InitProducerId: retry, else fatal
  // Coordinator.
  bool expects_epoch = true;    ///< looks at the producer id and epoch of InitProducerId
  bool last_epoch_rule = true;  ///< the last epoch is answered with the current one
  bool last_epoch_persisted = false;
  bool plain_init_forgets_last = true;  ///< InitProducerId without an epoch: no last epoch
  bool unknown_gets_id = true;          ///< no mapping: a new id although an epoch was given
  ForeignId foreign_id{};
  bool exhausted_throws = true;   ///< the increment throws before the last-epoch rule is looked at
  bool ongoing_compares = false;  ///< an old epoch is fenced while a transaction is under way, too
  int ongoing_bumps = 1;          ///< epochs that InitProducerId adds when it aborts, 0..2
  int timeout_bumps = 1;          ///< epochs that the transaction timeout adds, 0..2
  bool retry_needs_last = false;  ///< a retry of EndTxn must carry the last epoch
  bool rotation_answered = true;  ///< EndTxn at the last epoch answers with the new id
  bool end_bumps = false;         ///< transaction version 2: EndTxn bumps, retries are recognised
  // Brokers of the partitions.
  Verification verification{};
  bool older_open_counts = false;  ///< an open transaction of an older epoch needs no adding
  MarkerEpoch marker_epoch{};
  bool epoch_check = true;
  bool duplicate_check = true;
  NoEntry no_entry{};

  /// What both sides must know to do it.
  [[nodiscard]] bool bumps_at_end() const { return end_bumps && version_two; }
  [[nodiscard]] bool adds_on_write() const {
    return verification == Verification::kAdd && version_two;
  }
  [[nodiscard]] bool gives_epoch() const { return sends_epoch && expects_epoch; }
  bool operator==(const Behaviour&) const = default;
};

enum class VariantKind : std::uint8_t { kClient, kCoordinator, kBroker };
inline constexpr int kVariantKinds = 3;
/// "client", "coordinator", "broker"; the folders are named in the plural.
std::string_view name_of(VariantKind kind);

/// One entry: its name, what it decides, and the values it can take.
struct EntryInfo {
  std::string_view name;
  VariantKind kind;
  std::string_view says;
  std::vector<std::string_view> values;
};
const std::vector<EntryInfo>& entries();
/// A value is an index into `EntryInfo::values`.
int entry_value(const Behaviour& behaviour, std::size_t entry);
void set_entry(Behaviour& behaviour, std::size_t entry, int value);

/// An entry that beside the others of its file can make no difference, and why.
struct WithoutEffect {
  std::string_view entry;
  std::string_view why;
};
std::optional<WithoutEffect> without_effect(const Behaviour& behaviour, VariantKind kind);

/// Why a client, a coordinator and brokers cannot run together, or nothing.
std::optional<std::string_view> impossible(const Behaviour& behaviour);

}  // namespace fencepost::spec::transactions
