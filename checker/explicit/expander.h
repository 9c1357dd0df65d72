// The successor loop: one thread's share of a level.
//
// A state is unpacked once. For each enabled action it is copied, changed, packed and hashed, and
// its slot in the table is fetched. Successors wait in a buffer until their slots have arrived;
// then the records of the probable duplicates are fetched the same way, and only then each is
// inserted. Both cache misses of an insertion are thus waited for together with those of hundreds
// of others.
//
// Nothing here allocates per state, takes a lock or calls through a pointer.
#pragma once

#include <array>
#include <atomic>
#include <cstring>
#include <vector>

#include "checker/core/search.h"
#include "checker/explicit/packing.h"
#include "checker/explicit/reduction.h"
#include "checker/explicit/state_store.h"
#include "checker/explicit/state_table.h"
#include "spec/base.h"

namespace fencepost::checker {

/// What all workers share.
struct SharedSearch {
  const Packing* packing;
  StateStore* store;
  StateTable* table;
  /// Where the table must grow: the number of taken indices at which it is too full to go on.
  std::uint64_t room = 0;
  /// Every worker leaves as soon as it sees this.
  std::atomic<bool> leave{false};
  std::atomic<bool> store_full{false};
  std::atomic<bool> memory_refused{false};  ///< the system gave no more
  /// What is looked for and has not been found: properties, and whether a deadlock.
  std::atomic<std::uint32_t> missing_properties{0};
  std::atomic<bool> missing_deadlock{false};
};

/// A counter per action, on cache lines that nothing else is on: a small vector may otherwise lie
/// next to what another worker reads at every step.
class ActionCounters {
 public:
  explicit ActionCounters(std::size_t actions) : lines_(actions / kPerLine + 1) {}
  void count(std::size_t action) { ++lines_[action / kPerLine].counts[action % kPerLine]; }
  [[nodiscard]] std::uint64_t of(std::size_t action) const {
    return lines_[action / kPerLine].counts[action % kPerLine];
  }

 private:
  static constexpr std::size_t kPerLine = 16;
  struct alignas(128) Line {
    std::array<std::uint64_t, kPerLine> counts{};
  };
  std::vector<Line> lines_;
};

/// What one worker has counted and found since the search began.
struct WorkerTally {
  explicit WorkerTally(std::size_t actions) : fired(actions) {}

  std::uint64_t distinct = 0;
  ActionCounters fired;
  std::array<std::uint64_t, 32> bound_hits{};
  std::uint64_t notes = 0;
  std::array<std::uint32_t, 64> note_depth{};
  std::array<StateIndex, 32> violating{};  ///< first state that violates, or `kNoState`
  std::array<std::uint32_t, 32> violation_depth{};
  StateIndex deadlock = kNoState;
  std::uint32_t deadlock_depth = 0;
};

// Aligned, so that one worker's counters are never on a line that another reads.
template <TransitionSystem S>
class alignas(128) Expander {
 public:
  Expander(const S& system, const SearchOptions& options, SharedSearch& shared)
      : system_(system),
        reduction_(system, options),
        shared_(shared),
        properties_(options.properties),
        deadlock_(options.deadlock || options.progress),
        expand_violating_(options.expand_violating),
        stop_when_decided_(options.stop_when_decided && !options.progress),
        packed_words_(shared.packing->packed_words()),
        actions_(system.action_count()),
        free_(actions_),
        buffer_(kBuffer),
        tally_(actions_) {
    FP_ASSERT(packed_words_ <= kMaxWords);
    for (std::size_t a = 0; a < actions_; ++a) free_[a] = system.fairness(a) != kUnfair;
    tally_.note_depth.fill(kNever);
    tally_.violating.fill(kNoState);
  }

  /// Indices that a worker may take beyond `SharedSearch::room` before it notices.
  [[nodiscard]] static std::uint64_t overshoot(std::size_t actions) {
    return kBuffer + actions + StateStore::kBlock;
  }

  /// Stores the initial state. False if there is no room for it.
  bool insert_initial() {
    State initial = system_.initial();
    buffer(initial, kNoState);
    flush();
    return tally_.distinct == 1;
  }

  /// Checks the states of `range`, all at `depth`, and, if `expand`, inserts their successors.
  /// Returns what it left undone because all had to leave, else an empty range.
  StateRange run(StateRange range, std::uint32_t depth, bool expand) {
    depth_ = depth;
    while (range.begin != range.end) {
      if (shared_.leave.load(std::memory_order_relaxed)) break;
      if (shared_.store->taken() >= shared_.room) {
        shared_.leave.store(true, std::memory_order_relaxed);
        break;
      }
      // Several states with few successors share one flush.
      do {
        visit(range.begin++, expand);
      } while (range.begin != range.end && used_ <= kBuffer / 2 &&
               !shared_.leave.load(std::memory_order_relaxed));
      flush();
    }
    return range;
  }

  /// The states inserted since the last call, in order.
  [[nodiscard]] std::vector<StateRange> take_fresh() {
    close_fresh();
    std::vector<StateRange> fresh;
    std::swap(fresh, fresh_);
    return fresh;
  }

  [[nodiscard]] const WorkerTally& tally() const { return tally_; }

 private:
  using State = typename S::State;
  static constexpr std::size_t kMaxWords = sizeof(State) / 8;
  static constexpr std::size_t kBuffer = 256;

  struct alignas(64) Entry {
    std::array<std::uint64_t, kMaxWords> packed;
    std::uint64_t hash;
    StateIndex parent;
  };

  void visit(StateIndex index, bool expand) {
    State state;
    shared_.packing->unpack(shared_.store->state(index), bytes(state));
    if (properties_ != 0) {
      const std::uint32_t violated = system_.violations(state) & properties_;
      if (violated != 0) [[unlikely]] {
        violation(index, violated);
        if (!expand_violating_) return;
      }
    }
    const bool any_free = expand ? successors<true>(state, index) : successors<false>(state, index);
    if (deadlock_ && !any_free && !system_.ended(state)) [[unlikely]]
      deadlock(index);
  }

  // Whether the guard of any free action holds. A free action that a bound disables counts too:
  // what only a bound has stopped is not a deadlock of the protocol.
  template <bool kExpand>
  bool successors(const State& state, StateIndex index) {
    bool any_free = false;
    for (std::size_t a = 0; a < actions_; ++a) {
      if (!system_.guard(a, state)) continue;
      any_free |= free_[a] != 0;
      if constexpr (kExpand) {
        State next = state;
        const StepInfo info = system_.effect(a, next);
        if (info.bounds != 0) [[unlikely]] {
          count_bounds(info.bounds);
          continue;
        }
        tally_.fired.count(a);
        if ((info.notes & ~tally_.notes) != 0) [[unlikely]]
          note(info.notes & ~tally_.notes);
        buffer(next, index);
      }
    }
    return any_free;
  }

  void buffer(State& state, StateIndex parent) {
    reduction_.canonical(state);
    Entry& entry = buffer_[used_++];
    shared_.packing->pack(bytes(state), entry.packed.data());
    entry.hash = hash_packed(entry.packed.data(), packed_words_);
    entry.parent = parent;
    shared_.table->prefetch(entry.hash);
    if (used_ == kBuffer) flush();
  }

  void flush() {
    const StateTable& table = *shared_.table;
    for (std::size_t i = 0; i < used_; ++i) {
      const StateIndex candidate = table.candidate(buffer_[i].hash);
      if (candidate != kNoState) shared_.store->prefetch(candidate);
    }
    for (std::size_t i = 0; i < used_; ++i) insert(buffer_[i]);
    used_ = 0;
  }

  void insert(const Entry& entry) {
    const StateStore& store = *shared_.store;
    const StateTable::Found found = shared_.table->insert(
        entry.hash, [&](StateIndex index) { return store.same(index, entry.packed.data()); },
        [&] { return stage(entry); });
    if (found.created) {
      ++next_;
      ++tally_.distinct;
    } else if (found.index == kNoState) [[unlikely]] {
      shared_.store_full.store(true, std::memory_order_relaxed);
      shared_.leave.store(true, std::memory_order_relaxed);
    }
  }

  // Writes the state where the next new one belongs; it stays there only if the table takes it.
  StateIndex stage(const Entry& entry) {
    if (next_ == block_end_) {
      const StateRange block = shared_.store->take_block();
      if (block.size() == 0) return kNoState;
      if (block.begin != next_) {
        close_fresh();
        next_ = fresh_begin_ = block.begin;
      }
      block_end_ = block.end;
    }
    shared_.store->write(next_, entry.packed.data(), entry.parent);
    return next_;
  }

  void close_fresh() {
    if (fresh_begin_ != next_) fresh_.push_back({fresh_begin_, next_});
    fresh_begin_ = next_;
  }

  void violation(StateIndex index, std::uint32_t violated) {
    for (std::uint32_t rest = violated; rest != 0; rest &= rest - 1) {
      const auto property = static_cast<std::size_t>(__builtin_ctz(rest));
      if (tally_.violating[property] != kNoState) continue;
      tally_.violating[property] = index;
      tally_.violation_depth[property] = depth_;
    }
    shared_.missing_properties.fetch_and(~violated);
    leave_if_decided();
  }

  void deadlock(StateIndex index) {
    if (tally_.deadlock != kNoState) return;
    tally_.deadlock = index;
    tally_.deadlock_depth = depth_;
    shared_.missing_deadlock.store(false);
    leave_if_decided();
  }

  void leave_if_decided() {
    if (stop_when_decided_ && shared_.missing_properties.load() == 0 &&
        !shared_.missing_deadlock.load()) {
      shared_.leave.store(true, std::memory_order_relaxed);
    }
  }

  void note(std::uint64_t fresh) {
    tally_.notes |= fresh;
    for (; fresh != 0; fresh &= fresh - 1) {
      tally_.note_depth[static_cast<std::size_t>(__builtin_ctzll(fresh))] = depth_ + 1;
    }
  }

  void count_bounds(std::uint32_t bounds) {
    for (; bounds != 0; bounds &= bounds - 1) {
      ++tally_.bound_hits[static_cast<std::size_t>(__builtin_ctz(bounds))];
    }
  }

  [[nodiscard]] static unsigned char* bytes(State& state) {
    return reinterpret_cast<unsigned char*>(&state);
  }
  [[nodiscard]] static const unsigned char* bytes(const State& state) {
    return reinterpret_cast<const unsigned char*>(&state);
  }

  const S& system_;
  const Reduction<S> reduction_;
  SharedSearch& shared_;
  const std::uint32_t properties_;
  const bool deadlock_;
  const bool expand_violating_;
  const bool stop_when_decided_;
  const std::size_t packed_words_;
  const std::size_t actions_;
  std::vector<unsigned char> free_;

  std::vector<Entry> buffer_;
  std::size_t used_ = 0;
  std::uint32_t depth_ = 0;

  StateIndex next_ = 0;       // where the next new state goes
  StateIndex block_end_ = 0;  // end of the block it is in
  StateIndex fresh_begin_ = 0;
  std::vector<StateRange> fresh_;
  WorkerTally tally_;
};

}  // namespace fencepost::checker
