// The fields that claims of every model share, as their files give them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checker/gate/claims.h"
#include "spec/located_json.h"

namespace fencepost::gate {

/// The names that a key gives: one text, a list of texts, or "every". `known` in their order.
/// Throws Error(kBadInput) with file and line for an unknown name and one that stands twice.
std::vector<std::string> read_names(const spec::JsonFile& file, const spec::LocatedJson& value,
                                    std::string_view what,
                                    const std::vector<std::string_view>& known);

/// Throws Error(kBadInput) unless it is holds, refuted or open.
Expect read_expect(const spec::JsonFile& file, const spec::LocatedJson& value);

template <class Table>
std::vector<std::string_view> names_of_table(const Table& table) {
  std::vector<std::string_view> names;
  for (const auto& info : table) names.push_back(info.name);
  return names;
}

}  // namespace fencepost::gate
