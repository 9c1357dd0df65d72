// The entry point: files, options, refusals.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "checker/explain/explain.h"
#include "spec/base.h"
#include "tests/unit/traces/inputs.h"

namespace fencepost::explain {
namespace {

class ExplainFiles : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("fencepost_explain_") + info->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  static std::string answer(const ExplainOptions& options) {
    std::ostringstream out;
    EXPECT_EQ(explain(options, out), 0);
    return out.str();
  }

  // The sentence that the options are refused with; nothing may have been printed.
  static std::string refusal(const ExplainOptions& options, Exit code) {
    std::ostringstream out;
    try {
      explain(options, out);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code);
      EXPECT_EQ(out.str(), "");
      const std::string sentence = error.what();
      EXPECT_EQ(sentence.find('\n'), std::string::npos);
      return sentence;
    }
    ADD_FAILURE() << "accepted";
    return {};
  }

  std::filesystem::path folder_;
};

ExplainOptions one(const std::string& path) {
  ExplainOptions options;
  options.files = {path};
  return options;
}

TEST_F(ExplainFiles, NoInputIsAUsageError) {
  EXPECT_TRUE(refusal({}, Exit::kUsage).starts_with("no input"));
}

TEST_F(ExplainFiles, RefusesWhatCannotBeUsed) {
  const std::string pcap("\xd4\xc3\xb2\xa1\x02\x00\x04\x00", 8);
  const struct {
    std::string path;
    const char* says;
  } cases[] = {
      {(folder_ / "none.txt").string(), "none.txt: there is no such file"},
      {folder_.string(), "this is a folder"},
      {file("empty.txt", ""), "empty.txt: the file is empty"},
      {file("blank.txt", "\n\n"), "blank.txt: no line of it is of a Wireshark text print-out"},
      {file("prose.md", "# Notes\n\nNothing here.\n"), "prose.md: no line of it"},
      {file("data.bin", std::string("\x7f\x45\x4c\x46\0\0\0\0", 8)),
       "data.bin: this is a binary file"},
      {file("a.pcap", pcap), "a.pcap: this is a packet capture, not its print-out"},
      {file("cut.jsonl",
            "{\"schema\":\"fencepost-trace\",\"version\":1,\"source\":\"import\"}\n{\"i\""),
       "cut.jsonl:2: the last line has no line end"},
      {file("model.jsonl", "{\"schema\":\"fencepost-trace\",\"version\":1,\"source\":\"model\"}\n"),
       "model.jsonl:1: this trace has the source \"model\""},
  };
  for (const auto& one_case : cases) {
    const std::string sentence = refusal(one(one_case.path), Exit::kBadInput);
    EXPECT_NE(sentence.find(one_case.says), std::string::npos) << sentence;
  }
}

TEST_F(ExplainFiles, RefusesAHugeFileUnread) {
  const std::string path = file("huge.log", "%7|");
  std::filesystem::resize_file(path, std::uintmax_t{600} << 20);  // sparse
  EXPECT_NE(refusal(one(path), Exit::kBadInput).find("larger than 512 MiB"), std::string::npos);
}

TEST_F(ExplainFiles, ControlCharactersDoNotReachTheTerminal) {
  std::string text = traces::read_input(test::kCaptures + test::kRollingRestart);
  text = test::replaced(text, "my-topic-0188", "my\x1b[2Jtopic");
  const std::string said = answer(one(file("escape.txt", text)));
  EXPECT_EQ(said.find('\x1b'), std::string::npos);
  EXPECT_NE(said.find("my?[2Jtopic"), std::string::npos);
}

TEST_F(ExplainFiles, RefusesACaptureAsLog) {
  ExplainOptions options;
  options.logs = {test::kCaptures + test::kSharedEpoch};
  EXPECT_NE(refusal(options, Exit::kBadInput).find("no librdkafka debug log"), std::string::npos);
}

TEST_F(ExplainFiles, ABadSecondInputWritesNothing) {
  ExplainOptions options = one(test::kCaptures + test::kSharedEpoch);
  options.logs = {file("empty.log", "")};
  options.trace_out = (folder_ / "out.jsonl").string();
  refusal(options, Exit::kBadInput);
  EXPECT_FALSE(std::filesystem::exists(options.trace_out));
}

TEST_F(ExplainFiles, AnUnwritableTraceIsRefusedWithoutAnAnswer) {
  ExplainOptions options = one(test::kCaptures + test::kSharedEpoch);
  options.trace_out = (folder_ / "no" / "out.jsonl").string();
  EXPECT_NE(refusal(options, Exit::kBadInput).find("cannot be written"), std::string::npos);
}

TEST_F(ExplainFiles, TheWrittenTraceGivesTheSameAnswer) {
  ExplainOptions options = one(test::kCaptures + test::kSharedEpoch);
  options.logs = {test::kCaptures + test::kSharedEpochLog};
  options.trace_out = (folder_ / "out.jsonl").string();
  const std::string direct = answer(options);
  EXPECT_EQ(answer(one(options.trace_out)), direct);
}

TEST_F(ExplainFiles, ALogIsFoundByContentToo) {
  ExplainOptions options;
  options.files = {test::kCaptures + test::kSharedEpoch, test::kCaptures + test::kSharedEpochLog};
  EXPECT_TRUE(answer(options).starts_with("DUPLICATE confirmed"));
}

TEST_F(ExplainFiles, GivesJson) {
  ExplainOptions options = one(test::kCaptures + test::kRollingRestart);
  options.format = OutputFormat::kJson;
  const auto json = nlohmann::json::parse(answer(options));
  EXPECT_EQ(json["findings"][0]["kind"], "duplicate");
  EXPECT_EQ(json["findings"][0]["certainty"], "confirmed");
  EXPECT_EQ(json["findings"][0]["copies"][1]["first_offset"], 71231);
  EXPECT_EQ(json["findings"][0]["old_stamp"]["sequence"], 2704);
  EXPECT_EQ(json["batches"][1]["attempts"][0]["answer"]["appended_then_refused"], true);
  EXPECT_EQ(json["problems"][1]["where"]["line"], 697);
}

TEST_F(ExplainFiles, NothingFoundIsSaid) {
  const std::string quiet =
      file("quiet.log",
           "%7|1764432000.504|GETPID|c| [thrd:main]: Acquired PID{Id:1,Epoch:0}\n"
           "%7|1764432000.504|PRODUCE|c| [thrd:h:1/1]: h:1/1: t [0]: Produce MessageSet with 1 "
           "message(s) "
           "(70 bytes, ApiVersion 10, MsgVersion 2, MsgId 1, BaseSeq 0, PID{Id:1,Epoch:0}, "
           "uncompressed)\n"
           "%7|1764432000.505|MSGSET|c| [thrd:h:1/1]: h:1/1: t [0]: MessageSet with 1 message(s) "
           "(MsgId 1, "
           "BaseSeq 0) delivered\n");
  EXPECT_TRUE(answer(one(quiet)).starts_with("NOTHING FOUND"));
}

TEST_F(ExplainFiles, DamageIsNamedWithTheFileAsItWasGiven) {
  // Below the header of an answer (line 125) stands the body of the next request.
  std::string text = test::input_text(test::kRollingRestart);
  const auto from = text.find("Kafka (Produce v10 Response)", text.find("\n1566024, "));
  const auto to = text.find("Kafka (Produce v10 Request)", from);
  text.erase(from, to - from);
  const std::string path = file("spliced.txt", text);
  const std::string said = answer(one(path));
  std::string unwrapped;  // lines break at blanks
  for (const char c : said) {
    if (c == '\n') {
      unwrapped += ' ';
    } else if (c != ' ' || !unwrapped.ends_with(' ')) {
      unwrapped += c;
    }
  }
  EXPECT_NE(unwrapped.find(path + ":127: damaged frame: its header, line 125, says Response"),
            std::string::npos)
      << said;
  EXPECT_EQ(said.find("frame 1566024"), std::string::npos) << said;
}

}  // namespace
}  // namespace fencepost::explain
