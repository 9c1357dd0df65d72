// Reads a variant's file, then the file it starts from, down to the root; then applies the entries
// from the root up.
#include "spec/variant_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "spec/base.h"
#include "spec/located_json.h"

namespace fencepost::spec {
namespace {

namespace fs = std::filesystem;
using Schema = VariantSchema;

/// A file with the parts that the chain needs. `from` and `entries` point into the file's tree,
/// which moves with the link but cannot be copied.
struct Link {
  JsonFile file;
  fs::path path;
  std::string name;
  std::size_t kind = 0;
  std::string says;
  const LocatedJson* from = nullptr;
  const LocatedJson* entries = nullptr;
};

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& item : fs::directory_iterator(folder, ignored)) {
    if (item.path().extension() == ".json") names.push_back(item.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string no_such_variant(const std::string& name, const fs::path& folder) {
  std::error_code ignored;
  if (name.find('/') != std::string::npos || fs::is_regular_file(name, ignored)) {
    return fmt::format("\"{}\" is no variant's name, and as a file it must end in .json", name);
  }
  const std::vector<std::string> names = names_in(folder);
  const std::vector<std::string_view> known(names.begin(), names.end());
  return fmt::format("there is no variant \"{}\" in {}{}", name, folder.string(),
                     suggestion(name, known));
}

bool is_path(std::string_view name) { return name.ends_with(".json"); }

/// "a, b or c".
std::string any_of(const std::vector<std::string_view>& kinds) {
  std::string text(kinds.front());
  for (std::size_t k = 1; k < kinds.size(); ++k) {
    text += k + 1 == kinds.size() ? " or " : ", ";
    text += kinds[k];
  }
  return text;
}

std::size_t read_kind(const Schema& schema, const JsonFile& file) {
  const LocatedJson& value = file.member(file.root(), "kind");
  const std::string& text = file.text_of(value, "\"kind\"");
  for (std::size_t k = 0; k < schema.kinds.size(); ++k) {
    if (schema.kinds[k] == text) return k;
  }
  file.fail(value.line, fmt::format("\"kind\" must be {}, not \"{}\"", any_of(schema.kinds), text));
}

Link read_link(const Schema& schema, const fs::path& path) {
  Link link{JsonFile::read(path), path, {}, {}, {}, {}, {}};
  const JsonFile& file = link.file;
  const LocatedJson& root = file.root();
  file.object_with(root, "a variant", {"variant", "kind", "says", "from", "entries"});
  const LocatedJson& name = file.member(root, "variant");
  link.name = file.text_of(name, "\"variant\"");
  if (link.name != path.stem().string()) {
    file.fail(name.line, fmt::format("the variant is named \"{}\", its file \"{}\"", link.name,
                                     path.filename().string()));
  }
  link.kind = read_kind(schema, file);
  link.says = file.text_of(file.member(root, "says"), "\"says\"");
  link.from = root.find("from");
  link.entries = &file.member(root, "entries");
  if (link.entries->kind != LocatedJson::Kind::kObject) {
    file.fail(link.entries->line, "\"entries\" must be an object {...}");
  }
  return link;
}

/// Where the file that `from` names is.
fs::path base_of(const Link& link, const fs::path& folder) {
  const std::string& name = link.file.text_of(*link.from, "\"from\"");
  fs::path beside = link.path.parent_path() / (name + ".json");
  if (fs::exists(beside)) return beside;
  if (fs::exists(folder / (name + ".json"))) return folder / (name + ".json");
  link.file.fail(link.from->line, no_such_variant(name, folder));
}

/// This variant first, its root last.
std::vector<Link> read_chain(const Schema& schema, const fs::path& start, const fs::path& folder) {
  std::vector<Link> chain;
  for (fs::path path = start;;) {
    chain.push_back(read_link(schema, path));
    const Link& link = chain.back();
    if (link.from == nullptr) break;
    path = base_of(link, folder);
    for (const Link& seen : chain) {
      if (!fs::equivalent(seen.path, path)) continue;
      link.file.fail(link.from->line, fmt::format("\"{}\" starts from itself by way of \"{}\"",
                                                  seen.name, link.name));
    }
  }
  for (std::size_t i = 1; i < chain.size(); ++i) {
    if (chain[i].kind == chain[0].kind) continue;
    chain[i - 1].file.fail(
        chain[i - 1].from->line,
        fmt::format("a {} cannot start from the {} \"{}\"", schema.kinds[chain[0].kind],
                    schema.kinds[chain[i].kind], chain[i].name));
  }
  return chain;
}

std::size_t entry_named(const Schema& schema, const Link& link, const std::string& name, int line) {
  std::vector<std::string_view> known;
  for (std::size_t i = 0; i < schema.entries.size(); ++i) {
    const Schema::Entry& info = schema.entries[i];
    if (info.name == name && info.kind == link.kind) return i;
    if (info.name == name) {
      link.file.fail(line, fmt::format("\"{}\" is an entry of a {}, and this is a {}", name,
                                       schema.kinds[info.kind], schema.kinds[link.kind]));
    }
    if (info.kind == link.kind) known.push_back(info.name);
  }
  link.file.fail(line, fmt::format("unknown entry \"{}\"{}", name, suggestion(name, known)));
}

int value_named(const Link& link, const Schema::Entry& info, const LocatedJson& is) {
  const std::string& text = link.file.text_of(is, fmt::format("the value of \"{}\"", info.name));
  for (std::size_t v = 0; v < info.values.size(); ++v) {
    if (info.values[v] == text) return static_cast<int>(v);
  }
  link.file.fail(
      is.line,
      fmt::format("\"{}\" cannot be \"{}\", only {}", info.name, text, fmt::join(info.values, ", "),
                  info.values.size() > 16 ? suggestion(text, info.values) : ""));
}

/// Applies one file's entries over those from further down.
void apply(const Schema& schema, const Link& link, VariantFile& variant) {
  for (const auto& [name, value] : link.entries->members) {
    const std::size_t entry = entry_named(schema, link, name, value.line);
    link.file.object_with(value, fmt::format("\"{}\"", name), {"is", "source"});
    const LocatedJson& is = link.file.member(value, "is");
    const int chosen = value_named(link, schema.entries[entry], is);
    const std::string& source = link.file.text_of(link.file.member(value, "source"), "\"source\"");
    if (variant.values[entry] == chosen) {
      link.file.fail(is.line, fmt::format("\"{}\" is \"{}\" already in \"{}\": leave it out", name,
                                          is.text, *std::next(variant.lineage.begin())));
    }
    variant.values[entry] = chosen;
    variant.source[name] = source;
    variant.place[name] = fmt::format("{}:{}", link.file.name(), value.line);
  }
}

void require_complete(const Schema& schema, const Link& root, const VariantFile& variant) {
  for (std::size_t i = 0; i < schema.entries.size(); ++i) {
    const Schema::Entry& info = schema.entries[i];
    if (info.kind != root.kind || variant.values[i] != VariantFile::kNotOfThisKind) continue;
    root.file.fail(
        root.entries->line,
        fmt::format("\"{}\" is left out, and there is no \"from\" to take it from", info.name));
  }
}

}  // namespace

VariantFile read_variant_file(const VariantSchema& schema, const std::string& name,
                              const fs::path& folder) {
  const fs::path path = is_path(name) ? fs::path(name) : folder / (name + ".json");
  const bool names_a_folder = !is_path(name) && name.find('/') != std::string::npos;
  if (names_a_folder || (!is_path(name) && !fs::exists(path))) {
    throw Error(Exit::kBadInput, no_such_variant(name, folder));
  }
  const std::vector<Link> chain = read_chain(schema, path, folder);
  VariantFile variant;
  variant.kind = chain.front().kind;
  if (chain.size() > 1) variant.base_file = chain[1].path;
  variant.values.assign(schema.entries.size(), VariantFile::kNotOfThisKind);
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    variant.lineage.insert(variant.lineage.begin(), link->name);
    if (link->from != nullptr && link->entries->members.empty()) {
      link->file.fail(link->entries->line, "a variant that changes no entry is no variant");
    }
    apply(schema, *link, variant);
    if (link == chain.rbegin()) require_complete(schema, *link, variant);
  }
  variant.name = chain.front().name;
  variant.says = chain.front().says;
  return variant;
}

std::vector<std::string> variant_names(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    throw Error(Exit::kBadInput, fmt::format("{}: there is no such folder", folder.string()));
  }
  return names_in(folder);
}

void refuse_without_effect(const VariantFile& file, std::string_view entry, std::string_view why) {
  const auto place = file.place.find(std::string(entry));
  FP_ASSERT(place != file.place.end());  // a root gives every entry
  throw Error(Exit::kBadInput,
              fmt::format("{}: \"{}\" has no effect here: {}", place->second, entry, why));
}

}  // namespace fencepost::spec
