#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "checker/cli/commands.h"
#include "checker/cli/recording_text.h"
#include "checker/cli/terminal.h"
#include "checker/counterexample/recording.h"
#include "checker/gate/gate_json.h"
#include "checker/gate/judge.h"
#include "checker/gate/proof.h"
#include "spec/instance_text.h"
#include "traces/trace_file.h"

namespace fencepost::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Report {
  gate::ProofRequest request;
  gate::ProofResult result;
  std::vector<checker::Answer> answers;
  std::optional<checker::Recording> recording;  ///< of the first counterexample
};

/// One verdict a property: from the proof, or else from the bounded search beside it.
void add_answers(Report& report, const gate::TaskResult* bounded) {
  for (int k = 0; k < spec::kSafetyProperties; ++k) {
    const auto property = static_cast<spec::Property>(k);
    if (!report.request.task.asks(property)) continue;
    checker::Answer answer = gate::judge_proof(report.request, report.result, property);
    if (answer.verdict == checker::Verdict::kUnknown && bounded != nullptr) {
      answer = gate::judge(report.request.task, *bounded, property, 0);
    }
    report.answers.push_back(std::move(answer));
  }
}

void add_recording(Report& report, const std::vector<gate::Finding>& findings,
                   const spec::Variant& client, const spec::Variant& broker) {
  if (findings.empty() || report.recording) return;
  const gate::Task& task = report.request.task;
  report.recording = checker::Recording{
      client.name,          broker.name,      task.behaviour, report.result.refuted,
      findings[0].property, findings[0].stem, std::nullopt};
}

std::string proof_text(const Report& report) {
  const gate::ProofResult& r = report.result;
  std::string text = fmt::format("{} queries, {:.2f} s, version {}\n", r.induction.queries,
                                 r.seconds, checker::version());
  if (r.proved) {
    text += "Proved by induction with the lemmas, and once more in fresh solvers";
    if (r.confirmation.whole) {
      text += fmt::format("; confirmed by {}", r.confirmation.solver);
    } else if (!r.confirmation.refused.empty()) {
      text +=
          fmt::format("; NOT confirmed by {}: {}", r.confirmation.solver, r.confirmation.refused);
    }
    text += fmt::format(".\nAny number of faults of these kinds; epochs up to {}.\n",
                        r.instance.epochs);
    const auto proved = std::find_if(
        report.answers.begin(), report.answers.end(),
        [](const checker::Answer& a) { return a.verdict == checker::Verdict::kProved; });
    FP_ASSERT(proved != report.answers.end());
    text += fmt::format("What is proved {}.\n", proved->not_covered);
  }
  if (!r.failure.empty()) text += fmt::format("\n{}", r.failure);
  if (report.recording) text += fmt::format("\n{}", recording_text(*report.recording));
  return text;
}

std::string text_of(const Report& report) {
  const checker::Answer& a = report.answers.front();
  const bool any = report.request.any_partitions;
  std::string text =
      fmt::format("{} on {}; {}{}; faults: {}\n\n", a.variant, a.broker,
                  any ? "any number of partitions, each as in: " : "", a.instance, a.faults);
  for (const checker::Answer& answer : report.answers) {
    text += fmt::format("{:<17} {:<10} {}{}{}  ({})\n", answer.property, name_of(answer.verdict),
                        answer.verdict == checker::Verdict::kProved
                            ? std::string("at any depth")
                            : fmt::format("depth {}", answer.depth),
                        answer.reason.empty() ? "" : "; ", answer.reason, answer.engine);
  }
  return fmt::format("{}\n{}", text, proof_text(report));
}

std::string json_of(const Report& report) {
  Json answers = Json::array();
  for (const checker::Answer& answer : report.answers) {
    answers.push_back(gate::answer_json(answer));
  }
  const gate::ProofResult& r = report.result;
  Json document = {{"answers", answers},
                   {"any-number-of-partitions", report.request.any_partitions},
                   {"any-number-of-faults", true},
                   {"epochs", r.instance.epochs},
                   {"queries", r.induction.queries},
                   {"confirmed-by", r.confirmation.whole ? Json(r.confirmation.solver) : Json()},
                   {"counterexample-to-induction", r.failure}};
  if (report.recording) document["counterexample"] = recording_json(*report.recording);
  return document.dump(2) + "\n";
}

Exit exit_of(const Report& report) {
  Exit code = Exit::kOk;
  for (const checker::Answer& answer : report.answers) {
    code = checker::worse(code, checker::exit_code(answer.verdict, answer.kind));
  }
  const checker::Confirmation& c = report.result.confirmation;
  const bool refused = !c.solver.empty() && !c.whole && c.refused != "interrupted";
  return refused ? checker::worse(code, Exit::kInternal) : code;
}

}  // namespace

Exit run_induction(const Arguments& arguments, const spec::Variant& client,
                   const spec::Variant& broker, const gate::Task& task) {
  const CheckArguments& c = arguments.check;
  Report report{{task, c.any_partitions, c.lemmas, c.certificate}, {}, {}, {}};
  report.result = gate::prove_by_induction(report.request);
  add_recording(report, report.result.findings, client, broker);
  const bool open = !report.result.proved && report.result.findings.empty();
  if (c.engine == "z3" && open) {
    const gate::TaskResult bounded = gate::check_bounded_depth(task);
    add_answers(report, &bounded);
    add_recording(report, bounded.findings, client, broker);
  } else {
    add_answers(report, nullptr);
  }
  for (checker::Answer& answer : report.answers) {
    answer.variant = client.name;
    answer.broker = broker.name;
    answer.faults = spec::faults_text(task.instance.faults);
  }
  if (!c.trace_out.empty() && report.recording) {
    traces::write_file_whole(c.trace_out, traces::write_trace(checker::record(*report.recording)));
  } else if (!c.trace_out.empty()) {
    std::fprintf(stderr, "fencepost: no counterexample, so %s is not written\n",
                 c.trace_out.c_str());
  }
  print(arguments.format == Format::kJson ? json_of(report) : text_of(report));
  return exit_of(report);
}

}  // namespace fencepost::cli
