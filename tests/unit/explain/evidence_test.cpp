// The answers come from the evidence: other evidence, other answers.
#include <gtest/gtest.h>

#include "tests/unit/explain/answers.h"

namespace fencepost::explain {
namespace {

using test::first;
using test::input_text;
using test::replaced;
using test::report_on;
using test::says;

// The print-out without the frame of that number (up to the next frame header or heading).
std::string without_frame(const std::string& text, const std::string& frame) {
  const std::size_t from = text.find(frame + ", ");
  EXPECT_NE(from, std::string::npos);
  std::size_t to = text.find(" - Kafka ", text.find('\n', from));
  to = to == std::string::npos ? text.size() : text.rfind('\n', to) + 1;
  return text.substr(0, from) + text.substr(to);
}

Report rolling(const std::string& text) { return report_on({text}); }

TEST(Evidence, ARenamedTopicIsTheTopicOfTheAnswer) {
  const Report report =
      rolling(replaced(input_text(test::kRollingRestart), "my-topic-0188", "orders.eu"));
  const Finding* duplicate = first(report, Kind::kDuplicate);
  ASSERT_NE(duplicate, nullptr);
  EXPECT_EQ(duplicate->topic, "orders.eu");
  EXPECT_EQ(duplicate->certainty, Certainty::kConfirmed);
  EXPECT_TRUE(report.notes.empty());  // the topic is outside the CRC
}

TEST(Evidence, ShiftedOffsetsAndIdsAreThoseOfTheAnswer) {
  std::string text = input_text(test::kRollingRestart);
  for (int offset = 71233; offset >= 71228; --offset) {
    text = replaced(text, std::to_string(offset), std::to_string(offset + 100000));
  }
  text = replaced(text, "Producer ID: 7078", "Producer ID: 9");
  text = replaced(text, "Base Sequence: 2704", "Base Sequence: 31");
  text = replaced(text, "Producer Epoch: 1", "Producer Epoch: 5");
  text = replaced(text, "Producer Epoch: 0", "Producer Epoch: 4");
  const Report report = rolling(text);
  const Finding* duplicate = first(report, Kind::kDuplicate);
  ASSERT_NE(duplicate, nullptr);
  EXPECT_EQ(duplicate->certainty, Certainty::kConfirmed);
  EXPECT_EQ(duplicate->copies[0].first_offset, 171229);
  EXPECT_EQ(duplicate->copies[1].last_offset, 171232);
  EXPECT_EQ(duplicate->old_stamp, (traces::Stamp{9, 4, 31}));
  EXPECT_EQ(duplicate->new_stamp, (traces::Stamp{9, 5, 0}));
  EXPECT_TRUE(says(*duplicate, "answered NOT_LEADER with valid offset 171229"));
  // The stamp is inside the CRC: that the bytes are the same cannot be claimed any more.
  EXPECT_FALSE(says(*duplicate, "same bytes but for the stamp"));
  EXPECT_EQ(report.notes.size(), 1U);
}

TEST(Evidence, WithoutTheSecondReadItIsSuspected) {
  const Report report = rolling(without_frame(input_text(test::kRollingRestart), "1592076"));
  const Finding* duplicate = first(report, Kind::kDuplicate);
  ASSERT_NE(duplicate, nullptr);
  EXPECT_EQ(duplicate->certainty, Certainty::kSuspected);
  EXPECT_TRUE(says(*duplicate, "one copy was read: 71229-71230"));
  EXPECT_TRUE(says(*duplicate, "with valid offset 71229: appended"));
}

TEST(Evidence, WithoutTheFirstReadItIsSuspected) {
  const Report report = rolling(without_frame(input_text(test::kRollingRestart), "1586668"));
  ASSERT_NE(first(report, Kind::kDuplicate), nullptr);
  EXPECT_EQ(first(report, Kind::kDuplicate)->certainty, Certainty::kSuspected);
}

TEST(Evidence, WithoutTheRefusalNoAppendIsClaimed) {
  const Report report = rolling(without_frame(input_text(test::kRollingRestart), "1566024"));
  const Finding* duplicate = first(report, Kind::kDuplicate);
  ASSERT_NE(duplicate, nullptr);
  EXPECT_EQ(duplicate->certainty, Certainty::kConfirmed);  // still read twice
  EXPECT_FALSE(says(*duplicate, "valid offset"));
  EXPECT_TRUE(says(*duplicate, "to broker 1 (198.51.100.8:40001): no answer in this input"));
  EXPECT_EQ(first(report, Kind::kLeaderHints), nullptr);  // one direction only
  EXPECT_EQ(first(report, Kind::kNoProgress)->times, 4);
}

TEST(Evidence, WithoutTheSecondStampTheReadsStandAlone) {
  const Report report = rolling(without_frame(input_text(test::kRollingRestart), "1572355"));
  const Finding* duplicate = first(report, Kind::kDuplicate);
  ASSERT_NE(duplicate, nullptr);
  EXPECT_EQ(duplicate->certainty, Certainty::kConfirmed);
  EXPECT_TRUE(says(*duplicate, "how the second copy came about is outside this input"));
  EXPECT_EQ(first(report, Kind::kEpochBump), nullptr);
}

TEST(Evidence, OtherRecordTimesAreOtherRecords) {
  // In the second Fetch only: the records there are then not those of the first.
  std::string text = input_text(test::kRollingRestart);
  const std::size_t second = text.find("1592076, ");
  text = text.substr(0, second) + replaced(text.substr(second), "15:37:11.5", "15:37:12.5");
  const Report report = rolling(text);
  EXPECT_EQ(first(report, Kind::kDuplicate)->certainty, Certainty::kSuspected);
}

TEST(Evidence, ASuccessResolvesTheBatch) {
  // Had the first attempt been acknowledged, the same records under another stamp and offset would
  // not come from an unresolved batch.
  std::string text = input_text(test::kSharedEpoch);
  const std::size_t answer = text.find("Correlation ID: 369\n    [Request");
  ASSERT_NE(answer, std::string::npos);
  text.replace(text.find("Not Leader For Partition (6)", answer), 28, "No Error (0)");
  EXPECT_EQ(first(report_on({text}), Kind::kDuplicate), nullptr);
}

TEST(Evidence, EqualRecordsUnderOneEpochAreTwoMessages) {
  std::string text = input_text(test::kRollingRestart);
  text = replaced(text, "Producer Epoch: 1", "Producer Epoch: 0");
  text = replaced(text, "Base Sequence: 0", "Base Sequence: 2706");
  EXPECT_EQ(first(rolling(text), Kind::kDuplicate), nullptr);
}

TEST(Evidence, OneStampAtTwoOffsetsIsSuspected) {
  std::string text = input_text(test::kRollingRestart);
  text = replaced(text, "Producer Epoch: 1", "Producer Epoch: 0");
  text = replaced(text, "Base Sequence: 0", "Base Sequence: 2704");
  text = replaced(text, "0x1cbeb4b1", "0xe97ffa59");
  const Report report = rolling(text);
  const Finding* duplicate = first(report, Kind::kDuplicate);
  ASSERT_NE(duplicate, nullptr);
  EXPECT_EQ(duplicate->certainty, Certainty::kSuspected);
  EXPECT_TRUE(says(*duplicate, "both copies carry one stamp"));
  EXPECT_TRUE(says(*duplicate, "one of the producer's last five there"));
}

TEST(Evidence, WithoutIdempotenceTwoCopiesAreSuspected) {
  std::string text = input_text(test::kRollingRestart);
  text = replaced(text, "Producer ID: 7078", "Producer ID: -1");
  for (const char* epoch : {"0", "1"}) {
    text = replaced(text, std::string("Producer Epoch: ") + epoch, "Producer Epoch: -1");
  }
  for (const char* sequence : {"2704", "0"}) {
    text = replaced(text, std::string("Base Sequence: ") + sequence, "Base Sequence: -1");
  }
  const Report report = rolling(text);
  const Finding* duplicate = first(report, Kind::kDuplicate);
  ASSERT_NE(duplicate, nullptr);
  EXPECT_EQ(duplicate->certainty, Certainty::kSuspected);
  EXPECT_TRUE(says(*duplicate, "not both copies show a stamp"));
  EXPECT_FALSE(says(*duplicate, "had to recognise"));
  EXPECT_EQ(duplicate->copies[0].stamp, std::nullopt);
}

TEST(Evidence, WithoutTheSequenceErrorTheTriggerIsInferredOrUnknown) {
  const std::string log = test::without_lines(input_text(test::kSharedEpochLog), "Facility:ERRSEQ");
  const Report both = report_on({input_text(test::kSharedEpoch), log});
  EXPECT_EQ(first(both, Kind::kDuplicate)->certainty, Certainty::kConfirmed);
  EXPECT_TRUE(says(*first(both, Kind::kDuplicate), "likely triggered by another partition"));
  const Report swapped = report_on({log, input_text(test::kSharedEpoch)});
  EXPECT_TRUE(says(*first(swapped, Kind::kDuplicate), "likely triggered by another partition"));
  const Report alone = report_on({log});
  EXPECT_TRUE(says(*first(alone, Kind::kEpochBump), "what triggered it is outside this input"));
}

TEST(Evidence, WithoutWhatTheClientSaysOfItsBumpTheTriggerIsLikelyOnly) {
  std::string log = input_text("client-logs/dup-two-partitions-2.15.0.log");
  log = test::without_lines(test::without_lines(log, "|ERRSEQ|"), "|DRAIN|");
  const Report report = report_on({log});
  ASSERT_NE(first(report, Kind::kDuplicate), nullptr);
  EXPECT_TRUE(says(*first(report, Kind::kDuplicate),
                   "likely triggered by another partition: broker 2 (127.0.0.1:43673) answered "
                   "sequence 4 of t [1] (message 5)"));
}

TEST(Evidence, TheConsumersLineConfirmsOnlyWhatItNames) {
  const std::string capture = input_text(test::kSharedEpoch);
  const std::string log = input_text(test::kSharedEpochLog);
  const Report elsewhere =
      report_on({capture, replaced(log, "my-topic-0011/12 [12]", "my-topic-0011/8 [8]")});
  ASSERT_EQ(test::count(elsewhere, Kind::kDuplicate), 2);
  EXPECT_EQ(elsewhere.findings[0].partition, 8);
  EXPECT_EQ(elsewhere.findings[0].certainty, Certainty::kConfirmed);
  EXPECT_EQ(elsewhere.findings[1].partition, 12);
  EXPECT_EQ(elsewhere.findings[1].certainty, Certainty::kSuspected);

  const Report other_value =
      report_on({capture, replaced(log, "value=77, messageValue=77", "value=78, messageValue=78")});
  EXPECT_EQ(test::count(other_value, Kind::kDuplicate), 2);
  EXPECT_EQ(other_value.findings[1].certainty, Certainty::kSuspected);

  const Report no_repetition =
      report_on({capture, replaced(log, "messageValue=77", "messageValue=79")});
  EXPECT_EQ(first(no_repetition, Kind::kDuplicate)->certainty, Certainty::kSuspected);
  EXPECT_NE(first(no_repetition, Kind::kConsumerReport), nullptr);
}

TEST(Evidence, AShiftedLogShiftsTheAnswer) {
  std::string log = input_text("client-logs/dup-two-partitions-2.15.0.log");
  log = replaced(log, " t [", " payments [");
  log = replaced(log, "MsgId 4", "MsgId 904");
  log = replaced(log, "Id:11468000,", "Id:5,");
  const Report report = report_on({log});
  const Finding* duplicate = first(report, Kind::kDuplicate);
  ASSERT_NE(duplicate, nullptr);
  EXPECT_EQ(duplicate->topic, "payments");
  EXPECT_NE(duplicate->headline.find("message 904"), std::string::npos);
  EXPECT_EQ(duplicate->old_stamp, (traces::Stamp{5, 0, 3}));
}

TEST(Evidence, WithoutTheOutOfOrderAnswerMoreIsSuspected) {
  // It is what shows that partition 1's message 4 was not in the log.
  const std::string log = test::without_lines(
      input_text("client-logs/dup-two-partitions-2.15.0.log"), "(MsgId 5, BaseSeq 4) encountered");
  EXPECT_EQ(test::count(report_on({log}), Kind::kDuplicate), 3);
}

TEST(Evidence, ALostConnectionLeavesTheBatchUnresolved) {
  const std::string log =
      replaced(input_text("client-logs/dup-two-partitions-2.15.0.log"),
               "(MsgId 4, BaseSeq 3) encountered error: Broker: Not leader for partition (actions "
               "Refresh,MsgNotPersisted)",
               "(MsgId 4, BaseSeq 3) encountered error: Local: Broker transport failure (actions "
               "Refresh,MsgPossiblyPersisted)");
  const Report report = report_on({log});
  // Of both partitions: the refusal of message 5 proves nothing for a message 4 under way.
  ASSERT_EQ(test::count(report, Kind::kDuplicate), 2);
  EXPECT_TRUE(says(report.findings.front(),
                   "failed with _TRANSPORT: no broker answered, so it may "
                   "have been appended"));
}

TEST(Evidence, ARequestThatWasNeverSentIsNoAttempt) {
  const std::string log =
      replaced(input_text("client-logs/dup-two-partitions-2.15.0.log"),
               "(MsgId 4, BaseSeq 3) encountered error: Broker: Not leader for partition (actions "
               "Refresh,MsgNotPersisted)",
               "(MsgId 4, BaseSeq 3) encountered error: Local: Retry operation (actions Retry)");
  EXPECT_EQ(first(report_on({log}), Kind::kDuplicate), nullptr);
}

TEST(Evidence, OneResendInCaptureAndLogIsToldOnce) {
  const auto line = [](const std::string& facility, const std::string& text) {
    return "%7|1737733031.655|" + facility + "|c| [thrd:b:1/1]: b:1/1: my-topic-0188 [0]: " + text +
           "\n";
  };
  const auto request = [&](const std::string& sequence, const std::string& epoch) {
    return line("PRODUCE",
                "Produce MessageSet with 2 message(s) (89 bytes, ApiVersion 10, "
                "MsgVersion 2, MsgId 2705, BaseSeq " +
                    sequence + ", PID{Id:7078,Epoch:" + epoch + "}, uncompressed)");
  };
  const std::string log =
      request("2704", "0") +
      line("MSGSET",
           "MessageSet with 2 message(s) (MsgId 2705, BaseSeq 2704) encountered error: "
           "Broker: Not leader for partition (actions Refresh,MsgNotPersisted)") +
      request("0", "1") +
      line("MSGSET", "MessageSet with 2 message(s) (MsgId 2705, BaseSeq 0) delivered");
  const Report report = report_on({input_text(test::kRollingRestart), log});
  EXPECT_EQ(test::count(report, Kind::kDuplicate), 1);
  EXPECT_EQ(report.findings.front().certainty, Certainty::kConfirmed);
  EXPECT_TRUE(says(report.findings.front(), "the client's log has it as messages 2705-2706"));
  EXPECT_EQ(test::count(report, Kind::kEpochBump), 1);
}

TEST(Evidence, ALogWithoutItsRequestLinesStillTellsTheResend) {
  // The epoch of an answer is then that which the partition numbers with.
  const std::string log = test::without_lines(
      input_text("client-logs/dup-two-partitions-2.15.0.log"), "MsgId 4, BaseSeq 3, PID");
  const Report report = report_on({log});
  const Finding* duplicate = first(report, Kind::kDuplicate);
  ASSERT_NE(duplicate, nullptr);
  EXPECT_EQ(duplicate->old_stamp, (traces::Stamp{11468000, 0, 3}));
}

// One line of a client's log.
std::string log_line(const std::string& broker, const std::string& facility,
                     const std::string& text) {
  return "%7|1737733031.655|" + facility + "|c| [thrd:" + broker + "]: " + broker +
         ": t [0]: " + text + "\n";
}

std::string log_request(const std::string& broker, const std::string& stamp) {
  return log_line(broker, "PRODUCE",
                  "Produce MessageSet with 1 message(s) (89 bytes, ApiVersion 10, MsgVersion 2, " +
                      stamp + "}, uncompressed)");
}

std::string log_answer(const std::string& broker, const std::string& ids,
                       const std::string& outcome) {
  return log_line(broker, "MSGSET", "MessageSet with 1 message(s) (" + ids + ") " + outcome);
}

TEST(Evidence, ARefusalProvesNothingWhileAnAttemptIsUnderWay) {
  const std::string refused =
      log_request("b:2/2", "MsgId 5, BaseSeq 4, PID{Id:7,Epoch:0") +
      log_answer("b:2/2", "MsgId 5, BaseSeq 4",
                 "encountered error: Broker: Broker received an out of order sequence number "
                 "(actions Permanent,MsgPossiblyPersisted)") +
      log_request("b:2/2", "MsgId 4, BaseSeq 0, PID{Id:7,Epoch:1") +
      log_answer("b:2/2", "MsgId 4, BaseSeq 0", "delivered");
  const std::string sent = log_request("b:1/1", "MsgId 4, BaseSeq 3, PID{Id:7,Epoch:0");
  const auto failed = [](const std::string& error) {
    return log_answer("b:1/1", "MsgId 4, BaseSeq 3",
                      "encountered error: " + error + " (actions Refresh,MsgPossiblyPersisted)");
  };
  for (const std::string& first_attempt :
       {sent, sent + failed("Local: Broker transport failure")}) {
    const Report report = report_on({first_attempt + refused});
    const Finding* duplicate = first(report, Kind::kDuplicate);
    ASSERT_NE(duplicate, nullptr);
    EXPECT_EQ(duplicate->certainty, Certainty::kSuspected);
    EXPECT_TRUE(says(*duplicate, "sequence 4 was answered OUT_OF_ORDER_SEQUENCE_NUMBER"));
  }
  const std::string answered = sent + failed("Broker: Not leader for partition");
  EXPECT_EQ(first(report_on({answered + refused}), Kind::kDuplicate), nullptr);
}

TEST(Evidence, ADamagedOffsetIsNoOffsetOfMinusOne) {
  std::string text = input_text(test::kRollingRestart);
  text = replaced(replaced(text, "Offset=-1)", "Offset=x1)"), " Offset: -1", " Offset: x1");
  const Finding duplicate = *first(rolling(text), Kind::kDuplicate);
  EXPECT_TRUE(says(duplicate, "the offset is not readable"));
  EXPECT_FALSE(says(duplicate, "offset -1"));
}

TEST(Evidence, AnErrorThatNamesAnAppendIsOne) {
  const std::string text =
      replaced(input_text(test::kRollingRestart), "Not Leader For Partition (6)", "x (20)");
  const Finding duplicate = *first(rolling(text), Kind::kDuplicate);
  EXPECT_TRUE(says(duplicate, "appended by that broker, as the error says"));
  EXPECT_FALSE(says(duplicate, "offset -1"));
}

TEST(Evidence, TwoRunsOfAClientInOneLogAreNotMixed) {
  const std::string log = input_text("client-logs/dup-two-partitions-2.15.0.log");
  const std::string again = replaced(log, "Id:11468000,", "Id:11469000,");
  const Report once = report_on({log});
  for (const std::string& second : {again, test::without_lines(again, "|IDEMPSTATE|")}) {
    const Report twice = report_on({log + second});
    EXPECT_EQ(twice.history.batches.size(), 2 * once.history.batches.size());
    EXPECT_EQ(test::count(twice, Kind::kDuplicate), 2 * test::count(once, Kind::kDuplicate));
    for (const Finding& finding : twice.findings) {
      if (!finding.old_stamp) continue;
      EXPECT_EQ(finding.old_stamp->producer_id, finding.new_stamp->producer_id);
    }
  }
}

TEST(Evidence, ThatAStampIsNeverAcceptedNeedsAMessageThatIsGone) {
  const std::string log = input_text("client-logs/gap-loops-pr4972.log");
  const Report report = report_on({log});
  EXPECT_TRUE(says(*first(report, Kind::kNoProgress), "it can never be accepted"));
  const Report unknown = report_on({test::without_lines(log, "|TIMEOUT|")});
  ASSERT_NE(first(unknown, Kind::kNoProgress), nullptr);
  EXPECT_TRUE(says(*first(unknown, Kind::kNoProgress), "began no new epoch meanwhile"));
  EXPECT_FALSE(says(*first(unknown, Kind::kNoProgress), "it can never be accepted"));
}

TEST(Evidence, WithoutTheDrainTheTriggerIsLikely) {
  const std::string log = input_text("client-logs/dup-two-partitions-2.15.0.log");
  const auto trigger = [](const std::string& text) {
    const Report report = report_on({text});
    return test::sentence(*first(report, Kind::kDuplicate), "triggered by")->text;
  };
  EXPECT_EQ(trigger(log).find("the new epoch was triggered by"), 0U);
  EXPECT_EQ(trigger(test::without_lines(log, "|DRAIN|")).find("the new epoch was likely triggered"),
            0U);
}

TEST(Evidence, ATombstoneIsCompared) {
  const std::string value = "Value: 0000000000000a90";
  const std::string text = input_text(test::kRollingRestart);
  const Report null = rolling(replaced(text, value, "Value: [ Null ]"));
  EXPECT_EQ(first(null, Kind::kDuplicate)->copies[0].first_offset, 71229);
  const Report unreadable = rolling(replaced(text, value, "Value: 00zz"));
  EXPECT_EQ(first(unreadable, Kind::kDuplicate)->copies[0].first_offset, 71230);
}

TEST(Evidence, ACopyOfTheSecondOfTwoEqualMessagesIsFound) {
  const std::string text = input_text(test::kRollingRestart);
  const std::size_t at = text.find("1592076, ");
  std::string second = text.substr(at);
  second = replaced(second, "Producer Epoch: 1", "Producer Epoch: 0");
  second = replaced(second, "Base Sequence: 0", "Base Sequence: 2706");
  std::string third = replaced(second, "1592076, ", "1592077, ");
  third = replaced(replaced(third, "71232", "71234"), "71231", "71233");
  const Report report = rolling(text.substr(0, at) + second + "\n" + third);
  ASSERT_EQ(test::count(report, Kind::kDuplicate), 2);  // the re-send of the first is suspected
  const Finding& pair =
      report.findings[first(report, Kind::kDuplicate)->copies.size() == 2 ? 0 : 1];
  EXPECT_EQ(pair.copies[0].first_offset, 71231);
  EXPECT_EQ(pair.copies[1].first_offset, 71233);
}

}  // namespace
}  // namespace fencepost::explain
