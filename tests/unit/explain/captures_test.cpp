// The two field captures: the right answers stand in traces/captures/README.md.
#include <gtest/gtest.h>

#include "tests/unit/explain/answers.h"

namespace fencepost::explain {
namespace {

using test::first;
using test::input_text;
using test::report_on;
using test::says;
using test::sentence;

TEST(RollingRestart, IsAConfirmedDuplicate) {
  const Report report = report_on({input_text(test::kRollingRestart)});
  const Finding* duplicate = first(report, Kind::kDuplicate);
  ASSERT_NE(duplicate, nullptr);
  EXPECT_EQ(duplicate, &report.findings.front());
  EXPECT_EQ(test::count(report, Kind::kDuplicate), 1);
  EXPECT_EQ(duplicate->certainty, Certainty::kConfirmed);
  EXPECT_EQ(duplicate->topic, "my-topic-0188");
  EXPECT_EQ(duplicate->partition, 0);
  ASSERT_EQ(duplicate->copies.size(), 2U);
  const Copy& one = duplicate->copies[0];
  EXPECT_EQ(std::pair(one.first_offset, one.last_offset), std::pair(71229L, 71230L));
  EXPECT_EQ(one.leader_epoch, 17);
  EXPECT_EQ(one.stamp, (traces::Stamp{7078, 0, 2704}));
  EXPECT_EQ(one.crc, "e97ffa59");
  EXPECT_EQ(one.seen.frame, 1586668);
  const Copy& two = duplicate->copies[1];
  EXPECT_EQ(std::pair(two.first_offset, two.last_offset), std::pair(71231L, 71232L));
  EXPECT_EQ(two.leader_epoch, 18);
  EXPECT_EQ(two.stamp, (traces::Stamp{7078, 1, 0}));
  EXPECT_EQ(two.crc, "1cbeb4b1");
  EXPECT_EQ(answer_line(report),
            "DUPLICATE confirmed: my-topic-0188 [0]: values 0a90, 0a91 at 71229-71230 and again at "
            "71231-71232");
}

TEST(RollingRestart, TellsHowItCameAbout) {
  const Report report = report_on({input_text(test::kRollingRestart)});
  const Finding& duplicate = *first(report, Kind::kDuplicate);
  const Statement* appended = sentence(duplicate, "NOT_LEADER with valid offset 71229: appended");
  ASSERT_NE(appended, nullptr);
  EXPECT_EQ(appended->evidence.back().frame, 1566024);
  EXPECT_EQ(appended->evidence.back().line, 125);
  EXPECT_TRUE(says(duplicate, "sent as epoch 0 sequence 2704, 4 times, to broker 3"));
  EXPECT_TRUE(says(duplicate, "went out as epoch 1 sequence 0"));
  EXPECT_TRUE(says(duplicate, "printed CRC-32C e97ffa59 and 1cbeb4b1"));
  EXPECT_TRUE(says(duplicate, "what triggered the new epoch is outside this input"));
  EXPECT_TRUE(says(duplicate, "leader epoch 17 ends at 71231: the first copy survived"));
  EXPECT_TRUE(says(duplicate, "would have answered success with offset 71229"));
}

TEST(RollingRestart, ShowsHintsThatPointBackAndForth) {
  const Report report = report_on({input_text(test::kRollingRestart)});
  const Finding* hints = first(report, Kind::kLeaderHints);
  ASSERT_NE(hints, nullptr);
  EXPECT_TRUE(says(*hints, "broker 1 (198.51.100.8:40001) said once: leader 3, leader epoch 18"));
  EXPECT_TRUE(says(
      *hints, "broker 3 (198.51.100.8:40003) said 4 times: leader 1, leader epoch 17 (stale)"));
}

TEST(RollingRestart, ShowsTheBatchWithoutProgress) {
  const Report report = report_on({input_text(test::kRollingRestart)});
  const Finding* loop = first(report, Kind::kNoProgress);
  ASSERT_NE(loop, nullptr);
  EXPECT_EQ(loop->times, 5);
  EXPECT_TRUE(says(*loop, "then sent as epoch 1 sequence 0"));
}

TEST(RollingRestart, ReportsTheDamagedLine) {
  const std::string text = explain_text(report_on({input_text(test::kRollingRestart)}));
  EXPECT_NE(text.find("input:697: damaged frame header"), std::string::npos) << text;
}

TEST(SharedEpoch, IsSuspectedFromTheCaptureAlone) {
  const Report report = report_on({input_text(test::kSharedEpoch)});
  const Finding* duplicate = first(report, Kind::kDuplicate);
  ASSERT_NE(duplicate, nullptr);
  EXPECT_EQ(test::count(report, Kind::kDuplicate), 1);
  EXPECT_EQ(duplicate->certainty, Certainty::kSuspected);
  EXPECT_EQ(duplicate->partition, 12);
  EXPECT_EQ(duplicate->old_stamp, (traces::Stamp{57024, 0, 77}));
  EXPECT_EQ(duplicate->new_stamp, (traces::Stamp{57024, 1, 0}));
  EXPECT_TRUE(says(*duplicate, "says nothing about earlier attempts"));
  EXPECT_TRUE(says(*duplicate, "3.26 s older than the first attempt shown"));
  EXPECT_TRUE(says(*duplicate, "acknowledged at offset 15168"));
  EXPECT_TRUE(says(*duplicate, "likely triggered by another partition"));
  EXPECT_TRUE(says(*duplicate, "would confirm the duplicate"));
}

TEST(SharedEpoch, PairsAnswersOfOneFrameByCorrelation) {
  const Report report = report_on({input_text(test::kSharedEpoch)});
  std::size_t unanswered = 0;
  for (const BatchHistory& batch : report.history.batches) {
    ASSERT_FALSE(batch.attempts.empty());
    ASSERT_TRUE(batch.attempts[0].sent);
    if (!batch.attempts[0].answer) {
      ++unanswered;
      EXPECT_EQ(batch.partition, 1);  // correlation id 368 has no answer in the excerpt
    }
  }
  EXPECT_EQ(unanswered, 1U);
  EXPECT_EQ(report.history.batches.size(), 6U);
}

TEST(SharedEpoch, IsConfirmedByTheConsumersLine) {
  const Report report =
      report_on({input_text(test::kSharedEpoch), input_text(test::kSharedEpochLog)});
  const Finding* duplicate = first(report, Kind::kDuplicate);
  ASSERT_NE(duplicate, nullptr);
  EXPECT_EQ(test::count(report, Kind::kDuplicate), 1);
  EXPECT_EQ(duplicate->certainty, Certainty::kConfirmed);
  EXPECT_EQ(duplicate->partition, 12);
  ASSERT_EQ(duplicate->copies.size(), 2U);
  EXPECT_EQ(duplicate->copies[0].first_offset, 15167);
  EXPECT_EQ(duplicate->copies[0].leader_epoch, 79);
  EXPECT_EQ(duplicate->copies[1].first_offset, 15168);
  EXPECT_EQ(duplicate->copies[1].leader_epoch, 80);
  EXPECT_EQ(duplicate->old_stamp, (traces::Stamp{57024, 0, 77}));
  const Statement* trigger = sentence(*duplicate, "triggered by another partition");
  ASSERT_NE(trigger, nullptr);
  EXPECT_NE(trigger->text.find("sequence 78 of my-topic-0011 [5]"), std::string::npos);
  EXPECT_EQ(trigger->evidence.front().input, 1);
  EXPECT_EQ(trigger->evidence.front().line, 1);
  EXPECT_TRUE(says(*duplicate, "sequence 77 (message 78), answered NOT_LEADER 148 ms earlier"));
}

TEST(SharedEpoch, CountsThePartitionsNumberedAnew) {
  const Report report =
      report_on({input_text(test::kSharedEpoch), input_text(test::kSharedEpochLog)});
  ASSERT_EQ(test::count(report, Kind::kEpochBump), 1);
  const Finding* bump = first(report, Kind::kEpochBump);
  EXPECT_EQ(bump->times, 20);
  EXPECT_TRUE(says(*bump, "my-topic-0011 [5, 9, 12, 17] from message 78, until then sequence 77"));
  EXPECT_TRUE(says(*bump, "my-topic-0011 [8] from message 82, until then sequence 81"));
}

TEST(SharedEpoch, LogAloneConfirmsWhatTheConsumerNames) {
  const Report report = report_on({input_text(test::kSharedEpochLog)});
  ASSERT_EQ(test::count(report, Kind::kDuplicate), 1);
  const Finding* duplicate = first(report, Kind::kDuplicate);
  EXPECT_EQ(duplicate->certainty, Certainty::kConfirmed);
  EXPECT_EQ(duplicate->old_stamp, std::nullopt);  // no request is in the log
  EXPECT_TRUE(says(*duplicate, "numbered anew in epoch 1"));
  EXPECT_TRUE(says(*duplicate, "is not shown"));
}

}  // namespace
}  // namespace fencepost::explain
