// What both models compute alike to be transition systems over numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <map>
#include <vector>

#include "spec/domain/concrete.h"
#include "spec/transition_system.h"

namespace fencepost::spec {

/// The fairness class of every action, and how many classes there are: actions whose `key_of` is
/// equal share one, and those of which `is_free` says no have none.
struct FairnessClasses {
  std::vector<int> of;
  int count = 0;
};
template <class Action, class IsFree, class KeyOf>
FairnessClasses fairness_classes_of(const std::vector<Action>& actions, IsFree is_free,
                                    KeyOf key_of) {
  FairnessClasses classes;
  std::map<decltype(key_of(actions.front())), int> known;
  for (const Action& action : actions) {
    if (!is_free(action)) {
      classes.of.push_back(kUnfair);
      continue;
    }
    const auto found = known.emplace(key_of(action), static_cast<int>(known.size())).first;
    classes.of.push_back(found->second);
  }
  classes.count = static_cast<int>(known.size());
  return classes;
}

/// The widths of a state's cells: `visit(s, f)` calls `f(cell, place)` for each cell in use, and
/// `place.max` is the greatest value it can hold.
template <class State, class Visit>
ByteWidths widths_of(Visit visit) {
  State s{};
  ByteWidths widths(sizeof(State), 0);
  visit(s, [&](Concrete::Cell& cell, const auto& place) {
    const auto at = reinterpret_cast<const std::byte*>(&cell) - reinterpret_cast<std::byte*>(&s);
    widths[static_cast<std::size_t>(at)] =
        static_cast<std::uint8_t>(std::bit_width(static_cast<unsigned>(place.max)));
  });
  return widths;
}

}  // namespace fencepost::spec
