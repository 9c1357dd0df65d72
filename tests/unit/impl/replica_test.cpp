// A replica by itself: the producer-state check, the cache, truncation, reload, expiry.
#include "impl/replica.h"

#include <gtest/gtest.h>

namespace fencepost::impl {
namespace {

class ReplicaTest : public ::testing::Test {
 protected:
  Appended produce(int id, int epoch, int sequence, int count = 1) {
    return ReplicaSteps<Large>(leader_, behaviour_).produce({id, count, epoch, sequence});
  }
  void replicate_all() {
    while (follower_.end() < leader_.end()) {
      ReplicaSteps<Large>(follower_, behaviour_).replicate(leader_);
    }
  }

  spec::Behaviour behaviour_;
  Replica<Large> leader_;
  Replica<Large> follower_;
};

TEST_F(ReplicaTest, TakesTheNextSequenceOnly) {
  EXPECT_EQ(produce(1, 0, 0, 3).offset, 0);
  EXPECT_EQ(produce(5, 0, 4).error, ErrorCode::kOutOfOrderSequence);
  EXPECT_EQ(produce(4, 0, 3).offset, 1);
}

TEST_F(ReplicaTest, RecognisesTheExactRangeOnly) {
  produce(1, 0, 0, 3);
  const Appended again = produce(1, 0, 0, 3);
  EXPECT_TRUE(again.duplicate);
  EXPECT_EQ(again.offset, 0);
  EXPECT_EQ(produce(1, 0, 0, 2).error, ErrorCode::kOutOfOrderSequence);
}

TEST_F(ReplicaTest, RemembersFiveBatches) {
  for (int i = 0; i < 6; ++i) produce(i + 1, 0, i);
  EXPECT_EQ(produce(1, 0, 0).error, ErrorCode::kOutOfOrderSequence);
  EXPECT_TRUE(produce(2, 0, 1).duplicate);
}

TEST_F(ReplicaTest, ANewEpochStartsAtZeroAndFencesTheOld) {
  produce(1, 0, 0);
  EXPECT_EQ(produce(2, 1, 1).error, ErrorCode::kOutOfOrderSequence);
  EXPECT_EQ(produce(2, 1, 0).error, ErrorCode::kNone);
  EXPECT_EQ(produce(1, 0, 0).error, ErrorCode::kInvalidProducerEpoch);
}

TEST_F(ReplicaTest, WithoutStateAnySequenceIsTakenByOlderBrokers) {
  EXPECT_EQ(produce(1, 0, 7).error, ErrorCode::kNone);
  EXPECT_EQ(leader_.log[0].unchecked, 1);
  leader_ = {};
  behaviour_.no_entry = spec::NoEntry::kZeroOnFreshLog;
  EXPECT_EQ(produce(1, 0, 7).error, ErrorCode::kOutOfOrderSequence);
}

TEST_F(ReplicaTest, SequencesWrap) {
  produce(1, 0, 0x7fffffff);
  EXPECT_EQ(produce(2, 0, 0).error, ErrorCode::kNone);
  EXPECT_TRUE(produce(1, 0, 0x7fffffff).duplicate);
}

TEST_F(ReplicaTest, AFollowerKnowsWhatTheLeaderKnows) {
  for (int i = 0; i < 3; ++i) produce(i + 1, 0, i);
  replicate_all();
  EXPECT_EQ(follower_.producer, leader_.producer);
}

TEST_F(ReplicaTest, TruncatesByLeaderEpochAndReloads) {
  produce(1, 0, 0);
  replicate_all();
  produce(2, 0, 1);  // never replicated
  follower_.leader_epoch = 1;
  ReplicaSteps<Large>(follower_, behaviour_).produce({2, 1, 0, 1});
  ReplicaSteps<Large>(leader_, behaviour_).truncate_to(follower_);
  EXPECT_EQ(leader_.end(), 1);
  EXPECT_EQ(leader_.producer.batches.size(), 1);
  ReplicaSteps<Large>(leader_, behaviour_).replicate(follower_);
  EXPECT_EQ(leader_.log[1].leader_epoch, 1);
}

/// After an unclean election the follower has more than the leader, committed or not.
TEST_F(ReplicaTest, TruncatesBelowItsWatermarkToAnUncleanLeader) {
  for (int i = 0; i < 3; ++i) produce(i + 1, 0, i);
  replicate_all();
  follower_.watermark = 3;
  ReplicaSteps<Large>(leader_, behaviour_).cut(1);
  EXPECT_EQ(leader_.producer.batches.size(), 1);
  ReplicaSteps<Large>(follower_, behaviour_).truncate_to(leader_);
  EXPECT_EQ(follower_.end(), 1);
  EXPECT_EQ(follower_.watermark, 1);
  EXPECT_EQ(follower_.producer, leader_.producer);
}

TEST_F(ReplicaTest, AReloadKeepsTheSnapshotsBatch) {
  for (int i = 0; i < 3; ++i) produce(i + 1, 0, i);
  ReplicaSteps<Large>(leader_, behaviour_).reload(2);
  EXPECT_TRUE(produce(3, 0, 2).duplicate);
  EXPECT_EQ(produce(2, 0, 1).error, ErrorCode::kOutOfOrderSequence);
}

TEST_F(ReplicaTest, ExpiryForgetsTheProducer) {
  produce(1, 0, 0);
  ReplicaSteps<Large>(leader_, behaviour_).expire(leader_.end());
  EXPECT_EQ(leader_.producer.known, 0);
  EXPECT_EQ(produce(1, 0, 0).error, ErrorCode::kNone);  // a second copy
}

}  // namespace
}  // namespace fencepost::impl
