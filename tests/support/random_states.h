// Random well-typed states: every cell within its range, not necessarily reachable.
#pragma once

#include <random>

#include "spec/model/model.h"

namespace fencepost::testing {

/// Each cell uniform in 0..max. The same generator state gives the same state.
inline spec::Model::State random_state(const spec::Rules& rules, std::mt19937& random) {
  spec::Model::State state{};
  spec::visit_cells(state, rules, [&](spec::Concrete::Cell& cell, const spec::CellPlace& place) {
    cell.v = static_cast<std::uint8_t>(random() % static_cast<unsigned>(place.max + 1));
  });
  return state;
}

}  // namespace fencepost::testing
