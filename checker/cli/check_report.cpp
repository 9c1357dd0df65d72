#include "checker/cli/check_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "checker/cli/recording_text.h"
#include "checker/gate/gate_json.h"
#include "checker/gate/judge.h"
#include "spec/instance_text.h"
#include "spec/model/model.h"
#include "traces/trace_file.h"

namespace fencepost::cli {
namespace {

using Json = nlohmann::ordered_json;

/// The shortest counterexample; of equals the first property's.
const gate::Finding* shortest(const CheckReport& report) {
  const auto& findings = report.result.findings;
  const auto first = std::min_element(
      findings.begin(), findings.end(),
      [](const gate::Finding& a, const gate::Finding& b) { return a.depth() < b.depth(); });
  return first == findings.end() ? nullptr : &*first;
}

checker::Recording recording_of(const CheckReport& report, const gate::Finding& finding) {
  const checker::Answer& answer = report.answers.front();
  checker::Recording recording{answer.variant,       answer.broker,    report.task.behaviour,
                               report.task.instance, finding.property, finding.stem,
                               std::nullopt};
  if (!finding.loop.empty()) recording.loop_from = finding.stem.size();
  recording.path.insert(recording.path.end(), finding.loop.begin(), finding.loop.end());
  return recording;
}

std::vector<std::string_view> witnesses_of(std::uint64_t notes) {
  std::vector<std::string_view> names;
  for (std::size_t n = 0; n < spec::notes().size(); ++n) {
    if ((notes >> n & 1U) != 0) names.push_back(spec::notes()[n].name);
  }
  return names;
}

/// Steps taken by kind of action, in the order of the kinds.
std::vector<std::pair<std::string_view, std::uint64_t>> fired_by_kind(const CheckReport& report) {
  const spec::Model model(report.task.behaviour, report.task.instance);
  std::array<std::uint64_t, spec::kActionKinds> counts{};
  std::array<bool, spec::kActionKinds> present{};
  const auto& fired = report.result.stats.fired;
  for (std::size_t a = 0; a < model.action_count(); ++a) {
    const auto kind = static_cast<std::size_t>(model.action(a).kind);
    present[kind] = true;
    if (a < fired.size()) counts[kind] += fired[a];
  }
  std::vector<std::pair<std::string_view, std::uint64_t>> list;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (present[k]) list.emplace_back(action_name(static_cast<spec::ActionKind>(k)), counts[k]);
  }
  return list;
}

std::string statistics_text(const CheckReport& report) {
  const checker::Statistics& s = report.result.stats;
  std::string text = fmt::format(
      "\n{} distinct states, {} transitions, depth {}, {:.2f} M states/s, {:.1f} bytes a state\n",
      s.distinct, s.transitions, s.depth, s.states_per_second() / 1e6, s.bytes_per_state);
  for (std::size_t b = 0; b < spec::kBoundNames.size(); ++b) {
    if (s.bound_hits[b] == 0) continue;
    text +=
        fmt::format("the bound on {} was hit {} times\n", spec::kBoundNames[b], s.bound_hits[b]);
  }
  for (const auto& [name, count] : fired_by_kind(report)) {
    text += fmt::format("  {:<36} {:>12}{}\n", name, count, count == 0 ? "  never fired" : "");
  }
  return text + fmt::format("witnesses: {}\n", fmt::join(witnesses_of(report.result.notes), ", "));
}

Json statistics_json(const CheckReport& report) {
  const checker::Statistics& s = report.result.stats;
  Json fired = Json::object();
  for (const auto& [name, count] : fired_by_kind(report)) fired[std::string(name)] = count;
  Json hits = Json::object();
  for (std::size_t b = 0; b < spec::kBoundNames.size(); ++b) {
    hits[std::string(spec::kBoundNames[b])] = s.bound_hits[b];
  }
  return {{"states", s.distinct},
          {"transitions", s.transitions},
          {"depth", s.depth},
          {"states-per-second", s.states_per_second()},
          {"bytes-per-state", s.bytes_per_state},
          {"bound-hits", hits},
          {"fired", fired},
          {"witnesses", witnesses_of(report.result.notes)}};
}

}  // namespace

CheckReport make_report(const spec::Variant& client, const spec::Variant& broker,
                        const gate::Task& task, const gate::TaskResult& result,
                        std::uint64_t witnesses) {
  CheckReport report{task, result, {}};
  for (int p = 0; p < spec::kProperties; ++p) {
    const auto property = static_cast<spec::Property>(p);
    if (!task.asks(property)) continue;
    checker::Answer answer = gate::judge(task, result, property, witnesses);
    answer.variant = client.name;
    answer.broker = broker.name;
    answer.faults = spec::faults_text(task.instance.faults);
    report.answers.push_back(std::move(answer));
  }
  return report;
}

std::string report_text(const CheckReport& report, bool statistics) {
  const checker::Answer& a = report.answers.front();
  std::string text = fmt::format("{} on {}; {}; faults: {}; budget {}\n\n", a.variant, a.broker,
                                 a.instance, a.faults, report.task.instance.faults.budget);
  for (const checker::Answer& answer : report.answers) {
    text += fmt::format("{:<17} {:<10} depth {}{}{}{}\n", answer.property, name_of(answer.verdict),
                        answer.depth,
                        answer.partition ? fmt::format(", partition {}", *answer.partition) : "",
                        answer.reason.empty() ? "" : "; ", answer.reason);
  }
  for (const checker::Answer& answer : report.answers) {
    if (answer.remark.empty()) continue;
    text += fmt::format("{}\n", answer.remark);
    break;
  }
  text += fmt::format("\n{} states, {} transitions, {:.2f} s, engine {}, version {}\n", a.states,
                      a.transitions, a.seconds, checker::engine_text(a), a.version);
  for (const checker::Answer& answer : report.answers) {
    if (!checker::holds(answer.verdict)) continue;
    text += fmt::format("What holds {}.\n", answer.not_covered);
    break;
  }
  if (const gate::Finding* finding = shortest(report)) {
    text += fmt::format("\n{}", recording_text(recording_of(report, *finding)));
  }
  return statistics ? text + statistics_text(report) : text;
}

std::string report_json(const CheckReport& report, bool statistics) {
  Json answers = Json::array();
  for (const checker::Answer& answer : report.answers) {
    Json json = gate::answer_json(answer);
    const gate::Finding* finding =
        gate::finding_for(report.result, *spec::property_named(answer.property));
    if (finding != nullptr) {
      json["counterexample"] = recording_json(recording_of(report, *finding));
    }
    answers.push_back(std::move(json));
  }
  Json document = {{"budget", report.task.instance.faults.budget}, {"answers", answers}};
  if (statistics) document["statistics"] = statistics_json(report);
  return document.dump(2) + "\n";
}

Exit report_exit(const CheckReport& report) {
  Exit code = Exit::kOk;
  for (const checker::Answer& answer : report.answers) {
    code = checker::worse(code, checker::exit_code(answer.verdict, answer.kind));
  }
  return code;
}

bool write_trace(const CheckReport& report, const std::string& path) {
  const gate::Finding* finding = shortest(report);
  if (finding == nullptr) return false;
  const traces::RawTrace trace = checker::record(recording_of(report, *finding));
  traces::write_file_whole(path, traces::write_trace(trace));
  return true;
}

}  // namespace fencepost::cli
