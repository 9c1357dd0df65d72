#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checker/cli/commands.h"
#include "checker/cli/terminal.h"
#include "checker/gate/gate_json.h"
#include "checker/transactions/claims.h"
#include "checker/transactions/narrate.h"
#include "checker/transactions/shape.h"
#include "spec/base.h"
#include "spec/located_json.h"
#include "spec/transactions/variant.h"
#include "traces/trace_file.h"

namespace fencepost::cli {
namespace {

namespace model = spec::transactions;
using Json = nlohmann::ordered_json;
using transactions::Finding;
using transactions::Found;
using transactions::Property;
using transactions::Question;

/// What is asked, and the witnesses (bits of model::Note) without which nothing holds.
struct Asked {
  Question question;
  std::uint64_t witnesses = 0;
};

/// The claim's searches: rows that ask the same but for the property are one.
std::vector<Asked> of_claim(const TransactionsArguments& t, const std::filesystem::path& data) {
  const std::string& id = t.claim;
  std::vector<std::string_view> known;
  const std::vector<transactions::Claim> claims = transactions::read_claims(data);
  for (const transactions::Claim& claim : claims) {
    known.push_back(claim.claim.id);
    if (claim.claim.id != id) continue;
    const auto [first, end] = rows_asked(t.row, claim.questions.size(), id);
    std::vector<Asked> asked;
    for (std::size_t r = first; r < end; ++r) {
      const Question& question = claim.questions[r];
      const auto same = std::find_if(asked.begin(), asked.end(), [&](const Asked& other) {
        return other.question.key() == question.key();
      });
      if (same == asked.end()) {
        asked.push_back({question, claim.claim.witnesses});
      } else {
        same->question.properties |= question.properties;
      }
    }
    return asked;
  }
  throw Error(Exit::kUsage, fmt::format("no claim on the transactional model is named \"{}\"{}", id,
                                        spec::suggestion(id, known)));
}

std::uint32_t properties_of(const TransactionsArguments& t) {
  if (t.properties.empty()) return (1U << model::kProperties) - 1;
  std::uint32_t mask = 0;
  for (const std::string& name : t.properties) {
    if (const auto property = model::property_named(name)) {
      mask |= transactions::bit(*property);
      continue;
    }
    std::vector<std::string_view> known;
    for (const model::NameInfo& info : model::properties()) known.push_back(info.name);
    throw Error(Exit::kUsage,
                fmt::format("unknown property \"{}\"{}", name, spec::suggestion(name, known)));
  }
  return mask;
}

Question described(const TransactionsArguments& t, const std::filesystem::path& data) {
  Question question;
  const auto client = model::load_variant(model::VariantKind::kClient, t.client, data);
  const auto coordinator =
      model::load_variant(model::VariantKind::kCoordinator, t.coordinator, data);
  const auto broker = model::load_variant(model::VariantKind::kBroker, t.broker, data);
  question.client = client.name;
  question.coordinator = coordinator.name;
  question.broker = broker.name;
  question.behaviour = model::combine(client, coordinator, broker);
  transactions::apply_shape(t.shape, question.instance);
  question.instance.faults = model::parse_faults(t.faults, t.budget);
  question.faults = t.faults;
  const std::string_view fault = model::instance_fault(question.instance);
  if (!fault.empty()) throw Error(Exit::kUsage, std::string(fault));
  question.properties = properties_of(t);
  if (t.properties.empty() && question.instance.endless) {
    question.properties &= ~model::needs_history();
  }
  transactions::require_possible(question);
  return question;
}

checker::Narration narration_of(const Question& question, const Finding& finding) {
  checker::ActionPath path = finding.stem;
  path.insert(path.end(), finding.loop.begin(), finding.loop.end());
  return transactions::narrate(model::Model(question.behaviour, question.instance), path);
}
std::optional<std::size_t> loop_from(const Finding& finding) {
  if (finding.loop.empty()) return std::nullopt;
  return finding.stem.size();
}

std::string text_of(const Question& question, const Found& found,
                    const std::vector<checker::Answer>& answers) {
  const checker::Answer& a = answers.front();
  std::string text = fmt::format("{} with {}; {}; faults: {}; budget {}\n\n", a.variant, a.broker,
                                 a.instance, a.faults, question.instance.faults.budget);
  for (const checker::Answer& answer : answers) {
    text += fmt::format("{:<28} {:<10} depth {}{}{}\n", answer.property, name_of(answer.verdict),
                        answer.depth, answer.reason.empty() ? "" : "; ", answer.reason);
  }
  for (const checker::Answer& answer : answers) {
    if (answer.remark.empty()) continue;
    text += answer.remark + "\n";
    break;
  }
  text += fmt::format("\n{} {}, {} transitions, {:.2f} s, engine {}, version {}\n", a.states,
                      a.permutations > 1
                          ? fmt::format("representatives of up to {} states each", a.permutations)
                          : "states",
                      a.transitions, a.seconds, checker::engine_text(a), a.version);
  const auto shortest =
      std::min_element(found.findings.begin(), found.findings.end(),
                       [](const Finding& x, const Finding& y) { return x.depth() < y.depth(); });
  if (shortest == found.findings.end()) return text;
  return text + fmt::format("\nCounterexample to {}, {} steps:\n\n{}",
                            model::properties()[static_cast<std::size_t>(shortest->property)].name,
                            shortest->depth(),
                            checker::narration_text(narration_of(question, *shortest),
                                                    loop_from(*shortest)));
}

Json counterexample_json(const Question& question, const Finding& finding) {
  const checker::Narration narration = narration_of(question, finding);
  const model::Model system(question.behaviour, question.instance);
  checker::ActionPath path = finding.stem;
  path.insert(path.end(), finding.loop.begin(), finding.loop.end());
  FP_ASSERT(narration.steps.size() == path.size());
  Json steps = Json::array();
  for (std::size_t i = 0; i < path.size(); ++i) {
    const checker::TalkedStep& step = narration.steps[i];
    steps.push_back({{"action", model::action_text(system.action(path[i]))},
                     {"actor", step.actor},
                     {"text", step.text},
                     {"remarks", step.remarks}});
  }
  const auto loop = loop_from(finding);
  return {{"steps", steps},
          {"loop-from", loop ? Json(*loop) : Json(nullptr)},
          {"logs", narration.logs}};
}

Json json_of(const Question& question, const Found& found,
             const std::vector<checker::Answer>& answers) {
  Json list = Json::array();
  for (const checker::Answer& answer : answers) {
    Json json = gate::answer_json(answer);
    const Finding* finding =
        transactions::finding_for(found, *model::property_named(answer.property));
    if (finding != nullptr) json["counterexample"] = counterexample_json(question, *finding);
    list.push_back(std::move(json));
  }
  return {{"budget", question.instance.faults.budget}, {"answers", list}};
}

}  // namespace

Exit run_transactions(const Arguments& arguments) {
  const TransactionsArguments& t = arguments.transactions;
  if (t.list) return list_transactions(arguments);
  if (t.claim.empty()) require_no_row(t.row);
  const std::filesystem::path data = spec_folder(arguments) / "transactions";
  if (!t.trace_out.empty()) traces::require_replaceable(t.trace_out);
  const std::vector<Asked> list =
      t.claim.empty() ? std::vector<Asked>{{described(t, data), 0}} : of_claim(t, data);
  const gate::Limits limits = limits_of(arguments, threads_of(arguments));
  Exit code = Exit::kOk;
  Json documents = Json::array();
  std::string text;
  for (const Asked& asked : list) {
    const Found found = transactions::search(asked.question, limits);
    std::vector<checker::Answer> answers;
    for (int p = 0; p < model::kProperties; ++p) {
      const auto property = static_cast<Property>(p);
      if (!asked.question.asks(property)) continue;
      answers.push_back(
          transactions::judge(asked.question, found, limits, property, asked.witnesses));
      code = checker::worse(code, exit_code(answers.back().verdict, answers.back().kind));
    }
    documents.push_back(json_of(asked.question, found, answers));
    if (!text.empty()) text += "\n";
    text += text_of(asked.question, found, answers);
  }
  // One search is one document; a claim of several is a list of them.
  const std::string json = (list.size() == 1 ? documents.front() : documents).dump(2) + "\n";
  if (!t.trace_out.empty()) traces::write_file_whole(t.trace_out, json);
  print(arguments.format == Format::kJson ? json : text);
  return code;
}

}  // namespace fencepost::cli
