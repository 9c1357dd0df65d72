#include "checker/explicit/state_table.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "spec/base.h"

namespace fencepost::checker {
namespace {

// States whose records are fetched together while growing.
constexpr std::size_t kTogether = 64;

}  // namespace

bool StateTable::grow(std::uint64_t slots, const StateStore& store) {
  FP_ASSERT(slots >= slots_);
  StateTable larger(slots);
  if (!larger.ok()) return false;
  const std::size_t words = (store.stored_words() + 1) / 2;
  std::vector<std::uint64_t> packed(words);
  StateIndex batch[kTogether];
  std::size_t size = 0;
  const auto flush = [&] {
    for (std::size_t i = 0; i < size; ++i) {
      const StateIndex index = batch[i];
      store.read(index, packed.data());
      larger.insert(
          hash_packed(packed.data(), words), [](StateIndex) { return false; },
          [index] { return index; });
    }
    size = 0;
  };
  for (std::uint64_t slot = 0; slot < slots_; ++slot) {
    const std::uint64_t word = words_[slot].load(std::memory_order_relaxed);
    if (word == 0) continue;
    batch[size++] = index_of(word);
    store.prefetch(index_of(word));
    if (size == kTogether) flush();
  }
  flush();
  std::swap(*this, larger);
  return true;
}

}  // namespace fencepost::checker
