#include "traces/event_json.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "spec/base.h"
#include "tests/unit/traces/inputs.h"

namespace fencepost::traces {
namespace {

const std::string kRoot = FENCEPOST_SOURCE_DIR;

// The kept file, or what it should be when asked to write it anew.
std::string kept(const std::string& path, const std::string& now) {
  if (std::getenv("FENCEPOST_UPDATE_GOLDEN") != nullptr) write_file_whole(path, now);
  return read_input(path);
}

TEST(Schema, IsTheOneThatIsKept) {
  const std::string now = trace_schema().dump(2) + "\n";
  EXPECT_EQ(kept(kRoot + "/traces/schema.json", now), now)
      << "run this test with FENCEPOST_UPDATE_GOLDEN=1";
}

std::vector<std::string> all_inputs() {
  std::vector<std::string> names = {test::kRollingRestart, test::kSharedEpoch,
                                    test::kSharedEpochLog};
  for (const char* name : test::kClientLogs) names.emplace_back(name);
  return names;
}

TEST(Recorded, IsWhatTheImportersMake) {
  for (const std::string& name : all_inputs()) {
    const std::string file = std::filesystem::path(name).filename().string();
    const Trace trace = test::import_one(test::input_text(name), file);
    const std::string now = write_trace(to_raw(trace));
    const std::string path = kRoot + "/traces/recorded/" + file + ".trace.jsonl";
    EXPECT_EQ(kept(path, now), now) << file;
    EXPECT_EQ(from_raw(read_trace(now, file), file), trace) << file;
  }
}

TEST(Recorded, EveryEventKeepsToTheSchema) {
  const nlohmann::ordered_json schema = trace_schema();
  for (const std::string& name : all_inputs()) {
    for (const RawEvent& event : to_raw(test::import_one(test::input_text(name))).events) {
      bool known = false;
      for (const auto& one : schema["events"]) {
        if (one["properties"]["event"]["const"] != event.event) continue;
        known = true;
        for (const auto& [key, value] : event.body.items()) {
          EXPECT_TRUE(one["properties"].contains(key)) << event.event << " " << key;
        }
        for (const auto& key : one["required"]) {
          const bool given = key == "i" || key == "actor" || key == "event";
          EXPECT_TRUE(given || event.body.contains(key)) << event.event << " " << key;
        }
      }
      EXPECT_TRUE(known) << event.event;
    }
  }
}

std::string refusal(
    const std::string& event_line,
    const std::string& header_rest = R"(,"inputs":[{"file":"f","format":"x","clock":"unix"}])") {
  const std::string text = R"({"schema":"fencepost-trace","version":1,"source":"import")" +
                           header_rest + "}\n" + event_line + "\n";
  try {
    from_raw(read_trace(text, "t"), "t");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Exit::kBadInput);
    return error.what();
  }
  return "read";
}

TEST(FromRaw, TakesAWellFormedEvent) {
  EXPECT_EQ(refusal(R"({"i":0,"actor":"a","event":"base-moved","evidence":{"input":0,"line":3},)"
                    R"("topic":"t","partition":0,"from":1,"to":2})"),
            "read");
}

TEST(FromRaw, RefusesWhatTheSchemaForbids) {
  const struct {
    const char* line;
    const char* says;
  } cases[] = {
      {R"({"i":0,"actor":"a","event":"base-moved","topic":"t","partition":0,"from":1,"to":2})",
       "t:2: \"evidence\" is missing"},
      {R"({"i":0,"actor":"a","event":"no-such","evidence":{"input":0,"line":3}})",
       "t:2: \"no-such\" is no event"},
      {R"({"i":0,"actor":"a","event":"epoch-bumped","evidence":{"input":0,"line":3}})",
       "t:2: \"producer\" is missing"},
      {R"({"i":0,"actor":"a","event":"epoch-bumped","evidence":{"input":0,"line":3},)"
       R"("producer":{"id":1,"epoch":"2"}})",
       "t:2: \"epoch\" is not a number"},
      {R"({"i":0,"actor":"a","event":"epoch-bumped","evidence":{"input":0,"line":3},)"
       R"("producer":{"id":1,"epoch":2,"more":3}})",
       "t:2: \"producer\" has a field"},
      {R"({"i":0,"actor":"a","event":"epoch-bumped","evidence":{"input":1,"line":3},)"
       R"("producer":{"id":1,"epoch":2}})",
       "t:2: \"evidence\" names an input"},
      {R"({"i":0,"actor":"a","event":"epoch-bumped","evidence":{"input":0,"line":3},)"
       R"("producer":{"id":9223372036854775807,"epoch":2}})",
       "t:2: \"id\" is out of range"},
  };
  for (const auto& one : cases) {
    EXPECT_TRUE(refusal(one.line).starts_with(one.says)) << refusal(one.line);
  }
}

TEST(FromRaw, RefusesATraceOfAnotherSource) {
  RawTrace model;
  model.source = "model";
  EXPECT_THROW(from_raw(model, "t"), Error);
}

}  // namespace
}  // namespace fencepost::traces
