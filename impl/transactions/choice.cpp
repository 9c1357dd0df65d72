#include "impl/transactions/choice.h"

namespace fencepost::impl::transactions {
namespace {

using shared::Fault;

constexpr std::array<std::string_view, kChoiceKinds> kNames{
    "start",
    "take-request",
    "end-write",
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
    "send-marker",
    "write-marker",
    "answer-marker",
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

struct Builder {
  const Rules& rules;
  std::vector<Choice> list;

  void add(ChoiceKind kind, int i = -1, int p = -1, int k = -1) { list.push_back({kind, i, p, k}); }
  void each_partition(ChoiceKind kind, int i = -1) {
    for (int p = 0; p < rules.partitions(); ++p) add(kind, i, p);
  }

  void of_instance(int i) {
    for (const auto kind : {ChoiceKind::kStart, ChoiceKind::kTakeRequest, ChoiceKind::kReceive,
                            ChoiceKind::kReadPosition, ChoiceKind::kBegin, ChoiceKind::kCommit,
                            ChoiceKind::kAbort, ChoiceKind::kBumpInside}) {
      add(kind, i);
    }
    for (const auto kind : {ChoiceKind::kAddPartition, ChoiceKind::kSend, ChoiceKind::kTakeProduce,
                            ChoiceKind::kReceiveProduce}) {
      each_partition(kind, i);
    }
  }
  void free() {
    for (int i = 0; i < rules.instance.producers; ++i) of_instance(i);
    add(ChoiceKind::kEndWrite);
    add(ChoiceKind::kComplete);
    add(ChoiceKind::kTimeOutAbandoned);
    for (const auto kind :
         {ChoiceKind::kSendMarker, ChoiceKind::kWriteMarker, ChoiceKind::kAnswerMarker}) {
      each_partition(kind);
    }
    for (int k = 0; k < rules.instance.late && rules.instance.faults.allows_late(); ++k) {
      add(ChoiceKind::kTakeLateRequest, -1, -1, k);
    }
    if (rules.instance.faults.allows(Fault::kLateProduce)) {
      each_partition(ChoiceKind::kTakeLateProduce);
    }
    if (rules.instance.faults.allows(Fault::kLateMarker)) {
      each_partition(ChoiceKind::kTakeLateMarker);
    }
  }

  void fault(ChoiceKind kind) {
    switch (kind) {
      case ChoiceKind::kMoveCoordinator:
      case ChoiceKind::kTimeOutTransaction:
      case ChoiceKind::kExpireTransactionalId:
        return add(kind);
      case ChoiceKind::kLeaveMarker:
        return each_partition(kind);
      case ChoiceKind::kExpireProducerId:
        for (int p = 0; p < rules.partitions(); ++p) {
          for (int id = 1; id <= rules.instance.ids; ++id) add(kind, -1, p, id);
        }
        return;
      case ChoiceKind::kDisconnect:
      case ChoiceKind::kLeaveProduce:
      case ChoiceKind::kRefuse:
      case ChoiceKind::kTimeOutMessage:
        for (int i = 0; i < rules.instance.producers; ++i) each_partition(kind, i);
        return;
      default:
        for (int i = 0; i < rules.instance.producers; ++i) add(kind, i);
    }
  }
};

}  // namespace

std::string_view choice_name(ChoiceKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::string choice_text(const Choice& choice) {
  std::string text(choice_name(choice.kind));
  if (choice.i >= 0) text += " producer=" + std::to_string(choice.i);
  if (choice.p >= 0) text += " partition=" + std::to_string(choice.p);
  if (choice.k >= 0) text += " slot=" + std::to_string(choice.k);
  return text;
}

std::vector<Choice> choices(const Rules& rules) {
  Builder builder{rules, {}};
  builder.free();
  for (int k = static_cast<int>(kFirstFault); k < kChoiceKinds; ++k) {
    const auto kind = static_cast<ChoiceKind>(k);
    if (rules.instance.faults.allows(fault_of(kind))) builder.fault(kind);
  }
  return builder.list;
}

}  // namespace fencepost::impl::transactions
