// Measures the explicit engine on any transition system: whole searches with one and more threads,
// and the parts of one step by themselves.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "checker/explicit/explicit_search.h"

namespace fencepost::bench {

/// Seconds that `f()` takes.
template <class F>
double seconds_of(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline void print_search_header() {
  fmt::print("{:<14} {:>7} {:>11} {:>12} {:>5} {:>8} {:>10} {:>10} {:>7} {:>7} {:>6}\n", "row",
             "threads", "states", "transitions", "depth", "seconds", "states/s", "trans/s", "ns/tr",
             "B/state", "ratio");
}

/// Searches as `options` say; prints one line per number of threads: the best of `repeats` runs,
/// the memory taken at its end, and its ratio to the first number of threads.
template <checker::TransitionSystem S>
void measure_search(const std::string& name, const S& system, checker::SearchOptions options,
                    const std::vector<unsigned>& threads, int repeats) {
  double one = 0;
  for (const unsigned count : threads) {
    options.threads = count;
    checker::SearchResult best;
    for (int i = 0; i < repeats; ++i) {
      checker::SearchResult result = checker::search(system, options);
      if (i == 0 || result.stats.seconds < best.stats.seconds) best = std::move(result);
    }
    const checker::Statistics& stats = best.stats;
    if (one == 0) one = stats.seconds;
    const auto distinct = static_cast<double>(stats.distinct);
    const auto transitions = static_cast<double>(stats.transitions);
    fmt::print(
        "{:<14} {:>7} {:>11} {:>12} {:>5} {:>8.2f} {:>10.3g} {:>10.3g} {:>7.1f} {:>7.1f} "
        "{:>6.2f}{}\n",
        name, count, stats.distinct, stats.transitions, stats.depth, stats.seconds,
        distinct / stats.seconds, transitions / stats.seconds, stats.seconds / transitions * 1e9,
        static_cast<double>(stats.memory_bytes) / distinct, one / stats.seconds,
        best.end == checker::SearchEnd::kExhausted ? "" : "  not exhausted");
  }
}

/// The cost of the parts of a step, on states sampled by random walks.
template <checker::TransitionSystem S>
class Parts {
 public:
  explicit Parts(const S& system) : system_(system), packing_(system.widths()) { sample(); }

  /// Prints nanoseconds per state or per successor.
  void print() {
    const auto states = static_cast<double>(states_.size());
    const auto successors = static_cast<double>(successors_.size());
    const double guards = repeat([this] { guards_only(); });
    const double steps = repeat([this] { successors_only(); });
    const double packed = repeat([this] { pack_all(); });
    const double inserted = repeat([this] { insert_all(); });
    fmt::print("  sampled {} states, {} successors, {} bits of {} bytes packed\n", states_.size(),
               successors_.size(), packing_.bits(), sizeof(State));
    fmt::print(
        "  all guards {:.0f} ns a state; effects with copy {:.0f}, pack and hash {:.0f}, "
        "insert without waiting for memory {:.0f} ns a successor\n",
        guards / states * 1e9, (steps - guards) / successors * 1e9, packed / successors * 1e9,
        inserted / successors * 1e9);
  }

 private:
  using State = typename S::State;
  static constexpr std::size_t kStates = 20'000;
  static constexpr int kRepeats = 15;

  void sample() {
    std::uint64_t random = 1;
    State state = system_.initial();
    while (states_.size() < kStates) {
      std::vector<State> next;
      for (std::size_t a = 0; a < system_.action_count(); ++a) {
        if (!system_.guard(a, state)) continue;
        next.push_back(state);
        if (system_.effect(a, next.back()).bounds != 0) next.pop_back();
      }
      states_.push_back(state);
      successors_.insert(successors_.end(), next.begin(), next.end());
      random = random * 6364136223846793005U + 1442695040888963407U;
      state = next.empty() ? system_.initial() : next[(random >> 33) % next.size()];
    }
  }

  template <class F>
  static double repeat(F&& f) {
    double best = seconds_of(f);
    for (int i = 1; i < kRepeats; ++i) best = std::min(best, seconds_of(f));
    return best;
  }

  void guards_only() {
    for (const State& state : states_) {
      for (std::size_t a = 0; a < system_.action_count(); ++a) {
        sink_ = sink_ + (system_.guard(a, state) ? 1U : 0U);
      }
    }
  }
  void successors_only() {
    for (const State& state : states_) {
      for (std::size_t a = 0; a < system_.action_count(); ++a) {
        if (!system_.guard(a, state)) continue;
        scratch_ = state;
        sink_ = sink_ + system_.effect(a, scratch_).bounds;
      }
    }
  }
  void pack_all() {
    std::vector<std::uint64_t> packed(packing_.packed_words());
    for (const State& state : successors_) {
      packing_.pack(reinterpret_cast<const unsigned char*>(&state), packed.data());
      sink_ = sink_ + checker::hash_packed(packed.data(), packed.size());
    }
  }
  void insert_all() {
    const auto words = packing_.packed_words();
    checker::StateStore store(packing_.stored_words(),
                              static_cast<checker::StateIndex>(successors_.size() + 1));
    checker::StateTable table(successors_.size() * 4 / 3 + 1);
    std::vector<std::uint64_t> packed(words);
    checker::StateRange block = store.take_block();
    for (const State& state : successors_) {
      packing_.pack(reinterpret_cast<const unsigned char*>(&state), packed.data());
      const auto found = table.insert(
          checker::hash_packed(packed.data(), words),
          [&](checker::StateIndex at) { return store.same(at, packed.data()); },
          [&] {
            if (block.size() == 0) block = store.take_block();
            store.write(block.begin, packed.data(), 0);
            return block.begin;
          });
      if (found.created) ++block.begin;
    }
  }

  const S& system_;
  checker::Packing packing_;
  std::vector<State> states_;
  std::vector<State> successors_;
  State scratch_;
  volatile std::uint64_t sink_ = 0;
};

}  // namespace fencepost::bench
