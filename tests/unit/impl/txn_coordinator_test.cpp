// The coordinator's tables, row by row, each from the documented behaviour of the brokers and not
// from the spec.
#include "impl/transactions/coordinator.h"

#include <gtest/gtest.h>

namespace fencepost::impl::transactions {
namespace {

using Kind = Decision::Kind;

constexpr int kExhausted = 4;  // stands for 32766

struct Desk {
  Rules rules;
  Coordinator state;

  Desk() {
    rules.behaviour.sends_epoch = true;
    rules.behaviour.foreign_id = shared::ForeignId::kFencedUnlessPrevious;
    rules.instance.epochs = 7;
    rules.instance.exhausted_at = kExhausted;
    rules.instance.ids = 3;
    state.memory = {1, 1, 0, 0, 2, TxnState::kEmpty, 0, 0};
    state.log = state.memory;
    state.ids_given = 1;
  }
  void version_two() {
    rules.behaviour.end_bumps = true;
    rules.behaviour.version_two = true;
  }
  [[nodiscard]] Decision decide(const Call& call) const {
    Coordinator copy = state;
    return CoordinatorSteps(copy, rules).decide(call);
  }
  [[nodiscard]] Decision init() const { return decide({Api::kInitProducerId, 0, 0, 0, 0, 0}); }
  [[nodiscard]] Decision bump(int pid, int epoch) const {
    return decide({Api::kInitProducerId, 1, 0, 0, pid, epoch});
  }
  [[nodiscard]] Decision add(int pid, int epoch) const {
    return decide({Api::kAddPartitions, 0, 0, 0, pid, epoch});
  }
  [[nodiscard]] Decision end(bool commit, int epoch, int pid = 1) const {
    return decide({Api::kEndTxn, 0, commit ? 1 : 0, 0, pid, epoch});
  }
  void in(TxnState s) {
    state.memory.state = s;
    state.memory.partitions = s == TxnState::kEmpty ? 0 : 1;
  }
};

void expect_answer(const Decision& decision, Code code) {
  EXPECT_EQ(decision.kind, Kind::kAnswer);
  EXPECT_EQ(int{decision.answer.code}, static_cast<int>(code));
}
void expect_write(const Decision& decision, TxnState state, int epoch, int last) {
  EXPECT_EQ(decision.kind, Kind::kWrite);
  EXPECT_TRUE(decision.next.in(state));
  EXPECT_EQ(int{decision.next.epoch}, epoch);
  EXPECT_EQ(int{decision.last_epoch}, last);
}

TEST(TxnCoordinatorInit, WithoutAnEpochBumpsAndForgetsTheLast) {
  Desk desk;
  expect_write(desk.init(), TxnState::kEmpty, 3, 0);
  desk.rules.behaviour.plain_init_forgets_last = false;
  expect_write(desk.init(), TxnState::kEmpty, 3, 3);
}

TEST(TxnCoordinatorInit, TheCurrentEpochIsBumpedAndKeptAsTheLast) {
  expect_write(Desk().bump(1, 2), TxnState::kEmpty, 3, 3);
}

TEST(TxnCoordinatorInit, TheLastEpochIsARetryAndGetsTheCurrentOne) {
  Desk desk;
  expect_answer(desk.bump(1, 1), Code::kFenced);
  desk.state.last_epoch = 1 + 1;
  const Decision retry = desk.bump(1, 1);
  expect_answer(retry, Code::kNone);
  EXPECT_EQ(int{retry.answer.epoch}, 2);
  expect_answer(desk.bump(1, 0), Code::kFenced);
}

TEST(TxnCoordinatorInit, AForeignIdIsFencedEvenWhileATransactionIsOngoing) {
  Desk desk;
  desk.in(TxnState::kOngoing);
  expect_answer(desk.bump(2, 2), Code::kFenced);
  desk.rules.behaviour.foreign_id = shared::ForeignId::kAccepted;
  EXPECT_EQ(desk.bump(2, 2).kind, Kind::kWrite);
}

TEST(TxnCoordinatorInit, AnOngoingTransactionIsFencedAndAborted) {
  Desk desk;
  desk.in(TxnState::kOngoing);
  const Decision abort = desk.init();
  expect_write(abort, TxnState::kPrepareAbort, 3, 0);
  EXPECT_EQ(int{abort.answer.code}, static_cast<int>(Code::kConcurrent));
}

TEST(TxnCoordinatorInit, WithoutAnEntryAnybodyGetsANewId) {
  Desk desk;
  desk.state.memory = {};
  const Decision fresh = desk.bump(1, 2);
  expect_write(fresh, TxnState::kEmpty, 0, 0);
  EXPECT_EQ(int{fresh.next.pid}, 2);
  desk.rules.behaviour.unknown_gets_id = false;
  expect_answer(desk.bump(1, 2), Code::kFenced);
  EXPECT_EQ(desk.init().kind, Kind::kWrite);
}

TEST(TxnCoordinatorInit, AnExhaustedEpochMakesANewId) {
  Desk desk;
  desk.state.memory.epoch = kExhausted;
  const Decision rotated = desk.bump(1, kExhausted);
  expect_write(rotated, TxnState::kEmpty, 0, 1 + kExhausted);
  EXPECT_EQ(int{rotated.next.pid}, 2);
  EXPECT_EQ(int{rotated.next.previous_pid}, 1);
  // The hole: the increment throws before the last epoch is looked at.
  desk.state.last_epoch = kExhausted;
  expect_answer(desk.bump(1, kExhausted - 1), Code::kUnexpected);
  desk.rules.behaviour.exhausted_throws = false;
  expect_answer(desk.bump(1, kExhausted - 1), Code::kNone);
}

TEST(TxnCoordinatorInit, APendingRecordOrPreparedTransactionMakesEverybodyWait) {
  Desk desk;
  desk.in(TxnState::kPrepareCommit);
  expect_answer(desk.init(), Code::kConcurrent);
  desk.in(TxnState::kEmpty);
  CoordinatorSteps(desk.state, desk.rules).begin_write(desk.init(), Why::kCall, 0);
  expect_answer(desk.init(), Code::kConcurrent);
  expect_answer(desk.bump(2, 0), Code::kConcurrent);
}

TEST(TxnCoordinatorAdd, ChecksIdThenEpochThenState) {
  Desk desk;
  expect_answer(desk.add(2, 2), Code::kInvalidMapping);
  expect_answer(desk.add(1, 1), Code::kFenced);
  expect_write(desk.add(1, 2), TxnState::kOngoing, 2, 0);
  desk.in(TxnState::kOngoing);
  expect_answer(desk.add(1, 2), Code::kNone);
  desk.in(TxnState::kPrepareAbort);
  expect_answer(desk.add(1, 2), Code::kConcurrent);
  expect_answer(desk.add(1, 1), Code::kFenced);
}

/// Transaction versions 0 and 1: what stands in the columns commit and abort, by state.
TEST(TxnCoordinatorEnd, VersionsBeforeTwo) {
  Desk desk;
  for (const bool commit : {true, false}) {
    desk.in(TxnState::kOngoing);
    const TxnState prepared = commit ? TxnState::kPrepareCommit : TxnState::kPrepareAbort;
    expect_write(desk.end(commit, 2), prepared, 2, 0);
    expect_answer(desk.end(commit, 1), Code::kFenced);
    expect_answer(desk.end(commit, 2, 2), Code::kInvalidMapping);
    desk.in(TxnState::kEmpty);
    expect_answer(desk.end(commit, 2), Code::kInvalidState);
    desk.in(TxnState::kCompleteCommit);
    expect_answer(desk.end(commit, 2), commit ? Code::kNone : Code::kInvalidState);
    desk.in(TxnState::kCompleteAbort);
    expect_answer(desk.end(commit, 2), commit ? Code::kInvalidState : Code::kNone);
    desk.in(prepared);
    expect_answer(desk.end(commit, 2), Code::kConcurrent);
  }
}

/// Version 2: a request of the epoch before is a retry, one of the current epoch is new.
TEST(TxnCoordinatorEnd, VersionTwo) {
  Desk desk;
  desk.version_two();
  desk.in(TxnState::kOngoing);
  expect_write(desk.end(true, 2), TxnState::kPrepareCommit, 3, 3);
  EXPECT_EQ(int{desk.end(true, 2).answer.epoch}, 3);
  expect_answer(desk.end(true, 1), Code::kFenced);
  for (const TxnState state :
       {TxnState::kEmpty, TxnState::kCompleteCommit, TxnState::kCompleteAbort}) {
    desk.in(state);
    expect_answer(desk.end(true, 2), Code::kInvalidState);
    expect_write(desk.end(false, 2), TxnState::kPrepareAbort, 3, 3);  // a bump without partitions
  }
  desk.in(TxnState::kCompleteCommit);
  expect_answer(desk.end(true, 1), Code::kNone);
  expect_answer(desk.end(false, 1), Code::kInvalidState);
  desk.in(TxnState::kCompleteAbort);
  expect_answer(desk.end(true, 1), Code::kInvalidState);
  expect_answer(desk.end(false, 1), Code::kNone);
}

/// An abort of the coordinator's own raises the epoch, too, and leaves no last epoch: a coordinator
/// that looks at it does not take the owner's request for a retry.
TEST(TxnCoordinatorEnd, VersionTwoAndAnAbortThatWasNotTheClients) {
  Desk desk;
  desk.version_two();
  desk.in(TxnState::kCompleteAbort);
  expect_answer(desk.end(false, 1), Code::kNone);
  desk.rules.behaviour.retry_needs_last = true;
  expect_answer(desk.end(false, 1), Code::kFenced);
  desk.state.last_epoch = 1 + 1;
  expect_answer(desk.end(false, 1), Code::kNone);
}

TEST(TxnCoordinatorEnd, VersionTwoRotatesAnExhaustedId) {
  Desk desk;
  desk.version_two();
  desk.in(TxnState::kOngoing);
  desk.state.memory.epoch = kExhausted;
  CoordinatorSteps steps(desk.state, desk.rules);
  const Decision end = desk.end(true, kExhausted);
  EXPECT_EQ(int{end.answer.pid}, 2);
  EXPECT_EQ(int{end.answer.epoch}, 0);
  steps.begin_write(end, Why::kCall, 0);
  steps.end_write();
  EXPECT_EQ(int{desk.state.memory.pid}, 1);
  EXPECT_EQ(int{desk.state.memory.epoch}, kExhausted + 1);
  desk.state.marker[0] = MarkerStage::kAnswered;
  steps.begin_write(steps.completion(), Why::kCompletion, 0);
  steps.end_write();
  EXPECT_EQ(int{desk.state.memory.pid}, 2);
  EXPECT_EQ(int{desk.state.memory.epoch}, 0);
  expect_answer(desk.end(true, kExhausted), Code::kNone);  // the retry names the old id
}

TEST(TxnCoordinatorLog, AMoveLosesWhatNoRecordHolds) {
  Desk desk;
  CoordinatorSteps steps(desk.state, desk.rules);
  steps.begin_write(desk.bump(1, 2), Why::kCall, 0);
  EXPECT_FALSE(steps.reload_forgets());
  steps.reload();  // before the record is in the log
  EXPECT_EQ(int{desk.state.memory.epoch}, 2);
  steps.begin_write(desk.bump(1, 2), Why::kCall, 0);
  steps.end_write();
  EXPECT_EQ(int{desk.state.last_epoch}, 1 + 2);
  EXPECT_TRUE(steps.reload_forgets());
  steps.reload();
  EXPECT_EQ(int{desk.state.memory.epoch}, 3);
  EXPECT_EQ(int{desk.state.last_epoch}, 0);
  expect_answer(desk.bump(1, 2), Code::kFenced);  // the retry's rule did not survive
}

TEST(TxnCoordinatorLog, AMoveOwesAPreparedTransactionAllItsMarkersAgain) {
  Desk desk;
  desk.rules.instance.partitions = 2;
  desk.in(TxnState::kOngoing);
  desk.state.memory.partitions = 3;
  CoordinatorSteps steps(desk.state, desk.rules);
  steps.begin_write(desk.end(true, 2), Why::kCall, 0);
  steps.end_write();
  desk.state.marker[0] = MarkerStage::kAnswered;
  EXPECT_TRUE(steps.reload_forgets());
  EXPECT_FALSE(steps.can_complete());
  steps.reload();
  EXPECT_EQ(int{desk.state.marker[0]}, static_cast<int>(MarkerStage::kOwed));
  EXPECT_EQ(int{desk.state.marker[1]}, static_cast<int>(MarkerStage::kOwed));
}

}  // namespace
}  // namespace fencepost::impl::transactions
