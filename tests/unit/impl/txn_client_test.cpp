// A transactional client, stepped by events: what it sends, and what it does about errors.
#include "impl/transactions/client.h"

#include <gtest/gtest.h>

namespace fencepost::impl::transactions {
namespace {

using EventKind = ClientEvent::Kind;

struct Desk {
  Rules rules;
  Client state;
  Outbox out;
  Heard heard;

  Desk() {
    rules.instance.inputs = 3;
    rules.instance.attempts = 6;
    rules.instance.messages = 2;
    rules.instance.in_flight = 2;
  }
  void step(const ClientEvent& event) {
    ClientSteps steps(state, rules, 0);
    steps.step(event);
    out = steps.out();
    heard = steps.heard();
  }
  void step(EventKind kind) { step(ClientEvent{kind, 0, 0, {}}); }
  void answer(Code code, int pid = 0, int epoch = 0) {
    step({EventKind::kCoordinator, 0, 0, {code, pid, epoch}});
  }
  void produced(Code code) { step({EventKind::kProduced, 0, 0, {code, 0, 0}}); }
  /// Up to a transaction with its partition registered.
  void begin() {
    if (state.state == ClientState::kNotStarted) {
      step(EventKind::kStart);
      answer(Code::kNone, 1, 0);
    }
    step(EventKind::kBegin);
    if (rules.behaviour.version_two) return;
    step(EventKind::kRegister);
    answer(Code::kNone);
  }
  int sends() {
    step(EventKind::kSend);
    EXPECT_TRUE(out.sends);
    return out.batch.sequence;
  }
  [[nodiscard]] bool in(ClientState s) const { return state.state == s; }
  [[nodiscard]] ClientSteps steps() { return {state, rules, 0}; }
};

TEST(TxnClient, CommitsATransaction) {
  Desk desk;
  desk.step(EventKind::kStart);
  EXPECT_EQ(int{desk.out.call.api}, static_cast<int>(Api::kInitProducerId));
  EXPECT_EQ(int{desk.out.call.asks_bump}, 0);
  desk.begin();
  EXPECT_FALSE(desk.steps().can_commit());
  EXPECT_EQ(desk.sends(), 0);
  EXPECT_EQ(desk.sends(), 1);
  desk.produced(Code::kNone);
  desk.produced(Code::kNone);
  ASSERT_TRUE(desk.steps().can_commit());
  desk.step(EventKind::kCommit);
  EXPECT_EQ(int{desk.out.call.commit}, 1);
  desk.answer(Code::kNone);
  EXPECT_TRUE(desk.in(ClientState::kReady));
  EXPECT_EQ(desk.heard.told, 1);
  desk.begin();
  EXPECT_EQ(desk.sends(), 2);  // of the same epoch the sequences go on
}

TEST(TxnClient, ARetryKeepsItsStampAndGoesOutAlone) {
  Desk desk;
  desk.begin();
  desk.sends();
  desk.sends();
  desk.produced(Code::kNotLeader);
  EXPECT_FALSE(desk.steps().can_send(0));  // the other one is still in flight
  desk.produced(Code::kNotLeader);
  EXPECT_EQ(desk.sends(), 0);
  EXPECT_FALSE(desk.steps().can_send(0));
  desk.produced(Code::kNone);
  EXPECT_EQ(desk.sends(), 1);
}

/// A failed message leaves an abort, then a new epoch, then sequences from 0 as the only way on.
TEST(TxnClient, AnAbortableErrorIsLeftByAbortBumpAndSequencesFromZero) {
  Desk desk;
  desk.begin();
  desk.sends();
  desk.produced(Code::kInvalidEpoch);
  EXPECT_TRUE(desk.in(ClientState::kFenced));  // as this entry of the variant is fatal
  desk.state = {};
  desk.rules.behaviour.invalid_epoch = shared::OnError::kAbortAndBump;
  desk.begin();
  desk.sends();
  desk.produced(Code::kInvalidEpoch);
  EXPECT_TRUE(desk.in(ClientState::kAbortable));
  EXPECT_FALSE(desk.steps().can_commit());
  EXPECT_FALSE(desk.steps().can_send(0));
  ASSERT_TRUE(desk.steps().can_abort());
  desk.step(EventKind::kAbort);
  EXPECT_EQ(int{desk.out.call.api}, static_cast<int>(Api::kEndTxn));
  EXPECT_EQ(int{desk.out.call.commit}, 0);
  desk.answer(Code::kNone);
  EXPECT_EQ(int{desk.out.call.api}, static_cast<int>(Api::kInitProducerId));
  EXPECT_EQ(int{desk.out.call.asks_bump}, 1);
  EXPECT_EQ(int{desk.out.call.epoch}, 0);
  desk.answer(Code::kNone, 1, 1);
  EXPECT_EQ(desk.heard.told, 2);
  desk.begin();
  EXPECT_EQ(desk.sends(), 0);
  EXPECT_EQ(int{desk.out.batch.epoch}, 1);
}

TEST(TxnClient, WithoutAMappingTheEndIsSkipped) {
  Desk desk;
  desk.begin();
  desk.sends();
  desk.produced(Code::kInvalidMapping);
  desk.step(EventKind::kAbort);
  EXPECT_EQ(int{desk.out.call.api}, static_cast<int>(Api::kInitProducerId));
  desk.rules.behaviour.mapping_recovers = false;
  desk.state = {};
  desk.begin();
  desk.sends();
  desk.produced(Code::kInvalidMapping);
  EXPECT_TRUE(desk.in(ClientState::kFenced));
}

TEST(TxnClient, VersionTwoTakesItsEpochFromEveryEnd) {
  Desk desk;
  desk.rules.behaviour.version_two = true;
  desk.rules.behaviour.end_bumps = true;
  desk.begin();
  desk.sends();
  desk.sends();
  desk.produced(Code::kNone);
  desk.produced(Code::kNone);
  desk.step(EventKind::kCommit);
  desk.answer(Code::kNone, 1, 1);
  desk.begin();
  EXPECT_EQ(desk.sends(), 0);
  EXPECT_EQ(int{desk.out.batch.epoch}, 1);
}

TEST(TxnClient, AFencedInstanceIsOver) {
  Desk desk;
  desk.begin();
  desk.step(EventKind::kGiveUp);
  desk.answer(Code::kFenced);
  EXPECT_TRUE(desk.in(ClientState::kFenced));
  EXPECT_TRUE(desk.heard.ended);
  EXPECT_FALSE(desk.steps().calls());
}

}  // namespace
}  // namespace fencepost::impl::transactions
