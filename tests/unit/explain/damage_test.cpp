// Damaged inputs: whatever is lost or changed, an answer is given, damage is named, the rest used.
#include <gtest/gtest.h>

#include <random>
#include <tuple>

#include "spec/base.h"
#include "tests/unit/explain/answers.h"

namespace fencepost::explain {
namespace {

using test::first;
using test::input_text;
using test::replaced;
using test::report_on;

// An answer, or the refusal of a text that nothing of a format is left in.
void expect_an_answer(const std::string& text) {
  try {
    const Report report = report_on({text});
    EXPECT_FALSE(explain_text(report).empty());
    EXPECT_FALSE(explain_json(report).empty());
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Exit::kBadInput);
    EXPECT_FALSE(std::string(error.what()).empty());
  }
}

std::vector<std::string> all_texts() {
  std::vector<std::string> texts = {input_text(test::kRollingRestart),
                                    input_text(test::kSharedEpoch),
                                    input_text(test::kSharedEpochLog)};
  for (const char* name : test::kClientLogs) texts.push_back(input_text(name));
  return texts;
}

TEST(Damage, EveryTruncationAtALineIsAnswered) {
  for (const std::string& text : all_texts()) {
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
      expect_an_answer(text.substr(0, at + 1));
    }
  }
}

TEST(Damage, ATruncationInsideABatchIsNamed) {
  const std::string text = input_text(test::kRollingRestart);
  const std::size_t last_value = text.rfind("                                Value:");
  const Report report = report_on({text.substr(0, last_value)});
  bool said = false;
  for (const traces::Problem& problem : report.problems) {
    said = said || problem.what == "this record has no readable value; it is left out";
  }
  EXPECT_TRUE(said);
}

TEST(Damage, RandomBytesAreAnswered) {
  std::mt19937 random(4953);  // fixed: a failure repeats
  for (const std::string& text : all_texts()) {
    for (int round = 0; round < 30; ++round) {
      std::string damaged = text;
      for (int byte = 0; byte < 1 + round; ++byte) {
        const std::size_t at = random() % damaged.size();
        switch (random() % 3) {
          case 0:
            damaged[at] = static_cast<char>(random());
            break;
          case 1:
            damaged.erase(at, 1 + random() % 20);
            break;
          default:
            damaged.insert(at, std::string(1 + random() % 4, static_cast<char>(random())));
        }
      }
      expect_an_answer(damaged);
    }
  }
}

TEST(Damage, ALineLostAnywhereIsAnswered) {
  const std::string text = input_text(test::kRollingRestart);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    expect_an_answer(text.substr(0, at) + text.substr(end));
    at = end;
  }
}

TEST(Damage, HugeNumbersAreDamage) {
  for (const char* number :
       {"9223372036854775807", "-9223372036854775808", "99999999999999999999"}) {
    const std::string text = replaced(input_text(test::kRollingRestart), "Base Sequence: 2704",
                                      std::string("Base Sequence: ") + number);
    const Report report = report_on({text});
    EXPECT_GT(report.problems.size(), 5U);
    expect_an_answer(text);
    expect_an_answer(
        replaced(input_text(test::kClientLogs[0]), "MsgId 4", std::string("MsgId ") + number));
  }
}

TEST(Damage, LostIndentationChangesNothing) {
  const std::string text = input_text(test::kRollingRestart);
  std::string flat;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && c == ' ') continue;
    line_start = c == '\n';
    flat += c;
  }
  EXPECT_EQ(explain_text(report_on({flat})), explain_text(report_on({text})));
}

TEST(Damage, WindowsLineEndsChangeNothing) {
  for (const char* name : {test::kRollingRestart, test::kSharedEpochLog, test::kClientLogs[0]}) {
    const std::string text = input_text(name);
    EXPECT_EQ(explain_text(report_on({replaced(text, "\n", "\r\n")})),
              explain_text(report_on({text})));
  }
}

TEST(Damage, ALostStampIsKnownByTheCrc) {
  // In one of the re-sent requests: the attempt still counts.
  std::string text = input_text(test::kRollingRestart);
  const std::size_t request = text.find("1568303, ");
  const std::size_t line = text.find("                    Producer Epoch: 0\n", request);
  text.erase(line, text.find('\n', line) + 1 - line);
  const Report report = report_on({text});
  EXPECT_EQ(first(report, Kind::kNoProgress)->times, 5);
}

TEST(Damage, AnAnswerWithADamagedAddressIsPaired) {
  const std::string text =
      replaced(input_text(test::kRollingRestart),
               "198.51.100.8:40001->192.0.2.3:65494 - Kafka Produce v10 Response [Not",
               "198.51.100.840001->192.0.2.3:65494 - Kafka Produce v10 Response [Not");
  const Report report = report_on({text});
  EXPECT_TRUE(test::says(*first(report, Kind::kDuplicate), "with valid offset 71229: appended"));
}

TEST(Damage, ADamagedFrameNumberLeavesTheFrameInItsPlace) {
  const std::string text =
      replaced(input_text(test::kRollingRestart), "1566024, 15:37", "15x6024, 15:37");
  const Report report = report_on({text});
  EXPECT_TRUE(test::says(*first(report, Kind::kDuplicate), "with valid offset 71229: appended"));
  bool said = false;
  for (const traces::Problem& problem : report.problems) said = said || problem.where.line == 125;
  EXPECT_TRUE(said);
}

// Who was answered what: topic, partition, frames of request and answer, stamp, error, offset.
using Answered =
    std::tuple<std::string, std::int64_t, std::optional<std::int64_t>, std::optional<std::int64_t>,
               std::optional<traces::Stamp>, std::string, std::optional<std::int64_t>>;

std::vector<Answered> answered(const std::string& text) {
  std::vector<Answered> list;
  for (const BatchHistory& batch : report_on({text}).history.batches) {
    for (const Attempt& attempt : batch.attempts) {
      if (!attempt.answer) continue;
      list.emplace_back(
          batch.topic, batch.partition, attempt.sent ? attempt.sent->frame : std::nullopt,
          attempt.answer->seen.frame, attempt.stamp, attempt.answer->error, attempt.answer->offset);
    }
  }
  return list;
}

// Nothing in `damaged` differs from `whole`; what is absent there is only missing.
void expect_no_other_answer(const std::vector<Answered>& whole, const std::string& damaged,
                            const std::string& what) {
  const auto fits = [](const auto& seen, const auto& was) { return !seen || seen == was; };
  for (const Answered& now : answered(damaged)) {
    const bool known = std::any_of(whole.begin(), whole.end(), [&](const Answered& was) {
      return std::get<0>(now) == std::get<0>(was) && std::get<1>(now) == std::get<1>(was) &&
             fits(std::get<2>(now), std::get<2>(was)) && fits(std::get<3>(now), std::get<3>(was)) &&
             fits(std::get<4>(now), std::get<4>(was)) && std::get<5>(now) == std::get<5>(was) &&
             fits(std::get<6>(now), std::get<6>(was));
    });
    EXPECT_TRUE(known) << what << ": " << std::get<0>(now) << " [" << std::get<1>(now) << "] "
                       << std::get<5>(now) << " " << std::get<6>(now).value_or(-2);
  }
}

// A capture with two partitions in a request and its answer.
std::string two_partitions() {
  const std::string text = input_text(test::kRollingRestart);
  const std::size_t from = text.find("1561308, ");
  const std::size_t to = text.find("1566591, ");
  std::string part = text.substr(from, to - from);
  const auto doubled = [&](const std::string& begin, const std::string& end) {
    const std::size_t at = part.find(begin);
    const std::size_t stop = part.find(end, at);
    std::string second = part.substr(at, stop - at);
    second = replaced(replaced(second, "ID=0", "ID=1"), "Partition ID: 0", "Partition ID: 1");
    second = replaced(replaced(second, "Partition (6)", "Partition (3)"), "71229", "-1");
    second = replaced(replaced(second, "2704", "31"), "0xe97ffa59", "0xe97ffa5a");
    part.insert(stop, second);
  };
  doubled("        Partition (ID=0)\n", "        Tagged fields\n    Tagged fields");
  doubled("            Partition (ID=0, Offset", "        Tagged fields\n    Throttle");
  return part;
}

TEST(Damage, OneDamagedLineGivesNoOtherAnswer) {
  for (const std::string& text :
       {two_partitions(), input_text(test::kRollingRestart), input_text(test::kSharedEpoch)}) {
    const std::vector<Answered> whole = answered(text);
    EXPECT_GE(whole.size(), 2U);
    std::int64_t line = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
      const std::string before = text.substr(0, at);
      const std::string rest = text.substr(end);
      const std::size_t label = std::min(text.find_first_not_of(' ', at), end);
      const std::string where = "line " + std::to_string(++line);
      expect_no_other_answer(whole, before + rest.substr(1), where + " lost");
      if (label < end) {
        const std::string kept = text.substr(at, label - at);
        expect_no_other_answer(whole,
                               before + kept + "~" + text.substr(label + 1, end - label - 1) + rest,
                               where + " changed");
        expect_no_other_answer(whole, before + text.substr(at, (label + end) / 2 - at) + rest,
                               where + " cut");
      }
      at = end + 1;
    }
  }
}

}  // namespace
}  // namespace fencepost::explain
