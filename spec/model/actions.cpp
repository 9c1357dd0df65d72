#include "spec/model/actions.h"

#include <array>

namespace fencepost::spec {
namespace {

constexpr std::array<std::string_view, kActionKinds> kNames{
    "send",
    "receive",
    "complete-bump",
    "learn-leader",
    "take",
    "commit",
    "elect",
    "learn-leadership",
    "requeue",
    "take-late",
    "lose-leader",
    "go-stale",
    "disconnect",
    "disconnect-late",
    "disconnect-exhausted",
    "disconnect-late-exhausted",
    "request-timeout",
    "too-few-replicas",
    "too-few-replicas-after-append",
    "message-timeout",
    "message-timeout-leaderless",
    "purge",
    "receive-exhausted",
    "permanent-error",
    "cache-shrink",
    "expire",
    "delete-records",
    "rebuild-state",
    "restart",
    "elect-uncleanly",
};

/// Builds the list of one instance.
struct Builder {
  const Rules& r;
  std::vector<Action> list;

  [[nodiscard]] int partitions() const { return r.instance.partitions; }
  void add(ActionKind kind, int p, int a = -1, int b = -1) { list.push_back({kind, p, a, b}); }

  void free_actions() {
    for (int p = 0; p < partitions(); ++p) {
      for (const auto kind :
           {ActionKind::kSend, ActionKind::kReceive, ActionKind::kTake, ActionKind::kCommit,
            ActionKind::kLearnLeader, ActionKind::kLearnLeadership}) {
        add(kind, p);
      }
    }
    add(ActionKind::kCompleteBump, -1);
    for (int p = 0; p < partitions() && r.requeues_later(); ++p) add(ActionKind::kRequeue, p);
    // Without a fault that takes a leader away no election can happen.
    for (int p = 0; p < partitions() && r.allows(Fault::kLeaderLost); ++p) {
      if (!r.instance.faults.allows(Fault::kLeaderLost, p)) continue;
      for (int b = 0; b < r.instance.brokers; ++b) {
        for (int lost = 0; lost <= r.instance.log - r.instance.warm; ++lost) {
          add(ActionKind::kElect, p, b, lost);
        }
      }
    }
    for (int p = 0; p < partitions() && r.allows(Fault::kLateRequest); ++p) {
      for (int i = 0; i < kMaxLate; ++i) add(ActionKind::kTakeLate, p, i);
    }
  }

  void per_partition(Fault fault, ActionKind kind) {
    for (int p = 0; p < partitions(); ++p) {
      if (r.instance.faults.allows(fault, p)) add(kind, p);
    }
  }
  void per_message(Fault fault, ActionKind kind) {
    for (int p = 0; p < partitions(); ++p) {
      if (!r.instance.faults.allows(fault, p)) continue;
      for (int m = r.instance.warm; m < r.messages(); ++m) add(kind, p, m);
    }
  }
  void per_broker(Fault fault, ActionKind kind) {
    for (int b = 0; b < r.instance.brokers && r.allows(fault); ++b) add(kind, -1, b);
  }

  /// A closed connection whose first message in flight has no retry left.
  void exhausted(Fault closing, ActionKind kind) {
    const Behaviour& b = r.behaviour;
    if (!r.allows(closing) || b.react(Outcome::kDisconnect) != Reaction::kRetry) return;
    if (!b.counts(Outcome::kDisconnect)) return;
    for (int p = 0; p < partitions(); ++p) {
      if (!r.instance.faults.allows(Fault::kRetriesExhausted, p)) continue;
      for (int k = 0; k < r.instance.brokers; ++k) add(kind, p, k);
    }
  }

  void unclean_elections() {
    const Faults& f = r.instance.faults;
    for (int p = 0; p < partitions(); ++p) {
      if (!f.allows(Fault::kUncleanElection, p) || !f.allows(Fault::kLeaderLost, p)) continue;
      for (int b = 0; b < r.instance.brokers; ++b) {
        for (int lost = 1; lost <= r.instance.log; ++lost) {
          add(ActionKind::kElectUncleanly, p, b, lost);
        }
      }
    }
  }

  void fault_actions() {
    per_partition(Fault::kLeaderLost, ActionKind::kLoseLeader);
    per_partition(Fault::kStaleView, ActionKind::kGoStale);
    per_broker(Fault::kDisconnect, ActionKind::kDisconnect);
    per_broker(Fault::kLateRequest, ActionKind::kDisconnectLate);
    exhausted(Fault::kDisconnect, ActionKind::kDisconnectExhausted);
    exhausted(Fault::kLateRequest, ActionKind::kDisconnectLateExhausted);
    per_partition(Fault::kRequestTimeout, ActionKind::kRequestTimeout);
    per_partition(Fault::kTooFewReplicas, ActionKind::kTooFewReplicas);
    per_partition(Fault::kTooFewReplicasAfterAppend, ActionKind::kTooFewReplicasAfterAppend);
    per_message(Fault::kMessageTimeout, ActionKind::kMessageTimeout);
    per_message(Fault::kMessageTimeoutLeaderless, ActionKind::kMessageTimeoutLeaderless);
    if (r.behaviour.purge_offered) per_message(Fault::kPurge, ActionKind::kPurge);
    per_partition(Fault::kRetriesExhausted, ActionKind::kReceiveExhausted);
    per_partition(Fault::kPermanentError, ActionKind::kPermanentError);
    per_partition(Fault::kCacheShrink, ActionKind::kCacheShrink);
    per_partition(Fault::kExpiry, ActionKind::kExpire);
    for (int p = 0; p < partitions(); ++p) {
      if (!r.instance.faults.allows(Fault::kRetention, p)) continue;
      for (int start = 1; start <= r.instance.log; ++start)
        add(ActionKind::kDeleteRecords, p, start);
    }
    per_partition(Fault::kStateRebuilt, ActionKind::kRebuildState);
    if (r.allows(Fault::kProducerRestart)) add(ActionKind::kRestart, -1);
    unclean_elections();
  }
};

}  // namespace

std::string_view action_name(ActionKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::string action_text(const Action& action) {
  std::string text(action_name(action.kind));
  if (action.partition >= 0) text += " partition=" + std::to_string(action.partition);
  if (action.a >= 0) text += " a=" + std::to_string(action.a);
  if (action.b >= 0) text += " b=" + std::to_string(action.b);
  return text;
}

std::vector<Action> actions(const Rules& rules) {
  Builder builder{rules, {}};
  builder.free_actions();
  builder.fault_actions();
  return builder.list;
}

}  // namespace fencepost::spec
