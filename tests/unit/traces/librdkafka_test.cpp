#include "traces/import/librdkafka_log.h"

#include <gtest/gtest.h>

#include "tests/unit/traces/inputs.h"

namespace fencepost::traces {
namespace {

const std::string kPrefix = "%7|1764432000.806|";
const std::string kPid = "PID{Id:11468000,Epoch:0}";

// The only event of one line, whose text stands behind the prefix of librdkafka.
Payload event_of(const std::string& facility, const std::string& text) {
  const Trace trace = import_librdkafka_log(
      kPrefix + facility + "|rdkafka#producer-1| [thrd:h:1/2]: " + text + "\n", "log");
  EXPECT_TRUE(trace.problems.empty());
  EXPECT_EQ(trace.events.size(), 1U);
  return trace.events.empty() ? Payload{} : trace.events[0].payload;
}

TEST(LibrdkafkaLog, ReadsARequest) {
  ProduceRequest expected;
  expected.broker = "127.0.0.1:43673/2";
  expected.topic = "t";
  expected.partition = 1;
  expected.batch.count = 2;
  expected.batch.message_id = 5;
  expected.batch.stamp = Stamp{11468000, 0, 4};
  EXPECT_EQ(event_of("PRODUCE",
                     "127.0.0.1:43673/2: t [1]: Produce MessageSet with 2 message(s) (70 "
                     "bytes, ApiVersion 10, MsgVersion 2, MsgId 5, BaseSeq 4, " +
                         kPid + ", uncompressed)"),
            Payload(expected));
}

TEST(LibrdkafkaLog, ReadsAnswers) {
  ProduceAnswer expected;
  expected.broker = "h:1/2";
  expected.topic = "t";
  expected.partition = 1;
  expected.count = 1;
  expected.message_id = 4;
  expected.sequence = 3;
  expected.error = "NONE";
  EXPECT_EQ(event_of("MSGSET",
                     "h:1/2: t [1]: MessageSet with 1 message(s) (MsgId 4, BaseSeq 3) delivered"),
            Payload(expected));
  expected.error = "NOT_LEADER_OR_FOLLOWER";
  expected.actions = "Refresh,MsgNotPersisted";
  EXPECT_EQ(event_of("MSGSET",
                     "h:1/2: t [1]: MessageSet with 1 message(s) (MsgId 4, BaseSeq 3) "
                     "encountered error: Broker: Not leader for partition (actions "
                     "Refresh,MsgNotPersisted)"),
            Payload(expected));
}

TEST(LibrdkafkaLog, ReadsASequenceErrorWithItsCause) {
  SequenceError expected;
  expected.topic = "t";
  expected.partition = 5;
  expected.count = 3;
  expected.producer = {11468000, 0};
  expected.sequence = 78;
  expected.next_sequence = 77;
  const SequenceError without_cause = expected;
  expected.earlier_error = "NOT_LEADER_OR_FOLLOWER";
  expected.earlier_actions = "Refresh,MsgNotPersisted";
  expected.earlier_first = 77;
  expected.earlier_last = 77;
  expected.earlier_message_id = 78;
  expected.earlier_age_ms = 148;
  const std::string text =
      "ProduceRequest for t [5] with 3 message(s) failed due to skipped sequence numbers (" + kPid +
      ", base seq 78 > next seq 77) caused by previous failed request (NOT_LEADER_FOR_PARTITION, "
      "actions Refresh,MsgNotPersisted, base seq 77..77, base msgid 78, 148ms ago): recovering and "
      "retrying";
  EXPECT_EQ(event_of("ERRSEQ", text), Payload(expected));
  // Cut inside the cause: what stands before it is used.
  EXPECT_EQ(event_of("ERRSEQ", text.substr(0, text.find("base msgid"))), Payload(without_cause));
}

TEST(LibrdkafkaLog, ReadsDrainsAndNewNumbering) {
  EXPECT_EQ(
      event_of("DRAIN", "Beginning partition drain in state Assigned for " + kPid +
                            " epoch bump for 1 partition(s) with in-flight requests: skipped "
                            "sequence numbers"),
      Payload(DrainBegun{"Assigned", {11468000, 0}, "epoch bump", 1, "skipped sequence numbers"}));
  EXPECT_EQ(event_of("DRAIN", "All partitions drained, bumped epoch to PID{Id:7,Epoch:1}"),
            Payload(EpochBumped{{7, 1}}));
  EXPECT_EQ(event_of("DRAIN", "t [0] beginning partition drain: drain before retrying"),
            Payload(PartitionDrain{"t", 0, "drain before retrying"}));
  EXPECT_EQ(event_of("NEWPID",
                     "t [0] changed PID{Id:7,Epoch:0} -> PID{Id:7,Epoch:1} with base "
                     "MsgId 4"),
            Payload(Renumbered{"", "t", 0, ProducerEpoch{7, 0}, {7, 1}, 4}));
  EXPECT_EQ(event_of("NEWPID", "t [0] changed PID{Invalid} -> PID{Id:7,Epoch:0} with base MsgId 1"),
            Payload(Renumbered{"", "t", 0, {}, {7, 0}, 1}));
  EXPECT_EQ(event_of("RESETSEQ", "t [0] resetting epoch base seq from 1 to 4"),
            Payload(BaseMoved{"t", 0, 1, 4}));
}

TEST(LibrdkafkaLog, ReadsTimeoutsStatesIdsAndLeaders) {
  EXPECT_EQ(event_of("TIMEOUT",
                     ":0/internal: t [0]: timed out 0+1 message(s) (MsgId 4..4): "
                     "message.timeout.ms exceeded"),
            Payload(MessagesTimedOut{":0/internal", "t", 0, 4, 4}));
  EXPECT_EQ(event_of("IDEMPSTATE", "Idempotent producer state change Assigned -> DrainBump"),
            Payload(ProducerState{"Assigned", "DrainBump"}));
  EXPECT_EQ(event_of("GETPID", "Acquired PID{Id:7,Epoch:0}"), Payload(ProducerIdAcquired{{7, 0}}));
  EXPECT_EQ(event_of("BROKER", "t [0]: leader 1 epoch 1 -> leader -1 epoch 2"),
            Payload(LeaderSeen{"", "t", {}, 0, -1, 2}));
}

TEST(LibrdkafkaLog, ReadsBothPrefixStyles) {
  const std::string text = "t [0] resetting epoch base seq from 1 to 4";
  const Trace own = import_librdkafka_log(
      "%7|1764432000.806|RESETSEQ|client-1| [thrd:h:1/2]: " + text + "\n", "log");
  const Trace callback = import_librdkafka_log(
      "12:33:45 info: Producer11:[0] kafka-log Facility:RESETSEQ, Message[thrd:h:1/2]: " + text +
          "\n",
      "log");
  ASSERT_EQ(own.events.size(), 1U);
  ASSERT_EQ(callback.events.size(), 1U);
  EXPECT_EQ(own.events[0].payload, callback.events[0].payload);
  EXPECT_EQ(own.events[0].actor, "client-1");
  EXPECT_EQ(callback.events[0].actor, "Producer11:[0]");
  EXPECT_EQ(own.inputs[0].clock, "unix");
  EXPECT_EQ(own.events[0].evidence.time_us, 1764432000806000);
  EXPECT_EQ(callback.inputs[0].clock, "time-of-day");
  EXPECT_EQ(callback.events[0].evidence.time_us, ((12 * 60 + 33) * 60 + 45) * 1'000'000LL);
}

TEST(LibrdkafkaLog, ReadsTheConsumersLine) {
  const Trace trace = import_librdkafka_log(test::input_text(test::kSharedEpochLog), "log");
  ASSERT_EQ(trace.events.size(), 44U);
  EXPECT_EQ(trace.events.back().evidence.line, 44);
  EXPECT_EQ(trace.events.back().payload,
            Payload(ConsumerReport{"my-topic-0011", 12, 15167, 15168, 79, 80, 77, 77}));
  EXPECT_TRUE(trace.problems.empty());
}

TEST(LibrdkafkaLog, UnderstandsEveryLineOfTheClientLogs) {
  for (const char* name : test::kClientLogs) {
    EXPECT_TRUE(import_librdkafka_log(test::input_text(name), name).problems.empty()) << name;
  }
}

TEST(LibrdkafkaLog, ReportsDamagedLinesByNumber) {
  const std::string good =
      kPrefix + "RESETSEQ|c| [thrd:x]: t [0] resetting epoch base seq from 1 to 4\n";
  const std::string bad[] = {
      kPrefix + "RESETSEQ|c| [thrd:x]: t [0] resetting epoch base seq from 1 to x\n",
      kPrefix + "RESETSEQ|c| [thrd:x]: t [] resetting epoch base seq from 1 to 4\n",
      kPrefix + "MSGSET|c| [thrd:x]: h:1/2: t [1]: MessageSet with 1 message(s) (MsgId 4, Base\n",
      kPrefix + "RES#TSEQ|c| [thrd:x]: t [0] resetting epoch base seq from 1 to 4\n",
      "%7|1764432000,806|RESETSEQ|c| [thrd:x]: t [0] resetting epoch base seq from 1 to 4\n",
      "rubbish\n",
  };
  for (const std::string& line : bad) {
    const Trace trace = import_librdkafka_log(good + line + good, "log");
    EXPECT_EQ(trace.events.size(), 2U) << line;
    ASSERT_EQ(trace.problems.size(), 1U) << line;
    EXPECT_EQ(trace.problems[0].where.line, 2);
  }
}

TEST(LibrdkafkaLog, WarnsOfANumberCutAtTheEnd) {
  const Trace trace = import_librdkafka_log(
      kPrefix + "RESETSEQ|c| [thrd:x]: t [0] resetting epoch base seq from 1 to 11", "log");
  EXPECT_EQ(trace.events.size(), 1U);
  EXPECT_EQ(trace.problems.size(), 1U);
}

TEST(LibrdkafkaLog, BoundsItsComplaints) {
  std::string text = kPrefix + "RESETSEQ|c| [thrd:x]: t [0] resetting epoch base seq from 1 to 4\n";
  for (int i = 0; i < 1000; ++i) text += "rubbish\n";
  const Trace trace = import_librdkafka_log(text, "log");
  ASSERT_EQ(trace.problems.size(), 201U);
  EXPECT_EQ(trace.problems.back().what, "800 more such lines follow");
}

}  // namespace
}  // namespace fencepost::traces
