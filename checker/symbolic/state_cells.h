// Between the cells of a formula system and a state of the spec's templates over formulas. Which
// cells a state has, and in which order, is what the model's `visit_cells` says.
#pragma once

#include <cstddef>
#include <vector>

#include "checker/symbolic/formula_system.h"
#include "spec/base.h"

namespace fencepost::checker {

/// The state whose cells have these values. Requires: one value and one info for each cell.
template <class State, class Rules>
State load_cells(const Values& values, const std::vector<CellInfo>& cells, const Rules& rules) {
  State s;
  std::size_t i = 0;
  visit_cells(s, rules, [&](Symbolic::Cell& cell, const auto&) {
    cell.value = values[i];
    cell.max = cells[i].max;
    ++i;
  });
  FP_ASSERT(i == values.size());
  return s;
}

template <class State, class Rules>
Values store_cells(State& s, const Rules& rules) {
  Values values;
  visit_cells(s, rules, [&](Symbolic::Cell& cell, const auto&) { values.push_back(cell.value); });
  return values;
}

}  // namespace fencepost::checker
