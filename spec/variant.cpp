#include "spec/variant.h"

#include "spec/base.h"
#include "spec/variant_file.h"

namespace fencepost::spec {
namespace {

namespace fs = std::filesystem;

VariantSchema schema() {
  VariantSchema schema{{"client", "broker"}, {}};
  for (const EntryInfo& info : entries()) {
    schema.entries.push_back({info.name, static_cast<std::size_t>(info.kind), info.values});
  }
  return schema;
}

}  // namespace

Variant load_variant(const std::string& name, const fs::path& folder) {
  const VariantFile file = read_variant_file(schema(), name, folder);
  Variant variant{file.name,  static_cast<VariantKind>(file.kind), file.says, file.lineage, {},
                  file.source};
  for (std::size_t i = 0; i < file.values.size(); ++i) {
    if (file.values[i] != VariantFile::kNotOfThisKind) {
      set_entry(variant.behaviour, i, file.values[i]);
    }
  }
  if (variant.kind == VariantKind::kClient) {
    const auto found = without_effect(variant.behaviour);
    if (found) refuse_without_effect(file, found->entry, found->why);
  }
  return variant;
}

std::vector<Variant> load_variants(const fs::path& folder) {
  std::vector<Variant> variants;
  for (const std::string& name : variant_names(folder)) {
    variants.push_back(load_variant(name, folder));
  }
  return variants;
}

Behaviour combine(const Variant& client, const Variant& broker) {
  FP_ASSERT(client.kind == VariantKind::kClient && broker.kind == VariantKind::kBroker);
  Behaviour behaviour = client.behaviour;
  for (std::size_t i = 0; i < entries().size(); ++i) {
    if (entries()[i].kind == VariantKind::kBroker) {
      set_entry(behaviour, i, entry_value(broker.behaviour, i));
    }
  }
  return behaviour;
}

}  // namespace fencepost::spec
