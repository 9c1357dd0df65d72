#include "spec/transactions/variant.h"

#include <fmt/format.h>

#include "spec/base.h"
#include "spec/variant_file.h"

namespace fencepost::spec::transactions {
namespace {

namespace fs = std::filesystem;

VariantSchema schema() {
  VariantSchema schema;
  for (int k = 0; k < kVariantKinds; ++k) {
    schema.kinds.push_back(name_of(static_cast<VariantKind>(k)));
  }
  for (const EntryInfo& info : entries()) {
    schema.entries.push_back({info.name, static_cast<std::size_t>(info.kind), info.values});
  }
  return schema;
}

fs::path folder_of(VariantKind kind, const fs::path& data) {
  return data / fmt::format("{}s", name_of(kind));
}

void copy_entries(const Variant& from, Behaviour& to) {
  for (std::size_t i = 0; i < entries().size(); ++i) {
    if (entries()[i].kind == from.kind) set_entry(to, i, entry_value(from.behaviour, i));
  }
}

}  // namespace

Variant load_variant(VariantKind kind, const std::string& name, const fs::path& data) {
  const VariantFile file = read_variant_file(schema(), name, folder_of(kind, data));
  Variant variant{file.name,  static_cast<VariantKind>(file.kind), file.says, file.lineage, {},
                  file.source};
  if (variant.kind != kind) {
    throw Error(Exit::kBadInput, fmt::format("\"{}\" is a {}, not a {}", variant.name,
                                             name_of(variant.kind), name_of(kind)));
  }
  for (std::size_t i = 0; i < file.values.size(); ++i) {
    if (file.values[i] != VariantFile::kNotOfThisKind) {
      set_entry(variant.behaviour, i, file.values[i]);
    }
  }
  const auto found = without_effect(variant.behaviour, kind);
  if (found) refuse_without_effect(file, found->entry, found->why);
  return variant;
}

std::vector<Variant> load_variants(VariantKind kind, const fs::path& data) {
  std::vector<Variant> variants;
  for (const std::string& name : variant_names(folder_of(kind, data))) {
    variants.push_back(load_variant(kind, name, data));
  }
  return variants;
}

Behaviour combine(const Variant& client, const Variant& coordinator, const Variant& broker) {
  FP_ASSERT(client.kind == VariantKind::kClient);
  FP_ASSERT(coordinator.kind == VariantKind::kCoordinator);
  FP_ASSERT(broker.kind == VariantKind::kBroker);
  Behaviour behaviour;
  copy_entries(client, behaviour);
  copy_entries(coordinator, behaviour);
  copy_entries(broker, behaviour);
  if (const auto why = impossible(behaviour)) {
    throw Error(Exit::kBadInput, fmt::format("{} with {} and {}: {}", client.name, coordinator.name,
                                             broker.name, *why));
  }
  return behaviour;
}

}  // namespace fencepost::spec::transactions
