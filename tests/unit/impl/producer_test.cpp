// The producer by itself: batches, windows, drains, adoption, acknowledgements.
#include "impl/producer.h"

#include <gtest/gtest.h>

#include "spec/variant.h"

namespace fencepost::impl {
namespace {

/// Remembers what the producer said.
struct Heard : NoSink {
  std::vector<Batch<Large>> sent;
  std::vector<int> delivered_ids;
  std::vector<int> implicit_ids;
  std::vector<int> failed_ids;
  int bumps = 0;
  int drains = 0;
  int fatals = 0;

  void send(int /*p*/, const Batch<Large>& batch) { sent.push_back(batch); }
  void delivered(int /*p*/, const Message<Large>& message, bool implicit) {
    (implicit ? implicit_ids : delivered_ids).push_back(message.id);
  }
  void failed(int /*p*/, const Message<Large>& message, Why /*why*/, ErrorCode /*error*/) {
    failed_ids.push_back(message.id);
  }
  void drain(int /*p*/, int /*epoch*/) { ++drains; }
  void bumped(int /*id*/, int /*epoch*/) { ++bumps; }
  void fatal(int /*p*/) { ++fatals; }
};

class ProducerTest : public ::testing::Test {
 protected:
  ProducerTest() {
    const std::string spec = FENCEPOST_SOURCE_DIR "/spec";
    rules_.behaviour = spec::combine(spec::load_variant("librdkafka-2.15", spec + "/variants"),
                                     spec::load_variant("kafka-2.5-to-4.4", spec + "/brokers"));
    rules_.partitions = 2;
    event(ProducerEvent::Kind::kId, 0, 0, 0, 42);
    for (int p = 0; p < 2; ++p) event(ProducerEvent::Kind::kLeader, p, 1);
  }

  void event(ProducerEvent::Kind kind, int p, int broker = 0, int epoch = 0, int last = 0,
             const Ending& ending = {}) {
    Producer<Large, Heard> producer(state_, rules_, heard_);
    producer.step({kind, p, broker, epoch, last, ending});
  }
  void produce(int count, int p = 0) {
    for (int i = 0; i < count; ++i) event(ProducerEvent::Kind::kProduce, p);
  }
  void serve(int p = 0) { event(ProducerEvent::Kind::kServe, p); }
  void answer(ErrorCode error, int p = 0, int broker = 1) {
    Ending ending;
    ending.error = error;
    event(ProducerEvent::Kind::kAnswer, p, broker, 0, 0, ending);
  }
  ClientPartition<Large>& partition(int p = 0) {
    return state_.partition[static_cast<std::size_t>(p)];
  }
  [[nodiscard]] const Batch<Large>& last() const { return heard_.sent.back(); }

  ProducerRules rules_;
  ProducerState<Large> state_;
  Heard heard_;
};

TEST_F(ProducerTest, NumbersFromTheFirstMessageItSends) {
  produce(2);
  serve();
  serve();
  ASSERT_EQ(heard_.sent.size(), 2U);
  EXPECT_EQ(heard_.sent[0].first_id(), 1);
  EXPECT_EQ(heard_.sent[0].sequence, 0);
  EXPECT_EQ(heard_.sent[1].sequence, 1);
  EXPECT_EQ(state_.id, 42);
}

TEST_F(ProducerTest, TheWindowCountsMessages) {
  rules_.batch = 3;
  produce(9);
  serve();
  serve();  // 3 in flight: one more batch fits, as 3 is below 5
  serve();  // 6 in flight: none
  EXPECT_EQ(heard_.sent.size(), 2U);
  EXPECT_EQ(partition().messages_in_flight, 6);
}

TEST_F(ProducerTest, AFailedBatchIsRebuiltFromFirstToLast) {
  rules_.batch = 3;
  produce(3);
  serve();
  answer(ErrorCode::kNotEnoughReplicas);
  produce(3);
  rules_.batch = 100;  // more would fit now
  serve();
  EXPECT_EQ(last().first_id(), 1);
  EXPECT_EQ(last().last_id(), 3);
  EXPECT_EQ(last().sequence, 0);
}

TEST_F(ProducerTest, ABatchThatCannotBeRebuiltIsFatal) {
  rules_.batch = 3;
  produce(3);
  serve();
  answer(ErrorCode::kNotEnoughReplicas);
  rules_.batch = 2;
  serve();
  EXPECT_EQ(heard_.fatals, 1);
}

TEST_F(ProducerTest, RetriesGoBackInOrderAndWaitForWhatIsInFlight) {
  produce(3);
  serve();
  serve();
  answer(ErrorCode::kNotLeader);
  serve();  // message 2 is still in flight
  EXPECT_EQ(heard_.sent.size(), 2U);
  answer(ErrorCode::kNotLeader);
  serve();
  EXPECT_EQ(last().first_id(), 1);
  EXPECT_EQ(last().sequence, 0);
}

TEST_F(ProducerTest, ANewLeaderWaitsForTheOldOnesAnswers) {
  produce(2);
  serve();
  event(ProducerEvent::Kind::kLeader, 0, 2, 1);
  serve();
  EXPECT_EQ(heard_.sent.size(), 1U);
  answer(ErrorCode::kNone);
  serve();
  EXPECT_EQ(last().broker, 2);
}

TEST_F(ProducerTest, AnOlderLeaderEpochIsIgnored) {
  event(ProducerEvent::Kind::kLeader, 0, 2, 5);
  event(ProducerEvent::Kind::kLeader, 0, 1, 4);  // the old leader's hint, pointing at itself
  EXPECT_EQ(partition().leader, 2);
  event(ProducerEvent::Kind::kLeader, 0, 1, 5);
  EXPECT_EQ(partition().leader, 1);
}

TEST_F(ProducerTest, ABumpFreezesAllAndRenumbersFromTheHead) {
  produce(3);
  produce(1, 1);
  serve();
  serve();
  answer(ErrorCode::kNotLeader);
  answer(ErrorCode::kOutOfOrderSequence);  // sequence 1 above the next expected 0
  EXPECT_EQ(heard_.drains, 1);
  serve(1);
  EXPECT_EQ(heard_.sent.size(), 2U);
  event(ProducerEvent::Kind::kDrained, 0);
  EXPECT_EQ(heard_.bumps, 1);
  serve();
  EXPECT_EQ(last().first_id(), 1);
  EXPECT_EQ(last().epoch, 1);
  EXPECT_EQ(last().sequence, 0);
  serve(1);
  EXPECT_EQ(last().epoch, 1);  // adopted lazily, by the first to send
}

TEST_F(ProducerTest, ADrainWaitsForEveryPartition) {
  produce(2);
  produce(1, 1);
  serve();
  serve(1);
  answer(ErrorCode::kMessageTooLarge);
  event(ProducerEvent::Kind::kDrained, 0);
  EXPECT_EQ(heard_.bumps, 0);
  answer(ErrorCode::kNone, 1);
  event(ProducerEvent::Kind::kDrained, 0);
  EXPECT_EQ(heard_.bumps, 1);
}

TEST_F(ProducerTest, ALaterAcknowledgementCoversTheEarlier) {
  produce(2);
  serve();
  serve();
  answer(ErrorCode::kRequestTimedOut);
  answer(ErrorCode::kNone);
  EXPECT_EQ(heard_.implicit_ids, std::vector<int>{1});
  EXPECT_EQ(heard_.delivered_ids, std::vector<int>{2});
}

TEST_F(ProducerTest, ATimeoutBumpsWithALeaderAndNotWithoutOne) {
  produce(1);
  event(ProducerEvent::Kind::kLeader, 0, 0, 1);
  event(ProducerEvent::Kind::kExpire, 0, 0, 0, 1);
  EXPECT_EQ(heard_.drains, 0);
  produce(1);
  event(ProducerEvent::Kind::kLeader, 0, 1, 2);
  event(ProducerEvent::Kind::kExpire, 0, 0, 0, 2);
  EXPECT_EQ(heard_.drains, 1);
  EXPECT_EQ(heard_.failed_ids, (std::vector<int>{1, 2}));
}

TEST_F(ProducerTest, APurgeLeavesAGap) {
  produce(2);
  serve();
  answer(ErrorCode::kNone);
  event(ProducerEvent::Kind::kPurge, 0, 0, 0, 2);
  produce(1);
  serve();
  EXPECT_EQ(last().sequence, 2);
  EXPECT_EQ(heard_.drains, 0);
}

TEST_F(ProducerTest, OutOfRetriesFailsWithoutABump) {
  rules_.max_retries = 1;
  produce(1);
  serve();
  answer(ErrorCode::kRequestTimedOut);
  serve();
  answer(ErrorCode::kRequestTimedOut);
  EXPECT_EQ(heard_.failed_ids, std::vector<int>{1});
  EXPECT_EQ(heard_.drains, 0);
}

TEST_F(ProducerTest, PossiblyPersistedIsNeverTakenBack) {
  produce(1);
  serve();
  answer(ErrorCode::kRequestTimedOut);
  serve();
  answer(ErrorCode::kNotLeader);
  serve();
  EXPECT_EQ(last().messages[0].possibly, 1);
}

TEST_F(ProducerTest, SequencesWrapAt31Bits) {
  partition().has_id = 1;
  partition().base = 1;
  partition().last_id = 0x7fffffff;
  produce(0);
  Message<Large> message;
  message.id = 0x7fffffff;
  partition().queue.push_back(message);
  serve();
  EXPECT_EQ(last().sequence, 0x7ffffffe);
  partition().base = 0x7fffffff;
  message.id = 5;  // below the base: should not happen, and masks to a huge sequence
  partition().queue.push_back(message);
  serve();
  EXPECT_EQ(last().sequence, (5 - 0x7fffffff) & 0x7fffffff);
}

TEST_F(ProducerTest, NothingIsSentBetweenFlightAndQueueUnlessTheWindowIsOpen) {
  rules_.behaviour.requeue_when = spec::RequeueWhen::kAfterCount;
  produce(2);
  serve();
  event(ProducerEvent::Kind::kLeader, 0, 2, 1);
  answer(ErrorCode::kNotLeader);
  serve();  // the new leader's thread sees nothing in flight, and message 1 is not back yet
  EXPECT_EQ(last().first_id(), 2);
  EXPECT_EQ(last().sequence, 1);
  event(ProducerEvent::Kind::kRequeue, 0);
  EXPECT_EQ(partition().queue[0].id, 1);
}

TEST_F(ProducerTest, IsAValue) {
  produce(2);
  serve();
  ProducerState<Large> copy = state_;
  EXPECT_EQ(copy, state_);
  answer(ErrorCode::kNone);
  EXPECT_FALSE(copy == state_);
}

}  // namespace
}  // namespace fencepost::impl
