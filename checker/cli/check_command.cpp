#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

#include "checker/cli/check_report.h"
#include "checker/cli/commands.h"
#include "checker/cli/terminal.h"
#include "checker/gate/judge.h"
#include "checker/refinement/check_impl.h"
#include "checker/symbolic/certificate.h"
#include "spec/instance_text.h"
#include "spec/located_json.h"
#include "spec/variant.h"
#include "traces/trace_file.h"

namespace fencepost::cli {
namespace {

/// Without --property: all; of the solver's engines those that the lemmas are made for.
std::uint32_t default_properties(const CheckArguments& c) {
  if (c.engine == "explicit") return (1U << spec::kProperties) - 1;
  return gate::bit(spec::Property::kNoDuplicate) | gate::bit(spec::Property::kInOrder) |
         gate::bit(spec::Property::kNoLoss);
}

std::uint32_t properties_of(const CheckArguments& c) {
  if (c.properties.empty()) return default_properties(c);
  std::uint32_t mask = 0;
  for (const std::string& name : c.properties) {
    if (const auto property = spec::property_named(name)) {
      mask |= gate::bit(*property);
      continue;
    }
    std::vector<std::string_view> known;
    for (const spec::PropertyInfo& info : spec::properties()) known.push_back(info.name);
    throw Error(Exit::kUsage,
                fmt::format("unknown property \"{}\"{}", name, spec::suggestion(name, known)));
  }
  return mask;
}

void show_progress(ProgressLine& line, const checker::Statistics& s) {
  if (s.seconds < 1) return;
  line.show(
      fmt::format("depth {}, {:.1f} M states, {:.2f} M states/s, {:.1f} M to expand, {} MiB, "
                  "{:.0f} s",
                  s.depth, static_cast<double>(s.distinct) / 1e6, s.states_per_second() / 1e6,
                  static_cast<double>(s.frontier) / 1e6, s.memory_bytes >> 20U, s.seconds));
}

void require_sensible(const CheckArguments& c, std::uint32_t properties) {
  const bool proves = c.engine == "induction" || c.engine == "z3";
  if (!proves && (c.any_partitions || !c.lemmas.empty() || !c.certificate.empty())) {
    throw Error(Exit::kUsage,
                "--lemmas, --certificate and --any-partitions are of --engine induction or z3");
  }
  if (c.engine == "explicit") return;
  if (c.on == "impl") throw Error(Exit::kUsage, "only --engine explicit runs on the impl");
  if ((properties & gate::bit(spec::Property::kProgress)) != 0) {
    throw Error(Exit::kUsage,
                "progress speaks of whole runs, not of states: use --engine explicit for it");
  }
}

/// What will be written can be: said before the search, not after.
void require_outputs(const CheckArguments& c) {
  if (!c.trace_out.empty()) traces::require_replaceable(c.trace_out);
  if (!c.certificate.empty()) checker::require_certificate_folder(c.certificate);
}

gate::TaskResult search(gate::Task task, const CheckArguments& c) {
  ProgressLine line;
  if (c.engine == "bmc") {
    task.limits.on_level = [&line](const checker::Statistics& s) {
      line.show(fmt::format("depth {}", s.depth));
    };
    return gate::check_bounded_depth(task);
  }
  task.limits.on_level = [&line](const checker::Statistics& s) { show_progress(line, s); };
  return c.on == "impl" ? refinement::check_on_impl(task) : gate::check_explicitly(task);
}

}  // namespace

Exit run_check(const Arguments& arguments) {
  const CheckArguments& c = arguments.check;
  if (!c.claim.empty()) return run_check_claim(arguments);
  require_no_row(c.row);
  const std::filesystem::path data = spec_folder(arguments);
  const spec::Variant client = load_client(c.variant, data);
  const spec::Variant broker = load_broker(c.broker, data);
  gate::Task task;
  task.behaviour = spec::combine(client, broker);
  task.instance = c.instance;
  task.instance.faults = spec::parse_faults(c.faults, c.budget);
  spec::require_checkable(task.instance);
  task.properties = properties_of(c);
  task.limits = limits_of(arguments, threads_of(arguments));
  task.on = c.on;
  require_sensible(c, task.properties);
  require_outputs(c);
  if (c.engine == "induction" || c.engine == "z3") {
    return run_induction(arguments, client, broker, task);
  }
  const gate::TaskResult result = search(task, c);
  const CheckReport report = make_report(client, broker, task, result);
  if (!c.trace_out.empty() && !write_trace(report, c.trace_out)) {
    std::fprintf(stderr, "fencepost: no counterexample, so %s is not written\n",
                 c.trace_out.c_str());
  }
  print(arguments.format == Format::kJson ? report_json(report, c.statistics)
                                          : report_text(report, c.statistics));
  return report_exit(report);
}

}  // namespace fencepost::cli
