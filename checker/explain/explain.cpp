#include "checker/explain/explain.h"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "checker/explain/render.h"
#include "spec/base.h"
#include "traces/import/import.h"

namespace fencepost::explain {
namespace {

traces::Trace import_all(const ExplainOptions& options) {
  std::vector<std::string> paths = options.files;
  paths.insert(paths.end(), options.logs.begin(), options.logs.end());
  traces::Trace trace;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string text = traces::read_input(paths[i]);
    const traces::Format format = traces::detect_format(text, paths[i]);
    if (i >= options.files.size() && format != traces::Format::kLibrdkafkaLog) {
      throw Error(
          Exit::kBadInput,
          fmt::format("{}: no librdkafka debug log, as --log expects; name the file without "
                      "--log",
                      paths[i]));
    }
    traces::import_text(text, paths[i], format, trace);
  }
  return trace;
}

/// The trace must not replace one of the inputs.
void require_output(const ExplainOptions& options) {
  traces::require_replaceable(options.trace_out);
  std::vector<std::string> inputs = options.files;
  inputs.insert(inputs.end(), options.logs.begin(), options.logs.end());
  for (const std::string& input : inputs) {
    std::error_code ignored;
    if (!std::filesystem::equivalent(input, options.trace_out, ignored)) continue;
    throw Error(Exit::kUsage,
                fmt::format("{}: is an input and would be replaced by the trace; name another "
                            "file for --trace-out",
                            options.trace_out));
  }
}

}  // namespace

int explain(const ExplainOptions& options, std::ostream& out) {
  if (options.files.empty() && options.logs.empty()) {
    throw Error(Exit::kUsage,
                "no input: name a Wireshark text print-out, a librdkafka debug log or a trace");
  }
  if (!options.trace_out.empty()) require_output(options);
  const traces::Trace trace = import_all(options);
  const Report report = analyse(trace);
  const std::string answer =
      options.format == OutputFormat::kJson ? explain_json(report) : explain_text(report);
  if (!options.trace_out.empty()) {
    traces::write_file_whole(options.trace_out, traces::write_trace(traces::to_raw(trace)));
  }
  out << answer;
  return static_cast<int>(Exit::kOk);
}

}  // namespace fencepost::explain
