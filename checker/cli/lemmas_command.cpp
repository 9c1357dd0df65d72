// The lemmas of the proofs: what they say, and what the induction of each rests on.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "checker/cli/commands.h"
#include "checker/cli/terminal.h"
#include "checker/symbolic/spec_system.h"
#include "checker/symbolic/support.h"
#include "spec/instance_text.h"
#include "spec/lemmas.h"

namespace fencepost::cli {
namespace {

using Json = nlohmann::ordered_json;
using checker::SpecSystem;
using checker::Support;

/// One partition, which stands for any number; any number of faults of the kinds named.
spec::Instance instance_of(const LemmasArguments& c) {
  spec::Instance instance;
  instance.messages = c.messages;
  instance.in_flight = c.in_flight;
  instance.faults = spec::parse_faults(c.faults, 1);
  spec::require_checkable(instance);
  instance.faults.unlimited = true;
  instance.partitions = 1;
  instance.log = instance.total_messages();
  return instance;
}

std::vector<std::string> names_of(const SpecSystem& system, const std::vector<std::size_t>& facts) {
  std::vector<std::string> names;
  names.reserve(facts.size());
  for (const std::size_t f : facts) names.push_back(system.facts()[f].name);
  return names;
}

std::string rests_on(const SpecSystem& system, const Support& support) {
  if (!support.unknown.empty()) return fmt::format("not known: {}", support.unknown);
  if (support.broken_by >= 0) {
    return fmt::format("NOT inductive, even with all others: \"{}\" may break it",
                       system.action_text(static_cast<std::size_t>(support.broken_by)));
  }
  std::string text =
      support.needs.empty()
          ? std::string("inductive alone")
          : fmt::format("inductive with {}", fmt::join(names_of(system, support.needs), ", "));
  if (support.implied) text += "; the others imply it";
  return text;
}

std::string text_of(const SpecSystem& system, const std::vector<Support>& supports,
                    const std::string& about) {
  std::string text = about + "\n\n";
  for (const Support& support : supports) {
    const checker::Fact& fact = system.facts()[support.fact];
    text += fmt::format("{}{}\n    {}\n    {}\n", fact.name, fact.property < 0 ? "" : " (property)",
                        fact.says, rests_on(system, support));
  }
  text += "\nThe proof of each property rests on:\n";
  for (const Support& support : supports) {
    const checker::Fact& fact = system.facts()[support.fact];
    if (fact.property < 0) continue;
    const auto all = names_of(system, checker::closure(supports, support.fact));
    text += fmt::format("  {:<16} {}\n", fact.name,
                        all.empty() ? "nothing else" : fmt::format("{}", fmt::join(all, ", ")));
  }
  return text;
}

Json json_of(const SpecSystem& system, const std::vector<Support>& supports) {
  Json list = Json::array();
  for (const Support& support : supports) {
    const checker::Fact& fact = system.facts()[support.fact];
    list.push_back({{"name", fact.name},
                    {"says", fact.says},
                    {"property", fact.property >= 0},
                    {"inductive", support.broken_by < 0 && support.unknown.empty()},
                    {"needs", names_of(system, support.needs)},
                    {"implied-by-the-others", support.implied},
                    {"rests-on", names_of(system, checker::closure(supports, support.fact))},
                    {"unknown", support.unknown}});
  }
  return list;
}

std::vector<Support> ask(const SpecSystem& system, const std::vector<std::size_t>& facts) {
  ProgressLine line;
  checker::SupportOptions options;
  options.limits.stop = stop_flag();
  options.on_fact = [&](std::size_t i) {
    line.show(fmt::format("{} of {}: {}", i + 1, facts.size(), system.facts()[i].name));
  };
  return checker::supports(system, facts, options);
}

}  // namespace

Exit run_lemmas(const Arguments& arguments) {
  const LemmasArguments& c = arguments.lemmas;
  if (c.search) return run_lemma_search(arguments);
  const std::filesystem::path data = spec_folder(arguments);
  const spec::Variant client = spec::load_variant(c.variant, data / "variants");
  const spec::Variant broker = spec::load_variant(c.broker, data / "brokers");
  if (client.kind != spec::VariantKind::kClient || broker.kind != spec::VariantKind::kBroker) {
    throw Error(Exit::kUsage, "--variant names a client and --broker a broker");
  }
  const spec::Instance instance = instance_of(c);
  const spec::Behaviour behaviour = spec::combine(client, broker);
  if (!spec::lemmas_claimed({behaviour, instance})) {
    throw Error(Exit::kUsage,
                fmt::format("no lemmas are claimed of {} with these faults (spec/lemmas.h): "
                            "name another variant or other faults",
                            client.name));
  }
  if (!checker::environment_covers(behaviour)) {
    throw Error(Exit::kUsage,
                fmt::format("a bump of {} waits for nothing: nothing is claimed of any number of "
                            "partitions (spec/README.md); name another variant",
                            client.name));
  }
  const SpecSystem system(behaviour, instance, {spec::kLemmaProperties, true, true});
  std::vector<std::size_t> facts(system.facts().size());
  for (std::size_t f = 0; f < facts.size(); ++f) facts[f] = f;
  const std::vector<Support> supports = ask(system, facts);
  Exit exit = Exit::kOk;
  for (const Support& s : supports) {
    if (s.broken_by >= 0 || !s.unknown.empty()) exit = Exit::kInconclusive;
  }
  const std::string about = fmt::format(
      "{} on {}; any number of partitions, each as in: {}; any number of these faults: {}",
      client.name, broker.name, spec::instance_text(instance), spec::faults_text(instance.faults));
  print(arguments.format == Format::kJson ? json_of(system, supports).dump(2) + "\n"
                                          : text_of(system, supports, about));
  return exit;
}

}  // namespace fencepost::cli
