// The five client logs: the right answers stand in traces/captures/client-logs/README.md.
#include <gtest/gtest.h>

#include "tests/unit/explain/answers.h"

namespace fencepost::explain {
namespace {

using test::first;
using test::says;
using test::sentence;

Report log(const std::string& name) {
  return test::report_on({test::input_text("client-logs/" + name + ".log")});
}

// The one suspected duplicate: message 4 of partition 0, sequence 3 re-sent as epoch 1 sequence 0.
const Finding& suspected_message_4(const Report& report) {
  const Finding* duplicate = first(report, Kind::kDuplicate);
  EXPECT_NE(duplicate, nullptr);
  EXPECT_EQ(test::count(report, Kind::kDuplicate), 1);
  EXPECT_EQ(duplicate, &report.findings.front());
  EXPECT_EQ(duplicate->certainty, Certainty::kSuspected);
  EXPECT_EQ(duplicate->partition, 0);
  EXPECT_TRUE(duplicate->old_stamp && duplicate->old_stamp->epoch == 0 &&
              duplicate->old_stamp->sequence == 3);
  EXPECT_TRUE(duplicate->new_stamp && duplicate->new_stamp->epoch == 1 &&
              duplicate->new_stamp->sequence == 0);
  EXPECT_NE(duplicate->headline.find("message 4"), std::string::npos);
  EXPECT_TRUE(says(*duplicate, "a log shows no offset, so not whether the broker had appended it"));
  return *duplicate;
}

TEST(DupTwoPartitions, IsTriggeredByTheOtherPartition) {
  const Report report = log("dup-two-partitions-2.15.0");
  const Finding& duplicate = suspected_message_4(report);
  const Statement* trigger = sentence(duplicate, "triggered by another partition");
  ASSERT_NE(trigger, nullptr);
  EXPECT_NE(trigger->text.find("sequence 4 of t [1] with OUT_OF_ORDER"), std::string::npos);
  EXPECT_EQ(trigger->evidence.front().line, 196);
  const Statement* origin =
      sentence(duplicate, "sequence 3 of t [1] (message 4) had been answered NOT_LEADER");
  ASSERT_NE(origin, nullptr);
  EXPECT_EQ(origin->evidence.front().line, 189);  // partition 1's request, not partition 0's
}

TEST(DupTwoPartitions, ClearsTheBatchesOfTheTriggeringPartition) {
  const Report report = log("dup-two-partitions-2.15.0");
  const Finding* bump = first(report, Kind::kEpochBump);
  ASSERT_NE(bump, nullptr);
  EXPECT_TRUE(says(*bump, "t [1] message 4 was re-sent under the new epoch too: sequence 4"));
  EXPECT_TRUE(says(*bump, "t [1] message 5 was re-sent under the new epoch too: sequence 4"));
}

TEST(DupOnePartition, IsTriggeredByTheSamePartition) {
  const Report report = log("dup-one-partition-2.15.0");
  const Finding& duplicate = suspected_message_4(report);
  const Statement* trigger = sentence(duplicate, "triggered by the same partition");
  ASSERT_NE(trigger, nullptr);
  EXPECT_NE(trigger->text.find("sequence 5 of t [0]"), std::string::npos);
}

TEST(DupPermanentError, IsTriggeredByThePermanentError) {
  const Report report = log("dup-permanent-error-conditional-bump");
  const Finding& duplicate = suspected_message_4(report);
  const Statement* trigger = sentence(duplicate, "triggered by another partition");
  ASSERT_NE(trigger, nullptr);
  EXPECT_NE(trigger->text.find("message 4 (sequence 3) of t [1] with MESSAGE_TOO_LARGE"),
            std::string::npos);
  EXPECT_NE(trigger->text.find("MSG_SIZE_TOO_LARGE"), std::string::npos);
  EXPECT_EQ(trigger->evidence.front().line, 197);
  const Finding* loop = first(report, Kind::kNoProgress);
  ASSERT_NE(loop, nullptr);
  EXPECT_EQ(loop->times, 10);
  EXPECT_TRUE(says(*loop, "the next attempt was acknowledged"));
}

TEST(GapHeals, TellsTheGapAndHowLongItLasted) {
  const Report report = log("gap-heals-2.15.0");
  EXPECT_EQ(first(report, Kind::kDuplicate), nullptr);
  const Finding* gap = first(report, Kind::kGap);
  ASSERT_NE(gap, nullptr);
  EXPECT_EQ(gap, &report.findings.front());
  EXPECT_EQ(gap->headline,
            "t [0]: message 4 timed out without a new epoch; delivered again 1.18 s after that, "
            "under a new epoch");
  EXPECT_TRUE(says(*gap, "internal broker"));
  EXPECT_TRUE(says(*gap, "made the client begin a new epoch"));
  const Finding* bump = first(report, Kind::kEpochBump);
  ASSERT_NE(bump, nullptr);
  EXPECT_TRUE(says(*bump, "trigger: broker 1 (127.0.0.1:33001) answered sequence 4 of t [0]"));
  EXPECT_TRUE(says(*bump, "message 4 then timed out while the partition had no leader"));
}

TEST(GapLoops, IsNoProgressUntilTheTimeout) {
  const Report report = log("gap-loops-pr4972");
  EXPECT_EQ(first(report, Kind::kDuplicate), nullptr);
  const Finding* loop = first(report, Kind::kNoProgress);
  ASSERT_NE(loop, nullptr);
  EXPECT_EQ(loop, &report.findings.front());
  EXPECT_EQ(loop->times, 14);
  EXPECT_NE(
      loop->headline.find("message 5 (epoch 0 sequence 4) got OUT_OF_ORDER_SEQUENCE_NUMBER 14 "
                          "times in a row"),
      std::string::npos);
  EXPECT_NE(loop->headline.find("then timed out"), std::string::npos);
  EXPECT_TRUE(says(*loop, "message 5 timed out, 4.00 s after its first request"));
  EXPECT_TRUE(says(*loop, "began no new epoch meanwhile"));
  const Finding* gap = first(report, Kind::kGap);
  ASSERT_NE(gap, nullptr);
  EXPECT_TRUE(says(*gap, "no new epoch for that, only later for another reason"));
  const Finding* bump = first(report, Kind::kEpochBump);
  ASSERT_NE(bump, nullptr);
  EXPECT_TRUE(says(*bump, "trigger: messages 5-6 of t [0] timed out"));
}

}  // namespace
}  // namespace fencepost::explain
