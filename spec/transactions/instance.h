// An instance of the transactional model: how many of everything there is, and what may go wrong.
// Reaching a bound disables the step, is counted, and forbids every verdict that claims all runs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fencepost::spec::transactions {

/// Capacities of the state's arrays; an `Instance` uses a part of them.
inline constexpr int kMaxProducers = 2;   // producer instances with the one transactional id
inline constexpr int kMaxPartitions = 3;  // partitions written to, the offsets partition included
inline constexpr int kMaxMessages = 2;    // per transaction and partition
inline constexpr int kMaxInFlight = 2;    // Produce requests per instance and partition
inline constexpr int kMaxInputs = 3;
inline constexpr int kMaxAttempts = 6;  // transactions that one instance begins
inline constexpr int kMaxEpochs = 12;   // highest epoch
inline constexpr int kMaxIds = 3;       // producer ids
inline constexpr int kMaxLog = 14;      // entries of a partition, markers included
inline constexpr int kMaxLate = 2;      // late copies of coordinator requests

enum class Fault : std::uint8_t {
  kAnswerLost,
  kLateInit,
  kLateBump,
  kLateRequest,
  kDisconnect,
  kLateProduce,
  kNotLeader,
  kMessageTimeout,
  kApplicationAbort,
  kCoordinatorMove,
  kTransactionTimeout,
  kTransactionalIdExpiry,
  kProducerIdExpiry,
  kLateMarker,
  kCrash,
};
inline constexpr int kFaultKinds = 15;

struct FaultInfo {
  std::string_view name;    ///< as in `--faults` and the claims
  std::string_view says;    ///< one sentence: what happens
  std::string_view source;  ///< where the rule comes from
};
const std::array<FaultInfo, kFaultKinds>& fault_kinds();
std::optional<Fault> fault_named(std::string_view name);

/// Which faults a run may suffer: the kinds allowed, each at most `cap` times, all together at most
/// `budget` times.
struct Faults {
  static constexpr int kNoCap = -1;

  std::uint32_t allowed = 0;           ///< bit = Fault
  std::array<int, kFaultKinds> cap{};  ///< kNoCap, or 0..budget
  int budget = 0;                      ///< 0..15

  Faults() { cap.fill(kNoCap); }
  [[nodiscard]] bool allows(Fault kind) const {
    return budget > 0 && ((allowed >> static_cast<unsigned>(kind)) & 1U) != 0;
  }
  /// Some copy of a coordinator request can be late.
  [[nodiscard]] bool allows_late() const {
    return allows(Fault::kLateInit) || allows(Fault::kLateBump) || allows(Fault::kLateRequest);
  }
  void allow(Fault kind) { allowed |= 1U << static_cast<unsigned>(kind); }
  bool operator==(const Faults&) const = default;
};

struct Instance {
  int producers = 1;     ///< instances with the transactional id, 1..kMaxProducers
  int partitions = 1;    ///< partitions that outputs go to, 1..kMaxPartitions
  bool offsets = false;  ///< a read-process-write loop: the position is committed beside them
  bool overlap = true;   ///< the second instance may start while the first one lives
  bool rereads = false;  ///< after an abort the loop reads its position again
  bool endless = false;  ///< any number of transactions may be aborted (endless.h)
  int messages = 1;      ///< per transaction and partition, 1..kMaxMessages
  int in_flight = 1;     ///< Produce requests per instance and partition, 1..kMaxInFlight
  int inputs = 1;        ///< inputs of the loop, or transactions an instance has to commit
  int attempts = 2;      ///< transactions that an instance may begin, inputs..kMaxAttempts
  int epochs = 4;        ///< highest epoch, 1..kMaxEpochs
  int exhausted_at = 0;  ///< the epoch that stands for 32766, below `epochs`; 0: none is reached
  int ids = 1;           ///< producer ids that can be given out
  int log = 6;           ///< entries of a partition's log
  int late = 1;          ///< late copies of coordinator requests at a time, 1..kMaxLate
  Faults faults;

  /// Partitions in all; the offsets partition is the last one.
  [[nodiscard]] int all_partitions() const { return partitions + (offsets ? 1 : 0); }
  [[nodiscard]] bool is_offsets(int p) const { return offsets && p == partitions; }
  /// Messages of a transaction in partition `p`.
  [[nodiscard]] int messages_in(int p) const { return is_offsets(p) ? 1 : messages; }
  bool operator==(const Instance&) const = default;
};

enum class Bound : std::uint8_t { kEpochs, kLog, kAttempts, kIds };
inline constexpr int kBounds = 4;
inline constexpr std::array<std::string_view, kBounds> kBoundNames{"epochs", "log", "attempts",
                                                                   "ids"};

/// The whole sentence of what is wrong with an instance, or empty if it can be checked.
std::string_view instance_fault(const Instance& instance);

/// "2 producers, 1 partition and offsets, 2 inputs ...".
std::string instance_text(const Instance& instance);

/// "none", or kinds with caps: "answer-lost,late-request=1". Throws Error(kUsage) for a kind that
/// does not exist or stands twice and for a cap that is none.
Faults parse_faults(std::string_view text, int budget);

}  // namespace fencepost::spec::transactions
