#include "spec/transactions/actions.h"

#include <array>

namespace fencepost::spec::transactions {
namespace {

constexpr std::array<std::string_view, kActionKinds> kNames{
    "start",
    "take-request",
    "receive",
    "read-position",
    "begin",
    "add-partition",
    "send",
    "take-produce",
    "receive-produce",
    "commit",
    "abort",
    "bump-inside",
    "write-marker",
    "complete",
    "time-out-abandoned",
    "take-late-request",
    "take-late-produce",
    "take-late-marker",
    "lose-answer",
    "leave-init",
    "leave-bump",
    "leave-request",
    "disconnect",
    "leave-produce",
    "refuse",
    "time-out-message",
    "application-abort",
    "move-coordinator",
    "time-out-transaction",
    "expire-transactional-id",
    "expire-producer-id",
    "leave-marker",
    "crash",
};

/// Builds the list of one instance.
struct Builder {
  const Rules& r;
  std::vector<Action> list;

  void add(ActionKind kind, int i = -1, int p = -1, int k = -1) { list.push_back({kind, i, p, k}); }

  void of_producer(int i) {
    const bool transactional = r.behaviour.transactional;
    if (i > 0) add(ActionKind::kStart, i);
    for (const auto kind : {ActionKind::kTakeRequest, ActionKind::kReceive, ActionKind::kBegin,
                            ActionKind::kCommit, ActionKind::kAbort}) {
      add(kind, i);
    }
    if (r.instance.offsets) add(ActionKind::kReadPosition, i);
    if (r.behaviour.later == OutOfOrder::kBumpInside ||
        r.behaviour.next_expected == OutOfOrder::kBumpInside) {
      add(ActionKind::kBumpInside, i);
    }
    for (int p = 0; p < r.partitions(); ++p) {
      if (transactional && !r.behaviour.version_two) add(ActionKind::kAddPartition, i, p);
      add(ActionKind::kSend, i, p);
      for (int k = 0; k < r.instance.in_flight; ++k) add(ActionKind::kTakeProduce, i, p, k);
      add(ActionKind::kReceiveProduce, i, p);
    }
  }
  void of_coordinator() {
    if (!r.behaviour.transactional) return;
    for (int p = 0; p < r.partitions(); ++p) add(ActionKind::kWriteMarker, -1, p);
    add(ActionKind::kComplete);
    add(ActionKind::kTimeOutAbandoned);
  }
  void late() {
    for (int i = 0; i < r.instance.producers; ++i) {
      for (int k = 0; k < r.instance.late && r.instance.faults.allows_late(); ++k) {
        add(ActionKind::kTakeLateRequest, i, -1, k);
      }
      for (int p = 0; p < r.partitions() && r.allows(Fault::kLateProduce); ++p) {
        add(ActionKind::kTakeLateProduce, i, p);
      }
    }
    for (int p = 0; p < r.partitions() && r.allows(Fault::kLateMarker); ++p) {
      add(ActionKind::kTakeLateMarker, -1, p);
    }
  }

  void fault(Fault fault) {
    const auto kind =
        static_cast<ActionKind>(static_cast<int>(kFirstFault) + static_cast<int>(fault));
    switch (fault) {
      case Fault::kAnswerLost:
      case Fault::kLateInit:
      case Fault::kLateBump:
      case Fault::kLateRequest:
      case Fault::kApplicationAbort:
      case Fault::kCrash:
        for (int i = 0; i < r.instance.producers; ++i) add(kind, i);
        return;
      case Fault::kDisconnect:
      case Fault::kMessageTimeout:
        for (int i = 0; i < r.instance.producers; ++i) {
          for (int p = 0; p < r.partitions(); ++p) add(kind, i, p);
        }
        return;
      case Fault::kLateProduce:
      case Fault::kNotLeader:
        for (int i = 0; i < r.instance.producers; ++i) {
          for (int p = 0; p < r.partitions(); ++p) {
            for (int k = 0; k < r.instance.in_flight; ++k) add(kind, i, p, k);
          }
        }
        return;
      case Fault::kCoordinatorMove:
      case Fault::kTransactionTimeout:
      case Fault::kTransactionalIdExpiry:
        return add(kind);
      case Fault::kProducerIdExpiry:
        for (int p = 0; p < r.partitions(); ++p) {
          for (int id = 1; id <= r.instance.ids; ++id) add(kind, -1, p, id);
        }
        return;
      case Fault::kLateMarker:
        for (int p = 0; p < r.partitions(); ++p) add(kind, -1, p);
        return;
    }
  }
};

}  // namespace

std::string_view action_name(ActionKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::string action_text(const Action& action) {
  std::string text(action_name(action.kind));
  if (action.i >= 0) text += " producer=" + std::to_string(action.i);
  if (action.p >= 0) text += " partition=" + std::to_string(action.p);
  if (action.k >= 0) text += " slot=" + std::to_string(action.k);
  return text;
}

std::vector<Action> actions(const Rules& rules) {
  Builder builder{rules, {}};
  for (int i = 0; i < rules.instance.producers; ++i) builder.of_producer(i);
  builder.of_coordinator();
  builder.late();
  for (int k = 0; k < kFaultKinds; ++k) {
    if (rules.allows(static_cast<Fault>(k))) builder.fault(static_cast<Fault>(k));
  }
  return builder.list;
}

}  // namespace fencepost::spec::transactions
