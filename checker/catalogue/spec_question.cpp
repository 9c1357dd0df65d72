#include "checker/catalogue/spec_question.h"

#include <fmt/format.h>

#include "checker/catalogue/question_fields.h"
#include "checker/explicit/explicit_search.h"
#include "checker/gate/explicit_task.h"
#include "checker/gate/instances.h"
#include "checker/refinement/impl_system.h"
#include "spec/base.h"
#include "spec/instance_text.h"
#include "spec/variant.h"

namespace fencepost::catalogue {
namespace {

using spec::JsonFile;
using spec::LocatedJson;

constexpr std::string_view kRefinement = "refinement";
constexpr int kNoProperty = -1;

/// Everything that a search needs, by value: the question keeps it.
struct Setup {
  spec::Behaviour defective, sound;
  spec::Instance instance;
  impl::Mutant mutant = impl::Mutant::kNone;
  impl::Grain grain;
  int property = kNoProperty;  ///< spec::Property, or kNoProperty for "refinement"
  bool on_impl = false;
};

spec::Variant variant_of(const JsonFile& file, const LocatedJson& value, const std::string& name,
                         const std::filesystem::path& folder, spec::VariantKind kind) {
  try {
    spec::Variant variant = spec::load_variant(name, folder);
    if (variant.kind == kind) return variant;
  } catch (const Error& error) {
    file.fail(value.line, error.what());
  }
  file.fail(value.line, fmt::format("\"{}\" is of the wrong kind", name));
}

/// Applies {"entry": "value", ...} and says it: "entry=value,entry=value".
std::string apply_changes(const JsonFile& file, const LocatedJson& changes,
                          spec::Behaviour& behaviour) {
  std::vector<EntryNow> entries;
  for (std::size_t i = 0; i < spec::entries().size(); ++i) {
    const spec::EntryInfo& info = spec::entries()[i];
    entries.push_back({info.name, info.values, spec::entry_value(behaviour, i)});
  }
  const Changes read = read_changes(file, changes, entries);
  for (const Changes::Change& change : read.changes) {
    spec::set_entry(behaviour, change.entry, change.value);
  }
  return read.said;
}

int property_of(const JsonFile& file, const LocatedJson& value, bool on_impl) {
  const std::string& name = file.text_of(value, "\"property\"");
  if (on_impl && name == kRefinement) return kNoProperty;
  if (const auto property = spec::property_named(name)) return static_cast<int>(*property);
  file.fail(value.line, fmt::format("unknown property \"{}\"", name));
}

/// What both kinds of result say of the search itself.
template <class Result>
Found found_of(const Result& result, const gate::Task& task) {
  Found found;
  found.complete = result.end == checker::SearchEnd::kExhausted && !result.stats.bounded() &&
                   (!task.asks(spec::Property::kProgress) || result.progress_checked);
  found.states = result.stats.distinct;
  found.seconds = result.stats.seconds;
  return found;
}

/// The implementation: refinement is compared where that is asked, else the property alone.
Found ask_impl(const Setup& setup, bool sound, const gate::Task& task) {
  const bool refine = setup.property == kNoProperty;
  const refinement::ImplSystem system(task.behaviour, task.instance,
                                      refine ? 0 : task.properties & gate::kSafetyMask, setup.grain,
                                      sound ? impl::Mutant::kNone : setup.mutant, refine);
  checker::SearchOptions options = gate::options_of(task);
  if (refine) options.properties = 1U << refinement::kDivergence;
  const checker::SearchResult result = checker::search(system, options);
  Found found = found_of(result, task);
  if (!result.violations.empty()) found.depth = static_cast<int>(result.violations[0].depth);
  if (result.lasso) {
    found.depth = static_cast<int>(result.lasso->stem.size() + result.lasso->loop.size());
  }
  return found;
}

Found ask_spec(const gate::Task& task) {
  const gate::TaskResult result = gate::check_explicitly(task);
  Found found = found_of(result, task);
  found.error = result.error;
  if (!result.findings.empty()) found.depth = static_cast<int>(result.findings[0].depth());
  return found;
}

Found ask(const Setup& setup, bool sound, const gate::Limits& limits) {
  gate::Task task{sound ? setup.sound : setup.defective, setup.instance, 0, "spec", limits};
  if (setup.property != kNoProperty) {
    task.properties = gate::bit(static_cast<spec::Property>(setup.property));
  }
  return setup.on_impl ? ask_impl(setup, sound, task) : ask_spec(task);
}

/// Reads "mutant" and "grain", which are impl's only, and returns what they add to the change.
std::string read_impl_part(const JsonFile& file, const LocatedJson& value, Setup& setup) {
  for (const char* key : {"mutant", "grain"}) {
    const LocatedJson* found = value.find(key);
    if (found == nullptr || setup.on_impl) continue;
    file.fail(found->line, fmt::format("a {} needs \"model\": \"impl\"", key));
  }
  if (const LocatedJson* grain = value.find("grain")) {
    try {
      setup.grain = impl::parse_grain(file.text_of(*grain, "\"grain\""));
    } catch (const Error& error) {
      file.fail(grain->line, error.what());
    }
    if (setup.property == kNoProperty) {
      file.fail(grain->line, "the spec cannot follow a finer grain: ask for a property");
    }
  }
  const LocatedJson* mutant = value.find("mutant");
  if (mutant == nullptr) return {};
  setup.mutant = static_cast<impl::Mutant>(read_mutant(file, *mutant, impl::kMutantNames));
  return fmt::format("mutant {}", impl::kMutantNames[static_cast<std::size_t>(setup.mutant)]);
}

}  // namespace

Question read_spec_question(const JsonFile& file, const LocatedJson& value,
                            const std::string& model, const std::filesystem::path& data) {
  file.object_with(value, "a question",
                   {"model", "client", "broker", "change", "mutant", "grain", "instance", "faults",
                    "budget", "property", "depth"});
  Setup setup;
  setup.on_impl = model == "impl";
  const std::string client = optional_text(file, value, "client", "librdkafka-2.15");
  const std::string broker = optional_text(file, value, "broker", "kafka-2.5-to-4.4");
  setup.sound =
      spec::combine(variant_of(file, value, client, data / "variants", spec::VariantKind::kClient),
                    variant_of(file, value, broker, data / "brokers", spec::VariantKind::kBroker));
  setup.defective = setup.sound;
  Question question;
  question.model = model;
  if (const LocatedJson* change = value.find("change")) {
    question.change = apply_changes(file, *change, setup.defective);
  }
  const LocatedJson& property = file.member(value, "property");
  setup.property = property_of(file, property, setup.on_impl);
  const std::string mutant = read_impl_part(file, value, setup);
  if (!mutant.empty()) question.change += (question.change.empty() ? "" : ",") + mutant;
  setup.instance = gate::read_instance(file, file.member(value, "instance"), {}).instance;
  const std::string& faults = file.text_of(file.member(value, "faults"), "\"faults\"");
  const int budget = file.int_of(file.member(value, "budget"), "\"budget\"", 0, 15);
  try {
    setup.instance.faults = spec::parse_faults(faults, budget);
    spec::require_checkable(setup.instance);
  } catch (const Error& error) {
    file.fail(value.line, error.what());
  }
  question.property = property.text;
  question.depth = file.int_of(file.member(value, "depth"), "\"depth\"", 1, 1000);
  const LocatedJson* grain = value.find("grain");
  question.where =
      fmt::format("{}, {}; {}; {}; {}{}", client, broker, spec::instance_text(setup.instance),
                  faults, budget, grain == nullptr ? "" : "; grain " + grain->text);
  question.ask = [setup](bool sound, const gate::Limits& limits) {
    return ask(setup, sound, limits);
  };
  return question;
}

}  // namespace fencepost::catalogue
