// The commands around impl/ by itself: random runs, and traces of the tracer.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "checker/cli/commands.h"
#include "checker/cli/terminal.h"
#include "impl/simulator.h"
#include "spec/instance_text.h"
#include "spec/variant.h"
#include "traces/import/import.h"
#include "traces/tracer_trace.h"

namespace fencepost::cli {
namespace {

impl::SimulateOptions options_of(const Arguments& arguments) {
  const SimulateArguments& c = arguments.simulate;
  const std::filesystem::path data = spec_folder(arguments);
  impl::SimulateOptions options;
  options.behaviour = spec::combine(load_client(c.variant, data), load_broker(c.broker, data));
  options.seed = c.seed;
  options.steps = c.steps;
  options.partitions = c.partitions;
  options.messages = c.messages;
  options.brokers = c.brokers;
  options.in_flight = c.in_flight;
  options.batch = c.batch;
  options.faults = spec::parse_faults(c.faults, c.faults == "none" ? 0 : 1);
  options.faults_per_mille = c.faults == "none" ? 0 : c.faults_per_mille;
  options.grain = impl::parse_grain(c.grain);
  impl::require_simulable(options);
  return options;
}

void append_line(void* context, const char* line, size_t length) {
  static_cast<std::string*>(context)->append(line, length);
}

/// The command that repeats the run.
std::string command_text(const SimulateArguments& c, std::uint64_t steps) {
  return fmt::format(
      "fencepost simulate --variant {} --broker {} --seed {} --steps {} --partitions {} "
      "--messages {} --brokers {} --in-flight {} --batch {} --faults {} --fault-rate {} --grain {}",
      c.variant, c.broker, c.seed, steps, c.partitions, c.messages, c.brokers, c.in_flight, c.batch,
      c.faults, c.faults_per_mille, c.grain);
}

std::vector<impl::Choice> read_schedule(const std::string& file) {
  std::vector<impl::Choice> list;
  std::istringstream in(traces::read_input(file));
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    impl::Choice choice;
    if (!impl::read_choice(line, choice)) {
      throw Error(Exit::kBadInput, fmt::format("{}:{}: \"{}\" is no choice; a line is for example "
                                               "\"take partition=0\"",
                                               file, number, line));
    }
    list.push_back(choice);
  }
  return list;
}

std::string schedule_text(const std::vector<impl::Choice>& schedule) {
  std::string text;
  for (const impl::Choice& choice : schedule) text += choice_text(choice) + "\n";
  return text;
}

std::string counts_text(const impl::SimulateResult& result) {
  const impl::RunCounts& n = result.counts;
  return fmt::format(
      "{} steps{}: {} batches appended, {} recognised; {} messages delivered ({} implicitly), {} "
      "failed; {} bumps, {} elections, {} connections closed\n",
      result.steps, result.quiet ? ", then nothing left to do" : "", n.appended, n.recognised,
      n.delivered, n.implicit, n.failed, n.bumps, n.elections, n.closed);
}

std::string_view property_of(const impl::SimulateResult& result) {
  return spec::properties()[static_cast<std::size_t>(result.broken->property)].name;
}

std::string broken_text(const SimulateArguments& c, const impl::SimulateResult& result,
                        const std::vector<impl::Choice>& shrunk) {
  const std::string what = result.broken->message_id == 0
                               ? std::string()
                               : fmt::format(", message id {}", result.broken->message_id);
  std::string text = fmt::format("BROKEN: {} in partition {}{}, at step {}\nrepeat with:\n  {}\n",
                                 property_of(result), result.broken->partition, what, result.steps,
                                 command_text(c, result.steps));
  if (shrunk.empty()) return text;
  text += fmt::format("shrunk to {} of {} choices:\n", shrunk.size(), result.steps);
  std::istringstream lines(schedule_text(shrunk));
  for (std::string line; std::getline(lines, line);) text += "  " + line + "\n";
  return text;
}

std::string report_json(const SimulateArguments& c, const impl::SimulateResult& result,
                        const std::vector<impl::Choice>& shrunk) {
  const impl::RunCounts& n = result.counts;
  nlohmann::ordered_json json = {
      {"variant", c.variant},     {"seed", c.seed},           {"steps", result.steps},
      {"quiet", result.quiet},    {"appended", n.appended},   {"recognised", n.recognised},
      {"delivered", n.delivered}, {"implicit", n.implicit},   {"failed", n.failed},
      {"bumps", n.bumps},         {"elections", n.elections}, {"closed", n.closed},
      {"broken", nullptr}};
  if (result.broken) {
    json["broken"] = {{"property", property_of(result)},
                      {"partition", result.broken->partition},
                      {"message_id", result.broken->message_id}};
    json["repeat"] = command_text(c, result.steps);
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const impl::Choice& choice : shrunk) list.push_back(choice_text(choice));
    json["shrunk"] = list;
  }
  return json.dump(2) + "\n";
}

/// The run itself, with its trace if that is asked for.
impl::SimulateResult run(const SimulateArguments& c, const impl::SimulateOptions& options) {
  std::string trace;
  fp_tracer tracer;
  fp_trace_open(&tracer, append_line, &trace, "fencepost simulate");
  fp_text(&tracer, "variant", c.variant.c_str());
  fp_int(&tracer, "seed", static_cast<long long>(c.seed));
  fp_end(&tracer);
  fp_tracer* wanted = c.trace_out.empty() ? nullptr : &tracer;
  impl::SimulateResult result;
  if (c.schedule.empty()) {
    impl::RandomScheduler random(options.seed, options.faults_per_mille);
    result = impl::simulate(options, random, wanted, false);
  } else {
    const std::vector<impl::Choice> list = read_schedule(c.schedule);
    impl::ListScheduler scheduler(list);
    result = impl::simulate(options, scheduler, wanted, true);
  }
  if (wanted != nullptr) traces::write_file_whole(c.trace_out, trace);
  return result;
}

/// The choices that break the property, as few as can be found.
std::vector<impl::Choice> shrunk_schedule(const SimulateArguments& c,
                                          const impl::SimulateOptions& options,
                                          const impl::SimulateResult& result) {
  std::vector<impl::Choice> schedule = result.schedule;
  if (c.schedule.empty()) {  // the first run does not keep it: most runs break nothing
    impl::RandomScheduler random(options.seed, options.faults_per_mille);
    schedule = impl::simulate(options, random, nullptr, true).schedule;
  }
  return impl::shrink(options, std::move(schedule), result.broken->property);
}

}  // namespace

Exit run_simulate(const Arguments& arguments) {
  const SimulateArguments& c = arguments.simulate;
  for (const std::string& file : {c.trace_out, c.schedule_out}) {
    if (!file.empty()) traces::require_replaceable(file);
  }
  const impl::SimulateOptions options = options_of(arguments);
  const impl::SimulateResult result = run(c, options);
  std::vector<impl::Choice> shrunk;
  if (result.broken && c.shrink) shrunk = shrunk_schedule(c, options, result);
  if (!shrunk.empty() && !c.schedule_out.empty()) {
    traces::write_file_whole(c.schedule_out, schedule_text(shrunk));
  }
  if (arguments.format == Format::kJson) {
    print(report_json(c, result, shrunk));
  } else {
    print(counts_text(result) + (result.broken ? broken_text(c, result, shrunk)
                                               : "no property was broken in this run\n"));
  }
  return result.broken ? Exit::kSafetyRefuted : Exit::kOk;
}

Exit run_trace(const Arguments& arguments) {
  const std::string& file = arguments.trace_file;
  const traces::TracerSummary summary =
      traces::check_tracer_trace(traces::read_trace(traces::read_input(file), file), file);
  if (arguments.format == Format::kJson) {
    nlohmann::ordered_json json = {{"by", summary.by}, {"events", summary.events}};
    for (const auto& [actor, count] : summary.actors) json["actors"][actor] = count;
    print(json.dump(2) + "\n");
  } else {
    std::string text =
        fmt::format("{} events by {}, all as the schema says\n", summary.events, summary.by);
    for (const auto& [actor, count] : summary.actors) {
      text += fmt::format("  {:<12} {:>10}\n", actor, count);
    }
    print(text);
  }
  return Exit::kOk;
}

}  // namespace fencepost::cli
