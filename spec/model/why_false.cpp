#include "spec/model/why_false.h"

#include <fmt/format.h>

#include "spec/domain/explained.h"
#include "spec/model/state_text.h"

namespace fencepost::spec {
namespace {

std::string place_text(const CellPlace& place) {
  const std::string index = place.index < 0 ? "" : fmt::format(" {}", place.index);
  const std::string where =
      place.partition < 0 ? "" : fmt::format(" of partition {}", place.partition);
  return fmt::format("{}{}{}", place.field, index, where);
}

/// The state with every field's name beside its value.
State<Explained> explained(const State<Concrete>& state, const Rules& rules) {
  std::vector<unsigned> values;
  visit_cells(state, rules,
              [&](const Concrete::Cell& cell, const CellPlace&) { values.push_back(cell.v); });
  State<Explained> s{};
  std::size_t at = 0;
  visit_cells(s, rules, [&](Explained::Cell& cell, const CellPlace& place) {
    cell = {values[at++], place_text(place)};
  });
  return s;
}

}  // namespace

std::vector<std::string> why_false(const Action& action, const State<Concrete>& state,
                                   const Rules& rules) {
  State<Explained> s = explained(state, rules);
  Explained d;
  const Explained::Bool guard = Steps<Explained>{d, s, rules}.guard(action);
  return guard.value() ? std::vector<std::string>{} : false_conjuncts(guard);
}

}  // namespace fencepost::spec
