#include "checker/catalogue/transactions_question.h"

#include <fmt/format.h>

#include <array>

#include "checker/catalogue/question_fields.h"
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

/// Everything that a search needs, by value: the question keeps it.
struct Setup {
  transactions::Question defective;
  model::Behaviour sound;
  model::Property property{};
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

Found ask(const Setup& setup, bool sound, const gate::Limits& limits) {
  transactions::Question question = setup.defective;
  if (sound) question.behaviour = setup.sound;
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

}  // namespace

Question read_transactions_question(const JsonFile& file, const LocatedJson& value,
                                    const std::filesystem::path& data) {
  file.object_with(value, "a question",
                   {"model", "client", "coordinator", "broker", "change", "instance", "faults",
                    "budget", "property", "depth"});
  Setup setup;
  transactions::Question& asked = setup.defective;
  asked.client = optional_text(file, value, "client", "librdkafka-2.15");
  asked.coordinator = optional_text(file, value, "coordinator", "kip-360");
  asked.broker = optional_text(file, value, "broker", "kafka-2.5");
  setup.sound = read_behaviour(file, value, asked, data / "transactions");
  asked.behaviour = setup.sound;
  Question question;
  question.model = "transactions";
  if (const LocatedJson* change = value.find("change")) {
    question.change = apply_changes(file, *change, asked.behaviour);
  }
  asked.instance = transactions::read_instance(file, file.member(value, "instance"), {});
  asked.faults = file.text_of(file.member(value, "faults"), "\"faults\"");
  const int budget = file.int_of(file.member(value, "budget"), "\"budget\"", 0, 15);
  try {
    asked.instance.faults = model::parse_faults(asked.faults, budget);
  } catch (const Error& error) {
    file.fail(value.line, error.what());
  }
  const LocatedJson& property = file.member(value, "property");
  setup.property = property_of(file, property);
  asked.properties = transactions::bit(setup.property);
  question.property = property.text;
  question.depth = file.int_of(file.member(value, "depth"), "\"depth\"", 1, 1000);
  question.where =
      fmt::format("{}, {}, {}; {}; {}; {}", asked.client, asked.coordinator, asked.broker,
                  model::instance_text(asked.instance), asked.faults, budget);
  question.ask = [setup](bool sound, const gate::Limits& limits) {
    return ask(setup, sound, limits);
  };
  return question;
}

}  // namespace fencepost::catalogue
