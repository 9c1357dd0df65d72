// Progress under weak fairness: by hand, and against a transitive closure on random systems. Every
// lasso has been verified by replay before the search returns it.
#include "checker/explicit/liveness.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <new>

#include "checker/explicit/explicit_search.h"
#include "checker/explicit/liveness_graph.h"
#include "tests/unit/explicit/toy_system.h"

namespace fencepost::checker {
namespace {

using toy::Action;
using toy::GraphSystem;

SearchResult progress(const GraphSystem& system, unsigned threads = 1) {
  const SearchResult result = search(system, {.progress = true, .threads = threads});
  EXPECT_EQ(result.end, SearchEnd::kExhausted);
  EXPECT_TRUE(result.progress_checked);
  return result;
}

TEST(StrongComponents, OfAHandMadeGraph) {
  // 0 -> 1 <-> 2, 2 -> 3, 3 -> 3, 4 alone.
  const StateGraph graph{{0, 1, 2, 4, 5, 5}, {1, 2, 1, 3, 3}};
  const Components components = strong_components(graph);
  EXPECT_EQ(components.count, 4U);
  EXPECT_EQ(components.of[1], components.of[2]);
  EXPECT_NE(components.of[0], components.of[1]);
  const std::vector<bool> inside = cyclic(graph, components);
  EXPECT_FALSE(inside[components.of[0]]);
  EXPECT_TRUE(inside[components.of[1]]);
  EXPECT_TRUE(inside[components.of[3]]);
  EXPECT_FALSE(inside[components.of[4]]);
}

TEST(StrongComponents, AnEmptyGraph) { EXPECT_EQ(strong_components(StateGraph{}).count, 0U); }

TEST(StrongComponents, AMillionStatesInALineNeedNoCallStack) {
  StateGraph graph;
  for (StateIndex i = 0; i < 1'000'000; ++i) {
    graph.targets.push_back(i + 1 == 1'000'000 ? 0 : i + 1);
    graph.offsets.push_back(graph.targets.size());
  }
  EXPECT_EQ(strong_components(graph).count, 1U);
}

TEST(StrongComponents, CanBeStoppedOnTheWay) {
  StateGraph graph;
  for (StateIndex i = 0; i < 1'000'000; ++i) {
    graph.targets.push_back(i + 1 == 1'000'000 ? 0 : i + 1);
    graph.offsets.push_back(graph.targets.size());
  }
  int asked = 0;
  EXPECT_THROW(static_cast<void>(strong_components(graph, [&] { return ++asked == 3; })),
               LivenessStopped);
  EXPECT_EQ(asked, 3);
  asked = 0;
  EXPECT_EQ(strong_components(graph, [&] { return ++asked < 0; }).count, 1U);
  EXPECT_GT(asked, 100);  // often enough that a stop is seen within a fraction of the work
}

TEST(Progress, ALineThatEndsHolds) {
  const GraphSystem system{.actions = {Action{{{0, {1}}, {1, {2}}}, 0}}, .ends = {2}, .classes = 1};
  const SearchResult result = progress(system);
  EXPECT_FALSE(result.lasso);
  EXPECT_FALSE(result.deadlock);
}

TEST(Progress, ALoopOfAFaultDoesNotHinderAFreeActionThatStaysEnabled) {
  // In 0 a fault loops; the free action leads to the end and is enabled all the time.
  GraphSystem system{
      .actions = {Action{{{0, {0}}}, kUnfair}, Action{{{0, {1}}}, 0}}, .ends = {1}, .classes = 1};
  EXPECT_FALSE(progress(system).lasso);
  // Now the loop of faults passes a state in which it is not.
  system.actions[0].edges = {{0, {2}}, {2, {0}}};
  const SearchResult result = progress(system);
  ASSERT_TRUE(result.lasso);
  EXPECT_EQ(result.lasso->stem, ActionPath{});
  EXPECT_EQ(result.lasso->loop, (ActionPath{0, 0}));
}

TEST(Progress, AFreeSelfLoopIsFairToItself) {
  GraphSystem system{.actions = {Action{{{0, {1}}}, 0}, Action{{{1, {1}}}, 1}}, .classes = 2};
  const SearchResult result = progress(system);
  ASSERT_TRUE(result.lasso);
  EXPECT_EQ(result.lasso->stem, (ActionPath{0}));
  EXPECT_EQ(result.lasso->loop, (ActionPath{1}));
  // A way out that another class keeps enabled is an obligation; of the same class it is not.
  system.actions.push_back({{{1, {2}}}, 0});
  system.ends = {2};
  EXPECT_FALSE(progress(system).lasso);
  system.actions.back().fairness = 1;
  EXPECT_TRUE(progress(system).lasso);
}

TEST(Progress, ALoopMustMeetEveryClassNotOnlyTheShortestCycle) {
  // 1 has a self-loop of class 0 and is on a cycle 1 -> 2 -> 1, in which class 1 is served at 2.
  const GraphSystem system{
      .actions = {Action{{{0, {1}}, {1, {1}}}, 0}, Action{{{1, {2}}, {2, {1}}}, 1}}, .classes = 2};
  const SearchResult result = progress(system);
  ASSERT_TRUE(result.lasso);
  EXPECT_EQ(result.lasso->stem, (ActionPath{0}));
  EXPECT_GE(result.lasso->loop.size(), 2U);
}

TEST(Progress, AClassThatIsDisabledSomewhereInTheLoopIsMet) {
  // The loop 0 -> 1 -> 2 -> 0 of class 0; the way out, class 1, is open in 0 and 1, not in 2.
  GraphSystem system{
      .actions = {Action{{{0, {1}}, {1, {2}}, {2, {0}}}, 0}, Action{{{0, {3}}, {1, {3}}}, 1}},
      .ends = {3},
      .classes = 2};
  const SearchResult result = progress(system);
  ASSERT_TRUE(result.lasso);
  EXPECT_EQ(result.lasso->loop, (ActionPath{0, 0, 0}));
  system.actions[1].edges[2] = {3};
  EXPECT_FALSE(progress(system).lasso);
}

TEST(Progress, AClassThatOnlyABoundDisablesIsNotMet) {
  const GraphSystem system{
      .actions = {Action{{{0, {0}}}, 0}, Action{{{0, {1, 0, 1}}}, 1}}, .ends = {1}, .classes = 2};
  const SearchResult result = progress(system);
  EXPECT_FALSE(result.lasso);
  EXPECT_TRUE(result.stats.bounded());
}

TEST(Progress, AStateWithoutFreeActionsIsADeadlock) {
  const GraphSystem system{.actions = {Action{{{0, {1}}}, 0}, Action{{{1, {1}}}, kUnfair}},
                           .classes = 1};
  const SearchResult result = progress(system);
  ASSERT_TRUE(result.deadlock);
  EXPECT_EQ(*result.deadlock, (ActionPath{0}));
}

TEST(Progress, IsNotSaidToBeCheckedIfTheSearchWasCutOff) {
  const GraphSystem system{.actions = {Action{{{0, {1}}, {1, {0}}}, 0}}, .classes = 1};
  const SearchResult result = search(system, {.progress = true, .max_depth = 0});
  EXPECT_FALSE(result.progress_checked);
  EXPECT_FALSE(result.lasso);
  EXPECT_EQ(search(system, {.progress = true, .memory_bytes = 150}).progress_end,
            SearchEnd::kMemory);
}

TEST(Progress, MemoryThatEndsItLeavesTheSafetyVerdict) {
  // A chain long enough that its states fit the budget and its graph beside them does not.
  GraphSystem system{.ends = {}, .classes = 1};
  Action chain{{}, 0};
  for (int i = 0; i < 250; ++i) chain.edges[i] = {i + 1};
  system.actions.push_back(chain);
  bool seen = false;
  for (std::size_t bytes = 1000; bytes < 200000 && !seen; bytes += 200) {
    const SearchResult result = search(system, {.progress = true, .memory_bytes = bytes});
    if (result.progress_end != SearchEnd::kMemory) continue;
    seen = true;
    EXPECT_EQ(result.end, SearchEnd::kExhausted);
    EXPECT_EQ(result.stats.distinct, 251U);
    EXPECT_FALSE(result.progress_checked);
  }
  EXPECT_TRUE(seen);
}

/// Runs of `loops` states that go round for ever, so that much is to be done after the graph. Calls
/// `at_effect` when an effect has been asked for `after` times.
struct RingSystem {
  using State = std::array<std::uint8_t, 8>;
  static constexpr int kRing = 60000;

  std::function<void()> at_effect;
  std::uint64_t after = 0;
  mutable std::uint64_t effects = 0;

  static int node(const State& s) { return s[0] | s[1] << 8; }
  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] std::size_t action_count() const { return 1; }
  [[nodiscard]] bool guard(std::size_t, const State&) const { return true; }
  [[nodiscard]] StepInfo effect(std::size_t, State& s) const {
    if (++effects == after) at_effect();
    const int next = (node(s) + 1) % kRing;
    s[0] = static_cast<std::uint8_t>(next);
    s[1] = static_cast<std::uint8_t>(next >> 8);
    return {};
  }
  [[nodiscard]] std::uint32_t violations(const State&) const { return 0; }
  [[nodiscard]] bool ended(const State&) const { return false; }
  [[nodiscard]] int fairness(std::size_t) const { return 0; }
  [[nodiscard]] int fairness_classes() const { return 1; }
  [[nodiscard]] ByteWidths widths() const { return {8, 8, 0, 0, 0, 0, 0, 0}; }
};
static_assert(TransitionSystem<RingSystem>);

/// An effect is asked for once a state by the search, once by the graph, once to judge components
/// and once more on the way round.
constexpr std::array<std::uint64_t, 3> kPhases{3, 5, 7};

TEST(Progress, CanBeInterruptedInEveryPart) {
  for (const std::uint64_t halves : kPhases) {
    std::atomic<bool> stop{false};
    const RingSystem system{[&stop] { stop = true; }, halves * RingSystem::kRing / 2};
    const SearchResult result = search(system, {.progress = true, .stop = &stop});
    EXPECT_EQ(result.end, SearchEnd::kExhausted) << halves;
    EXPECT_EQ(result.progress_end, SearchEnd::kInterrupted) << halves;
    EXPECT_FALSE(result.progress_checked) << halves;
    EXPECT_LT(system.effects, (halves + 1) * RingSystem::kRing / 2) << halves;
  }
}

TEST(Progress, MemoryThatTheSystemRefusesIsNoCrash) {
  for (const std::uint64_t halves : kPhases) {
    const RingSystem system{[] { throw std::bad_alloc(); }, halves * RingSystem::kRing / 2};
    const SearchResult result = search(system, {.progress = true});
    EXPECT_EQ(result.end, SearchEnd::kExhausted) << halves;
    EXPECT_EQ(result.progress_end, SearchEnd::kMemory) << halves;
    EXPECT_TRUE(result.memory_refused) << halves;
    EXPECT_FALSE(result.progress_checked) << halves;
  }
}

TEST(Search, MemoryThatTheSystemRefusesIsNoCrash) {
  const RingSystem system{[] { throw std::bad_alloc(); }, RingSystem::kRing / 2};
  const SearchResult result = search(system, {.progress = true});
  EXPECT_EQ(result.end, SearchEnd::kMemory);
  EXPECT_FALSE(result.progress_checked);
}

TEST(Progress, ItsMemoryCountsWhatComponentsMeet) {
  EXPECT_GT(liveness_bytes(1000, 0, 1000), liveness_bytes(1000, 0, 10));
  EXPECT_EQ(liveness_bytes(0, 10, 1), 40U);
}

TEST(Progress, AgreesWithATransitiveClosureOnRandomSystems) {
  int loops = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const GraphSystem system = toy::random_system(seed);
    const toy::Naive naive = toy::naive_search(system, 0, true);
    const SearchResult result = progress(system);
    ASSERT_EQ(result.lasso.has_value(), toy::naive_fair_loop(system, naive)) << seed;
    ASSERT_EQ(result.deadlock ? result.deadlock->size() : kNever, naive.deadlock_depth) << seed;
    loops += result.lasso ? 1 : 0;
  }
  EXPECT_GT(loops, 300);
  EXPECT_LT(loops, 2700);
}

}  // namespace
}  // namespace fencepost::checker
