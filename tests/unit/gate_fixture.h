// The gate's tests: claims written for the test, and checkers that answer them as the test wants.
#pragma once

#include <fmt/format.h>

#include <string>

#include "checker/gate/gate.h"
#include "tests/unit/scratch.h"

namespace fencepost::gate {

inline const std::filesystem::path kData = std::filesystem::path(FENCEPOST_SOURCE_DIR) / "spec";
inline constexpr std::uint64_t kAllNotes = (std::uint64_t{1} << spec::kNotes) - 1;

/// Says that everything was searched and nothing found.
inline TaskResult clean(const Task& task) {
  TaskResult result;
  result.notes = kAllNotes;
  result.progress_checked = task.asks(spec::Property::kProgress);
  result.stats.depth = 9;
  result.stats.distinct = 100;
  return result;
}

inline TaskResult refuting(const Task& task, spec::Property property) {
  TaskResult result = clean(task);
  result.findings.push_back({property, 1, {0, 1, 2}, {}});
  return result;
}

inline Claims claims_of(const Scratch& scratch, const std::string& list) {
  return read_claims(
      scratch.write("c.json",
                    fmt::format("{{\"instances\": {{\"W\": {{}}}}, \"claims\": [{}]}}", list)),
      kData);
}

inline std::string claim(const std::string& id, const std::string& property,
                         const std::string& expect,
                         const std::string& rest = "\"faults\": \"purge\", \"budget\": 1") {
  return fmt::format(R"({{"id": "{}", "says": "said", "variant": "librdkafka-2.15",
    "instance": "W", "property": {}, "expect": "{}", {} {}}})",
                     id, property, expect, expect == "holds" ? R"("witnesses": ["adopts"],)" : "",
                     rest);
}

inline GateResult run(const Claims& claims, const Checker& checker, unsigned parallel = 1) {
  GateOptions options;
  options.parallel = parallel;
  return run_gate(claims, select(claims, {}, true), checker, options);
}

}  // namespace fencepost::gate
