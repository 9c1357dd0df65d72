// Reads files of variants, whatever they are variants of: a chain of files, each of which starts
// from the next and changes entries, and every entry's value with its source.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::spec {

/// What the files may say: kinds of variants, and the entries of each kind with their values.
struct VariantSchema {
  struct Entry {
    std::string_view name;
    std::size_t kind = 0;
    std::vector<std::string_view> values;
  };
  std::vector<std::string_view> kinds;  ///< as in the key "kind"
  std::vector<Entry> entries;
};

/// A variant as its files give it.
struct VariantFile {
  static constexpr int kNotOfThisKind = -1;

  std::string name;
  std::size_t kind = 0;
  std::string says;
  std::vector<std::string> lineage;           ///< this variant first, its root last
  std::filesystem::path base_file;            ///< of what it starts from; empty for a root
  std::vector<int> values;                    ///< by entry: index of the value, or kNotOfThisKind
  std::map<std::string, std::string> source;  ///< entry name -> source text
  std::map<std::string, std::string> place;   ///< entry name -> "FILE:LINE" where it was chosen
};

/// Reads `<folder>/<name>.json`, or `name` itself if it is a path ending in .json (then `from` is
/// looked up beside it first, then in `folder`).
///
/// Throws Error(kBadInput), naming file and line, for: a missing or unreadable file, bad JSON, an
/// unknown key, entry or value, an entry without a source, an entry of another kind, an entry that
/// repeats the inherited value, a root that leaves an entry out, and a cycle of `from`.
VariantFile read_variant_file(const VariantSchema& schema, const std::string& name,
                              const std::filesystem::path& folder);

/// The names of the variants in a folder, sorted. Throws Error(kBadInput) if there is no such
/// folder.
std::vector<std::string> variant_names(const std::filesystem::path& folder);

/// Throws Error(kBadInput) that the entry has no effect, at the place that chose it.
[[noreturn]] void refuse_without_effect(const VariantFile& file, std::string_view entry,
                                        std::string_view why);

}  // namespace fencepost::spec
