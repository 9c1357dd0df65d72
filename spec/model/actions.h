// The actions: named pairs of guard and effect with small enumerated parameters. The list of an
// instance holds the free actions and those fault actions whose kind it allows.
#pragma once

#include <string>
#include <vector>

#include "spec/model/faults.h"

namespace fencepost::spec {

enum class ActionKind : std::uint8_t {
  // Free, weakly fair.
  kSend,
  kReceive,
  kCompleteBump,
  kLearnLeader,
  kTake,
  kCommit,
  kElect,
  kLearnLeadership,
  kRequeue,
  // Free, but nobody is obliged to.
  kTakeLate,
  // Faults.
  kLoseLeader,
  kGoStale,
  kDisconnect,
  kDisconnectLate,
  kDisconnectExhausted,
  kDisconnectLateExhausted,
  kRequestTimeout,
  kTooFewReplicas,
  kTooFewReplicasAfterAppend,
  kMessageTimeout,
  kMessageTimeoutLeaderless,
  kPurge,
  kReceiveExhausted,
  kPermanentError,
  kCacheShrink,
  kExpire,
  kDeleteRecords,
  kRebuildState,
  kRestart,
  kElectUncleanly,
};
inline constexpr int kActionKinds = 30;

/// One action of an instance. What `a` and `b` are depends on the kind: elect: broker and number
/// of entries lost; take late: slot; timeouts and purge: last message; disconnect: broker in `a`;
/// delete records: the new log start.
struct Action {
  ActionKind kind{};
  int partition = -1;  ///< -1 if it concerns no single partition
  int a = -1;
  int b = -1;
  bool operator==(const Action&) const = default;
};

/// The name of a kind, as in traces and statistics.
std::string_view action_name(ActionKind kind);
/// Name and parameters on one line, unique within an instance: "elect partition=0 a=1 b=0".
std::string action_text(const Action& action);

/// All actions of the instance, in a fixed order.
std::vector<Action> actions(const Rules& rules);

/// True for actions that every fair run takes if they stay enabled.
inline bool is_fair(ActionKind kind) { return kind < ActionKind::kTakeLate; }

/// Guards and effects by action: the one place that binds names to steps.
template <class D>
struct Steps {
  using Num = typename D::Num;
  using Bool = typename D::Bool;

  D& d;
  State<D>& s;
  const Rules& r;

  [[nodiscard]] Bool guard(const Action& x) const {
    const Client<D> client{d, s, r};
    const Broker<D> broker{d, s, r};
    const int p = x.partition;
    switch (x.kind) {
      case ActionKind::kSend:
        return client.can_send(p);
      case ActionKind::kReceive:
        return Answers<D>{d, s, r}.can_receive(p);
      case ActionKind::kCompleteBump:
        return client.can_complete_bump();
      case ActionKind::kLearnLeader:
        return client.can_learn_leader(p);
      case ActionKind::kTake:
        return broker.can_take(p);
      case ActionKind::kCommit:
        return broker.can_commit(p);
      case ActionKind::kElect:
        return broker.can_elect(p, x.b);
      case ActionKind::kLearnLeadership:
        return broker.can_learn_leadership(p);
      case ActionKind::kRequeue:
        return client.can_requeue(p);
      case ActionKind::kTakeLate:
        return broker.can_take_late(p, x.a);
      default:
        return fault_guard(x);
    }
  }

  [[nodiscard]] Bool fault_guard(const Action& x) const {
    const FaultSteps<D> f{d, s, r};
    const int p = x.partition;
    switch (x.kind) {
      case ActionKind::kLoseLeader:
        return f.affordable(Fault::kLeaderLost, p) && f.can_lose_leader(p);
      case ActionKind::kGoStale:
        return f.affordable(Fault::kStaleView, p) && f.can_go_stale(p);
      case ActionKind::kDisconnect:
        return f.affordable(Fault::kDisconnect, -1) && f.can_disconnect(x.a);
      case ActionKind::kDisconnectLate:
        return f.affordable(Fault::kLateRequest, -1) && f.can_leave_late(x.a);
      case ActionKind::kDisconnectExhausted:
        return f.affordable(Fault::kDisconnect, -1, 2) &&
               f.affordable(Fault::kRetriesExhausted, p, 2) && f.client().alive() &&
               f.in_flight_to(p, x.a) && !f.client().busy(Num(x.a + 1));
      case ActionKind::kDisconnectLateExhausted:
        return f.affordable(Fault::kLateRequest, -1, 2) &&
               f.affordable(Fault::kRetriesExhausted, p, 2) && f.can_leave_late(x.a) &&
               f.in_flight_to(p, x.a);
      case ActionKind::kRequestTimeout:
        return f.affordable(Fault::kRequestTimeout, p) && f.can_give_up_waiting(p);
      case ActionKind::kTooFewReplicas:
        return f.affordable(Fault::kTooFewReplicas, p) && f.broker().can_refuse(p);
      case ActionKind::kTooFewReplicasAfterAppend:
        return f.affordable(Fault::kTooFewReplicasAfterAppend, p) && f.can_give_up_waiting(p);
      case ActionKind::kMessageTimeout:
        return f.affordable(Fault::kMessageTimeout, p) && f.can_time_out(p, x.a, false);
      case ActionKind::kMessageTimeoutLeaderless:
        return f.affordable(Fault::kMessageTimeoutLeaderless, p) && f.can_time_out(p, x.a, true);
      case ActionKind::kPurge:
        return f.affordable(Fault::kPurge, p) && f.can_purge(p, x.a);
      case ActionKind::kReceiveExhausted:
        return f.affordable(Fault::kRetriesExhausted, p) && f.can_exhaust(p);
      case ActionKind::kPermanentError:
        return f.affordable(Fault::kPermanentError, p) && f.broker().can_refuse(p);
      case ActionKind::kCacheShrink:
        return f.affordable(Fault::kCacheShrink, p) && f.can_shrink(p);
      case ActionKind::kExpire:
        return f.affordable(Fault::kExpiry, p) && f.can_expire(p);
      case ActionKind::kDeleteRecords:
        return f.affordable(Fault::kRetention, p) && f.can_delete(p, x.a);
      case ActionKind::kRebuildState:
        return f.affordable(Fault::kStateRebuilt, p) && f.can_rebuild(p);
      case ActionKind::kRestart:
        return f.affordable(Fault::kProducerRestart, -1) && f.can_restart();
      case ActionKind::kElectUncleanly:
        return f.affordable(Fault::kUncleanElection, p) && f.broker().can_elect_uncleanly(p, x.b);
      default:
        return Bool(false);
    }
  }

  /// Requires: the guard holds.
  void effect(const Action& x) {
    Client<D> client{d, s, r};
    Broker<D> broker{d, s, r};
    const int p = x.partition;
    switch (x.kind) {
      case ActionKind::kSend:
        return client.send(p);
      case ActionKind::kReceive:
        return Answers<D>{d, s, r}.receive(p, false);
      case ActionKind::kCompleteBump:
        return client.bump();
      case ActionKind::kLearnLeader:
        return client.learn_leader(p);
      case ActionKind::kTake:
        return broker.take(p);
      case ActionKind::kCommit:
        return broker.commit(p);
      case ActionKind::kElect:
        return broker.elect(p, x.a, x.b);
      case ActionKind::kLearnLeadership:
        return broker.learn_leadership(p);
      case ActionKind::kRequeue:
        return client.requeue(p);
      case ActionKind::kTakeLate:
        return broker.take_late(p, x.a);
      default:
        return fault_effect(x);
    }
  }

  void fault_effect(const Action& x) {
    FaultSteps<D> f{d, s, r};
    Client<D> client{d, s, r};
    Broker<D> broker{d, s, r};
    const int p = x.partition;
    switch (x.kind) {
      case ActionKind::kLoseLeader:
        f.spend(Fault::kLeaderLost, p);
        return f.lose_leader(p);
      case ActionKind::kGoStale:
        f.spend(Fault::kStaleView, p);
        return f.go_stale(p);
      case ActionKind::kDisconnect:
        f.spend(Fault::kDisconnect, -1);
        return f.disconnect(x.a, false, -1);
      case ActionKind::kDisconnectLate:
        f.spend(Fault::kLateRequest, -1);
        return f.disconnect(x.a, true, -1);
      case ActionKind::kDisconnectExhausted:
        f.spend(Fault::kDisconnect, -1);
        f.spend(Fault::kRetriesExhausted, p);
        return f.disconnect(x.a, false, p);
      case ActionKind::kDisconnectLateExhausted:
        f.spend(Fault::kLateRequest, -1);
        f.spend(Fault::kRetriesExhausted, p);
        return f.disconnect(x.a, true, p);
      case ActionKind::kRequestTimeout:
        f.spend(Fault::kRequestTimeout, p);
        return f.give_up_waiting(p, Stage::kRequestTimedOut);
      case ActionKind::kTooFewReplicas:
        f.spend(Fault::kTooFewReplicas, p);
        return broker.refuse(p, Stage::kNotEnoughReplicas);
      case ActionKind::kTooFewReplicasAfterAppend:
        f.spend(Fault::kTooFewReplicasAfterAppend, p);
        return f.give_up_waiting(p, Stage::kNotEnoughReplicasAfterAppend);
      case ActionKind::kMessageTimeout:
        f.spend(Fault::kMessageTimeout, p);
        return client.fail_prefix(p, x.a, r.behaviour.message_timeout_bumps);
      case ActionKind::kMessageTimeoutLeaderless:
        f.spend(Fault::kMessageTimeoutLeaderless, p);
        return client.fail_prefix(p, x.a, r.behaviour.leaderless_timeout_bumps);
      case ActionKind::kPurge:
        f.spend(Fault::kPurge, p);
        return client.fail_prefix(p, x.a, r.behaviour.purge_bumps);
      case ActionKind::kReceiveExhausted:
        f.spend(Fault::kRetriesExhausted, p);
        return f.answers().receive(p, true);
      case ActionKind::kPermanentError:
        f.spend(Fault::kPermanentError, p);
        return broker.refuse(p, Stage::kPermanentError);
      default:
        return state_fault_effect(x);
    }
  }

  /// What brokers and the producer forget.
  void state_fault_effect(const Action& x) {
    FaultSteps<D> f{d, s, r};
    const int p = x.partition;
    switch (x.kind) {
      case ActionKind::kCacheShrink:
        f.spend(Fault::kCacheShrink, p);
        return f.shrink(p);
      case ActionKind::kExpire:
        f.spend(Fault::kExpiry, p);
        return f.expire(p);
      case ActionKind::kDeleteRecords:
        f.spend(Fault::kRetention, p);
        return f.delete_records(p, x.a);
      case ActionKind::kRebuildState:
        f.spend(Fault::kStateRebuilt, p);
        return f.rebuild(p);
      case ActionKind::kRestart:
        f.spend(Fault::kProducerRestart, -1);
        return f.restart();
      case ActionKind::kElectUncleanly:
        f.spend(Fault::kUncleanElection, p);
        return f.broker().elect_uncleanly(p, x.a, x.b);
      default:
        return;
    }
  }
};

/// The initial state of every domain whose cells can be set: all queued, leaders elected and known.
template <class D>
void set_initial(D& d, State<D>& s, const Rules& r) {
  for (int p = 0; p < r.instance.partitions; ++p) {
    Partition<D>& q = s.partition[p];
    const int leader = 1 + p % r.instance.brokers;
    d.set(q.leader, leader);
    d.set(q.aware, 1);
    d.set(q.view, leader);
    if (r.instance.warm == 0) continue;
    d.set(q.status[0], MessageStatus::kDelivered);
    d.set(q.next_ack, 1);
    if (r.numbers_at_send()) d.set(q.next_sequence, 1);
    if (r.follows_errors()) d.set(q.next_error, 1);
    d.set(q.length, 1);
    d.set(q.watermark, 1);
  }
}

}  // namespace fencepost::spec
