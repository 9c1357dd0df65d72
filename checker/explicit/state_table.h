// The set of known states: open addressing over atomic words, each a 24-bit tag of the hash and the
// index of the state in the store. The state itself is always compared, so the table never takes
// two states for one.
//
// Idea: a slot goes from empty to full once and never changes again. A writer first writes its
// state to the store, then publishes the index by compare-exchange; who finds the index may read
// the state. Whoever loses the exchange looks at the winner's state and goes on.
//
// The home slot is the high part of hash times size, so sizes need not be powers of two, and slots
// are in the order of the hash: growing copies sequentially.
//
// Rejected: library sets (slower, or 40 bytes and more an entry; none compares against an external
// store without a heap node); storing more of the hash (the comparison is needed anyway).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "checker/explicit/region.h"
#include "checker/explicit/state_store.h"

namespace fencepost::checker {

/// A 64-bit hash of a packed state. All bits of the input reach all bits of the output.
[[nodiscard]] inline std::uint64_t hash_packed(const std::uint64_t* packed, std::size_t words) {
  __extension__ using Wide = unsigned __int128;
  constexpr std::uint64_t kA = 0xA0761D6478BD642F;
  constexpr std::uint64_t kB = 0xE7037ED1A0B428DB;
  const auto mix = [](std::uint64_t a, std::uint64_t b) {
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  };
  std::uint64_t hash = kB;
  std::size_t at = 0;
  for (; at + 2 <= words; at += 2) hash = mix(packed[at] ^ kA, packed[at + 1] ^ hash);
  if (at < words) hash = mix(packed[at] ^ kA, hash);
  return mix(hash ^ kA, kB);
}

class StateTable {
 public:
  struct Found {
    StateIndex index;  ///< the state; `kNoState` if it is new and there was no room to create it
    bool created;
  };

  StateTable() = default;
  /// Requires: `slots` is larger than the number of states that will ever be inserted.
  explicit StateTable(std::uint64_t slots)
      : region_(slots * sizeof(Word)), slots_(slots), words_(static_cast<Word*>(region_.data())) {}

  /// False if the system refused the memory.
  [[nodiscard]] bool ok() const { return region_.ok(); }
  [[nodiscard]] std::uint64_t slots() const { return slots_; }
  [[nodiscard]] std::size_t bytes() const { return region_.bytes(); }

  void prefetch(std::uint64_t hash) const { __builtin_prefetch(words_ + home(hash)); }

  /// The state that is probably meant if the hash is known, else `kNoState`: something to prefetch.
  [[nodiscard]] StateIndex candidate(std::uint64_t hash) const {
    const std::uint64_t word = words_[home(hash)].load(std::memory_order_relaxed);
    return word != 0 && tag_of(word) == tag(hash) ? index_of(word) : kNoState;
  }

  /// Finds the state for which `same(index)` is true, or publishes the one that `create()` wrote to
  /// the store. `create` returns an index or `kNoState`, may be called more than once, and its
  /// index is used only if `created` is returned. Safe to call from several threads.
  template <class Same, class Create>
  Found insert(std::uint64_t hash, Same&& same, Create&& create) {
    const std::uint64_t mine = tag(hash);
    for (std::uint64_t slot = home(hash);; slot = slot + 1 == slots_ ? 0 : slot + 1) {
      std::uint64_t word = words_[slot].load(std::memory_order_acquire);
      if (word == 0) {
        const StateIndex index = create();
        if (index == kNoState) return {kNoState, false};
        if (words_[slot].compare_exchange_strong(word, make_word(mine, index),
                                                 std::memory_order_acq_rel)) {
          return {index, true};
        }
      }
      if (tag_of(word) == mine && same(index_of(word))) return {index_of(word), false};
    }
  }

  /// The state for which `same(index)` is true, or `kNoState`.
  template <class Same>
  [[nodiscard]] StateIndex find(std::uint64_t hash, Same&& same) const {
    const std::uint64_t mine = tag(hash);
    for (std::uint64_t slot = home(hash);; slot = slot + 1 == slots_ ? 0 : slot + 1) {
      const std::uint64_t word = words_[slot].load(std::memory_order_acquire);
      if (word == 0) return kNoState;
      if (tag_of(word) == mine && same(index_of(word))) return index_of(word);
    }
  }

  /// Moves all entries to a table of `slots` slots, with `threads` threads; false, and nothing
  /// changed, if the system refuses the memory. Requires: nobody else uses the table; `slots` >=
  /// the present number; `threads` >= 1.
  [[nodiscard]] bool grow(std::uint64_t slots, const StateStore& store, unsigned threads = 1);

 private:
  using Word = std::atomic<std::uint64_t>;
  static_assert(Word::is_always_lock_free && sizeof(Word) == sizeof(std::uint64_t));
  static constexpr unsigned kIndexBits = 40;

  [[nodiscard]] std::uint64_t home(std::uint64_t hash) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(hash) * slots_) >> 64);
  }
  // The low bits of the hash: the high ones are mostly told by the slot already.
  [[nodiscard]] static std::uint64_t tag(std::uint64_t hash) { return hash << kIndexBits; }
  [[nodiscard]] static std::uint64_t tag_of(std::uint64_t word) {
    return word >> kIndexBits << kIndexBits;
  }
  // Index 0 is stored as 1: an empty slot is all zero.
  [[nodiscard]] static std::uint64_t make_word(std::uint64_t tag, StateIndex index) {
    return tag | (std::uint64_t{index} + 1);
  }
  [[nodiscard]] static StateIndex index_of(std::uint64_t word) {
    return static_cast<StateIndex>((word & ((std::uint64_t{1} << kIndexBits) - 1)) - 1);
  }

  // Copies the entries in the slots from `begin` up to without `end`.
  void copy_to(StateTable& larger, const StateStore& store, std::uint64_t begin,
               std::uint64_t end) const;

  Region region_;
  std::uint64_t slots_ = 0;
  Word* words_ = nullptr;
};

}  // namespace fencepost::checker
