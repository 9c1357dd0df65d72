// Every distinct state, packed, in the order of discovery, with the state it was discovered from.
// Append-only: an index, once given out, means the same state for ever.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "checker/explicit/region.h"

namespace fencepost::checker {

using StateIndex = std::uint32_t;
inline constexpr StateIndex kNoState = 0xFFFFFFFF;

/// Consecutive indices, `begin` up to but without `end`.
struct StateRange {
  StateIndex begin = 0;
  StateIndex end = 0;
  [[nodiscard]] StateIndex size() const { return end - begin; }
  friend bool operator==(const StateRange&, const StateRange&) = default;
};

class StateStore {
 public:
  /// Indices taken at a time. A writer keeps what is left of its block for the next level, so only
  /// the very last block of each writer has a gap.
  static constexpr StateIndex kBlock = 256;

  /// Requires: `stored_words` >= 1; `capacity` < `kNoState`.
  StateStore(std::size_t stored_words, StateIndex capacity);

  /// False if the system refused the address space.
  [[nodiscard]] bool ok() const { return capacity_ == 0 || (words_.ok() && parents_.ok()); }

  /// Bytes that one state takes here.
  [[nodiscard]] static std::size_t record_bytes(std::size_t stored_words) {
    return (stored_words + 1) * sizeof(std::uint32_t);
  }

  /// Takes the next free indices, at most `kBlock`; an empty range when the store is full. Safe to
  /// call from several threads.
  [[nodiscard]] StateRange take_block();

  /// How many indices have been taken, at most the capacity.
  [[nodiscard]] StateIndex taken() const {
    const std::uint64_t taken = taken_.load(std::memory_order_relaxed);
    return taken < capacity_ ? static_cast<StateIndex>(taken) : capacity_;
  }

  [[nodiscard]] StateIndex capacity() const { return capacity_; }
  [[nodiscard]] std::size_t stored_words() const { return stored_words_; }

  /// Writes the state at `index`. Requires: the caller took `index` and has not published it yet.
  void write(StateIndex index, const std::uint64_t* packed, StateIndex parent) {
    std::memcpy(record(index), packed, stored_words_ * sizeof(std::uint32_t));
    parent_data_[index] = parent;
  }

  [[nodiscard]] const std::uint32_t* state(StateIndex index) const { return record(index); }
  [[nodiscard]] StateIndex parent(StateIndex index) const { return parent_data_[index]; }

  /// Whether the state at `index` is the packed one, bit for bit.
  [[nodiscard]] bool same(StateIndex index, const std::uint64_t* packed) const {
    const std::uint32_t* stored = record(index);
    std::size_t at = 0;
    std::uint64_t difference = 0;
    for (; at + 2 <= stored_words_; at += 2) {
      std::uint64_t pair = 0;
      std::memcpy(&pair, stored + at, sizeof pair);
      difference |= pair ^ packed[at / 2];
    }
    if (at < stored_words_) difference |= stored[at] ^ packed[at / 2];
    return difference == 0;
  }

  /// Copies the state at `index` to `packed`, unused high bits zero.
  void read(StateIndex index, std::uint64_t* packed) const {
    packed[(stored_words_ - 1) / 2] = 0;
    std::memcpy(packed, record(index), stored_words_ * sizeof(std::uint32_t));
  }

  void prefetch(StateIndex index) const {
    const std::uint32_t* stored = record(index);
    __builtin_prefetch(stored);
    __builtin_prefetch(stored + stored_words_ - 1);
  }

 private:
  [[nodiscard]] std::uint32_t* record(StateIndex index) const {
    return word_data_ + std::size_t{index} * stored_words_;
  }

  std::size_t stored_words_;
  StateIndex capacity_;
  Region words_;
  Region parents_;
  std::uint32_t* word_data_;
  StateIndex* parent_data_;
  std::atomic<std::uint64_t> taken_{0};
};

}  // namespace fencepost::checker
