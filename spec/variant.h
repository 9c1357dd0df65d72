// Reads variant files: a behaviour by name, with the source of every entry.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "spec/behaviour.h"

namespace fencepost::spec {

/// A client or a broker, read from a file and the files it starts from.
struct Variant {
  std::string name;
  VariantKind kind = VariantKind::kClient;
  std::string says;                           ///< one sentence
  std::vector<std::string> lineage;           ///< this variant first, its root last
  std::filesystem::path base_file;            ///< of what it starts from; empty for a root
  Behaviour behaviour;                        ///< only the entries of `kind` have a meaning
  std::map<std::string, std::string> source;  ///< entry name -> source text
};

/// Reads `<folder>/<name>.json`, or `name` itself if it is a path ending in .json (then `from` is
/// looked up beside it first, then in `folder`).
///
/// Throws Error(kBadInput), naming file and line, for: a missing or unreadable file, bad JSON, an
/// unknown key, entry or value, an entry without a source, an entry of the other kind, an entry
/// that repeats the inherited value, a root that leaves an entry out, and a cycle of `from`.
Variant load_variant(const std::string& name, const std::filesystem::path& folder);

/// All variants of a folder, by name.
std::vector<Variant> load_variants(const std::filesystem::path& folder);

/// What the spec runs on: the client's entries of one and the broker's of the other.
/// Requires: kinds client and broker.
Behaviour combine(const Variant& client, const Variant& broker);

}  // namespace fencepost::spec
