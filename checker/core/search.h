// What a search over a transition system is asked, and what it answers.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "checker/core/path.h"
#include "checker/core/statistics.h"

namespace fencepost::checker {

struct SearchOptions {
  /// Safety properties looked for, bit = property number.
  std::uint32_t properties = 0;
  /// Look also for a state that is not `ended()` and in which no free action's guard holds.
  bool deadlock = false;
  /// After an exhausted search: does every weakly fair run end? Implies `deadlock`.
  bool progress = false;
  /// False: a state that violates a property looked for has no successors.
  bool expand_violating = true;
  /// Stop at once when everything looked for has been found. No effect if `progress` is asked.
  bool stop_when_decided = true;

  /// Visit one state of all that differ by a permutation (spec::SymmetricSystem). The verdicts and
  /// depths are the same; counts are of representatives. No effect on a system without symmetry.
  bool symmetry = false;

  /// For states, parents and table, in bytes. The search ends with `kMemory` when it is used up.
  std::size_t memory_bytes = std::size_t{1} << 30;
  /// Wall-clock limit in seconds.
  double seconds = std::numeric_limits<double>::infinity();
  /// Worker threads, at least 1. The result does not depend on it, times excepted.
  unsigned threads = 1;
  /// States deeper than this are not generated; those at this depth are still checked.
  std::uint32_t max_depth = std::numeric_limits<std::uint32_t>::max();
  /// When it becomes true the search ends with `kInterrupted`. May be null.
  const std::atomic<bool>* stop = nullptr;
  /// Called by the calling thread after each level, and about each second within one. May be empty.
  std::function<void(const Statistics&)> on_level = {};
};

/// The shortest path to a state that violates `property`; of several, the first in the order of
/// action indices. `depth` is the length of the path.
struct Violation {
  int property = 0;
  std::uint32_t depth = 0;
  ActionPath path;
};

/// A weakly fair run that never ends: `stem`, then `loop` for ever. The loop has at least one step
/// and returns to the state after the stem.
struct Lasso {
  ActionPath stem;
  ActionPath loop;
};

enum class SearchEnd {
  kExhausted,    ///< every reachable state was visited (up to bounds: see the bound hits)
  kDecided,      ///< everything looked for was found
  kDepth,        ///< stopped at `max_depth`
  kMemory,       ///< the memory budget is used up
  kTime,         ///< the time limit has passed
  kInterrupted,  ///< `stop` was set
};

/// Depth of a note that was never said.
inline constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

struct SearchResult {
  SearchEnd end = SearchEnd::kExhausted;
  Statistics stats;
  int permutations = 1;                ///< above 1: every state counted stands for up to so many
  std::vector<Violation> violations;   ///< the first of each property violated, by number
  std::optional<ActionPath> deadlock;  ///< path to the shallowest deadlock, if looked for
  std::optional<Lasso> lasso;          ///< only if progress was checked
  bool progress_checked = false;       ///< progress was asked and the graph was complete
  /// Why progress could not be checked although every state was visited: memory, time or Ctrl-C
  /// ended that part. What the search says of safety stands all the same.
  SearchEnd progress_end = SearchEnd::kExhausted;
  /// What ended with `kMemory` did so because the system refused memory, not for the budget.
  bool memory_refused = false;

  std::uint64_t notes = 0;  ///< notes said by any step taken, bit = note
  /// Depth of the shallowest state in a step to which the note was said, else `kNever`.
  std::array<std::uint32_t, 64> note_depth = [] {
    std::array<std::uint32_t, 64> never{};
    never.fill(kNever);
    return never;
  }();
};

}  // namespace fencepost::checker
