// Exact breadth-first search, level by level, with one or more threads.
//
// A level is expanded in rounds. In a round the workers take pieces of the level from a common
// counter until none is left or one of them asks all to leave: the table must grow, a second has
// passed, everything has been decided. Whatever needs to be alone (growing, reporting, the clock,
// merging) happens between rounds, on the calling thread, so that workers share nothing but the
// table, the store and a few flags. What a worker leaves undone is the next round's work.
//
// With one worker the states of a level are stored in the order of their first paths, and the
// first violation found is the shortest one and, among those, the first by action indices. With
// several workers the order is left to chance, and only counts and depths are not: see
// explicit_search.h for what is done about it.
//
// Rejected: a barrier inside a persistent pool (a thread costs 30 microseconds to start and a
// level that is worth sharing takes milliseconds; starting them anew leaves no state behind).
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "checker/core/search.h"
#include "checker/explicit/expander.h"
#include "checker/explicit/explored.h"

namespace fencepost::checker {

template <TransitionSystem S>
class BreadthFirst {
 public:
  /// Requires: `system` and `options` outlive this; `options.threads` >= 1.
  BreadthFirst(const S& system, const SearchOptions& options)
      : system_(system),
        options_(options),
        reduction_(system, options),
        explored_(system.widths(), options.memory_bytes,
                  options.threads * Expander<S>::overshoot(system.action_count())) {
    FP_ASSERT(options.threads >= 1);
    FP_ASSERT(system.widths().size() == sizeof(typename S::State));
    shared_.packing = &explored_.packing;
    shared_.store = &explored_.store;
    shared_.table = &explored_.table;
    shared_.missing_properties = options.properties;
    shared_.missing_deadlock = options.deadlock || options.progress;
    for (unsigned i = 0; i < options.threads; ++i) {
      workers_.push_back(std::make_unique<Expander<S>>(system, options_, shared_));
    }
  }

  /// Searches. Everything in the result but what concerns progress is set. Call once.
  SearchResult run() {
    SearchResult result;
    if (!explored_.ok()) shared_.memory_refused = true;
    result.end = explored_.ok() ? levels() : SearchEnd::kMemory;
    result.memory_refused = result.end == SearchEnd::kMemory && shared_.memory_refused;
    result.stats = statistics();
    result.permutations = reduction_.count();
    merge(result);
    return result;
  }

  /// Whether the search must stop now for a reason that is not in the model: the time limit or the
  /// caller's wish.
  [[nodiscard]] std::optional<SearchEnd> must_stop() const {
    if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) {
      return SearchEnd::kInterrupted;
    }
    if (seconds() > options_.seconds) return SearchEnd::kTime;
    return std::nullopt;
  }
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

  /// Whether more than one worker was ever used, so that paths depend on chance.
  [[nodiscard]] bool parallel() const { return parallel_; }
  [[nodiscard]] const Explored& explored() const { return explored_; }

  /// The stored state that is `packed`, or `kNoState`.
  [[nodiscard]] StateIndex find(const std::uint64_t* packed) const {
    return explored_.table.find(
        hash_packed(packed, explored_.packing.packed_words()),
        [&](StateIndex index) { return explored_.store.same(index, packed); });
  }

  /// The actions from the initial state to the stored one, by its chain of parents; with symmetry
  /// to a state that it represents.
  [[nodiscard]] ActionPath path(StateIndex to) const {
    std::vector<StateIndex> chain;
    for (StateIndex at = to; at != kNoState; at = explored_.store.parent(at)) chain.push_back(at);
    ActionPath actions;
    typename S::State state = system_.initial();
    for (std::size_t i = chain.size() - 1; i > 0; --i) {
      actions.push_back(step_to(state, chain[i - 1]));
      static_cast<void>(system_.effect(actions.back(), state));
    }
    return actions;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr StateIndex kPiece = 1024;
  static constexpr StateIndex kSmallestPiece = 32;
  static constexpr double kReportSeconds = 1;

  SearchEnd levels() {
    shared_.room = explored_.room();
    if (!workers_[0]->insert_initial()) return SearchEnd::kMemory;
    for (;; ++depth_) {
      explored_.levels.emplace_back();
      for (const auto& worker : workers_) {
        for (const StateRange& range : worker->take_fresh())
          explored_.levels.back().push_back(range);
      }
      undone_ = explored_.levels.back();
      visited_ += count(undone_);
      if (undone_.empty()) {
        explored_.levels.pop_back();
        --depth_;
        return SearchEnd::kExhausted;
      }
      if (const std::optional<SearchEnd> end = level()) return *end;
      if (options_.on_level) options_.on_level(statistics());
      if (depth_ == options_.max_depth) return SearchEnd::kDepth;
    }
  }

  // Expands the states of `undone_`; an answer ends the search.
  std::optional<SearchEnd> level() {
    std::vector<StateRange> pieces;
    while (!undone_.empty()) {
      const std::uint64_t states = count(undone_);
      const bool share = states >= std::uint64_t{kPiece} / 2 * options_.threads;
      const unsigned workers = share ? options_.threads : 1;
      pieces = cut(undone_, std::clamp(static_cast<StateIndex>(states / workers / 8),
                                       kSmallestPiece, kPiece));
      shared_.leave = false;
      round(pieces, workers);
      undone_.clear();
      for (const StateRange& piece : pieces) {
        if (piece.size() != 0) undone_.push_back(piece);
      }
      if (const std::optional<SearchEnd> end = between_rounds()) return end;
    }
    return std::nullopt;
  }

  void round(std::vector<StateRange>& pieces, unsigned workers) {
    std::atomic<std::size_t> next{0};
    const bool expand = depth_ != options_.max_depth;
    const auto work = [&](unsigned worker) {
      for (;;) {
        const std::size_t piece = next.fetch_add(1, std::memory_order_relaxed);
        if (piece >= pieces.size()) return;
        pieces[piece] = workers_[worker]->run(pieces[piece], depth_, expand);
        if (worker == 0) look_at_the_clock();
        if (shared_.leave.load(std::memory_order_relaxed)) return;
      }
    };
    // An exception that leaves a thread ends the program: here it ends the search.
    const auto guarded = [&](unsigned worker) {
      try {
        work(worker);
      } catch (const std::bad_alloc&) {
        shared_.memory_refused = true;
        shared_.leave = true;
      }
    };
    std::vector<std::jthread> others;
    others.reserve(workers);
    try {
      for (unsigned worker = 1; worker < workers; ++worker) others.emplace_back(guarded, worker);
    } catch (const std::system_error&) {
      // No more threads are to be had: those that started do the work.
    }
    parallel_ |= !others.empty();
    guarded(0);
  }

  void look_at_the_clock() {
    const bool report = options_.on_level && seconds() - reported_ > kReportSeconds;
    if (report || must_stop()) shared_.leave = true;
  }

  std::optional<SearchEnd> between_rounds() {
    if (decided()) return SearchEnd::kDecided;
    if (shared_.store_full || shared_.memory_refused) return SearchEnd::kMemory;
    if (const std::optional<SearchEnd> stop = must_stop()) return stop;
    if (explored_.store.taken() >= shared_.room) {
      if (!explored_.grow(options_.threads)) {
        shared_.memory_refused = true;
        return SearchEnd::kMemory;
      }
      shared_.room = explored_.room();
    }
    if (options_.on_level && seconds() - reported_ > kReportSeconds) {
      reported_ = seconds();
      options_.on_level(statistics());
    }
    return std::nullopt;
  }

  [[nodiscard]] bool decided() const {
    const bool looked = options_.properties != 0 || options_.deadlock;
    return looked && options_.stop_when_decided && !options_.progress &&
           shared_.missing_properties == 0 && !shared_.missing_deadlock;
  }

  [[nodiscard]] Statistics statistics() const {
    Statistics stats;
    stats.fired.resize(system_.action_count());
    for (const auto& worker : workers_) {
      const WorkerTally& tally = worker->tally();
      stats.distinct += tally.distinct;
      for (std::size_t a = 0; a < stats.fired.size(); ++a) {
        stats.fired[a] += tally.fired.of(a);
        stats.transitions += tally.fired.of(a);
      }
      for (std::size_t b = 0; b < tally.bound_hits.size(); ++b) {
        stats.bound_hits[b] += tally.bound_hits[b];
      }
    }
    stats.depth = depth_ + (stats.distinct > visited_ ? 1 : 0);
    stats.frontier = stats.distinct - visited_ + count(undone_);
    stats.seconds = seconds();
    stats.packed_bytes = static_cast<std::uint32_t>(explored_.store.stored_words() * 4);
    stats.bytes_per_state = explored_.bytes_per_state();
    stats.memory_bytes = explored_.memory_bytes();
    stats.capacity = explored_.store.capacity();
    return stats;
  }

  void merge(SearchResult& result) const {
    StateIndex deadlock = kNoState;
    std::uint32_t deadlock_depth = kNever;
    for (const auto& worker : workers_) {
      const WorkerTally& tally = worker->tally();
      result.notes |= tally.notes;
      for (std::size_t n = 0; n < tally.note_depth.size(); ++n) {
        result.note_depth[n] = std::min(result.note_depth[n], tally.note_depth[n]);
      }
      if (tally.deadlock != kNoState && tally.deadlock_depth < deadlock_depth) {
        deadlock = tally.deadlock;
        deadlock_depth = tally.deadlock_depth;
      }
    }
    if (deadlock != kNoState) result.deadlock = path(deadlock);
    for (std::size_t property = 0; property < 32; ++property) merge_violation(property, result);
  }

  void merge_violation(std::size_t property, SearchResult& result) const {
    const WorkerTally* first = nullptr;
    for (const auto& worker : workers_) {
      const WorkerTally& tally = worker->tally();
      if (tally.violating[property] == kNoState) continue;
      if (first == nullptr || tally.violation_depth[property] < first->violation_depth[property]) {
        first = &tally;
      }
    }
    if (first == nullptr) return;
    result.violations.push_back({static_cast<int>(property), first->violation_depth[property],
                                 path(first->violating[property])});
  }

  // The first action that leads from `from` to the stored state or one that it represents.
  [[nodiscard]] ActionIndex step_to(const typename S::State& from, StateIndex to) const {
    std::vector<std::uint64_t> packed(explored_.packing.packed_words());
    for (std::size_t a = 0; a < system_.action_count(); ++a) {
      if (!system_.guard(a, from)) continue;
      typename S::State next = from;
      if (system_.effect(a, next).bounds != 0) continue;
      reduction_.canonical(next);
      explored_.packing.pack(reinterpret_cast<const unsigned char*>(&next), packed.data());
      if (explored_.store.same(to, packed.data())) return static_cast<ActionIndex>(a);
    }
    FP_ASSERT(false && "a stored state is a successor of its parent");
    return 0;
  }

  const S& system_;
  const SearchOptions options_;
  const Reduction<S> reduction_;
  const Clock::time_point start_ = Clock::now();
  Explored explored_;
  SharedSearch shared_;
  std::vector<std::unique_ptr<Expander<S>>> workers_;
  std::vector<StateRange> undone_;
  std::uint64_t visited_ = 0;  // states of the levels up to the present one
  std::uint32_t depth_ = 0;
  double reported_ = 0;
  bool parallel_ = false;
};

}  // namespace fencepost::checker
