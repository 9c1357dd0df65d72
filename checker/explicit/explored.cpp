#include "checker/explicit/explored.h"

#include <algorithm>
#include <limits>

#include "spec/base.h"

namespace fencepost::checker {
namespace {

// The table is at most three quarters full: 8 bytes a slot are 10.7 bytes a state.
constexpr double kLoad = 0.75;
constexpr std::uint64_t kFirstSlots = std::uint64_t{1} << 17;
constexpr std::uint64_t kGrowth = 8;
// One slot stays empty at any load, so that every search for a state ends.
constexpr std::uint64_t kSpareSlots = 64;

double record_and_slots(std::size_t stored_words) {
  return static_cast<double>(StateStore::record_bytes(stored_words)) +
         sizeof(std::uint64_t) / kLoad;
}

StateIndex capacity(std::size_t stored_words, std::size_t memory_bytes) {
  const double states = static_cast<double>(memory_bytes) / record_and_slots(stored_words);
  return static_cast<StateIndex>(std::min(states, static_cast<double>(kNoState - 1)));
}

std::uint64_t slots_for(StateIndex states) {
  return static_cast<std::uint64_t>(states / kLoad) + kSpareSlots;
}

}  // namespace

Explored::Explored(const ByteWidths& widths, std::size_t memory_bytes, std::uint64_t overshoot)
    : packing(widths),
      store(packing.stored_words(), capacity(packing.stored_words(), memory_bytes)),
      overshoot_(overshoot),
      full_slots_(slots_for(store.capacity())) {
  table = StateTable(std::min(full_slots_, kFirstSlots + kGrowth * overshoot));
}

std::uint64_t Explored::room() const {
  if (table.slots() == full_slots_) return std::numeric_limits<std::uint64_t>::max();
  return table.slots() / 8 * 5 - overshoot_;
}

bool Explored::grow(unsigned threads) {
  FP_ASSERT(table.slots() < full_slots_);
  const std::uint64_t next = table.slots() * kGrowth;
  return table.grow(next > full_slots_ / 2 ? full_slots_ : next, store, threads);
}

double Explored::bytes_per_state() const { return record_and_slots(store.stored_words()); }

std::uint64_t Explored::memory_bytes() const {
  return table.bytes() +
         std::uint64_t{store.taken()} * StateStore::record_bytes(store.stored_words());
}

std::vector<StateRange> cut(const std::vector<StateRange>& ranges, StateIndex size) {
  FP_ASSERT(size >= 1);
  std::vector<StateRange> pieces;
  for (StateRange range : ranges) {
    while (range.size() > size) {
      pieces.push_back({range.begin, range.begin + size});
      range.begin += size;
    }
    if (range.size() > 0) pieces.push_back(range);
  }
  return pieces;
}

std::uint64_t count(const std::vector<StateRange>& ranges) {
  std::uint64_t states = 0;
  for (const StateRange& range : ranges) states += range.size();
  return states;
}

}  // namespace fencepost::checker
