// The window between flight and queue: when it opens, what the client does not see meanwhile, and
// what ends it.
#include <gtest/gtest.h>

#include "spec/lemmas.h"
#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using spec::Concrete;
using spec::MessageStatus;
using spec::Stage;
using State = spec::Model::State;

constexpr const char* kWindow = "librdkafka-conditional-bump-race";

/// Partition 0 with messages 1 and 2 in flight to broker 1; message 0 is warm, message 3 unsent.
struct Bench {
  spec::Rules rules;
  State state{};
  Concrete d;

  explicit Bench(const std::string& variant = kWindow)
      : rules{behaviour(variant), instance_w("leader-lost,disconnect,message-timeout", 3)} {
    spec::set_initial(d, state, rules);
    client().send(0);
    client().send(0);
  }
  spec::Client<Concrete> client() { return {d, state, rules}; }
  spec::Answers<Concrete> answers() { return {d, state, rules}; }
  spec::FaultSteps<Concrete> faults() { return {d, state, rules}; }
  spec::Partition<Concrete>& q() { return state.partition[0]; }
  void moves_to(int broker) { q().view.v = static_cast<std::uint8_t>(broker); }
  void answer(Stage stage) {
    q().request[0].stage.v = static_cast<std::uint8_t>(stage);
    ASSERT_TRUE(answers().can_receive(0).value());
    answers().receive(0, false);
  }
  /// Message 1 acknowledged, message 2 failed, and broker 2 known as the leader.
  void open() {
    answer(Stage::kOk);
    moves_to(2);
    answer(Stage::kNotLeader);
  }
};

TEST(RequeueWindow, OpensWithTheLastRequestOfAPartitionThatHasMoved) {
  Bench bench;
  bench.moves_to(2);
  bench.answer(Stage::kNotLeader);
  EXPECT_EQ(bench.q().between.v, 0) << "something is still in flight";
  bench.answer(Stage::kNotLeader);
  EXPECT_EQ(bench.q().between.v, 3);
  EXPECT_EQ(bench.q().between_at.v, 1);
  EXPECT_EQ(bench.client().head(bench.q()).value(), 1U) << "message 1 is back already";
}

TEST(RequeueWindow, StaysShutForTheThreadThatServesThePartition) {
  Bench bench;
  bench.answer(Stage::kOk);
  bench.answer(Stage::kNotLeader);
  EXPECT_EQ(bench.q().between.v, 0);
  Bench atomic("librdkafka-conditional-bump");
  atomic.open();
  EXPECT_EQ(atomic.q().between.v, 0);
}

TEST(RequeueWindow, HidesTheMessageFromWhoeverLooks) {
  Bench bench;
  bench.open();
  EXPECT_EQ(static_cast<MessageStatus>(bench.q().status[2].v), MessageStatus::kRetry);
  EXPECT_EQ(bench.client().head(bench.q()).value(), 3U) << "what follows it goes out";
  EXPECT_FALSE(bench.client().earlier_pending(bench.q(), 3).value());
  EXPECT_FALSE(bench.client().is_queued(0, 2).value()) << "it can neither expire nor be purged";
  EXPECT_TRUE(bench.client().can_send(0).value());
}

TEST(RequeueWindow, HoldsBackTheBumpAndTheThreadThatRequeues) {
  Bench bench;
  bench.open();
  bench.client().request_bump(0);
  EXPECT_FALSE(bench.client().can_complete_bump().value()) << "the instance's count goes down last";
  bench.state.mode.v = static_cast<std::uint8_t>(spec::Mode::kAssigned);
  bench.state.partition[1].view.v = 1;
  EXPECT_FALSE(bench.client().can_send(1).value()) << "broker 1's thread is busy";
  bench.state.partition[1].view.v = 2;
  EXPECT_TRUE(bench.client().can_send(1).value());
  bench.q().leader.v = 1;
  EXPECT_FALSE(bench.client().can_learn_leader(0).value()) << "nor does it take a partition over";
}

TEST(RequeueWindow, EndsWithTheRequeue) {
  Bench bench;
  EXPECT_FALSE(bench.client().can_requeue(0).value());
  bench.open();
  ASSERT_TRUE(bench.client().can_requeue(0).value());
  bench.client().requeue(0);
  EXPECT_EQ(bench.q().between.v, 0);
  EXPECT_EQ(bench.q().between_at.v, 0);
  EXPECT_EQ(bench.client().head(bench.q()).value(), 2U);
  EXPECT_TRUE(bench.client().earlier_pending(bench.q(), 3).value());
}

/// librdkafka looks for lower messages only where the acknowledged ids have a hole.
TEST(RequeueWindow, AMessageThatMissedItsImplicitAcknowledgementHasToBeSentAgain) {
  Bench bench;
  bench.open();
  bench.client().send(0);  // message 3
  bench.answer(Stage::kOk);
  EXPECT_EQ(static_cast<MessageStatus>(bench.q().status[2].v), MessageStatus::kRetry);
  bench.client().requeue(0);
  EXPECT_FALSE(bench.answers().skips_some(bench.q(), 4).value());
  EXPECT_TRUE(bench.client().can_send(0).value());
}

/// next_err_seq: the error of message 1 came last, so a success of message 2 is not expected.
TEST(RequeueWindow, ASuccessWhereAFailureWasExpectedIsFatal) {
  for (const int last_error : {1, 2}) {
    Bench bench;
    bench.open();
    bench.client().send(0);  // message 3
    bench.answer(Stage::kOk);
    bench.client().requeue(0);
    bench.client().send(0);  // message 2
    bench.q().next_error.v = static_cast<std::uint8_t>(last_error);
    bench.answer(Stage::kOk);
    EXPECT_EQ(static_cast<spec::Mode>(bench.state.mode.v),
              last_error == 2 ? spec::Mode::kFatal : spec::Mode::kAssigned);
    EXPECT_EQ(static_cast<MessageStatus>(bench.q().status[2].v), MessageStatus::kDelivered);
  }
}

TEST(RequeueWindow, NoLemmasAreClaimed) {
  const auto claimed = [](const char* variant) {
    return spec::lemmas_claimed({behaviour(variant), instance_w("leader-lost", 1)});
  };
  EXPECT_TRUE(claimed("librdkafka-deferred"));
  EXPECT_FALSE(claimed("librdkafka-deferred-race"));
}

}  // namespace
}  // namespace fencepost::testing
