// Damaged inputs: whatever is lost or changed, an answer is given, damage is named, the rest used.
#include <gtest/gtest.h>

#include <random>

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
    said = said || problem.what == "this record has no readable value";
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

}  // namespace
}  // namespace fencepost::explain
