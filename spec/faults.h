// The faults: what can go wrong, by kind. A claim names the kinds it allows and one total budget
// (design, section 4); a fault action exists only if its kind is allowed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fencepost::spec {

enum class Fault : std::uint8_t {
  kLeaderLost,
  kStaleView,
  kDisconnect,
  kLateRequest,
  kRequestTimeout,
  kTooFewReplicas,
  kTooFewReplicasAfterAppend,
  kMessageTimeout,
  kMessageTimeoutLeaderless,
  kPurge,
  kRetriesExhausted,
  kPermanentError,
  kCacheShrink,
  kExpiry,
  kRetention,
  kStateRebuilt,
  kProducerRestart,
  kUncleanElection,
};
inline constexpr int kFaultKinds = 18;

struct FaultInfo {
  std::string_view name;    ///< as in `--faults` and claims.json
  std::string_view says;    ///< one sentence: what happens
  std::string_view source;  ///< where the rule comes from
  /// Not part of `all`, `all-but` and `choose`: what no idempotent producer promises to survive,
  /// or what changes the question. It must be named.
  bool by_name_only = false;
};

/// All kinds, indexed by `Fault`.
const std::array<FaultInfo, kFaultKinds>& fault_kinds();

/// The kind of that name, if there is one.
std::optional<Fault> fault_named(std::string_view name);

/// Which faults a run may suffer. A kind is allowed in the partitions of its mask, at most `cap`
/// times; all faults together at most `budget` times.
struct Faults {
  static constexpr int kNoCap = -1;

  std::array<std::uint8_t, kFaultKinds> partitions{};  ///< bit mask; 0 = the kind is not allowed
  std::array<int, kFaultKinds> cap{};                  ///< kNoCap, or 0..budget
  std::array<int, 4> partition_cap{kNoCap, kNoCap, kNoCap, kNoCap};
  int budget = 0;  ///< 0..15
  /// Any number of faults of the allowed kinds: nothing is counted, caps do not count either. What
  /// proofs use. Requires: a budget above 0, whatever it is.
  bool unlimited = false;

  Faults() { cap.fill(kNoCap); }
  [[nodiscard]] bool allows(Fault kind) const {
    return budget > 0 && partitions[static_cast<std::size_t>(kind)] != 0;
  }
  [[nodiscard]] bool allows(Fault kind, int partition) const {
    return budget > 0 && ((partitions[static_cast<std::size_t>(kind)] >> partition) & 1) != 0;
  }
  /// Allows the kind in every partition.
  void allow(Fault kind) { partitions[static_cast<std::size_t>(kind)] = 0xff; }
  bool operator==(const Faults&) const = default;
};

}  // namespace fencepost::spec
