#include "traces/import/wireshark_text.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/unit/traces/inputs.h"
#include "traces/import/wireshark_fields.h"

namespace fencepost::traces {
namespace {

template <class E>
std::vector<std::pair<Evidence, E>> all(const Trace& trace) {
  std::vector<std::pair<Evidence, E>> found;
  for (const Event& event : trace.events) {
    if (const auto* e = std::get_if<E>(&event.payload)) found.emplace_back(event.evidence, *e);
  }
  return found;
}

Trace capture(const char* name) { return import_wireshark_text(test::input_text(name), name); }

TEST(WiresharkText, ReadsEveryMessageOfTheRollingRestart) {
  const Trace trace = capture(test::kRollingRestart);
  EXPECT_EQ(all<ProduceRequest>(trace).size(), 7U);
  EXPECT_EQ(all<ProduceAnswer>(trace).size(), 7U);
  EXPECT_EQ(all<RecordsRead>(trace).size(), 2U);
  EXPECT_EQ(all<EpochEnd>(trace).size(), 2U);
  ASSERT_EQ(all<LeaderSeen>(trace).size(), 1U);
  EXPECT_EQ(all<LeaderSeen>(trace)[0].second.leader, 3);
  EXPECT_EQ(all<LeaderSeen>(trace)[0].second.leader_epoch, 18);
}

TEST(WiresharkText, KeepsAnOffsetBesideAnError) {
  const Trace trace = capture(test::kRollingRestart);
  const auto answers = all<ProduceAnswer>(trace);
  const auto& [seen, answer] = answers[1];
  EXPECT_EQ(seen.frame, 1566024);
  EXPECT_EQ(seen.line, 125);  // of the frame header
  EXPECT_EQ(seen.time_us, ((15 * 60 + 37) * 60 + 12) * 1'000'000LL + 623878);
  EXPECT_EQ(answer.error, "NOT_LEADER_OR_FOLLOWER");
  EXPECT_EQ(answer.offset, 71229);
  EXPECT_EQ(answer.hint, (LeaderHint{3, 18, "198.51.100.8:40003"}));
  EXPECT_EQ(answers[2].second.offset, -1);
}

TEST(WiresharkText, OrdersByFrameNotByPlaceInTheText) {
  std::int64_t before = 0;
  for (const Event& event : capture(test::kRollingRestart).events) {
    EXPECT_GE(event.evidence.frame.value_or(-1), before);
    before = event.evidence.frame.value_or(-1);
  }
}

TEST(WiresharkText, ReadsBatchesAsPrinted) {
  const auto reads = all<RecordsRead>(capture(test::kRollingRestart));
  EXPECT_EQ(reads[0].second.topic, "my-topic-0188");  // by the id that Metadata resolves
  EXPECT_EQ(reads[0].second.high_watermark, 71231);
  ASSERT_EQ(reads[0].second.batches.size(), 1U);
  const Batch& batch = reads[0].second.batches[0];
  EXPECT_EQ(batch.stamp, (Stamp{7078, 0, 2704}));
  EXPECT_EQ(batch.base_offset, 71229);
  EXPECT_EQ(batch.leader_epoch, 17);
  EXPECT_EQ(batch.crc, "e97ffa59");
  ASSERT_EQ(batch.records.size(), 2U);
  EXPECT_EQ(batch.records[1], (Record{1737733031587, 71230, "00000000", "0000000000000a91"}));
}

TEST(WiresharkText, ReportsTheDamagedHeaderAndUsesItsFrame) {
  const Trace trace = capture(test::kRollingRestart);
  ASSERT_EQ(trace.problems.size(), 2U);
  EXPECT_EQ(trace.problems[1].where.line, 697);
  EXPECT_NE(trace.problems[1].what.find("198.51.100.840003"), std::string::npos);
  const auto ends = all<EpochEnd>(trace);
  EXPECT_EQ(ends[1].first.frame, 1583379);
  EXPECT_EQ(ends[1].second.broker, "198.51.100.8:40003");  // from its request
  EXPECT_EQ(ends[1].second.end_offset, 71231);
}

TEST(WiresharkText, SeparatesTheRequestsOfOneFrame) {
  const auto requests = all<ProduceRequest>(capture(test::kSharedEpoch));
  ASSERT_EQ(requests.size(), 7U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(requests[i].first.frame, 3025);
    EXPECT_EQ(requests[i].second.correlation, 368 + static_cast<std::int64_t>(i));
    EXPECT_EQ(requests[i].first.line, i == 0 ? 3 : 5 + 42 * static_cast<std::int64_t>(i));
  }
  EXPECT_EQ(requests[0].second.partition, 1);
  EXPECT_EQ(requests[3].second.batch.records.size(), 2U);
}

TEST(WiresharkText, ReadsTheLayersOfAFullPrintOut) {
  const std::string full = test::replaced(
      test::replaced(
          test::input_text(test::kSharedEpoch),
          "6396, 12:33:48.420982, 192.0.2.2:9092->192.0.2.1:57042 - Kafka Produce v10 Response\n\n",
          "Frame 6396: 130 bytes on wire (1040 bits), 130 bytes captured (1040 bits)\n"
          "    Arrival Time: Feb  5, 2025 12:33:48.420982000 UTC\n"
          "    Frame Number: 6396\n"
          "Ethernet II, Src: 00:00:00_00:00:01, Dst: 00:00:00_00:00:02\n"
          "Internet Protocol Version 4, Src: 192.0.2.2, Dst: 192.0.2.1\n"
          "    0100 .... = Version: 4\n"
          "Transmission Control Protocol, Src Port: 9092, Dst Port: 57042, Seq: 1, Len: 64\n"
          "    Source Port: 9092\n"),
      "\r", "");
  Trace layered = import_wireshark_text(full, "x");
  const Trace plain = import_wireshark_text(test::input_text(test::kSharedEpoch), "x");
  ASSERT_EQ(layered.events.size(), plain.events.size());
  layered.events.back().evidence.line = plain.events.back().evidence.line;
  EXPECT_EQ(layered.events, plain.events);
  EXPECT_EQ(layered.problems.size(), plain.problems.size());
}

TEST(WiresharkText, SaysWhatIsMissingFromABatch) {
  const std::string text = test::input_text(test::kSharedEpoch);
  const Trace cut = import_wireshark_text(
      test::replaced(text, "                    Base Sequence: 77\n", ""), "x");
  bool said = false;
  for (const Problem& problem : cut.problems) {
    said = said || (problem.where.line == 62 &&
                    problem.what == "this batch lacks producer id, epoch or sequence");
  }
  EXPECT_TRUE(said);
  EXPECT_EQ(all<ProduceRequest>(cut).size(), 7U);  // used without its stamp
}

TEST(WiresharkText, ReportsALabelThatItDoesNotKnow) {
  const Trace trace = import_wireshark_text(
      test::replaced(test::input_text(test::kSharedEpoch), "Base Sequence: 80", "Bse Sequence: 80"),
      "x");
  ASSERT_GE(trace.problems.size(), 2U);
  EXPECT_EQ(trace.problems[1].where.line, 20);
  EXPECT_EQ(trace.problems[2].what, "\"Bse Sequence\" is not understood; the line is passed over");
}

TEST(WiresharkFields, ReadRecordTimes) {
  EXPECT_EQ(parse_record_time("Jan 24, 2025 15:37:11.519000000 UTC"), 1737733031519);
  EXPECT_EQ(parse_record_time("Feb  5, 2025 12:33:40.706000000 UTC"), 1738758820706);
  EXPECT_EQ(parse_record_time("Jan  1, 1970 00:06:44.-1728723361 UTC"), std::nullopt);
  EXPECT_EQ(parse_record_time("Feb 30, 2025 12:33:40.0 UTC"), std::nullopt);
  EXPECT_EQ(parse_record_time(""), std::nullopt);
}

TEST(WiresharkFields, ReadTaggedFields) {
  EXPECT_EQ(parse_current_leader("000000030000001200"), (LeaderHint{3, 18, {}}));
  EXPECT_EQ(parse_current_leader("00000003"), std::nullopt);
  const auto nodes = parse_node_endpoints("02000000030d3139382e35312e3130302e3800009c430000");
  ASSERT_EQ(nodes.size(), 1U);
  EXPECT_EQ(nodes[0], (BrokerSeen{3, "198.51.100.8:40003"}));
  EXPECT_TRUE(parse_node_endpoints("02000000030d3139").empty());
  EXPECT_TRUE(parse_node_endpoints("ff").empty());
}

TEST(WiresharkText, TheFieldsOfALostPartitionAreNotThoseOfTheOneBefore) {
  const std::string head =
      "7, 12:00:00.000000, 10.0.0.1:9092->10.0.0.2:5000 - Kafka Produce v10 Response\n\n"
      "Kafka (Produce v10 Response)\n    Correlation ID: 3\n    [Request Frame: 6]\n"
      "    Topic\n        Topic Name: t\n        Partitions\n"
      "            Partition (ID=0, Offset=5)\n                Partition ID: 0\n"
      "                Error: No Error (0)\n                Offset: 5\n";
  const std::string tail =
      "                Partition ID: 1\n                Error: Unknown (6)\n"
      "                Offset: -1\n";
  for (const char* damaged :
       {"", "            Part?tion (ID=1, Offset=-1)\n", "            Topic\n"}) {
    const Trace trace = import_wireshark_text(head + damaged + tail, "x");
    const auto answers = all<ProduceAnswer>(trace);
    ASSERT_EQ(answers.size(), 1U) << damaged;
    EXPECT_EQ(answers[0].second.partition, 0);
    EXPECT_EQ(answers[0].second.error, "NONE");
    EXPECT_EQ(answers[0].second.offset, 5);
    EXPECT_FALSE(trace.problems.empty()) << damaged;
  }
}

/// The rolling restart with the lines from..to (counted from 1, both included) cut out.
Trace spliced(int from, int to) {
  std::istringstream lines(test::input_text(test::kRollingRestart));
  std::string text;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (number < from || number > to) text += line + "\n";
  }
  return import_wireshark_text(text, "x");
}

std::string problem_at(const Trace& trace, std::int64_t line) {
  for (const Problem& problem : trace.problems) {
    if (problem.where.line == line) return problem.what;
  }
  return "(none)";
}

// Line 125 is the header of frame 1566024, an answer; 156 that of frame 1566591, a request.
TEST(WiresharkText, ARequestBelowTheHeaderOfAnAnswerIsDamage) {
  const Trace trace = spliced(127, 157);
  EXPECT_EQ(
      problem_at(trace, 127),
      "damaged frame: its header, line 125, says Response, and this is a Produce Request; the "
      "message is used without frame");
  const auto requests = all<ProduceRequest>(trace);
  ASSERT_EQ(requests.size(), 7U);
  std::size_t without = 0;
  for (const auto& [seen, request] : requests) {
    if (seen.frame) continue;
    ++without;
    EXPECT_EQ(seen.line, 127);
    EXPECT_EQ(seen.time_us, std::nullopt);
    EXPECT_NE(request.broker, "192.0.2.3:65494");  // the client, which the header has on that side
    EXPECT_NE(request.connection, "198.51.100.8:40001");
  }
  EXPECT_EQ(without, 1U);
  for (const Event& event : trace.events) EXPECT_NE(event.evidence.frame, 1566024);
}

TEST(WiresharkText, AnAnswerBelowTheHeaderOfARequestIsDamage) {
  const Trace trace = spliced(158, 209);  // the request's body, and the header of its answer
  const std::string said = problem_at(trace, 158);
  EXPECT_EQ(
      said,
      "damaged frame: its header, line 156, says Request, and this is a Produce Response; the "
      "message is used without frame");
  const auto answers = all<ProduceAnswer>(trace);
  ASSERT_EQ(answers.size(), 7U);
  for (const auto& [seen, answer] : answers) EXPECT_NE(answer.broker, "192.0.2.3:58732");
}

TEST(WiresharkText, TheNameOfAnErrorIsNoDirection) {
  const FrameHeader header = parse_frame_header(
      "7, 12:00:00.0, 10.0.0.1:9092->10.0.0.2:5000 - Kafka Produce v10 Response [Request Timed "
      "Out]");
  EXPECT_EQ(header.request, false);
  EXPECT_EQ(
      parse_frame_header("7, 12:00:00.0, 10.0.0.1:9092->10.0.0.2:5000 - Kafka Produce").request,
      std::nullopt);
}

TEST(WiresharkText, AnOffsetPrintedTwiceAndDifferentlyIsLeftOut) {
  const std::string text =
      test::replaced(test::input_text(test::kRollingRestart), "                Offset: 71229\n",
                     "                Offset: 7122\n");
  const auto answers = all<ProduceAnswer>(import_wireshark_text(text, "x"));
  EXPECT_EQ(answers[1].second.offset, std::nullopt);
  EXPECT_EQ(answers[1].second.error, "NOT_LEADER_OR_FOLLOWER");
}

}  // namespace
}  // namespace fencepost::traces
