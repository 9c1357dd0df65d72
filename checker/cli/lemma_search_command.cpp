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
  std::uint32_t mask = c.properties.empty() ? spec::kLemmaProperties : 0;
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
      return fmt::format(
          "false: a run of {} steps breaks it ({}; fencepost check with these "
          "--partitions and --log and a --budget that is enough shows one)",
          target.depth, target.where);
    case End::kBeyond:
      return "not proved: no clauses of the grammar close its induction";
    case End::kUndecided:
      break;
  }
  return "not decided";
}

/// "all 12342 states reachable with any number of faults", or which of them.
std::string explored_text(const gate::Explored& e, const std::string& with) {
  std::string text =
      fmt::format("{} {} {}", e.stopped.empty() ? "all" : "the first", e.states, with);
  if (e.log_cut) text += fmt::format(", by steps that leave no log longer than {} entries", e.log);
  if (!e.stopped.empty()) text += fmt::format(" (then {})", e.stopped);
  return text;
}

std::string explored_text(const gate::FindResult& r, int budget) {
  const std::string faults =
      budget < 0 ? std::string("any number of faults") : fmt::format("at most {} faults", budget);
  std::string text = fmt::format("Each candidate holds in {}",
                                 explored_text(r.explored, "states reachable with " + faults));
  if (r.explored_of_one.states > 0) {
    text += fmt::format("; and in {}", explored_text(r.explored_of_one,
                                                     "of one partition with any number of faults"));
  }
  return text + ".\n";
}

/// Why a lemma may be missing in the grammar, or empty.
std::string without_words_text(const gate::FindResult& r) {
  if (r.without_words.empty()) return "";
  return fmt::format(
      "The grammar has no words for what this client, broker and these faults use beside: {}. A "
      "lemma that needs one of them cannot be found.\n",
      fmt::join(r.without_words, ", "));
}

std::string larger_text(const gate::LargerInstance& larger) {
  switch (larger.answer) {
    case gate::LargerInstance::Answer::kProved:
      return fmt::format("The same lemmas prove it of {}, twice.\n", larger.instance);
    case gate::LargerInstance::Answer::kNotEnough:
      return fmt::format("The same lemmas are not enough for {}.\n", larger.instance);
    case gate::LargerInstance::Answer::kUndecided:
      break;
  }
  return fmt::format("Whether the same lemmas are enough for {} is not decided: {}.\n",
                     larger.instance, larger.unknown);
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
  text += without_words_text(r);
  if (r.proved_again) {
    text += fmt::format(
        "Proved once more in fresh solvers{}. It speaks of this instance and any number of faults "
        "of these kinds.\n",
        confirmation_text(r.confirmation));
  }
  for (const gate::LargerInstance& larger : r.larger) text += larger_text(larger);
  if (!r.unknown.empty()) text += fmt::format("Stopped: {}.\n", r.unknown);
  for (const gate::FindTarget& target : r.targets) {
    if (target.end == End::kBeyond) text += fmt::format("\n{}", target.failure);
  }
  return text;
}

Json json_of(const gate::Explored& e) {
  return {{"states", e.states},
          {"all", e.all()},
          {"log", e.log},
          {"longer-logs-left-out", e.log_cut},
          {"stopped", e.stopped}};
}

Json json_of(const gate::FindResult& r) {
  static constexpr const char* kEnds[] = {"proved", "false", "not-proved", "unknown"};
  static constexpr const char* kAnswers[] = {"proved", "not-enough", "unknown"};
  Json targets = Json::array();
  for (const gate::FindTarget& t : r.targets) {
    targets.push_back({{"name", t.name},
                       {"property", t.property},
                       {"end", kEnds[static_cast<std::size_t>(t.end)]},
                       {"where", t.where},
                       {"counterexample-to-induction", t.failure}});
  }
  Json lemmas = Json::array();
  for (const gate::FoundLemma& l : r.lemmas) {
    lemmas.push_back({{"formula", l.formula}, {"says", l.sentence}});
  }
  Json larger = Json::array();
  for (const gate::LargerInstance& l : r.larger) {
    larger.push_back({{"instance", l.instance},
                      {"end", kAnswers[static_cast<std::size_t>(l.answer)]},
                      {"unknown", l.unknown}});
  }
  return {{"targets", targets},
          {"lemmas", lemmas},
          {"minimal", r.minimal},
          {"proved-again", r.proved_again},
          {"confirmed-by", r.confirmation.whole ? Json(r.confirmation.solver) : Json()},
          {"larger", larger},
          {"states", json_of(r.explored)},
          {"states-of-one-partition",
           r.explored_of_one.states > 0 ? json_of(r.explored_of_one) : Json()},
          {"no-words-for", r.without_words},
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
