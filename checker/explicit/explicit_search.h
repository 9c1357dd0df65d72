// The explicit engine's front door: safety, deadlock and progress in one search, with a result that
// does not depend on the number of threads.
//
// A parallel search gives exact counts and depths, but which path it remembers is left to chance.
// What it has found is therefore found again by one worker, no deeper than it lies: counterexamples
// are shallow compared with the whole, so this costs little, and nothing in the parallel search has
// to be ordered. Rejected: keeping the least parent of each state, which needs an atomic minimum on
// every duplicate and still leaves the order of states within a level open.
#pragma once

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "checker/explicit/breadth_first.h"
#include "checker/explicit/liveness.h"

namespace fencepost::checker {
namespace detail {

// The state at which a loop begins, independent of any store.
struct LoopEntry {
  std::vector<std::uint64_t> packed;
  std::uint32_t depth = 0;
};

// Liveness on a completed search; fills the loop of `result.lasso` and says where it begins.
template <TransitionSystem S>
std::optional<LoopEntry> check_progress(const S& system, const SearchOptions& options,
                                        const BreadthFirst<S>& search, SearchResult& result) {
  const Explored& explored = search.explored();
  const auto classes = static_cast<std::uint64_t>(system.fairness_classes());
  if (explored.memory_bytes() + liveness_bytes(explored.store.taken(), result.stats.transitions,
                                               classes, Reduction<S>(system, options).count()) >
      options.memory_bytes) {
    result.progress_end = SearchEnd::kMemory;
    return std::nullopt;
  }
  std::optional<FairLoop> loop;
  try {
    Liveness<S> liveness(system, options, explored, [&] { return search.must_stop().has_value(); });
    liveness.build(result.stats.transitions);
    loop = liveness.find();
  } catch (const LivenessStopped&) {
    result.progress_end = search.must_stop().value_or(SearchEnd::kInterrupted);
    return std::nullopt;
  } catch (const std::bad_alloc&) {
    result.progress_end = SearchEnd::kMemory;
    result.memory_refused = true;
    return std::nullopt;
  }
  result.progress_checked = true;
  if (!loop) return std::nullopt;
  result.lasso = Lasso{{}, loop->actions};
  LoopEntry entry{std::vector<std::uint64_t>(explored.packing.packed_words()), loop->depth};
  explored.store.read(loop->entry, entry.packed.data());
  return entry;
}

// Everything found lies within this depth.
inline std::uint32_t depth_of_findings(const SearchResult& result,
                                       const std::optional<LoopEntry>& entry) {
  std::size_t depth = entry ? entry->depth : 0;
  if (result.deadlock) depth = std::max(depth, result.deadlock->size());
  for (const Violation& violation : result.violations) {
    depth = std::max<std::size_t>(depth, violation.depth);
  }
  return static_cast<std::uint32_t>(depth);
}

// Replaces the paths in `result` by those that one worker finds. If time runs out meanwhile, the
// paths of the parallel search stay: they are as short, only not the same on every run.
template <TransitionSystem S>
void find_again(const S& system, SearchOptions options, const std::optional<LoopEntry>& entry,
                SearchResult& result) {
  const bool decided = result.end == SearchEnd::kDecided;
  options.threads = 1;
  options.on_level = nullptr;
  options.seconds = std::max(0.0, options.seconds - result.stats.seconds);  // of both together
  options.deadlock = options.deadlock || options.progress;
  if (!decided) {
    options.max_depth = depth_of_findings(result, entry);
    options.stop_when_decided = false;
  }
  BreadthFirst<S> again(system, options);
  SearchResult found = again.run();
  found.stats.seconds += result.stats.seconds;
  result.stats.seconds = found.stats.seconds;
  const bool complete = found.end == SearchEnd::kDecided || found.end == SearchEnd::kDepth ||
                        found.end == SearchEnd::kExhausted;
  if (!complete) return;
  if (decided) {
    result = std::move(found);
    return;
  }
  result.violations = std::move(found.violations);
  result.deadlock = std::move(found.deadlock);
  if (entry) result.lasso->stem = again.path(again.find(entry->packed.data()));
}

// The loop is one of the representative at which it begins; the stem may lead to another state
// that it represents, from which the same loop is there with other numbers.
template <TransitionSystem S>
void turn_loop(const S& system, const SearchOptions& options, Lasso& lasso) {
  const Reduction<S> reduction(system, options);
  if (!reduction.on()) return;
  typename S::State state = replay(system, lasso.stem).back();
  const int back = reduction.inverse(reduction.canonical(state));
  for (ActionIndex& action : lasso.loop) {
    action = static_cast<ActionIndex>(reduction.action(back, action));
  }
}

}  // namespace detail

/// Searches the states reachable in `system` as `options` say. The result is the same for any
/// number of threads, except for times and for what a limit on time or memory cut off.
template <TransitionSystem S>
SearchResult search(const S& system, const SearchOptions& options) {
  std::unique_ptr<BreadthFirst<S>> first;
  SearchResult result;
  try {
    first = std::make_unique<BreadthFirst<S>>(system, options);
    result = first->run();
  } catch (const std::bad_alloc&) {
    result.end = SearchEnd::kMemory;
    result.memory_refused = true;
    return result;
  }
  std::optional<detail::LoopEntry> entry;
  if (options.progress && result.end == SearchEnd::kExhausted) {
    entry = detail::check_progress(system, options, *first, result);
    if (entry) result.lasso->stem = first->path(first->find(entry->packed.data()));
    result.stats.seconds = first->seconds();
  }
  const bool found = !result.violations.empty() || result.deadlock || entry;
  const bool again = first->parallel() && found && result.end != SearchEnd::kInterrupted;
  first.reset();  // two searches at once would take twice the budget
  try {
    if (again) detail::find_again(system, options, entry, result);
  } catch (const std::bad_alloc&) {
    // As if time had run out.
  }
  if (result.lasso) {
    detail::turn_loop(system, options, *result.lasso);
    verify(system, *result.lasso);
  }
  return result;
}

}  // namespace fencepost::checker
