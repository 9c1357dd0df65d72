// Reads the variant files of the transactional model: clients, coordinators, brokers.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "spec/transactions/behaviour.h"

namespace fencepost::spec::transactions {

/// A client, a coordinator or brokers, read from a file and the files it starts from.
struct Variant {
  std::string name;
  VariantKind kind = VariantKind::kClient;
  std::string says;
  std::vector<std::string> lineage;           ///< this variant first, its root last
  Behaviour behaviour;                        ///< only the entries of `kind` have a meaning
  std::map<std::string, std::string> source;  ///< entry name -> source text
};

/// Reads `<data>/<kind>s/<name>.json`, or `name` itself if it is a path ending in .json.
/// Throws Error(kBadInput), naming file and line, as `spec::read_variant_file` does, and for an
/// entry that can make no difference beside the others and a file of another kind.
Variant load_variant(VariantKind kind, const std::string& name, const std::filesystem::path& data);

/// All variants of a kind, by name.
std::vector<Variant> load_variants(VariantKind kind, const std::filesystem::path& data);

/// What the model runs on: the entries of each. Requires: a client, a coordinator, brokers.
/// Throws Error(kBadInput) with the reason for a combination that is impossible.
Behaviour combine(const Variant& client, const Variant& coordinator, const Variant& broker);

}  // namespace fencepost::spec::transactions
