// `fencepost explain`: what happened in a Wireshark print-out, a librdkafka debug log, or both.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace fencepost::explain {

enum class OutputFormat { kText, kJson };

/// What the command line gives. Formats are detected by content; `logs` must be client logs.
struct ExplainOptions {
  std::vector<std::string> files;  ///< print-outs, logs or traces, in any order
  std::vector<std::string> logs;   ///< `--log`
  OutputFormat format = OutputFormat::kText;
  std::string trace_out;  ///< `--trace-out`: where to write the imported trace; empty: nowhere
};

/// Imports, analyses and prints the answer to `out`; returns the exit code, which is 0 whatever was
/// found. Throws Error: kUsage when no input is named, kBadInput when an input cannot be used. Then
/// nothing has been printed and no file written.
int explain(const ExplainOptions& options, std::ostream& out);

}  // namespace fencepost::explain
