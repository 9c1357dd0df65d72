// Every nondeterministic choice of the transactional cluster, as data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "impl/transactions/state.h"

namespace fencepost::impl::transactions {

enum class ChoiceKind : std::uint8_t {
  // Free.
  kStart,         ///< instance `i` starts
  kTakeRequest,   ///< the coordinator takes the request of instance `i`
  kEndWrite,      ///< the record that the coordinator writes is in the log
  kReceive,       ///< instance `i` takes the coordinator's answer
  kReadPosition,  ///< instance `i` reads the committed position
  kBegin,
  kAddPartition,
  kSend,
  kTakeProduce,     ///< the leader of `p` takes the next request of instance `i`
  kReceiveProduce,  ///< instance `i` takes the oldest answer of partition `p`
  kCommit,
  kAbort,
  kBumpInside,
  kSendMarker,    ///< the coordinator sends the marker of partition `p`
  kWriteMarker,   ///< the leader of `p` appends it
  kAnswerMarker,  ///< the coordinator hears of it
  kComplete,      ///< the coordinator begins to write the end of the transaction
  kTimeOutAbandoned,
  // Free, but nobody is obliged to.
  kTakeLateRequest,  ///< slot `k`
  kTakeLateProduce,
  kTakeLateMarker,
  // Faults, in the order of spec::transactions::Fault.
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
inline constexpr int kChoiceKinds = 36;
inline constexpr ChoiceKind kFirstFault = ChoiceKind::kLoseAnswer;
inline constexpr bool is_fair(ChoiceKind kind) { return kind < ChoiceKind::kTakeLateRequest; }
inline constexpr bool is_fault(ChoiceKind kind) { return kind >= kFirstFault; }
/// Requires: it is a fault.
inline constexpr shared::Fault fault_of(ChoiceKind kind) {
  return static_cast<shared::Fault>(static_cast<int>(kind) - static_cast<int>(kFirstFault));
}

/// `i` is the instance, `p` the partition, `k` a slot or a producer id; -1 where there is none.
struct Choice {
  ChoiceKind kind{};
  int i = -1;
  int p = -1;
  int k = -1;
  bool operator==(const Choice&) const = default;
};

/// Where the spec has the same step, its name.
std::string_view choice_name(ChoiceKind kind);
/// "take-produce producer=0 partition=1".
std::string choice_text(const Choice& choice);

/// All choices of an instance, in a fixed order, whether enabled or not.
std::vector<Choice> choices(const Rules& rules);

}  // namespace fencepost::impl::transactions
