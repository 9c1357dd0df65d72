// The search for lemmas: what it found, what it proves, and what it does not get.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checker/cli/commands.h"
#include "checker/cli/terminal.h"
#include "checker/gate/lemma_finder.h"
#include "spec/instance_text.h"
#include "spec/lemmas.h"
#include "spec/located_json.h"

namespace fencepost::cli {
namespace {

using Json = nlohmann::ordered_json;
using End = gate::FindTarget::End;

/// What the lemmas are made for, as in `fencepost check`.
constexpr std::uint32_t kProvable =
    gate::bit(spec::Property::kNoDuplicate) | gate::bit(spec::Property::kInOrder) |
    gate::bit(spec::Property::kNoLoss) | gate::bit(spec::Property::kNoFalseFailure) |
    gate::bit(spec::Property::kWellFormed);

spec::Instance instance_of(const LemmasArguments& c) {
  spec::Instance instance;
  instance.partitions = c.partitions;
  instance.messages = c.messages;
  instance.in_flight = c.in_flight;
  instance.epochs = c.epochs;
  instance.faults = spec::parse_faults(c.faults, std::max(1, c.budget));
  spec::require_checkable(instance);
  instance.faults.unlimited = true;
  // A log without duplicates never holds more; that a step never exceeds it is proved, too.
  instance.log = instance.total_messages();
  return instance;
}

/// Several partitions have far more states together than one of them.
int budget_of(const LemmasArguments& c) { return c.budget < 0 && c.partitions > 1 ? 2 : c.budget; }

std::uint32_t properties_of(const LemmasArguments& c) {
  std::uint32_t mask = c.properties.empty() ? kProvable : 0;
  for (const std::string& name : c.properties) {
    const auto property = spec::property_named(name);
    if (!property || *property == spec::Property::kProgress) {
      throw Error(Exit::kUsage, fmt::format("\"{}\" is no safety property (fencepost properties "
                                            "lists them): lemmas prove no other",
                                            name));
    }
    mask |= gate::bit(*property);
  }
  return mask;
}

/// All lemmas that are claimed, but those.
std::vector<std::string> given_of(const LemmasArguments& c, const spec::Rules& rules) {
  std::vector<std::string> given;
  if (c.without.empty()) return given;
  if (!spec::lemmas_claimed(rules)) {
    throw Error(Exit::kUsage,
                "no lemmas are claimed of this variant with these faults (spec/lemmas.h), so none "
                "can be left out: search without --without");
  }
  std::vector<std::string_view> known;
  for (const spec::LemmaInfo& info : spec::lemmas()) known.push_back(info.name);
  for (const std::string& name : c.without) {
    if (!spec::lemma_named(name)) {
      throw Error(Exit::kUsage,
                  fmt::format("unknown lemma \"{}\"{}", name, spec::suggestion(name, known)));
    }
  }
  for (int k = 0; k < spec::kLemmas; ++k) {
    const std::string name(spec::lemmas()[static_cast<std::size_t>(k)].name);
    const bool left_out = std::find(c.without.begin(), c.without.end(), name) != c.without.end();
    if (!left_out && spec::applies(static_cast<spec::Lemma>(k), rules)) given.push_back(name);
  }
  return given;
}

std::string end_text(const gate::FindTarget& target) {
  switch (target.end) {
    case End::kClosed:
      return "proved at any depth, with the lemmas below";
    case End::kFalse:
      return fmt::format("false: a run of {} steps breaks it (fencepost check shows one)",
                         target.depth);
    case End::kBeyond:
      return "not proved: no clauses of the grammar close its induction";
    case End::kUndecided:
      break;
  }
  return "not decided";
}

std::string explored_text(const gate::FindResult& r, int budget) {
  const std::string_view all = r.all_states ? "all" : "the first";
  std::string text = fmt::format(
      "Each candidate holds in {} {} states reachable with {}", all, r.states,
      budget < 0 ? std::string("any number of faults") : fmt::format("at most {} faults", budget));
  if (r.states_of_one > 0) {
    text += fmt::format(", and in {} {} of one partition with any number", all, r.states_of_one);
  }
  return text + ".\n";
}

std::string confirmation_text(const checker::Confirmation& c) {
  if (c.whole) return fmt::format(", and confirmed by {}", c.solver);
  return c.refused.empty() ? "" : fmt::format(", and NOT confirmed by {}: {}", c.solver, c.refused);
}

std::string text_of(const gate::FindResult& r, const std::string& about, int budget) {
  std::string text = about + "\n\n";
  for (const gate::FindTarget& target : r.targets) {
    text += fmt::format("{:<26} {}\n",
                        fmt::format("{} ({})", target.name, target.property ? "property" : "lemma"),
                        end_text(target));
  }
  text += fmt::format("\n{} lemmas{}:\n", r.lemmas.size(),
                      r.minimal           ? ", of which none can be left out"
                      : r.unknown.empty() ? ""
                                          : ", as far as it got");
  for (std::size_t k = 0; k < r.lemmas.size(); ++k) {
    text += fmt::format("found-{:<3} {}\n          {}\n", k + 1, r.lemmas[k].formula,
                        r.lemmas[k].sentence);
  }
  text += fmt::format("\n{}", explored_text(r, budget));
  text += fmt::format(
      "The grammar has {:.2g} clauses of one literal, {:.2g} of two, {:.2g} of three. "
      "{} counterexamples to induction were excluded, {} lemmas or properties given up; {} "
      "queries, {:.1f} s.\n",
      r.grammar[0], r.grammar[1], r.grammar[2], r.progress.excluded, r.progress.given_up, r.queries,
      r.seconds);
  if (r.proved_again) {
    text += fmt::format(
        "Proved once more in fresh solvers{}. It speaks of this instance and any number of faults "
        "of these kinds.\n",
        confirmation_text(r.confirmation));
  }
  for (const gate::LargerInstance& larger : r.larger) {
    text += fmt::format("The same lemmas {} {}.\n",
                        larger.proved ? "prove it of" : "are not enough for", larger.instance);
  }
  if (!r.unknown.empty()) text += fmt::format("Stopped: {}.\n", r.unknown);
  for (const gate::FindTarget& target : r.targets) {
    if (target.end == End::kBeyond) text += fmt::format("\n{}", target.failure);
  }
  return text;
}

Json json_of(const gate::FindResult& r) {
  static constexpr const char* kEnds[] = {"proved", "false", "not-proved", "unknown"};
  Json targets = Json::array();
  for (const gate::FindTarget& t : r.targets) {
    targets.push_back({{"name", t.name},
                       {"property", t.property},
                       {"end", kEnds[static_cast<std::size_t>(t.end)]},
                       {"counterexample-to-induction", t.failure}});
  }
  Json lemmas = Json::array();
  for (const gate::FoundLemma& l : r.lemmas) {
    lemmas.push_back({{"formula", l.formula}, {"says", l.sentence}});
  }
  Json larger = Json::array();
  for (const gate::LargerInstance& l : r.larger) {
    larger.push_back({{"instance", l.instance}, {"proved", l.proved}});
  }
  return {{"targets", targets},
          {"lemmas", lemmas},
          {"minimal", r.minimal},
          {"proved-again", r.proved_again},
          {"confirmed-by", r.confirmation.whole ? Json(r.confirmation.solver) : Json()},
          {"larger", larger},
          {"states", r.states},
          {"states-of-one-partition", r.states_of_one},
          {"all-states", r.all_states},
          {"excluded", r.progress.excluded},
          {"given-up", r.progress.given_up},
          {"queries", r.queries},
          {"seconds", r.seconds},
          {"stopped", r.unknown}};
}

Exit exit_of(const gate::FindResult& r) {
  const checker::Confirmation& c = r.confirmation;
  if (!c.refused.empty() && !c.whole && c.refused != "interrupted") return Exit::kInternal;
  Exit exit = r.unknown.empty() ? Exit::kOk : Exit::kInconclusive;
  for (const gate::FindTarget& target : r.targets) {
    if (target.end == End::kFalse) return Exit::kSafetyRefuted;
    if (target.end != End::kClosed) exit = Exit::kInconclusive;
  }
  return exit;
}

}  // namespace

Exit run_lemma_search(const Arguments& arguments) {
  const LemmasArguments& c = arguments.lemmas;
  const std::filesystem::path data = spec_folder(arguments);
  const spec::Variant client = load_client(c.variant, data);
  const spec::Variant broker = load_broker(c.broker, data);
  gate::FindRequest request;
  request.behaviour = spec::combine(client, broker);
  request.instance = instance_of(c);
  request.budget = budget_of(c);
  request.properties = properties_of(c);
  request.given = given_of(c, {request.behaviour, request.instance});
  request.certificate = c.certificate;
  if (!c.certificate.empty()) checker::require_certificate_folder(c.certificate);
  request.limits = limits_of(arguments, 1);
  ProgressLine line;
  request.on_progress = [&](const checker::LemmaSearchProgress& p) {
    line.show(fmt::format("{} lemmas, {} steps to show, {} counterexamples excluded, {} given up",
                          p.lemmas, p.open, p.excluded, p.given_up));
  };
  const gate::FindResult result = gate::find_lemmas(request);
  const std::string about = fmt::format(
      "{} on {}; {}; any number of these faults: {}; epochs up to {}{}", client.name, broker.name,
      spec::instance_text(request.instance), spec::faults_text(request.instance.faults),
      request.instance.epochs,
      c.without.empty() ? "; from no lemmas"
                        : fmt::format("; from all lemmas but {}", fmt::join(c.without, ", ")));
  print(arguments.format == Format::kJson ? json_of(result).dump(2) + "\n"
                                          : text_of(result, about, request.budget));
  return exit_of(result);
}

}  // namespace fencepost::cli
