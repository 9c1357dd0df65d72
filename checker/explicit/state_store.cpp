#include "checker/explicit/state_store.h"

#include <algorithm>

#include "spec/base.h"

namespace fencepost::checker {

StateStore::StateStore(std::size_t stored_words, StateIndex capacity)
    : stored_words_(stored_words),
      capacity_(capacity),
      words_(stored_words * sizeof(std::uint32_t) * capacity),
      parents_(sizeof(StateIndex) * std::size_t{capacity}),
      word_data_(static_cast<std::uint32_t*>(words_.data())),
      parent_data_(static_cast<StateIndex*>(parents_.data())) {
  FP_ASSERT(stored_words >= 1 && capacity < kNoState);
}

StateRange StateStore::take_block() {
  // The look before the addition keeps the counter from running away once the store is full.
  if (taken_.load(std::memory_order_relaxed) >= capacity_) return {};
  const std::uint64_t begin = taken_.fetch_add(kBlock, std::memory_order_relaxed);
  if (begin >= capacity_) return {};
  const std::uint64_t end = std::min<std::uint64_t>(begin + kBlock, capacity_);
  return {static_cast<StateIndex>(begin), static_cast<StateIndex>(end)};
}

}  // namespace fencepost::checker
