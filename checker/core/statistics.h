// What a search has done so far, in numbers that can be compared between runs and machines.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace fencepost::checker {

struct Statistics {
  std::uint64_t distinct = 0;     ///< distinct states stored, the initial one included
  std::uint64_t transitions = 0;  ///< steps taken, those to known states included
  std::uint32_t depth = 0;        ///< steps from the initial state to the deepest stored state
  double seconds = 0;             ///< wall-clock time
  std::uint64_t frontier = 0;     ///< stored states that are still to be expanded

  std::uint32_t packed_bytes = 0;  ///< one packed state
  double bytes_per_state = 0;      ///< packed state, parent, share of the table when it is full
  std::uint64_t memory_bytes = 0;  ///< taken now by states, parents and table
  std::uint64_t capacity = 0;      ///< states that fit into the memory budget

  std::vector<std::uint64_t> fired;            ///< steps taken, by action index
  std::array<std::uint64_t, 32> bound_hits{};  ///< steps disabled, by bound

  /// Distinct states a second; 0 before any time has passed.
  [[nodiscard]] double states_per_second() const {
    return seconds > 0 ? static_cast<double>(distinct) / seconds : 0;
  }

  /// Whether any step was disabled by a bound: then nothing was searched exhaustively.
  [[nodiscard]] bool bounded() const {
    for (const std::uint64_t hits : bound_hits) {
      if (hits != 0) return true;
    }
    return false;
  }
};

}  // namespace fencepost::checker
