// The commands that list what there is, with sources.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "checker/cli/commands.h"
#include "checker/cli/terminal.h"
#include "checker/cli/transactions_list.h"
#include "spec/faults.h"
#include "spec/properties.h"
#include "spec/variant.h"

namespace fencepost::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string value_text(const spec::Variant& variant, std::size_t entry) {
  const auto value = static_cast<std::size_t>(entry_value(variant.behaviour, entry));
  return std::string(spec::entries()[entry].values[value]);
}

Json variant_json(const spec::Variant& variant) {
  Json entries = Json::object();
  for (std::size_t i = 0; i < spec::entries().size(); ++i) {
    const spec::EntryInfo& info = spec::entries()[i];
    if (info.kind != variant.kind) continue;
    const std::string name(info.name);
    entries[name] = {{"is", value_text(variant, i)},
                     {"values", info.values},
                     {"says", info.says},
                     {"source", variant.source.at(name)}};
  }
  return {{"variant", variant.name},
          {"kind", variant.kind == spec::VariantKind::kClient ? "client" : "broker"},
          {"says", variant.says},
          {"lineage", variant.lineage},
          {"entries", entries}};
}

/// A root with every entry, others with what they change.
std::string variant_text(const spec::Variant& variant, const std::vector<spec::Variant>& all) {
  std::string text = fmt::format("{}: {}\n", variant.name, variant.says);
  const spec::Variant* base = nullptr;
  for (const spec::Variant& other : all) {
    if (variant.lineage.size() > 1 && other.name == variant.lineage[1]) base = &other;
  }
  if (base != nullptr) text += fmt::format("  starts from {}\n", base->name);
  for (std::size_t i = 0; i < spec::entries().size(); ++i) {
    const spec::EntryInfo& info = spec::entries()[i];
    if (info.kind != variant.kind) continue;
    const std::string value = value_text(variant, i);
    if (base != nullptr && value_text(*base, i) == value) continue;
    text += fmt::format("  {} = {}\n      {} ({})\n      source: {}\n", info.name, value, info.says,
                        fmt::join(info.values, ", "), variant.source.at(std::string(info.name)));
  }
  return text + "\n";
}

constexpr std::string_view kTransactional =
    "\nOf the transactional model (fencepost transactions, gate):\n\n";

/// A list's items of the transactional model, which say so.
void add_marked(const Json& items, Json& list) {
  for (Json item : items) {
    item["model"] = "transactions";
    list.push_back(std::move(item));
  }
}

template <class Table>
std::string table_text(const Table& table) {
  std::string text;
  for (const auto& info : table) text += fmt::format("{}\n    {}\n", info.name, info.says);
  return text;
}

template <class Table>
Json table_json(const Table& table) {
  Json list = Json::array();
  for (const auto& info : table) list.push_back({{"name", info.name}, {"says", info.says}});
  return list;
}

}  // namespace

Exit list_variants(const Arguments& arguments) {
  const std::filesystem::path data = spec_folder(arguments);
  Json list = Json::array();
  std::string text;
  for (const char* folder : {"variants", "brokers"}) {
    const std::vector<spec::Variant> all = spec::load_variants(data / folder);
    for (const spec::Variant& variant : all) {
      list.push_back(variant_json(variant));
      text += variant_text(variant, all);
    }
  }
  const Listing more = transactional_variants(data / "transactions");
  add_marked(more.json, list);
  text += std::string(kTransactional) + more.text;
  print(arguments.format == Format::kJson ? list.dump(2) + "\n" : text);
  return Exit::kOk;
}

Exit list_properties(const Arguments& arguments) {
  const Listing more = transactional_properties();
  if (arguments.format == Format::kJson) {
    const Json document = {{"properties", table_json(spec::properties())},
                           {"witnesses", table_json(spec::notes())},
                           {"transactions", more.json}};
    print(document.dump(2) + "\n");
  } else {
    print(fmt::format("Properties:\n{}\nWitnesses (\"sometimes ...\"):\n{}{}{}",
                      table_text(spec::properties()), table_text(spec::notes()), kTransactional,
                      more.text));
  }
  return Exit::kOk;
}

Exit list_faults(const Arguments& arguments) {
  Json list = Json::array();
  std::string text;
  for (const spec::FaultInfo& info : spec::fault_kinds()) {
    list.push_back({{"name", info.name},
                    {"says", info.says},
                    {"source", info.source},
                    {"by-name-only", info.by_name_only}});
    text += fmt::format("{}\n    {}\n    source: {}\n", info.name, info.says, info.source);
    if (info.by_name_only) text += "    in neither \"all\" nor \"all-but\": must be named\n";
  }
  const Listing more = transactional_faults();
  add_marked(more.json, list);
  text += std::string(kTransactional) + more.text;
  print(arguments.format == Format::kJson ? list.dump(2) + "\n" : text);
  return Exit::kOk;
}

}  // namespace fencepost::cli
