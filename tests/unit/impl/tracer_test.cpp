// The tracer, from C, and the reader of what it writes.
#include <gtest/gtest.h>

#include "spec/base.h"
#include "tests/unit/impl/tracer_example.h"
#include "traces/tracer_trace.h"

namespace fencepost::traces {
namespace {

std::string example() {
  std::string text(4096, '\0');
  write_example(text.data(), text.size());
  return text.substr(0, text.find('\0'));
}

/// The sentence that refuses the text, or "".
std::string refusal(const std::string& text) {
  try {
    check_tracer_trace(read_trace(text, "t"), "t");
    return {};
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Exit::kBadInput);
    return error.what();
  }
}

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = example();
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Tracer, WritesFromC) {
  const TracerSummary summary = check_tracer_trace(read_trace(example(), "t"), "t");
  EXPECT_EQ(summary.by, "a client in C, with \"quotes\"");
  EXPECT_EQ(summary.events, 2U);
  EXPECT_EQ(summary.actors.at("producer"), 1U);
}

TEST(Tracer, DropsWholeFieldsOfALineThatIsFull) {
  std::string text(4096, '\0');
  write_long_event(text.data(), text.size());
  text = text.substr(0, text.find('\0'));
  EXPECT_EQ(refusal(text), "");
  EXPECT_NE(text.find("\"cut\":true"), std::string::npos);
  EXPECT_EQ(text.find("xxx"), std::string::npos);
}

TEST(Tracer, TheReaderIsStrict) {
  EXPECT_EQ(refusal(example()), "");
  EXPECT_EQ(refusal(replaced("\"send\"", "\"sendt\"")), "t:2: unknown event \"sendt\"");
  EXPECT_EQ(refusal(replaced("\"count\":1,", "")), "t:2: \"send\" needs the field \"count\"");
  EXPECT_EQ(refusal(replaced("\"count\":1", "\"count\":\"1\"")),
            "t:2: \"count\" must be an integer");
  EXPECT_EQ(refusal(replaced("\"count\":1", "\"count\":1,\"more\":1")),
            "t:2: \"send\" has no field \"more\"");
  EXPECT_EQ(refusal(replaced("\"n\":0", "\"n\":1")),
            "t:2: \"n\" is not 0, the next one of \"producer\"");
  EXPECT_EQ(refusal(replaced("\"after_n\":0", "\"after_n\":3")),
            "t:3: event 3 of \"producer\", which this one comes after, does not stand above it");
  EXPECT_EQ(refusal(replaced(",\"after_n\":0", "")),
            "t:3: \"after\" (a text) and \"after_n\" (a number) come together or not at all");
  EXPECT_EQ(refusal(replaced("\"source\":\"tracer\"", "\"source\":\"model\"")),
            "t:1: this trace is of \"model\", not of the tracer");
}

}  // namespace
}  // namespace fencepost::traces
