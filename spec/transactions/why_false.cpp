#include "spec/transactions/why_false.h"

#include <fmt/format.h>

#include "spec/domain/explained.h"
#include "spec/transactions/state_text.h"

namespace fencepost::spec::transactions {
namespace {

/// The state with every field's name beside its value.
State<Explained> explained(const State<Concrete>& state, const Rules& rules) {
  std::vector<unsigned> values;
  visit_cells(state, rules,
              [&](const Concrete::Cell& cell, const CellPlace&) { values.push_back(cell.v); });
  State<Explained> s{};
  std::size_t at = 0;
  visit_cells(s, rules, [&](Explained::Cell& cell, const CellPlace& place) {
    const std::string owner = place.owner < 0 ? "" : fmt::format(" of {}", place.owner);
    cell = {values[at++], fmt::format("{}{}", place.field, owner)};
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

}  // namespace fencepost::spec::transactions
