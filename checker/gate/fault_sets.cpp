#include "checker/gate/fault_sets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spec/base.h"
#include "spec/instance_text.h"

namespace fencepost::gate {
namespace {

using spec::JsonFile;
using spec::LocatedJson;

FaultSet one_set(const JsonFile& file, int line, const std::string& text, int budget) {
  try {
    return {text, spec::parse_faults(text, budget)};
  } catch (const Error& error) {
    file.fail(line, error.what());
  }
}

/// All ways to add `missing` of `kinds` from `at` on to `chosen`, in order.
void choose(const std::vector<std::string_view>& kinds, std::size_t at, int missing,
            std::vector<std::string_view>& chosen, std::vector<std::string>& texts) {
  if (missing == 0) {
    texts.push_back(fmt::format("{}", fmt::join(chosen, ",")));
    return;
  }
  for (; at < kinds.size(); ++at) {
    chosen.push_back(kinds[at]);
    choose(kinds, at + 1, missing - 1, chosen, texts);
    chosen.pop_back();
  }
}

FaultSets chosen_sets(const JsonFile& file, const LocatedJson& value, int budget) {
  file.object_with(value, "\"faults\"", {"choose", "with", "of"});
  FaultSets result;
  std::vector<std::string_view> chosen;
  if (const LocatedJson* with = value.find("with")) {
    result.shared = file.text_of(*with, "\"with\"");
    one_set(file, with->line, result.shared, budget);
    chosen.push_back(result.shared);
  }
  spec::Faults of = spec::parse_faults("all", budget);
  if (const LocatedJson* text = value.find("of")) {
    of = one_set(file, text->line, file.text_of(*text, "\"of\""), budget).faults;
  }
  std::vector<std::string_view> kinds;
  for (int k = 0; k < spec::kFaultKinds; ++k) {
    const std::string_view name = spec::fault_kinds()[static_cast<std::size_t>(k)].name;
    if (of.allows(static_cast<spec::Fault>(k)) && name != result.shared) kinds.push_back(name);
  }
  const int most = static_cast<int>(kinds.size() + chosen.size());
  const int count = file.int_of(file.member(value, "choose"), "\"choose\"", 1, most);
  std::vector<std::string> texts;
  choose(kinds, 0, count - static_cast<int>(chosen.size()), chosen, texts);
  for (const std::string& text : texts) {
    result.sets.push_back(one_set(file, value.line, text, budget));
  }
  return result;
}

}  // namespace

FaultSets read_fault_sets(const JsonFile& file, const LocatedJson& value, int budget) {
  if (value.kind == LocatedJson::Kind::kObject) return chosen_sets(file, value, budget);
  FaultSets result;
  if (value.kind == LocatedJson::Kind::kList) {
    if (value.items.empty()) file.fail(value.line, "\"faults\" must not be an empty list");
    for (const LocatedJson& item : value.items) {
      const std::string& text = file.text_of(item, "an item of \"faults\"");
      result.sets.push_back(one_set(file, item.line, text, budget));
    }
    return result;
  }
  const std::string& text = file.text_of(value, "\"faults\"");
  result.sets.push_back(one_set(file, value.line, text, budget));
  return result;
}

}  // namespace fencepost::gate
