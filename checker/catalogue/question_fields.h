// Fields that questions about either model have in common.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/located_json.h"

namespace fencepost::catalogue {

/// An entry of a variant, whichever model it is of, and the value it has.
struct EntryNow {
  std::string_view name;
  std::vector<std::string_view> values;
  int value = 0;  ///< an index into `values`
};

/// What "change" sets, by index of the entry, and the same as "entry=value,entry=value".
struct Changes {
  struct Change {
    std::size_t entry = 0;
    int value = 0;
  };
  std::vector<Change> changes;
  std::string said;
};

/// Reads {"entry": "value", ...}. Throws Error(kBadInput) with file and line for an entry or a
/// value that does not exist, and for a value that the entry has already.
Changes read_changes(const spec::JsonFile& file, const spec::LocatedJson& value,
                     const std::vector<EntryNow>& entries);

/// The index of the mutant in `names`, whose first one is "none". Throws Error(kBadInput) with file
/// and line for a name that is not there.
int read_mutant(const spec::JsonFile& file, const spec::LocatedJson& value,
                std::span<const std::string_view> names);

/// The text under `key`, or `otherwise` if the key is not there.
std::string optional_text(const spec::JsonFile& file, const spec::LocatedJson& value,
                          std::string_view key, const std::string& otherwise);

}  // namespace fencepost::catalogue
