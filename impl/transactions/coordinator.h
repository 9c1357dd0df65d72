// The transaction coordinator: what it answers, which record it writes first, and what it finds in
// its log after a move. It decides on values and does no I/O. Sources, Kafka 1eb7644:
// TransactionCoordinator, TransactionMetadata, TransactionStateManager, TransactionLog.
#pragma once

#include "impl/transactions/state.h"

namespace fencepost::impl::transactions {

/// What the coordinator makes of a request.
struct Decision {
  enum class Kind : std::uint8_t {
    kAnswer,  ///< at once; nothing changes
    kWrite,   ///< a record first, then the answer
  };
  Kind kind = Kind::kAnswer;
  Answer answer;
  Record next;
  Int last_epoch;
  bool gives_id = false;
  bool challenges = false;   ///< observer: other instances lose their right
  bool establishes = false;  ///< observer: who waits for the answer has the right from now on
  bool renews = false;       ///< observer: the answer is an epoch that nothing has hit yet
};

/// Steps a coordinator in place.
class CoordinatorSteps {
 public:
  CoordinatorSteps(Coordinator& state, const Rules& rules) : c_(state), rules_(rules) {}

  /// Decides on a request, the coordinator staying as it is.
  [[nodiscard]] Decision decide(const Call& call) const;
  /// The transition is on its way into the log. Requires: nothing is pending.
  void begin_write(const Decision& decision, Why why, int who);
  /// Its record is in the log: the coordinator takes it over.
  void end_write();
  /// A new coordinator reads the log: what stood only in memory is gone.
  void reload();
  [[nodiscard]] bool reload_forgets() const;

  [[nodiscard]] bool busy() const {
    return !(c_.pending.why == Why::kNobody) || c_.memory.preparing();
  }
  [[nodiscard]] bool preparing() const { return c_.memory.preparing(); }
  [[nodiscard]] bool ongoing() const { return c_.memory.in(TxnState::kOngoing); }
  /// The partition is part of the transaction.
  [[nodiscard]] bool holds(int partition) const {
    return ((c_.memory.partitions >> partition) & 1) != 0;
  }
  [[nodiscard]] bool knows(int pid) const { return c_.memory.exists == 1 && c_.memory.pid == pid; }
  [[nodiscard]] bool is_current(int pid, int epoch) const {
    return knows(pid) && c_.memory.epoch == epoch;
  }

  /// The transaction's time is over: fences it and prepares the abort, in one write.
  void time_out();
  /// A partition's leader adds its partition itself (transaction version 2), in one write.
  void join(int partition);
  /// The entry has expired: a tombstone. Requires: neither ongoing nor prepared.
  void expire();

  [[nodiscard]] bool can_complete() const;
  [[nodiscard]] Decision completion() const;

 private:
  [[nodiscard]] const shared::Behaviour& behaviour() const { return rules_.behaviour; }
  [[nodiscard]] bool exhausted(int epoch) const {
    return rules_.instance.exhausted_at > 0 && epoch >= rules_.instance.exhausted_at;
  }
  [[nodiscard]] Decision init(const Call& call) const;
  [[nodiscard]] Decision init_settled(const Call& call, bool given) const;
  [[nodiscard]] bool is_foreign(const Call& call) const;
  [[nodiscard]] Decision add(const Call& call) const;
  [[nodiscard]] Decision end(const Call& call) const;
  [[nodiscard]] Decision end_with_bump(const Call& call) const;
  [[nodiscard]] Decision prepared(bool commit) const;
  [[nodiscard]] Decision fence(int bumps) const;
  [[nodiscard]] Decision initialised(Record next, int last) const;
  void install(const Record& record, int last_epoch);

  Coordinator& c_;
  const Rules& rules_;
};

}  // namespace fencepost::impl::transactions
