#include "traces/trace_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "spec/base.h"

namespace fencepost::traces {
namespace {

RawTrace sample() {
  RawTrace trace;
  trace.source = "model";
  trace.header["observed"] = {"every step"};
  trace.header["bounds"] = {{"messages", 3}};
  RawEvent step;
  step.actor = "broker 1";
  step.event = "append";
  step.body["message"] = 2;
  step.body["stamp"] = {{"epoch", 0}, {"sequence", 7}};
  trace.events = {step, {"producer", "bump", nlohmann::ordered_json::object()}};
  return trace;
}

// What reading `text` is refused with.
std::string refusal(const std::string& text) {
  try {
    read_trace(text, "t.jsonl");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Exit::kBadInput);
    return error.what();
  }
  return "read";
}

const std::string kHeader = R"({"schema":"fencepost-trace","version":1,"source":"x"})"
                            "\n";

TEST(TraceFile, ReadsWhatItWrites) {
  const RawTrace trace = sample();
  EXPECT_EQ(read_trace(write_trace(trace), "t.jsonl"), trace);
}

TEST(TraceFile, WritesOneLineForEachEventAfterTheHeader) {
  EXPECT_EQ(write_trace(sample()),
            "{\"schema\":\"fencepost-trace\",\"version\":1,\"source\":\"model\","
            "\"events\":2,\"observed\":[\"every step\"],\"bounds\":{\"messages\":3}}\n"
            "{\"i\":0,\"actor\":\"broker 1\",\"event\":\"append\",\"message\":2,"
            "\"stamp\":{\"epoch\":0,\"sequence\":7}}\n"
            "{\"i\":1,\"actor\":\"producer\",\"event\":\"bump\"}\n");
}

TEST(TraceFile, ACutAtTheEndOfALineIsKnown) {
  const std::string text = write_trace(sample());
  const std::size_t last = text.rfind('\n', text.size() - 2) + 1;
  EXPECT_EQ(
      refusal(text.substr(0, last)),
      "t.jsonl:2: the trace ends here after 1 of the 2 events that its header promises, so it "
      "is not whole; record the trace again");
  const std::size_t first = text.find('\n') + 1;
  EXPECT_TRUE(refusal(text.substr(0, first)).starts_with("t.jsonl:1: the trace ends here after 0"));
  // One that does not promise a number, as the tracer's, is read as it is.
  std::string silent = text;
  silent.erase(silent.find("\"events\":2,"), 11);
  EXPECT_EQ(read_trace(silent, "t.jsonl"), sample());
  EXPECT_EQ(read_trace(silent.substr(0, silent.rfind('\n', silent.size() - 2) + 1), "t.jsonl")
                .events.size(),
            1U);
}

TEST(TraceFile, HoldsNoEvents) { EXPECT_TRUE(read_trace(kHeader, "t.jsonl").events.empty()); }

TEST(TraceFile, RefusesNamingFileAndLine) {
  const std::string event0 = "{\"i\":0,\"actor\":\"a\",\"event\":\"e\"}\n";
  const struct {
    std::string text;
    const char* begins;
  } cases[] = {
      {"", "t.jsonl:1: the file is empty"},
      {"{\"schema\":\"other\",\"version\":1,\"source\":\"x\"}\n",
       "t.jsonl:1: the header's \"schema\""},
      {"{\"schema\":\"fencepost-trace\",\"version\":2,\"source\":\"x\"}\n",
       "t.jsonl:1: the header's \"version\""},
      {"{\"schema\":\"fencepost-trace\",\"version\":\"1\",\"source\":\"x\"}\n",
       "t.jsonl:1: the header's \"version\""},
      {"{\"schema\":\"fencepost-trace\",\"version\":1,\"source\":\"x\",\"events\":-1}\n",
       "t.jsonl:1: the header's \"events\" is no count"},
      {"{\"schema\":\"fencepost-trace\",\"version\":1}\n", "t.jsonl:1: \"source\" is missing"},
      {"[]\n", "t.jsonl:1: this line is not one JSON object"},
      {kHeader + "nonsense\n", "t.jsonl:2: this line is not one JSON object"},
      {kHeader + "\n", "t.jsonl:2: this line is not one JSON object"},
      {kHeader + event0 + event0, "t.jsonl:3: the event's index \"i\" is not 1"},
      {kHeader + "{\"i\":1,\"actor\":\"a\",\"event\":\"e\"}\n",
       "t.jsonl:2: the event's index \"i\" is not 0"},
      {kHeader + "{\"i\":0,\"event\":\"e\"}\n", "t.jsonl:2: \"actor\" is missing"},
      {kHeader + "{\"i\":0,\"actor\":\"a\"}\n", "t.jsonl:2: \"event\" is missing"},
      {kHeader + event0 + kHeader, "t.jsonl:3: a second header"},
      {kHeader + "{\"i\":0,\"actor\":\"a\",\"event\":\"e\"}",
       "t.jsonl:2: the last line has no line end"},
      {kHeader + event0 + "{\"i\":1,\"ac", "t.jsonl:3: the last line has no line end"},
  };
  for (const auto& one : cases) {
    EXPECT_TRUE(refusal(one.text).starts_with(one.begins)) << refusal(one.text);
  }
}

TEST(TraceFile, IsKnownByItsFirstLine) {
  EXPECT_TRUE(looks_like_trace(kHeader));
  EXPECT_TRUE(looks_like_trace("{\"schema\":"));
  EXPECT_FALSE(looks_like_trace("Kafka (Produce v10 Request)\n"));
  EXPECT_FALSE(looks_like_trace(""));
}

TEST(WriteFileWhole, ReplacesOrLeavesNothingBehind) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "fencepost_write_file_whole";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const std::string path = (folder / "out").string();
  write_file_whole(path, "one\n");
  write_file_whole(path, "two\n");
  std::ifstream in(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "two\n");
  EXPECT_THROW(write_file_whole((folder / "none" / "out").string(), "x"), Error);
  std::filesystem::create_directory(folder / "taken");
  EXPECT_THROW(write_file_whole((folder / "taken").string(), "x"), Error);
  // What is no file stays what it is, and a link stays a link.
  EXPECT_THROW(write_file_whole("/dev/null", "x"), Error);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  const auto link = folder / "link";
  std::filesystem::remove(link);
  std::filesystem::create_symlink(path, link);
  write_file_whole(link.string(), "three\n");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(std::filesystem::file_size(path), 6U);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    EXPECT_TRUE(entry.path().filename() == "out" || entry.path().filename() == "taken" ||
                entry.path().filename() == "link");
    ++files;
  }
  EXPECT_EQ(files, 3U);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace fencepost::traces
