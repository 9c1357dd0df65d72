#include "checker/catalogue/question_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fencepost::catalogue {
namespace {

using spec::JsonFile;
using spec::LocatedJson;

/// The index of the value of that name.
int value_of(const JsonFile& file, const LocatedJson& value, const EntryNow& entry) {
  const std::string& text = file.text_of(value, fmt::format("the value of \"{}\"", entry.name));
  const auto chosen = std::find(entry.values.begin(), entry.values.end(), text);
  if (chosen == entry.values.end()) {
    file.fail(value.line, fmt::format("\"{}\" cannot be \"{}\", only {}", entry.name, text,
                                      fmt::join(entry.values, ", ")));
  }
  const int index = static_cast<int>(chosen - entry.values.begin());
  if (entry.value == index) {
    file.fail(value.line, fmt::format("\"{}\" is \"{}\" already", entry.name, text));
  }
  return index;
}

}  // namespace

Changes read_changes(const JsonFile& file, const LocatedJson& value,
                     const std::vector<EntryNow>& entries) {
  if (value.kind != LocatedJson::Kind::kObject || value.members.empty()) {
    file.fail(value.line, "\"change\" must be an object {\"entry\": \"value\", ...}");
  }
  Changes read;
  for (const spec::LocatedMember& change : value.members) {
    const std::string& name = change.key;
    const LocatedJson& member = change.value;
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const EntryNow& entry) { return entry.name == name; });
    if (found == entries.end()) {
      file.fail(member.line, fmt::format("unknown entry \"{}\"", name));
    }
    read.changes.push_back(
        {static_cast<std::size_t>(found - entries.begin()), value_of(file, member, *found)});
    read.said += fmt::format("{}{}={}", read.said.empty() ? "" : ",", name, member.text);
  }
  return read;
}

int read_mutant(const JsonFile& file, const LocatedJson& value,
                std::span<const std::string_view> names) {
  const std::string& name = file.text_of(value, "\"mutant\"");
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<int>(i);
  }
  const std::vector<std::string_view> known(names.begin() + 1, names.end());
  file.fail(value.line,
            fmt::format("unknown mutant \"{}\"{}", name, spec::suggestion(name, known)));
}

std::string optional_text(const JsonFile& file, const LocatedJson& value, std::string_view key,
                          const std::string& otherwise) {
  const LocatedJson* found = value.find(key);
  return found == nullptr ? otherwise : file.text_of(*found, fmt::format("\"{}\"", key));
}

}  // namespace fencepost::catalogue
