// What there is of the transactional model: variants with sources, properties, witnesses, faults.
#include "checker/cli/transactions_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "checker/cli/commands.h"
#include "checker/cli/terminal.h"
#include "spec/transactions/instance.h"
#include "spec/transactions/properties.h"
#include "spec/transactions/variant.h"

namespace fencepost::cli {
namespace {

namespace model = spec::transactions;
using Json = nlohmann::ordered_json;

std::string_view value_of(const model::Variant& variant, std::size_t entry) {
  const auto value = static_cast<std::size_t>(model::entry_value(variant.behaviour, entry));
  return model::entries()[entry].values[value];
}

/// The entries of the variant that differ from those of `base`; all of them without one.
std::vector<std::size_t> changed(const model::Variant& variant, const model::Variant* base) {
  std::vector<std::size_t> list;
  for (std::size_t e = 0; e < model::entries().size(); ++e) {
    if (model::entries()[e].kind != variant.kind) continue;
    if (base == nullptr || value_of(*base, e) != value_of(variant, e)) list.push_back(e);
  }
  return list;
}

std::string variant_text(const model::Variant& variant, const model::Variant* base) {
  std::string text =
      fmt::format("{} {}: {}\n", model::name_of(variant.kind), variant.name, variant.says);
  if (base != nullptr) text += fmt::format("  starts from {}\n", base->name);
  for (const std::size_t e : changed(variant, base)) {
    const model::EntryInfo& info = model::entries()[e];
    text += fmt::format("  {} = {}\n      {} ({})\n      source: {}\n", info.name,
                        value_of(variant, e), info.says, fmt::join(info.values, ", "),
                        variant.source.at(std::string(info.name)));
  }
  return text + "\n";
}

Json variant_json(const model::Variant& variant) {
  Json entries = Json::object();
  for (const std::size_t e : changed(variant, nullptr)) {
    const model::EntryInfo& info = model::entries()[e];
    const std::string name(info.name);
    entries[name] = {{"is", value_of(variant, e)},
                     {"values", info.values},
                     {"says", info.says},
                     {"source", variant.source.at(name)}};
  }
  return {{"variant", variant.name},
          {"kind", model::name_of(variant.kind)},
          {"says", variant.says},
          {"lineage", variant.lineage},
          {"entries", entries}};
}

template <class Table>
std::string table_text(std::string_view head, const Table& table) {
  std::string text = fmt::format("{}:\n", head);
  for (const auto& info : table) text += fmt::format("  {}\n      {}\n", info.name, info.says);
  return text + "\n";
}

template <class Table>
Json table_json(const Table& table) {
  Json list = Json::array();
  for (const auto& info : table) list.push_back({{"name", info.name}, {"says", info.says}});
  return list;
}

}  // namespace

Listing transactional_variants(const std::filesystem::path& data) {
  Listing listing{"", Json::array()};
  for (int k = 0; k < model::kVariantKinds; ++k) {
    const auto all = model::load_variants(static_cast<model::VariantKind>(k), data);
    for (const model::Variant& variant : all) {
      const model::Variant* base = nullptr;
      for (const model::Variant& other : all) {
        if (variant.lineage.size() > 1 && other.name == variant.lineage[1]) base = &other;
      }
      listing.text += variant_text(variant, base);
      listing.json.push_back(variant_json(variant));
    }
  }
  return listing;
}

Listing transactional_properties() {
  return {
      table_text("Properties", model::properties()) +
          table_text("Witnesses (\"sometimes ...\")", model::notes()),
      {{"properties", table_json(model::properties())}, {"witnesses", table_json(model::notes())}}};
}

Listing transactional_faults() {
  Listing listing{"Faults:\n", Json::array()};
  for (const model::FaultInfo& info : model::fault_kinds()) {
    listing.text +=
        fmt::format("  {}\n      {}\n      source: {}\n", info.name, info.says, info.source);
    listing.json.push_back({{"name", info.name}, {"says", info.says}, {"source", info.source}});
  }
  listing.text += "\n";
  return listing;
}

Exit list_transactions(const Arguments& arguments) {
  const Listing variants = transactional_variants(spec_folder(arguments) / "transactions");
  const Listing properties = transactional_properties();
  const Listing faults = transactional_faults();
  Json document = {{"variants", variants.json}};
  document.update(properties.json);
  document["faults"] = faults.json;
  print(arguments.format == Format::kJson ? document.dump(2) + "\n"
                                          : variants.text + properties.text + faults.text);
  return Exit::kOk;
}

}  // namespace fencepost::cli
