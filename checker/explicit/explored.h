// Everything a search remembers about states: the packing, the store, the table, and which states
// were first reached at which depth.
//
// The memory budget fixes once, at the start, how many states can be stored and how large the
// table may become. The table starts small and is moved to eight times the size a few times at
// most, always when no worker runs: a small search on a large budget touches little memory and
// stays in the cache. While a table is moved, old and new together stay within the budget, because
// the store is still less than half full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "checker/explicit/packing.h"
#include "checker/explicit/state_store.h"
#include "checker/explicit/state_table.h"

namespace fencepost::checker {

class Explored {
 public:
  /// Requires: `overshoot` is how many indices all workers together may take after the table has
  /// become too full and before they notice.
  Explored(const ByteWidths& widths, std::size_t memory_bytes, std::uint64_t overshoot);

  /// False if the system refused the memory.
  [[nodiscard]] bool ok() const { return store.ok() && table.ok(); }

  /// The number of taken indices from which on the table must grow before anything is inserted.
  [[nodiscard]] std::uint64_t room() const;

  /// Makes the table larger, with `threads` threads; false if the system refuses the memory.
  /// Requires: no worker runs; `room()` has been reached.
  [[nodiscard]] bool grow(unsigned threads);

  /// Bytes per state when the budget is used up.
  [[nodiscard]] double bytes_per_state() const;

  /// Bytes taken now by states, parents and table.
  [[nodiscard]] std::uint64_t memory_bytes() const;

  Packing packing;
  /// By depth, the states first reached there. A range never spans two depths.
  std::vector<std::vector<StateRange>> levels;
  StateTable table;
  StateStore store;

 private:
  std::uint64_t overshoot_;
  std::uint64_t full_slots_;
};

/// Cuts ranges into pieces of at most `size` states, in order. Requires: `size` >= 1.
[[nodiscard]] std::vector<StateRange> cut(const std::vector<StateRange>& ranges, StateIndex size);

/// How many states the ranges hold.
[[nodiscard]] std::uint64_t count(const std::vector<StateRange>& ranges);

}  // namespace fencepost::checker
