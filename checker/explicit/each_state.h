// Every reachable state, for those who look at states beside the search.
#pragma once

#include <cstring>

#include "checker/explicit/breadth_first.h"

namespace fencepost::checker {

/// Searches as `options` say, with one thread, and calls `f(state, depth)` for each state visited,
/// in the order in which they were met: the same on every run unless a limit of time cut it off.
/// Ends with `kInterrupted` also when `options.stop` is set among those calls.
template <TransitionSystem S, class F>
SearchResult each_state(const S& system, SearchOptions options, F&& f) {
  options.threads = 1;
  BreadthFirst<S> search(system, options);
  SearchResult result = search.run();
  const Explored& explored = search.explored();
  for (std::size_t depth = 0; depth < explored.levels.size(); ++depth) {
    for (const StateRange& range : explored.levels[depth]) {
      if (options.stop != nullptr && options.stop->load(std::memory_order_relaxed)) {
        result.end = SearchEnd::kInterrupted;
        return result;
      }
      for (StateIndex index = range.begin; index < range.end; ++index) {
        typename S::State state;
        explored.packing.unpack(explored.store.state(index),
                                reinterpret_cast<unsigned char*>(&state));
        f(state, depth);
      }
    }
  }
  return result;
}

}  // namespace fencepost::checker
