// The table and the store under concurrent inserts, while growing, and when full.
#include "checker/explicit/state_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace fencepost::checker {
namespace {

// A writer with a block of its own, as the workers of a search have.
class Writer {
 public:
  Writer(StateStore& store, StateTable& table) : store_(store), table_(table) {}

  StateTable::Found insert(std::uint64_t value, std::uint64_t hash) {
    const StateTable::Found found = table_.insert(
        hash, [&](StateIndex index) { return store_.same(index, &value); },
        [&] {
          if (block_.size() == 0) block_ = store_.take_block();
          if (block_.size() == 0) return kNoState;
          store_.write(block_.begin, &value, kNoState);
          return block_.begin;
        });
    if (found.created) ++block_.begin;
    return found;
  }
  StateTable::Found insert(std::uint64_t value) { return insert(value, hash_packed(&value, 1)); }

 private:
  StateStore& store_;
  StateTable& table_;
  StateRange block_;
};

StateIndex find(const StateStore& store, const StateTable& table, std::uint64_t value) {
  return table.find(hash_packed(&value, 1),
                    [&](StateIndex index) { return store.same(index, &value); });
}

TEST(StateTable, ConcurrentInsertsCreateEachStateOnce) {
  constexpr std::uint64_t kValues = 20'000;
  constexpr unsigned kThreads = 4;
  StateStore store(2, kValues + kThreads * StateStore::kBlock);
  StateTable table(kValues * 4 / 3);
  std::vector<std::vector<StateIndex>> created(kThreads);
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        Writer writer(store, table);
        // Half of the threads go the other way round; all meet in the middle.
        for (std::uint64_t i = 0; i < kValues; ++i) {
          const std::uint64_t value = t % 2 == 0 ? i : kValues - 1 - i;
          const StateTable::Found found = writer.insert(value);
          ASSERT_NE(found.index, kNoState);
          ASSERT_TRUE(store.same(found.index, &value));
          if (found.created) created[t].push_back(found.index);
        }
      });
    }
  }
  std::vector<StateIndex> all;
  for (const auto& some : created) all.insert(all.end(), some.begin(), some.end());
  EXPECT_EQ(all.size(), kValues);
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
  for (std::uint64_t value = 0; value < kValues; ++value) {
    EXPECT_NE(find(store, table, value), kNoState);
  }
  EXPECT_EQ(find(store, table, kValues), kNoState);
}

TEST(StateTable, EqualHashesDoNotMakeEqualStates) {
  StateStore store(1, 1000);
  StateTable table(200);
  Writer writer(store, table);
  // The last slot, so that probing wraps around.
  constexpr std::uint64_t kHash = ~std::uint64_t{0};
  for (std::uint64_t value = 0; value < 100; ++value) {
    EXPECT_TRUE(writer.insert(value, kHash).created);
  }
  for (std::uint64_t value = 0; value < 100; ++value) {
    const StateTable::Found found = writer.insert(value, kHash);
    EXPECT_FALSE(found.created);
    EXPECT_EQ(found.index, value);
  }
}

TEST(StateTable, GrowingKeepsAllIndices) {
  for (const unsigned threads : {1U, 3U}) {
    StateStore store(2, 10'000);
    StateTable table(1500);
    Writer writer(store, table);
    for (std::uint64_t value = 0; value < 1000; ++value) {
      EXPECT_EQ(writer.insert(value).index, value);
    }
    ASSERT_TRUE(table.grow(12'345, store, threads));
    EXPECT_EQ(table.slots(), 12'345U);
    for (std::uint64_t value = 0; value < 1000; ++value) {
      EXPECT_EQ(find(store, table, value), value);
    }
    EXPECT_EQ(find(store, table, 1000), kNoState);
  }
}

TEST(StateTable, AFullStoreIsSaidAndKnownStatesAreStillFound) {
  StateStore store(1, 10);
  StateTable table(64);
  Writer writer(store, table);
  for (std::uint64_t value = 0; value < 10; ++value) EXPECT_TRUE(writer.insert(value).created);
  EXPECT_EQ(writer.insert(10).index, kNoState);
  EXPECT_EQ(writer.insert(3).index, 3U);
  EXPECT_EQ(store.taken(), 10U);
}

TEST(StateStore, OddAndEvenNumbersOfWordsAreComparedToTheLastBit) {
  for (std::size_t words = 1; words <= 5; ++words) {
    StateStore store(words, 4);
    const StateRange block = store.take_block();
    std::vector<std::uint64_t> packed((words + 1) / 2, 0x0123456789ABCDEF);
    if (words % 2 == 1) packed.back() &= 0xFFFFFFFF;
    store.write(block.begin, packed.data(), 7);
    EXPECT_TRUE(store.same(block.begin, packed.data()));
    EXPECT_EQ(store.parent(block.begin), 7U);
    std::vector<std::uint64_t> back(packed.size(), ~std::uint64_t{0});
    store.read(block.begin, back.data());
    EXPECT_EQ(back, packed);
    packed.back() ^= std::uint64_t{1} << (words % 2 == 1 ? 31 : 63);
    EXPECT_FALSE(store.same(block.begin, packed.data()));
  }
}

}  // namespace
}  // namespace fencepost::checker
