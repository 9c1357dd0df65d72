#include "checker/gate/claim_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fencepost::gate {
namespace {

using spec::JsonFile;
using spec::LocatedJson;

constexpr std::array<std::string_view, 3> kExpectNames{"holds", "refuted", "open"};
constexpr std::string_view kEvery = "every";

}  // namespace

std::vector<std::string> read_names(const JsonFile& file, const LocatedJson& value,
                                    std::string_view what,
                                    const std::vector<std::string_view>& known) {
  std::vector<std::string> names;
  const auto add = [&](const LocatedJson& item) {
    const std::string& name = file.text_of(item, fmt::format("a {}", what));
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      file.fail(item.line,
                fmt::format("unknown {} \"{}\"{}", what, name, spec::suggestion(name, known)));
    }
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      file.fail(item.line, fmt::format("the {} \"{}\" stands twice", what, name));
    }
    names.push_back(name);
  };
  if (value.kind == LocatedJson::Kind::kList) {
    if (value.items.empty()) file.fail(value.line, fmt::format("the list of {}s is empty", what));
    for (const LocatedJson& item : value.items) add(item);
  } else if (value.kind == LocatedJson::Kind::kText && value.text == kEvery) {
    names.assign(known.begin(), known.end());
  } else {
    add(value);
  }
  return names;
}

Expect read_expect(const JsonFile& file, const LocatedJson& value) {
  const std::string& text = file.text_of(value, "\"expect\"");
  for (std::size_t i = 0; i < kExpectNames.size(); ++i) {
    if (kExpectNames[i] == text) return static_cast<Expect>(i);
  }
  file.fail(value.line, fmt::format("\"expect\" must be holds, refuted or open, not \"{}\"", text));
}

std::string_view name_of(Expect expect) { return kExpectNames[static_cast<std::size_t>(expect)]; }

}  // namespace fencepost::gate
