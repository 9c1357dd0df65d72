#include "checker/catalogue/transactions_question.h"

#include <fmt/format.h>

#include <array>

#include "checker/catalogue/question_fields.h"
#include "checker/explicit/explicit_search.h"
#include "checker/refinement/transactions/system.h"
#include "checker/transactions/search.h"
#include "checker/transactions/shape.h"
#include "spec/base.h"
#include "spec/transactions/variant.h"

namespace fencepost::catalogue {
namespace {

namespace model = spec::transactions;
using model::VariantKind;
using spec::JsonFile;
using spec::LocatedJson;
using Mutant = impl::transactions::Mutant;

constexpr std::string_view kWindow = "verification-window";

/// Everything that a search needs, by value: the question keeps it.
struct Setup {
  transactions::Question defective;
  model::Behaviour sound;
  model::Property property{};
  bool on_impl = false;
  Mutant mutant = Mutant::kNone;
  bool verification_window = false;
};

model::Behaviour read_behaviour(const JsonFile& file, const LocatedJson& value,
                                const transactions::Question& who,
                                const std::filesystem::path& data) {
  try {
    return model::combine(model::load_variant(VariantKind::kClient, who.client, data),
                          model::load_variant(VariantKind::kCoordinator, who.coordinator, data),
                          model::load_variant(VariantKind::kBroker, who.broker, data));
  } catch (const Error& error) {
    file.fail(value.line, error.what());
  }
}

/// The changes, refused where they make no difference or cannot be.
std::string apply_changes(const JsonFile& file, const LocatedJson& changes,
                          model::Behaviour& behaviour) {
  std::vector<EntryNow> entries;
  for (std::size_t i = 0; i < model::entries().size(); ++i) {
    const model::EntryInfo& info = model::entries()[i];
    entries.push_back({info.name, info.values, model::entry_value(behaviour, i)});
  }
  const Changes read = read_changes(file, changes, entries);
  for (const Changes::Change& change : read.changes) {
    model::set_entry(behaviour, change.entry, change.value);
  }
  if (const auto why = model::impossible(behaviour)) file.fail(changes.line, std::string(*why));
  for (int k = 0; k < model::kVariantKinds; ++k) {
    const auto idle = model::without_effect(behaviour, static_cast<VariantKind>(k));
    if (!idle) continue;
    file.fail(changes.line,
              fmt::format("\"{}\" makes no difference here: {}", idle->entry, idle->why));
  }
  return read.said;
}

model::Property property_of(const JsonFile& file, const LocatedJson& value) {
  const std::string& name = file.text_of(value, "\"property\"");
  if (const auto property = model::property_named(name)) return *property;
  std::vector<std::string_view> known;
  for (const model::NameInfo& info : model::properties()) known.push_back(info.name);
  file.fail(value.line, fmt::format("unknown property \"{}\" of the transactional model{}", name,
                                    spec::suggestion(name, known)));
}

Found ask_spec(const Setup& setup, const transactions::Question& question,
               const gate::Limits& limits) {
  const transactions::Found searched = transactions::search(question, limits);
  const gate::TaskResult& facts = searched.facts;
  Found found;
  found.complete = facts.end == checker::SearchEnd::kExhausted && !facts.stats.bounded() &&
                   (setup.property != model::Property::kProgress || facts.progress_checked);
  found.states = facts.stats.distinct;
  found.seconds = facts.stats.seconds;
  found.error = facts.error;
  const transactions::Finding* finding = transactions::finding_for(searched, setup.property);
  if (finding != nullptr) found.depth = static_cast<int>(finding->depth());
  return found;
}

/// The implementation, by the property alone: no step is compared with the spec's.
Found ask_impl(const Setup& setup, const transactions::Question& question, Mutant mutant,
               const gate::Limits& limits) {
  const bool progress = setup.property == model::Property::kProgress;
  checker::SearchOptions options;
  options.properties = progress ? 0 : question.properties;
  options.progress = progress;
  options.memory_bytes = limits.memory_bytes;
  options.seconds = limits.seconds;
  options.threads = limits.threads;
  options.stop = limits.stop;
  const refinement::transactions::System system(question.behaviour, question.instance,
                                                options.properties, mutant, false,
                                                setup.verification_window);
  const checker::SearchResult result = checker::search(system, options);
  Found found;
  found.complete = result.end == checker::SearchEnd::kExhausted && !result.stats.bounded() &&
                   (!progress || result.progress_checked);
  found.states = result.stats.distinct;
  found.seconds = result.stats.seconds;
  if (!result.violations.empty()) found.depth = static_cast<int>(result.violations[0].depth);
  if (result.deadlock) found.depth = static_cast<int>(result.deadlock->size());
  if (result.lasso) {
    found.depth = static_cast<int>(result.lasso->stem.size() + result.lasso->loop.size());
  }
  return found;
}

Found ask(const Setup& setup, bool sound, const gate::Limits& limits) {
  transactions::Question question = setup.defective;
  if (sound) question.behaviour = setup.sound;
  if (!setup.on_impl) return ask_spec(setup, question, limits);
  return ask_impl(setup, question, sound ? Mutant::kNone : setup.mutant, limits);
}

/// Reads "mutant" and "grain", which are the implementation's only, and returns what they add to
/// the change.
std::string read_impl_part(const JsonFile& file, const LocatedJson& value, Setup& setup) {
  for (const char* key : {"mutant", "grain"}) {
    const LocatedJson* found = value.find(key);
    if (found == nullptr || setup.on_impl) continue;
    file.fail(found->line, fmt::format("a {} needs \"model\": \"impl-transactions\"", key));
  }
  if (const LocatedJson* grain = value.find("grain")) {
    const std::string& name = file.text_of(*grain, "\"grain\"");
    if (name != kWindow) {
      file.fail(grain->line, fmt::format("unknown grain \"{}\"; known: {}", name, kWindow));
    }
    setup.verification_window = true;
  }
  const LocatedJson* mutant = value.find("mutant");
  if (mutant == nullptr) return {};
  setup.mutant = static_cast<Mutant>(read_mutant(file, *mutant, impl::transactions::kMutantNames));
  return fmt::format("mutant {}", mutant->text);
}

/// The instance with its faults.
model::Instance instance_of(const JsonFile& file, const LocatedJson& value) {
  model::Instance instance = transactions::read_instance(file, file.member(value, "instance"), {});
  const std::string& faults = file.text_of(file.member(value, "faults"), "\"faults\"");
  const int budget = file.int_of(file.member(value, "budget"), "\"budget\"", 0, 15);
  try {
    instance.faults = model::parse_faults(faults, budget);
  } catch (const Error& error) {
    file.fail(value.line, error.what());
  }
  return instance;
}

}  // namespace

Question read_transactions_question(const JsonFile& file, const LocatedJson& value,
                                    const std::string& model_name,
                                    const std::filesystem::path& data) {
  file.object_with(value, "a question",
                   {"model", "client", "coordinator", "broker", "change", "mutant", "grain",
                    "instance", "faults", "budget", "property", "depth"});
  Setup setup;
  setup.on_impl = model_name == "impl-transactions";
  transactions::Question& asked = setup.defective;
  asked.client = optional_text(file, value, "client", "librdkafka-2.15");
  asked.coordinator = optional_text(file, value, "coordinator", "kip-360");
  asked.broker = optional_text(file, value, "broker", "kafka-2.5");
  setup.sound = read_behaviour(file, value, asked, data / "transactions");
  asked.behaviour = setup.sound;
  Question question;
  question.model = model_name;
  if (const LocatedJson* change = value.find("change")) {
    question.change = apply_changes(file, *change, asked.behaviour);
  }
  const std::string mutant = read_impl_part(file, value, setup);
  if (!mutant.empty()) question.change += (question.change.empty() ? "" : ",") + mutant;
  asked.instance = instance_of(file, value);
  asked.faults = file.member(value, "faults").text;
  const LocatedJson& property = file.member(value, "property");
  setup.property = property_of(file, property);
  asked.properties = transactions::bit(setup.property);
  question.property = property.text;
  question.depth = file.int_of(file.member(value, "depth"), "\"depth\"", 1, 1000);
  question.where =
      fmt::format("{}, {}, {}; {}; {}; {}{}", asked.client, asked.coordinator, asked.broker,
                  model::instance_text(asked.instance), asked.faults, asked.instance.faults.budget,
                  setup.verification_window ? "; grain verification-window" : "");
  question.ask = [setup](bool sound, const gate::Limits& limits) {
    return ask(setup, sound, limits);
  };
  return question;
}

}  // namespace fencepost::catalogue
