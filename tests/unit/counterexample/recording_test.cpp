// Counterexamples as trace files: they read back, step by step, and a file that was changed does
// not. The one of the field report is kept as text.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "checker/counterexample/narrate.h"
#include "checker/counterexample/recording.h"
#include "spec/base.h"
#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using checker::Recording;
using spec::Property;

Recording field_duplicate() {
  Recording recording;
  recording.variant = "librdkafka-2.15";
  recording.broker = "kafka-2.5-to-4.4";
  recording.behaviour = behaviour("librdkafka-2.15");
  recording.instance = instance_w("leader-lost,stale-view", 2);
  recording.property = Property::kNoDuplicate;
  const auto result =
      run(recording.behaviour, recording.instance, {.properties = 1, .stop_when_decided = true});
  recording.path = result.violations.at(0).path;
  return recording;
}

Recording endless_retry() {
  Recording recording;
  recording.variant = "librdkafka-pr-4972";
  recording.broker = "kafka-2.5-to-4.4";
  recording.behaviour = behaviour("librdkafka-pr-4972");
  recording.instance = instance_w("purge", 1);
  recording.property = Property::kProgress;
  const auto result =
      run(recording.behaviour, recording.instance, {.properties = 0, .progress = true});
  recording.path = result.lasso.value().stem;
  recording.loop_from = recording.path.size();
  recording.path.insert(recording.path.end(), result.lasso->loop.begin(), result.lasso->loop.end());
  return recording;
}

spec::Model model_of(const Recording& r) { return {r.behaviour, r.instance}; }

std::string complaint(const std::string& text) {
  try {
    static_cast<void>(checker::read_recording(text, "cex.jsonl"));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Exit::kBadInput);
    return error.what();
  }
  return "accepted";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Recording, ReadsBackWhatItWrote) {
  for (const Recording& recording : {field_duplicate(), endless_retry()}) {
    const std::string text = traces::write_trace(checker::record(recording));
    const Recording back = checker::read_recording(text, "cex.jsonl");
    EXPECT_EQ(back.path, recording.path);
    EXPECT_EQ(back.behaviour, recording.behaviour);
    EXPECT_EQ(back.instance, recording.instance);
    EXPECT_EQ(back.property, recording.property);
    EXPECT_EQ(back.loop_from, recording.loop_from);
    EXPECT_TRUE(checker::violates(model_of(back), back));
    EXPECT_EQ(traces::write_trace(checker::record(back)), text);
  }
}

TEST(Recording, AShorterRunDoesNotViolate) {
  Recording recording = field_duplicate();
  recording.path.pop_back();
  EXPECT_FALSE(checker::violates(model_of(recording), recording));
  Recording loop = endless_retry();
  loop.path.pop_back();
  EXPECT_FALSE(checker::violates(model_of(loop), loop)) << "the loop does not close";
}

TEST(Recording, ALoopThatStarvesAnActionIsNoViolation) {
  // The same three steps, from the start, where the other partition could still send.
  Recording recording = endless_retry();
  const spec::Model model = model_of(recording);
  Recording unfair = recording;
  unfair.path.clear();
  for (const checker::ActionIndex a : recording.path) {
    const int p = model.action(a).partition;
    const bool first_partition = p == 0;
    if (first_partition == (model.action(recording.path.back()).partition == 0)) {
      unfair.path.push_back(a);
    }
  }
  unfair.loop_from = unfair.path.size() - 3;
  EXPECT_FALSE(checker::violates(model, unfair));
}

TEST(Recording, AChangedFileIsRefusedWithItsLine) {
  const std::string text = traces::write_trace(checker::record(field_duplicate()));
  EXPECT_EQ(complaint(text), "accepted");
  EXPECT_EQ(complaint(replaced(text, "\"event\":\"send\"", "\"event\":\"sent\"")),
            "cex.jsonl:2: this instance has no action \"sent partition=0\"");
  EXPECT_EQ(complaint(replaced(text, "\"event\":\"send\"", "\"event\":\"receive\"")),
            "cex.jsonl:2: this step cannot happen here: the guard of \"receive partition=0\" is "
            "false");
  EXPECT_EQ(complaint(replaced(text, "\"to\":1", "\"to\":2")),
            "cex.jsonl:2: this step changes something else than the file says");
  EXPECT_EQ(complaint(replaced(text, "\"property\":\"no-duplicate\"", "\"property\":\"none\"")),
            "cex.jsonl:1: unknown property \"none\"");
  EXPECT_EQ(complaint(replaced(text, "\"partitions\":2", "\"partitions\":9")).substr(0, 12),
            "cex.jsonl:1:");
  EXPECT_EQ(complaint(replaced(text, "\"variant\":\"librdkafka-2.15\"", "\"variant\":7")),
            "cex.jsonl:1: the header needs the field \"variant\" (a string)");
  EXPECT_EQ(complaint(replaced(text, "\"partition\":0", "\"partition\":4294967296")),
            "cex.jsonl:2: this step is described otherwise than the model does");
  EXPECT_EQ(complaint(replaced(text, "sends A1", "sends A2")),
            "cex.jsonl:2: this step is described otherwise than the model does");
}

TEST(Recording, ATornFileIsRefused) {
  const std::string text = traces::write_trace(checker::record(field_duplicate()));
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, text.size() / 2, text.size() - 1}) {
    EXPECT_NE(complaint(text.substr(0, size)), "accepted") << size;
  }
  // At the end of a line, too: the header says how many steps there were.
  for (std::size_t at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 1)) {
    EXPECT_NE(complaint(text.substr(0, at + 1)).find("of the 18 events that its header promises"),
              std::string::npos)
        << at;
  }
}

/// Compares with a kept text; run with FENCEPOST_WRITE_GOLDEN=1 to renew it after a change.
void expect_golden(const std::string& name, const std::string& text) {
  const std::string path =
      std::string(FENCEPOST_SOURCE_DIR) + "/tests/golden/counterexample/" + name;
  if (std::getenv("FENCEPOST_WRITE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::ifstream file(path);
  std::stringstream kept;
  kept << file.rdbuf();
  EXPECT_EQ(text, kept.str()) << path;
}

TEST(Golden, TheFieldDuplicateInKafkasWords) {
  const Recording recording = field_duplicate();
  const spec::Model model = model_of(recording);
  expect_golden("field-duplicate.txt",
                checker::narration_text(checker::narrate(model, recording.path)));
}

TEST(Golden, TheEndlessRetryInKafkasWords) {
  const Recording recording = endless_retry();
  const spec::Model model = model_of(recording);
  expect_golden(
      "endless-retry.txt",
      checker::narration_text(checker::narrate(model, recording.path), recording.loop_from));
}

}  // namespace
}  // namespace fencepost::testing
