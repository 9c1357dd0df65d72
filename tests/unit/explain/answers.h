// What `explain` answers to texts, for tests.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>

#include "checker/explain/finding.h"
#include "checker/explain/render.h"
#include "tests/unit/traces/inputs.h"

namespace fencepost::test {

/// The report on some inputs, given as texts.
inline explain::Report report_on(std::initializer_list<std::string> texts) {
  traces::Trace trace;
  for (const std::string& text : texts) {
    traces::import_text(text, "input", traces::detect_format(text, "input"), trace);
  }
  return explain::analyse(trace);
}

/// The first finding of a kind, or null.
inline const explain::Finding* first(const explain::Report& report, explain::Kind kind) {
  const auto found =
      std::find_if(report.findings.begin(), report.findings.end(),
                   [&](const explain::Finding& finding) { return finding.kind == kind; });
  return found == report.findings.end() ? nullptr : &*found;
}

inline std::int64_t count(const explain::Report& report, explain::Kind kind) {
  return std::count_if(report.findings.begin(), report.findings.end(),
                       [&](const explain::Finding& finding) { return finding.kind == kind; });
}

/// A finding's sentence that holds `part`, or null.
inline const explain::Statement* sentence(const explain::Finding& finding,
                                          const std::string& part) {
  for (const auto* list : {&finding.why, &finding.shown}) {
    for (const explain::Statement& statement : *list) {
      if (statement.text.find(part) != std::string::npos) return &statement;
    }
  }
  return nullptr;
}

/// True when a sentence holds `part`.
inline bool says(const explain::Finding& finding, const std::string& part) {
  return sentence(finding, part) != nullptr;
}

}  // namespace fencepost::test
