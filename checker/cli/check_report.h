// What `fencepost check` says about one search.
#pragma once

#include <string>
#include <vector>

#include "checker/core/verdict.h"
#include "checker/gate/task.h"
#include "spec/variant.h"

namespace fencepost::cli {

struct CheckReport {
  gate::Task task;
  gate::TaskResult result;
  std::vector<checker::Answer> answers;  ///< in the order of the properties
};

/// `witnesses` (bit = spec::Note): without them nothing holds.
CheckReport make_report(const spec::Variant& client, const spec::Variant& broker,
                        const gate::Task& task, const gate::TaskResult& result,
                        std::uint64_t witnesses = 0);

/// The verdicts, and the shortest counterexample step by step.
std::string report_text(const CheckReport& report, bool statistics);
std::string report_json(const CheckReport& report, bool statistics);

/// The worst exit code of the answers.
Exit report_exit(const CheckReport& report);

/// Writes the shortest counterexample as a trace file, whole or not at all. False if there is none.
/// Throws Error(kBadInput) if the file cannot be written.
bool write_trace(const CheckReport& report, const std::string& path);

}  // namespace fencepost::cli
