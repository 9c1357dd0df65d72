// The answers of `explain`, whole: a change of one word is seen. To accept new answers, run this
// program with FENCEPOST_UPDATE_GOLDEN=1 and read the difference.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "checker/explain/explain.h"
#include "tests/unit/traces/inputs.h"
#include "traces/trace_file.h"

namespace fencepost::explain {
namespace {

struct Case {
  std::string name;
  std::vector<std::string> files;
  std::vector<std::string> logs;
  OutputFormat format = OutputFormat::kText;
};

std::vector<Case> cases() {
  std::vector<Case> list = {
      {"rolling-restart.txt", {test::kRollingRestart}, {}},
      {"rolling-restart.json", {test::kRollingRestart}, {}, OutputFormat::kJson},
      {"shared-epoch-capture.txt", {test::kSharedEpoch}, {}},
      {"shared-epoch-log.txt", {}, {test::kSharedEpochLog}},
      {"shared-epoch-both.txt", {test::kSharedEpoch}, {test::kSharedEpochLog}},
  };
  for (const std::string log : test::kClientLogs) {
    const std::string name = log.substr(log.find('/') + 1);
    list.push_back({name.substr(0, name.size() - 4) + ".txt", {log}, {}});
  }
  return list;
}

class Golden : public testing::TestWithParam<Case> {};

TEST_P(Golden, IsTheAnswerThatIsKept) {
  const Case& param = GetParam();
  ExplainOptions options;
  options.format = param.format;
  // Inputs are called as they are given: from there, so that answers do not depend on the place.
  std::filesystem::current_path(test::kCaptures);
  options.files = param.files;
  options.logs = param.logs;
  std::ostringstream out;
  ASSERT_EQ(explain(options, out), 0);
  const std::string path = FENCEPOST_SOURCE_DIR "/tests/golden/explain/" + param.name;
  if (std::getenv("FENCEPOST_UPDATE_GOLDEN") != nullptr) {
    traces::write_file_whole(path, out.str());
  }
  EXPECT_EQ(out.str(), traces::read_input(path));
}

INSTANTIATE_TEST_SUITE_P(Explain, Golden, testing::ValuesIn(cases()), [](const auto& param) {
  std::string name = param.param.name;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
});

}  // namespace
}  // namespace fencepost::explain
