// The commands that read traces.
#include <fmt/format.h>

#include <sstream>

#include "checker/cli/commands.h"
#include "checker/cli/recording_text.h"
#include "checker/cli/terminal.h"
#include "checker/explain/explain.h"
#include "checker/refinement/replay_on_impl.h"
#include "traces/import/import.h"

namespace fencepost::cli {

Exit run_explain(const Arguments& arguments) {
  explain::ExplainOptions options;
  options.files = arguments.explain.files;
  options.logs = arguments.explain.logs;
  options.trace_out = arguments.explain.trace_out;
  options.format = arguments.format == Format::kJson ? explain::OutputFormat::kJson
                                                     : explain::OutputFormat::kText;
  std::ostringstream out;
  const int code = explain::explain(options, out);
  print(out.str());
  return static_cast<Exit>(code);
}

namespace {

/// Drives the implementation along the recorded run and says whether it ends in the same violation.
Exit replay_impl(const Arguments& arguments, const checker::Recording& recording) {
  const refinement::Replayed replayed = refinement::replay_on_impl(recording);
  const std::string_view property =
      spec::properties()[static_cast<std::size_t>(recording.property)].name;
  const bool violated = refinement::violates(recording, replayed);
  if (arguments.format == Format::kJson) {
    const nlohmann::ordered_json document = {
        {"variant", recording.variant},    {"property", property},
        {"followed", replayed.followed},   {"spec-steps", replayed.steps},
        {"choices", replayed.path.size()}, {"violated", violated}};
    print(document.dump(2) + "\n");
  } else {
    print(fmt::format(
        "{} on {}, driven on the implementation\n{}{} of {} steps of the spec in {} "
        "choices; {} {}.\n",
        recording.variant, recording.broker, refinement::replayed_text(recording, replayed),
        replayed.steps, recording.path.size(), replayed.path.size(), property,
        violated ? "is violated" : "is NOT violated"));
  }
  if (violated) return Exit::kOk;
  throw Error(Exit::kBadInput,
              fmt::format("{}: the implementation does not follow this run to a violation of {}",
                          arguments.replay_file, property));
}

}  // namespace

Exit run_replay(const Arguments& arguments) {
  const std::string& file = arguments.replay_file;
  const checker::Recording recording = checker::read_recording(traces::read_input(file), file);
  if (arguments.replay_on == "impl") return replay_impl(arguments, recording);
  const spec::Model model(recording.behaviour, recording.instance);
  const bool violates = checker::violates(model, recording);
  const std::string_view property =
      spec::properties()[static_cast<std::size_t>(recording.property)].name;
  if (arguments.format == Format::kJson) {
    nlohmann::ordered_json document = {{"variant", recording.variant},
                                       {"broker", recording.broker},
                                       {"property", property},
                                       {"violated", violates}};
    document.update(recording_json(recording));
    print(document.dump(2) + "\n");
  } else {
    print(fmt::format("{} on {}\n{}\nEvery step is one of the spec, and at the end {} {}.\n",
                      recording.variant, recording.broker, recording_text(recording), property,
                      violates ? "is violated" : "is NOT violated"));
  }
  if (violates) return Exit::kOk;
  throw Error(Exit::kBadInput,
              fmt::format("{}: the run does not violate {}; if the file was cut or changed, record "
                          "it again",
                          file, property));
}

}  // namespace fencepost::cli
