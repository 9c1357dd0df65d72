// A client that gives a message its stamp once, on states made by hand: what it sends, what a bump
// gives new stamps, what it makes of answers to stamps it gave up.
#include <gtest/gtest.h>

#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using spec::Concrete;
using spec::MessageStatus;
using spec::Mode;
using spec::Stage;
using State = spec::Model::State;

/// Partition 0 with messages 1 to 3 in flight as sequences 1 to 3 of epoch 0; message 0 is the warm
/// one, message 4 is unsent.
struct Bench {
  spec::Rules rules;
  State state{};
  Concrete d;

  explicit Bench(const std::string& variant = "java-3.9")
      : rules{behaviour(variant), instance(2, 4, 3, "disconnect,message-timeout", 3)} {
    spec::set_initial(d, state, rules);
    for (int i = 0; i < 3; ++i) client().send(0);
  }
  spec::Client<Concrete> client() { return {d, state, rules}; }
  spec::Partition<Concrete>& q(int p = 0) { return state.partition[p]; }
  MessageStatus status(int m) { return static_cast<MessageStatus>(q().status[m].v); }
  Mode mode() { return static_cast<Mode>(state.mode.v); }
  void answer(Stage stage) {
    q().request[0].stage.v = static_cast<std::uint8_t>(stage);
    spec::Answers<Concrete>{d, state, rules}.receive(0, false);
  }
};

TEST(GivenStamps, AreKeptByARetryWhichWaitsForTheLowest) {
  Bench bench;
  bench.answer(Stage::kNotLeader);
  EXPECT_TRUE(bench.client().can_send(0).value()) << "message 1 is the lowest";
  bench.client().send(0);
  EXPECT_EQ(bench.q().request[2].message.v, 1);
  EXPECT_EQ(bench.q().request[2].sequence.v, 1);
  bench.answer(Stage::kOutOfOrder);
  EXPECT_EQ(bench.status(2), MessageStatus::kRetry);
  EXPECT_EQ(bench.mode(), Mode::kAssigned) << "not the next expected: no bump";
  EXPECT_FALSE(bench.client().can_send(0).value()) << "message 1 is in flight";
}

TEST(GivenStamps, AreNewForThePendingMessagesOfThePartitionThatBumps) {
  Bench bench;
  bench.client().send(1);
  bench.answer(Stage::kNotLeaderAfterAppend);
  bench.answer(Stage::kPermanentError);
  EXPECT_EQ(bench.mode(), Mode::kDraining);
  EXPECT_FALSE(bench.client().can_send(0).value()) << "the bump comes first";
  EXPECT_TRUE(bench.client().can_complete_bump().value()) << "whatever is in flight";
  bench.client().bump();
  EXPECT_EQ(bench.q().epoch.v, 1);
  EXPECT_EQ(bench.q().sequence[1].v, 0);
  EXPECT_EQ(bench.q().sequence[3].v, 1) << "without a gap where message 2 was";
  EXPECT_EQ(bench.q().next_sequence.v, 2);
  EXPECT_EQ(bench.q().next_ack.v, 0);
  EXPECT_EQ(bench.q(1).epoch.v, 0) << "the other partition keeps its stamps";
  EXPECT_EQ(bench.q(1).sequence[1].v, 1);
  bench.answer(Stage::kOutOfOrder);
  EXPECT_EQ(bench.mode(), Mode::kAssigned) << "message 3 has a new stamp by now: no other bump";
  EXPECT_EQ(bench.status(3), MessageStatus::kRetry);
}

TEST(GivenStamps, AnAcknowledgementOfAnOldOneCountsForTheNew) {
  Bench bench;
  bench.answer(Stage::kPermanentError);
  bench.client().bump();
  bench.answer(Stage::kOk);
  EXPECT_EQ(bench.status(2), MessageStatus::kDelivered);
  EXPECT_EQ(bench.q().next_ack.v, 1);
}

TEST(GivenStamps, ANewMessageWaitsForThoseOfTheOldEpoch) {
  Bench bench;
  bench.state.epoch.v = 1;  // another partition's bump
  bench.answer(Stage::kOk);
  EXPECT_FALSE(bench.client().can_send(0).value());
  bench.answer(Stage::kOk);
  bench.answer(Stage::kOk);
  ASSERT_TRUE(bench.client().can_send(0).value());
  bench.client().send(0);
  EXPECT_EQ(bench.q().request[0].epoch.v, 1);
  EXPECT_EQ(bench.q().request[0].sequence.v, 0);
}

TEST(GivenStamps, OfAnIdlePartitionGoOnInTheNewEpochBefore28) {
  Bench bench("java-2.7");
  for (int i = 0; i < 3; ++i) bench.answer(Stage::kOk);
  bench.state.epoch.v = 1;
  bench.client().send(0);
  EXPECT_EQ(bench.q().request[0].epoch.v, 1);
  EXPECT_EQ(bench.q().request[0].sequence.v, 4) << "KAFKA-12152";
}

TEST(GivenStamps, OfAPartitionWithRequestsInFlightStartAgainWithTheLastAcknowledgementBefore28) {
  Bench bench("java-2.7");
  bench.state.epoch.v = 1;
  for (int i = 0; i < 3; ++i) bench.answer(Stage::kOk);
  bench.client().send(0);
  EXPECT_EQ(bench.q().request[0].epoch.v, 1);
  EXPECT_EQ(bench.q().request[0].sequence.v, 0);
}

TEST(GivenStamps, OfOneThatExpiredLeaveThePartitionInDoubt) {
  Bench bench;
  bench.answer(Stage::kOk);
  bench.answer(Stage::kNotLeader);
  bench.answer(Stage::kNotLeader);
  bench.client().fail_prefix(0, 2, false);
  EXPECT_EQ(bench.status(2), MessageStatus::kFailed);
  EXPECT_EQ(bench.q().expired_next.v, 3);
  bench.client().send(0);
  EXPECT_FALSE(bench.client().can_send(0).value()) << "nothing new in doubt";
  bench.answer(Stage::kOutOfOrder);
  EXPECT_EQ(bench.mode(), Mode::kDraining) << "it follows the one that expired: a gap";
}

TEST(GivenStamps, AreResolvedByASuccessBehindTheOneThatExpired) {
  Bench bench;
  bench.answer(Stage::kOk);
  bench.answer(Stage::kNotLeader);
  bench.answer(Stage::kNotLeader);
  bench.client().fail_prefix(0, 2, false);
  bench.client().send(0);
  bench.answer(Stage::kOk);
  EXPECT_EQ(bench.q().expired_next.v, 0);
  EXPECT_EQ(bench.mode(), Mode::kAssigned) << "what expired was in the log";
}

TEST(GivenStamps, MoveDownBehindAFailureBefore26) {
  Bench bench("java-2.4");
  bench.answer(Stage::kPermanentError);
  EXPECT_EQ(bench.mode(), Mode::kAssigned);
  EXPECT_EQ(bench.q().sequence[2].v, 1);
  EXPECT_EQ(bench.q().sequence[3].v, 2);
  EXPECT_EQ(bench.q().next_sequence.v, 3);
  bench.answer(Stage::kOutOfOrder);
  EXPECT_EQ(bench.status(2), MessageStatus::kRetry) << "its new stamp has not been tried";
}

TEST(GivenStamps, OfAnIdGivenUpAreNotRetriedBefore26) {
  Bench bench("java-2.4");
  bench.answer(Stage::kOutOfOrder);
  EXPECT_EQ(bench.status(1), MessageStatus::kFailedFalsely);
  ASSERT_EQ(bench.mode(), Mode::kDraining);
  bench.client().bump();
  bench.answer(Stage::kNotLeader);
  EXPECT_EQ(bench.status(2), MessageStatus::kFailedFalsely) << "dropped";
  bench.answer(Stage::kOk);
  EXPECT_EQ(bench.status(3), MessageStatus::kDelivered);
  bench.client().send(0);
  EXPECT_EQ(bench.q().request[0].epoch.v, 1);
  EXPECT_EQ(bench.q().request[0].sequence.v, 0);
}

}  // namespace
}  // namespace fencepost::testing
