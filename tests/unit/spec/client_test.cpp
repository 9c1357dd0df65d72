// The client's reactions, one row of the outcome table at a time, on states made by hand.
#include <gtest/gtest.h>

#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using spec::Concrete;
using spec::MessageStatus;
using spec::Mode;
using spec::Stage;
using State = spec::Model::State;

/// Partition 0 with messages 1 and 2 in flight as sequences 1 and 2 of epoch 0; message 0 is the
/// warm one, message 3 is unsent.
struct Bench {
  spec::Rules rules;
  State state{};
  Concrete d;

  explicit Bench(const std::string& variant = "librdkafka-2.15")
      : rules{behaviour(variant), instance_w("disconnect,purge,message-timeout", 3)} {
    spec::set_initial(d, state, rules);
    client().send(0);
    client().send(0);
  }
  spec::Client<Concrete> client() { return {d, state, rules}; }
  spec::Answers<Concrete> answers() { return {d, state, rules}; }
  spec::Partition<Concrete>& q(int p = 0) { return state.partition[p]; }
  MessageStatus status(int m) { return static_cast<MessageStatus>(q().status[m].v); }
  Mode mode() { return static_cast<Mode>(state.mode.v); }
  void answer(Stage stage) {
    q().request[0].stage.v = static_cast<std::uint8_t>(stage);
    ASSERT_TRUE(answers().can_receive(0).value());
    answers().receive(0, false);
  }
};

TEST(Client, SendsTheLowestQueuedMessageWithIdMinusBaseAsSequence) {
  Bench bench;
  EXPECT_EQ(bench.q().request[0].message.v, 1);
  EXPECT_EQ(bench.q().request[1].sequence.v, 2);
  EXPECT_EQ(bench.status(1), MessageStatus::kInFlight);
  EXPECT_FALSE(bench.client().can_send(0).value()) << "two are in flight";
}

TEST(Client, NotLeaderIsRetriedAsNotPersistedAndDrainsThePartition) {
  Bench bench;
  bench.answer(Stage::kNotLeaderAfterAppend);
  EXPECT_EQ(bench.status(1), MessageStatus::kRetry);
  EXPECT_EQ(bench.q().possibly[1].v, 0) << "the offset beside the error is ignored";
  EXPECT_EQ(bench.q().draining.v, 1);
  EXPECT_FALSE(bench.client().can_send(0).value());
  EXPECT_EQ(bench.mode(), Mode::kAssigned);
  bench.answer(Stage::kNotLeader);
  EXPECT_EQ(bench.q().draining.v, 0) << "nothing is in flight any more";
  EXPECT_TRUE(bench.client().can_send(0).value());
}

TEST(Client, PossiblyPersistedIsSticky) {
  Bench bench;
  bench.answer(Stage::kRequestTimedOut);
  bench.answer(Stage::kNotLeader);
  EXPECT_EQ(bench.q().possibly[1].v, 1);
  bench.client().send(0);
  bench.answer(Stage::kNotLeader);
  EXPECT_EQ(bench.q().possibly[1].v, 1);
}

TEST(Client, ALaterOutOfOrderBumpsTheWholeProducer) {
  Bench bench;
  bench.answer(Stage::kNotLeader);
  bench.answer(Stage::kOutOfOrder);
  EXPECT_EQ(bench.mode(), Mode::kDraining);
  EXPECT_TRUE(bench.client().can_complete_bump().value());
  EXPECT_FALSE(bench.client().can_send(1).value()) << "a drain freezes every partition";
  bench.client().bump();
  EXPECT_EQ(bench.state.epoch.v, 1);
  bench.client().send(0);
  EXPECT_EQ(bench.q().epoch.v, 1);
  EXPECT_EQ(bench.q().base.v, 1);
  EXPECT_EQ(bench.q().request[0].sequence.v, 0);
  EXPECT_EQ(bench.q().next_ack.v, 0);
}

TEST(Client, ANextExpectedOutOfOrderIsFatal) {
  Bench bench;
  bench.answer(Stage::kOutOfOrder);
  EXPECT_EQ(bench.mode(), Mode::kFatal);
  EXPECT_FALSE(bench.answers().can_receive(0).value());
}

TEST(Client, AnExcuseDoesNotExcuseAnEarlierFatalError) {
  Bench bench;
  bench.client().fatal(0);
  bench.q(1).cache_loss.v = static_cast<std::uint8_t>(spec::CacheLoss::kShrunk);
  bench.client().fatal(1);
  EXPECT_EQ(bench.mode(), Mode::kFatal);
}

TEST(Client, TheProposedFixRetriesALaterOutOfOrder) {
  Bench bench("librdkafka-pr-4972");
  bench.answer(Stage::kNotLeader);
  bench.answer(Stage::kOutOfOrder);
  EXPECT_EQ(bench.mode(), Mode::kAssigned);
  EXPECT_EQ(bench.status(2), MessageStatus::kRetry);
}

TEST(Client, TheConditionalBumpWaitsForEarlierMessages) {
  Bench bench("librdkafka-conditional-bump");
  bench.answer(Stage::kNotLeader);
  bench.answer(Stage::kOutOfOrder);
  EXPECT_EQ(bench.mode(), Mode::kAssigned) << "message 1 is unresolved";
  Bench gap("librdkafka-conditional-bump");
  gap.answer(Stage::kPermanentError);
  gap.state.mode.v = static_cast<std::uint8_t>(Mode::kAssigned);
  gap.answer(Stage::kOutOfOrder);
  EXPECT_EQ(gap.mode(), Mode::kDraining) << "message 1 has failed: nothing earlier is pending";
}

TEST(Client, AnUnresolvedHeadKeepsItsEpochWhereTheClientDefers) {
  Bench bench("librdkafka-deferred-naive");
  bench.answer(Stage::kNotLeader);
  bench.answer(Stage::kNotLeader);
  bench.state.epoch.v = 1;
  bench.client().send(0);
  EXPECT_EQ(bench.q().request[0].epoch.v, 0);
  EXPECT_EQ(bench.q().request[0].sequence.v, 1);
}

TEST(Client, AnAcknowledgementDeliversEarlierQueuedMessagesToo) {
  Bench bench;
  bench.answer(Stage::kNotLeader);
  bench.answer(Stage::kOk);
  EXPECT_EQ(bench.status(1), MessageStatus::kDelivered);
  EXPECT_EQ(bench.status(2), MessageStatus::kDelivered);
  EXPECT_EQ(bench.status(3), MessageStatus::kUnsent);
  EXPECT_EQ(bench.q().next_ack.v, 3);
}

TEST(Client, APermanentErrorFailsTheMessageAndBumps) {
  Bench bench;
  bench.answer(Stage::kPermanentError);
  EXPECT_EQ(bench.status(1), MessageStatus::kFailed);
  EXPECT_EQ(bench.mode(), Mode::kDraining);
}

TEST(Client, AStaleEpochIsAFalseFailureWithABump) {
  Bench bench;
  bench.answer(Stage::kInvalidEpoch);
  EXPECT_EQ(bench.status(1), MessageStatus::kFailedFalsely);
  EXPECT_EQ(bench.mode(), Mode::kDraining);
}

TEST(Client, TimeoutsBumpAndPurgesDoNot) {
  Bench timeout;
  timeout.client().fail_prefix(0, 3, timeout.rules.behaviour.message_timeout_bumps);
  EXPECT_EQ(timeout.status(3), MessageStatus::kFailed);
  EXPECT_EQ(timeout.status(1), MessageStatus::kInFlight) << "only what is queued";
  EXPECT_EQ(timeout.mode(), Mode::kDraining);
  Bench purge;
  purge.client().fail_prefix(0, 3, purge.rules.behaviour.purge_bumps);
  EXPECT_EQ(purge.mode(), Mode::kAssigned);
}

TEST(Client, ADisconnectFailsEverythingInFlightAndMayLeaveItBehind) {
  Bench bench;
  spec::FaultSteps<Concrete> faults{bench.d, bench.state, bench.rules};
  ASSERT_TRUE(faults.can_disconnect(0).value());
  EXPECT_FALSE(faults.can_disconnect(1).value()) << "nothing is in flight to broker 2";
  faults.disconnect(0, true, -1);
  EXPECT_EQ(bench.status(1), MessageStatus::kRetry);
  EXPECT_EQ(bench.q().possibly[2].v, 1);
  EXPECT_EQ(bench.q().in_flight.v, 0);
  EXPECT_EQ(bench.q().target.v, 0);
  EXPECT_EQ(bench.q().late_count.v, 2);
  EXPECT_EQ(bench.q().late[1].sequence.v, 2);
}

}  // namespace
}  // namespace fencepost::testing
