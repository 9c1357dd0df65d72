#include "checker/explicit/state_table.h"

#include <atomic>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "spec/base.h"

namespace fencepost::checker {
namespace {

// States whose records are fetched together while growing.
constexpr std::size_t kTogether = 64;

}  // namespace

bool StateTable::grow(std::uint64_t slots, const StateStore& store, unsigned threads) {
  FP_ASSERT(slots >= slots_ && threads >= 1);
  StateTable larger(slots);
  if (!larger.ok()) return false;
  std::atomic<bool> refused{false};
  {
    // Both tables are in the order of the hash, so each thread also writes to a part of its own.
    const std::uint64_t part = slots_ / threads;
    const auto copy = [&](unsigned i) {
      try {
        copy_to(larger, store, part * i, i + 1 == threads ? slots_ : part * (i + 1));
      } catch (const std::bad_alloc&) {
        refused = true;
      }
    };
    std::vector<std::jthread> others;
    others.reserve(threads);
    for (unsigned i = 1; i < threads; ++i) {
      try {
        others.emplace_back(copy, i);
      } catch (const std::system_error&) {
        copy(i);  // no more threads are to be had
      }
    }
    copy(0);
  }
  if (refused) return false;
  std::swap(*this, larger);
  return true;
}

void StateTable::copy_to(StateTable& larger, const StateStore& store, std::uint64_t begin,
                         std::uint64_t end) const {
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
  for (std::uint64_t slot = begin; slot < end; ++slot) {
    const std::uint64_t word = words_[slot].load(std::memory_order_relaxed);
    if (word == 0) continue;
    batch[size++] = index_of(word);
    store.prefetch(index_of(word));
    if (size == kTogether) flush();
  }
  flush();
}

}  // namespace fencepost::checker
