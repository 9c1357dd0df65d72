// The actions: named pairs of guard and effect with small enumerated parameters. The list of an
// instance holds the free actions and those fault actions whose kind it allows.
#pragma once

#include <string>
#include <vector>

#include "spec/transactions/faults.h"

namespace fencepost::spec::transactions {

enum class ActionKind : std::uint8_t {
  // Free, weakly fair.
  kStart,
  kTakeRequest,
  kReceive,
  kReadPosition,
  kBegin,
  kAddPartition,
  kSend,
  kTakeProduce,
  kReceiveProduce,
  kCommit,
  kAbort,
  kBumpInside,
  kWriteMarker,
  kComplete,
  kTimeOutAbandoned,
  // Free, but nobody is obliged to.
  kTakeLateRequest,
  kTakeLateProduce,
  kTakeLateMarker,
  // Faults, in the order of `Fault`.
  kLoseAnswer,
  kLeaveInit,
  kLeaveBump,
  kLeaveRequest,
  kDisconnect,
  kLeaveProduce,
  kRefuse,
  kTimeOutMessage,
  kApplicationAbort,
  kMoveCoordinator,
  kTimeOutTransaction,
  kExpireTransactionalId,
  kExpireProducerId,
  kLeaveMarker,
  kCrash,
};
inline constexpr int kActionKinds = 33;
inline constexpr ActionKind kFirstFault = ActionKind::kLoseAnswer;

/// `i` is the producer instance, `p` the partition, `k` a slot or (expire-producer-id) the id; -1
/// where the action has none.
struct Action {
  ActionKind kind{};
  int i = -1;
  int p = -1;
  int k = -1;
  bool operator==(const Action&) const = default;
};

std::string_view action_name(ActionKind kind);
/// Name and parameters on one line, unique within an instance.
std::string action_text(const Action& action);
/// All actions of the instance, in a fixed order.
std::vector<Action> actions(const Rules& rules);

inline bool is_fair(ActionKind kind) { return kind < ActionKind::kTakeLateRequest; }
inline bool is_fault(ActionKind kind) { return kind >= kFirstFault; }
/// Requires: it is a fault.
inline Fault fault_of(ActionKind kind) {
  return static_cast<Fault>(static_cast<int>(kind) - static_cast<int>(kFirstFault));
}

/// Guards and effects by action: the one place that binds names to steps.
template <class D>
struct Steps {
  using Num = typename D::Num;
  using Bool = typename D::Bool;

  D& d;
  State<D>& s;
  const Rules& r;

  [[nodiscard]] Bool guard(const Action& x) const {
    if (is_fault(x.kind)) {
      return FaultSteps<D>{d, s, r}.affordable(fault_of(x.kind)) && fault_guard(x);
    }
    const FaultSteps<D> f{d, s, r};
    const PartitionSteps<D> leader{d, s, r};
    const CoordinatorSteps<D> coordinator{d, s, r};
    switch (x.kind) {
      case ActionKind::kWriteMarker:
        return leader.can_write_marker(x.p);
      case ActionKind::kComplete:
        return coordinator.can_complete();
      case ActionKind::kTimeOutAbandoned:
        return f.is_abandoned();
      case ActionKind::kTakeLateRequest:
        return f.can_take_late(x.k, x.i);
      case ActionKind::kTakeLateProduce:
        return leader.can_take_late(x.p, x.i);
      case ActionKind::kTakeLateMarker:
        return leader.can_take_late_marker(x.p);
      default:
        return producer_guard(x);
    }
  }

  [[nodiscard]] Bool producer_guard(const Action& x) const {
    const ProducerSteps<D> q{d, s, r, x.i};
    const MessageSteps<D> messages{d, s, r, x.i};
    const CoordinatorSteps<D> coordinator{d, s, r};
    switch (x.kind) {
      case ActionKind::kStart:
        return q.can_start();
      case ActionKind::kTakeRequest:
        return q.is_sent() && !coordinator.waits(q.request());
      case ActionKind::kReceive:
        return q.can_receive();
      case ActionKind::kReadPosition:
        return q.can_position();
      case ActionKind::kBegin:
        return q.can_begin();
      case ActionKind::kAddPartition:
        return messages.can_add(x.p);
      case ActionKind::kSend:
        return messages.can_send(x.p);
      case ActionKind::kTakeProduce:
        return messages.can_take(x.p, x.k);
      case ActionKind::kReceiveProduce:
        return messages.can_receive_produce(x.p);
      case ActionKind::kCommit:
        return q.can_commit();
      case ActionKind::kAbort:
        return q.can_abort();
      case ActionKind::kBumpInside:
        return q.can_bump_inside();
      default:
        return Bool(false);
    }
  }

  [[nodiscard]] Bool fault_guard(const Action& x) const {
    const FaultSteps<D> f{d, s, r};
    switch (fault_of(x.kind)) {
      case Fault::kAnswerLost:
        return f.can_lose_answer(x.i);
      case Fault::kLateInit:
        return f.can_leave_late(x.i) && f.asks(x.i, RequestKind::kInit);
      case Fault::kLateBump:
        return f.can_leave_late(x.i) && f.asks(x.i, RequestKind::kInitBump);
      case Fault::kLateRequest:
        return f.can_leave_late(x.i) && s.producer[x.i].request >= RequestKind::kAdd;
      case Fault::kDisconnect:
        return f.can_disconnect(x.i, x.p);
      case Fault::kLateProduce:
        return f.can_leave_produce(x.i, x.p, x.k);
      case Fault::kNotLeader:
        return !f.producer(x.i).is_fatal() && f.messages(x.i).next_is(x.p, x.k);
      case Fault::kMessageTimeout:
        return f.can_time_out_message(x.i, x.p);
      case Fault::kApplicationAbort:
        return f.can_abort(x.i);
      case Fault::kCoordinatorMove:
        return f.can_move();
      case Fault::kTransactionTimeout:
        return f.can_time_out();
      case Fault::kTransactionalIdExpiry:
        return f.can_expire();
      case Fault::kProducerIdExpiry:
        return f.can_expire_id(x.p, x.k);
      case Fault::kLateMarker:
        return f.can_leave_marker(x.p);
      case Fault::kCrash:
        return f.can_crash(x.i);
    }
    return Bool(false);
  }

  /// Requires: the guard holds.
  void effect(const Action& x) {
    if (is_fault(x.kind)) return fault_effect(x);
    FaultSteps<D> f{d, s, r};
    PartitionSteps<D> leader{d, s, r};
    CoordinatorSteps<D> coordinator{d, s, r};
    switch (x.kind) {
      case ActionKind::kWriteMarker:
        return leader.write_marker(x.p);
      case ActionKind::kComplete:
        return coordinator.complete_transaction();
      case ActionKind::kTimeOutAbandoned:
        return coordinator.time_out();
      case ActionKind::kTakeLateRequest:
        return f.take_late(x.k, x.i);
      case ActionKind::kTakeLateProduce:
        return leader.take_late(x.p, x.i);
      case ActionKind::kTakeLateMarker:
        return leader.take_late_marker(x.p);
      default:
        return producer_effect(x);
    }
  }

  void producer_effect(const Action& x) {
    ProducerSteps<D> q{d, s, r, x.i};
    MessageSteps<D> messages{d, s, r, x.i};
    CoordinatorSteps<D> coordinator{d, s, r};
    switch (x.kind) {
      case ActionKind::kStart:
        return q.start();
      case ActionKind::kTakeRequest:
        return coordinator.take(q.request());
      case ActionKind::kReceive:
        return q.receive();
      case ActionKind::kReadPosition:
        return q.position();
      case ActionKind::kBegin:
        return q.begin();
      case ActionKind::kAddPartition:
        return q.ask(RequestKind::kAdd, x.p);
      case ActionKind::kSend:
        return messages.send(x.p);
      case ActionKind::kTakeProduce:
        return messages.take(x.p, x.k);
      case ActionKind::kReceiveProduce:
        return messages.receive_produce(x.p);
      case ActionKind::kCommit:
        return q.commit();
      case ActionKind::kAbort:
        return q.abort();
      case ActionKind::kBumpInside:
        return q.bump_inside();
      default:
        return;
    }
  }

  void fault_effect(const Action& x) {
    FaultSteps<D> f{d, s, r};
    f.spend(fault_of(x.kind));
    switch (fault_of(x.kind)) {
      case Fault::kAnswerLost:
        return f.lose_answer(x.i);
      case Fault::kLateInit:
      case Fault::kLateBump:
      case Fault::kLateRequest:
        return f.leave_late(x.i);
      case Fault::kDisconnect:
        return f.disconnect(x.i, x.p);
      case Fault::kLateProduce:
        return f.leave_produce(x.i, x.p, x.k);
      case Fault::kNotLeader:
        return f.refuse(x.i, x.p, x.k);
      case Fault::kMessageTimeout:
        return f.time_out_message(x.i, x.p);
      case Fault::kApplicationAbort:
        return f.abort(x.i);
      case Fault::kCoordinatorMove:
        return f.move();
      case Fault::kTransactionTimeout:
        return f.coordinator().time_out();
      case Fault::kTransactionalIdExpiry:
        return f.expire();
      case Fault::kProducerIdExpiry:
        return f.expire_id(x.p, x.k);
      case Fault::kLateMarker:
        return f.leader().leave_marker(x.p);
      case Fault::kCrash:
        return f.crash(x.i);
    }
  }
};

/// The initial state: the first instance asks for its producer id.
template <class D>
void set_initial(D& d, State<D>& s, const Rules& r) {
  ProducerSteps<D>{d, s, r, 0}.start();
}

}  // namespace fencepost::spec::transactions
