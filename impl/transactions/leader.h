// A partition's leader on the transactional side: the checks of a write, its log with control
// batches, the producer state, the last stable offset. Sources, Kafka 1eb7644: ReplicaManager
// (verification), UnifiedLog.analyzeAndValidateProducerState, ProducerAppendInfo,
// ProducerStateManager; GroupCoordinator for the offsets partition.
#pragma once

#include "impl/transactions/coordinator.h"

namespace fencepost::impl::transactions {

/// What the leader makes of a write.
struct Checked {
  enum class Kind : std::uint8_t {
    kWaits,  ///< the coordinator is busy: nothing happens yet
    kRefused,
    kDuplicate,
    kVerified,  ///< the coordinator said yes; the append is a step of its own
    kAppends,
  };
  Kind kind = Kind::kRefused;
  Code code = Code::kNone;
  bool adds = false;  ///< the leader first adds the partition to the transaction
};

/// What a read-committed reader makes of an entry.
enum class Fate : std::uint8_t { kOpen, kCommitted, kAborted, kControl };

/// Steps the leader of partition `p` in place.
class LeaderSteps {
 public:
  LeaderSteps(Leader& state, const Rules& rules, int p) : l_(state), rules_(rules), p_(p) {}

  /// The checks in the order of the leader: duplicate, verification, epoch, sequence. `guard`: the
  /// batch was verified under it.
  [[nodiscard]] Checked check(const Batch& batch, const CoordinatorSteps& coordinator,
                              int guard = 0) const;
  /// The guard of a verification that begins: the one under way, or a new one. It lasts until the
  /// first append or a marker of the producer id (KAFKA-14904).
  int begin_verification(int pid);
  /// Requires: `check` says so, and there is room.
  void append(const Batch& batch, bool stale);

  [[nodiscard]] bool accepts(const Marker& marker) const;
  /// Ends the producer's transaction here. Requires: `accepts`, and there is room.
  void append_marker(const Marker& marker);

  [[nodiscard]] bool can_forget(int pid) const;
  void forget(int pid) { entry(pid) = {}; }

  [[nodiscard]] bool full() const { return l_.log.size() >= rules_.instance.log; }
  /// Nothing is open: the last stable offset is the end of the log.
  [[nodiscard]] bool stable() const;
  /// An open batch is settled by the next marker of its producer id.
  [[nodiscard]] Fate fate(int offset) const;
  /// The position that the committed offsets stand for.
  [[nodiscard]] int position() const;

 private:
  [[nodiscard]] const shared::Behaviour& behaviour() const { return rules_.behaviour; }
  [[nodiscard]] ProducerEntry& entry(int pid) { return l_.producer[static_cast<std::size_t>(pid)]; }
  [[nodiscard]] const ProducerEntry& entry(int pid) const {
    return l_.producer[static_cast<std::size_t>(pid)];
  }
  [[nodiscard]] bool sequenced() const { return !rules_.instance.is_offsets(p_); }
  [[nodiscard]] bool must_verify(const Batch& batch) const;
  [[nodiscard]] Checked verify(const Batch& batch, const CoordinatorSteps& coordinator) const;
  [[nodiscard]] bool is_duplicate(const Batch& batch) const;
  [[nodiscard]] bool in_sequence(const Batch& batch) const;

  Leader& l_;
  const Rules& rules_;
  int p_;
};

}  // namespace fencepost::impl::transactions
