// How a search ends, and what it reports besides violations.
#include <gtest/gtest.h>

#include <new>
#include <thread>

#include "checker/explicit/explicit_search.h"
#include "tests/unit/explicit/toy_system.h"

namespace fencepost::checker {
namespace {

using toy::Action;
using toy::GraphSystem;
using toy::GridSystem;

// 0 -> 1 -> 2 -> 3, and 1 -> 4 by the second action.
GraphSystem line() {
  return {.actions = {Action{{{0, {1}}, {1, {2}}, {2, {3}}}, 0}, Action{{{1, {4}}}, 0}},
          .ends = {3, 4},
          .classes = 1};
}

TEST(Search, VisitsAllStatesOnce) {
  const SearchResult result = search(line(), {});
  EXPECT_EQ(result.end, SearchEnd::kExhausted);
  EXPECT_EQ(result.stats.distinct, 5U);
  EXPECT_EQ(result.stats.transitions, 4U);
  EXPECT_EQ(result.stats.depth, 3U);
  EXPECT_EQ(result.stats.frontier, 0U);
  EXPECT_EQ(result.stats.fired, (std::vector<std::uint64_t>{3, 1}));
  EXPECT_EQ(result.stats.packed_bytes, 4U);
  EXPECT_TRUE(result.violations.empty());
  EXPECT_FALSE(result.deadlock);
}

TEST(Search, ASingleStateWithoutActions) {
  const SearchResult result = search(GraphSystem{.ends = {0}}, {.deadlock = true});
  EXPECT_EQ(result.end, SearchEnd::kExhausted);
  EXPECT_EQ(result.stats.distinct, 1U);
  EXPECT_EQ(result.stats.depth, 0U);
}

TEST(Search, DeadlockIsAStateThatIsNotEndedAndHasNoFreeAction) {
  GraphSystem system = line();
  system.ends = {3};
  const SearchResult result = search(system, {.deadlock = true});
  EXPECT_EQ(result.end, SearchEnd::kDecided);
  ASSERT_TRUE(result.deadlock);
  EXPECT_EQ(*result.deadlock, (ActionPath{0, 1}));
  // An unfair action does not help, nobody has to take it.
  system.actions.push_back({{{4, {3}}}, kUnfair});
  EXPECT_TRUE(search(system, {.deadlock = true}).deadlock);
  system.actions.back().fairness = 0;
  EXPECT_FALSE(search(system, {.deadlock = true}).deadlock);
}

TEST(Search, ADeadlockThatOnlyABoundMakesIsABoundHit) {
  GraphSystem system = line();
  system.ends = {3};
  system.actions[1].edges[4] = {5, 0, 1U << 4};
  const SearchResult result = search(system, {.deadlock = true});
  EXPECT_EQ(result.end, SearchEnd::kExhausted);
  EXPECT_FALSE(result.deadlock);
  EXPECT_EQ(result.stats.bound_hits[4], 1U);
  EXPECT_TRUE(result.stats.bounded());
  EXPECT_EQ(result.stats.distinct, 5U) << "the disabled step is not taken";
}

TEST(Search, FirstViolationOfEachPropertyIsShortestAndFirstByAction) {
  GraphSystem system = line();
  system.actions.push_back({{{0, {4}}, {1, {4}}}, 0});
  system.violating = {{2, 0b001}, {4, 0b101}, {3, 0b010}};
  const SearchResult result = search(system, {.properties = 0b111});
  EXPECT_EQ(result.end, SearchEnd::kDecided);
  ASSERT_EQ(result.violations.size(), 3U);
  EXPECT_EQ(result.violations[0].path, (ActionPath{2}));
  EXPECT_EQ(result.violations[1].path, (ActionPath{0, 0, 0}));
  EXPECT_EQ(result.violations[1].depth, 3U);
  EXPECT_EQ(result.violations[2].path, (ActionPath{2}));
  EXPECT_TRUE(search(system, {.properties = 0b1000}).violations.empty());
}

TEST(Search, ViolatingStatesAreExpandedOnlyIfAsked) {
  GraphSystem system = line();
  system.violating = {{1, 0b1}};
  SearchOptions options{.properties = 1, .stop_when_decided = false};
  EXPECT_EQ(search(system, options).stats.distinct, 5U);
  options.expand_violating = false;
  options.deadlock = true;
  const SearchResult result = search(system, options);
  EXPECT_EQ(result.stats.distinct, 2U);
  EXPECT_FALSE(result.deadlock) << "not expanding is no deadlock";
}

TEST(Search, NotesWithTheirFirstDepth) {
  GraphSystem system = line();
  system.actions[0].edges[1].notes = 1U << 5;
  system.actions[0].edges[2].notes = 1U << 5 | std::uint64_t{1} << 63;
  const SearchResult result = search(system, {});
  EXPECT_EQ(result.notes, 1U << 5 | std::uint64_t{1} << 63);
  EXPECT_EQ(result.note_depth[5], 2U);
  EXPECT_EQ(result.note_depth[63], 3U);
  EXPECT_EQ(result.note_depth[0], kNever);
}

TEST(Search, MaxDepthChecksTheStatesThereAndGoesNoFurther) {
  GraphSystem system = line();
  system.violating = {{2, 0b1}, {3, 0b10}};
  const SearchResult result = search(system, {.properties = 0b11, .max_depth = 2});
  EXPECT_EQ(result.end, SearchEnd::kDepth);
  EXPECT_EQ(result.stats.distinct, 4U);
  EXPECT_EQ(result.stats.depth, 2U);
  ASSERT_EQ(result.violations.size(), 1U);
  EXPECT_EQ(result.violations[0].property, 0);
  EXPECT_EQ(search(system, {.max_depth = 0}).stats.distinct, 1U);
}

TEST(Search, MemoryBudgetUsedUp) {
  const GridSystem grid;
  for (const unsigned threads : {1U, 2U}) {
    for (const std::size_t bytes : {0U, 1U, 100U, 10'000U, 500'000U}) {
      const SearchResult result = search(grid, {.memory_bytes = bytes, .threads = threads});
      EXPECT_EQ(result.end, SearchEnd::kMemory) << bytes;
      EXPECT_LE(result.stats.distinct, result.stats.capacity);
      EXPECT_LE(static_cast<double>(result.stats.capacity) * result.stats.bytes_per_state,
                static_cast<double>(bytes));
    }
  }
}

TEST(Search, ExactlyEnoughMemory) {
  const GridSystem grid;
  const double each = search(grid, {}).stats.bytes_per_state;
  const auto bytes = static_cast<std::size_t>(65'536 * each + 1);
  const SearchResult result = search(grid, {.memory_bytes = bytes});
  EXPECT_EQ(result.end, SearchEnd::kExhausted);
  EXPECT_EQ(result.stats.distinct, 65'536U);
  EXPECT_EQ(search(grid, {.memory_bytes = bytes - 100}).end, SearchEnd::kMemory);
}

TEST(Search, AnAddressSpaceNobodyHasIsNoCrash) {
  const SearchResult result = search(GridSystem{.top = 1}, {.memory_bytes = std::size_t{1} << 62});
  EXPECT_TRUE(result.end == SearchEnd::kMemory || result.end == SearchEnd::kExhausted);
}

/// The system refuses memory to a thread that is not the one which made this.
struct RefusingSystem : GridSystem {
  std::thread::id maker = std::this_thread::get_id();

  [[nodiscard]] StepInfo effect(std::size_t action, State& state) const {
    if (std::this_thread::get_id() != maker) throw std::bad_alloc();
    return GridSystem::effect(action, state);
  }
};

TEST(Search, MemoryRefusedToAWorkerThreadEndsTheSearchNotTheProgram) {
  RefusingSystem system;
  system.axes = 5;  // levels large enough to be shared
  system.top = 13;
  system.bad = 3;  // found by the first thread alone, before
  const SearchResult result =
      search(system, {.properties = 1, .stop_when_decided = false, .threads = 3});
  EXPECT_EQ(result.end, SearchEnd::kMemory);
  EXPECT_TRUE(result.memory_refused);
  EXPECT_LT(result.stats.distinct, 537'824U);
  ASSERT_EQ(result.violations.size(), 1U);
  EXPECT_EQ(result.violations[0].depth, 3U);
  EXPECT_FALSE(search(GridSystem{}, {.memory_bytes = 4000}).memory_refused);
}

TEST(Search, TimeLimit) {
  const GridSystem slow{.slow_loops = 20'000};
  const SearchResult result = search(slow, {.properties = 1, .seconds = 0.02});
  EXPECT_EQ(result.end, SearchEnd::kTime);
  EXPECT_GT(result.stats.distinct, 0U);
}

TEST(Search, Interrupted) {
  std::atomic<bool> stop{false};
  SearchOptions options{.stop = &stop};
  options.on_level = [&](const Statistics& stats) { stop = stats.depth >= 10; };
  const SearchResult result = search(GridSystem{}, options);
  EXPECT_EQ(result.end, SearchEnd::kInterrupted);
  EXPECT_LE(result.stats.depth, 12U);
  EXPECT_GT(result.stats.frontier, 0U);
}

TEST(Search, ReportsEachLevel) {
  std::vector<std::uint32_t> depths;
  SearchOptions options;
  options.on_level = [&](const Statistics& stats) { depths.push_back(stats.depth); };
  static_cast<void>(search(line(), options));
  EXPECT_EQ(depths, (std::vector<std::uint32_t>{1, 2, 3, 3}));
}

// Large enough that the table grows twice and that levels are shared between threads.
TEST(Search, GridOfHalfAMillionStates) {
  const GridSystem grid{.axes = 5, .top = 13};
  for (const unsigned threads : {1U, 2U, 5U}) {
    const SearchResult result = search(grid, {.deadlock = true, .threads = threads});
    EXPECT_EQ(result.end, SearchEnd::kExhausted);
    EXPECT_EQ(result.stats.distinct, 537'824U);
    EXPECT_EQ(result.stats.transitions, 5U * 13 * 14 * 14 * 14 * 14);
    EXPECT_EQ(result.stats.depth, 65U);
    EXPECT_FALSE(result.deadlock);
  }
}

TEST(Search, TheSameResultWithAnyNumberOfThreads) {
  for (const bool stop : {true, false}) {
    SearchOptions options{.properties = 0b11, .stop_when_decided = stop};
    const GridSystem grid{.bad = 30};
    const SearchResult one = search(grid, options);
    ASSERT_EQ(one.violations.size(), 1U);
    options.threads = 3;
    const SearchResult three = search(grid, options);
    ASSERT_EQ(three.violations.size(), 1U);
    EXPECT_EQ(one.violations[0].path, three.violations[0].path);
    EXPECT_EQ(one.stats.distinct, three.stats.distinct);
    EXPECT_EQ(one.stats.fired, three.stats.fired);
    EXPECT_EQ(one.end, three.end);
  }
}

TEST(Search, WhatAnInterruptedParallelSearchHasFoundIsKept) {
  std::atomic<bool> stop{false};
  const GridSystem grid{.bad = 30};
  SearchOptions options{.properties = 1, .stop_when_decided = false, .threads = 3, .stop = &stop};
  options.on_level = [&](const Statistics& stats) { stop = stats.depth >= 40; };
  const SearchResult result = search(grid, options);
  EXPECT_EQ(result.end, SearchEnd::kInterrupted);
  ASSERT_EQ(result.violations.size(), 1U);
  EXPECT_EQ(grid.violations(replay(grid, result.violations[0].path).back()), 1U);
  EXPECT_EQ(result.violations[0].depth, 30U);
}

// Random systems against a search by the book.
TEST(Search, AgreesWithANaiveSearch) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const GraphSystem system = toy::random_system(seed);
    for (const bool expand : {true, false}) {
      const toy::Naive naive = toy::naive_search(system, 0b101, expand);
      const SearchResult result = search(system, {.properties = 0b101,
                                                  .deadlock = true,
                                                  .expand_violating = expand,
                                                  .stop_when_decided = false,
                                                  .memory_bytes = 1 << 20});
      ASSERT_EQ(result.end, SearchEnd::kExhausted) << seed;
      ASSERT_EQ(result.stats.distinct, naive.depth.size()) << seed;
      ASSERT_EQ(result.stats.transitions, naive.transitions) << seed;
      ASSERT_EQ(result.stats.bound_hits[1], naive.bound_hits) << seed;
      ASSERT_EQ(result.notes, naive.notes) << seed;
      ASSERT_EQ(result.deadlock ? result.deadlock->size() : kNever, naive.deadlock_depth) << seed;
      std::array<std::uint32_t, 32> depths;
      depths.fill(kNever);
      for (const Violation& violation : result.violations) {
        const auto property = static_cast<std::size_t>(violation.property);
        depths[property] = violation.depth;
        const auto states = replay(system, violation.path);
        ASSERT_EQ(violation.path.size(), violation.depth);
        ASSERT_NE(system.violations(states.back()) & 1U << property, 0U);
      }
      ASSERT_EQ(depths, naive.violation_depth) << seed;
    }
  }
}

}  // namespace
}  // namespace fencepost::checker
