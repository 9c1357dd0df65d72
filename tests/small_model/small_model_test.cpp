// The small model beyond its counts: determinism, progress, well-typed states, and the same text
// over the Footprint domain.
#include "tests/small_model/small_model.h"

#include <gtest/gtest.h>

#include <array>

#include "spec/domain/footprint.h"
#include "tests/small_model/small_rows.h"

namespace fencepost::small_model {
namespace {

constexpr Parameters kSmall{2, 2, 2, 1, 1, Variant::kRetry};
constexpr Parameters kBumping{2, 3, 3, 1, 1, Variant::kBump};

void expect_same(const checker::SearchResult& one, const checker::SearchResult& two) {
  EXPECT_EQ(one.end, two.end);
  EXPECT_EQ(one.stats.distinct, two.stats.distinct);
  EXPECT_EQ(one.stats.fired, two.stats.fired);
  EXPECT_EQ(one.stats.depth, two.stats.depth);
  EXPECT_EQ(one.deadlock, two.deadlock);
  ASSERT_EQ(one.violations.size(), two.violations.size());
  for (std::size_t i = 0; i < one.violations.size(); ++i) {
    EXPECT_EQ(one.violations[i].property, two.violations[i].property);
    EXPECT_EQ(one.violations[i].path, two.violations[i].path);
  }
  ASSERT_EQ(one.lasso.has_value(), two.lasso.has_value());
  if (one.lasso) {
    EXPECT_EQ(one.lasso->stem, two.lasso->stem);
    EXPECT_EQ(one.lasso->loop, two.lasso->loop);
  }
}

TEST(SmallModel, ResultsDoNotDependOnTheNumberOfThreads) {
  for (const bool stop : {true, false}) {
    checker::SearchOptions how = options();
    how.stop_when_decided = stop;
    how.properties = 1U << SmallSystem::kDuplicate;
    const SmallSystem system(kBumping);
    const checker::SearchResult one = checker::search(system, how);
    EXPECT_EQ(one.violations.size(), 1U);
    how.threads = 2;
    expect_same(one, checker::search(system, how));
  }
}

// An answer may be lost again and again, and in between nothing that is free stays enabled: the
// lost answers alone keep the producer busy for ever.
TEST(SmallModel, LostAnswersHinderProgressForEver) {
  checker::SearchOptions how = options();
  how.progress = true;
  const SmallSystem system(kSmall);
  const checker::SearchResult one = checker::search(system, how);
  EXPECT_EQ(one.end, checker::SearchEnd::kExhausted);
  EXPECT_TRUE(one.progress_checked);
  EXPECT_FALSE(one.deadlock);
  ASSERT_TRUE(one.lasso);
  EXPECT_LE(one.lasso->loop.size(), 8U);
  how.threads = 2;
  expect_same(one, checker::search(system, how));
}

// The small model without lost answers.
class Reliable : public SmallSystem {
 public:
  using SmallSystem::SmallSystem;
  [[nodiscard]] bool guard(std::size_t action, const State& state) const {
    constexpr auto kKinds = static_cast<std::size_t>(Kind::kCount);
    const bool bump = action >= action_count() - 2;
    return (bump || static_cast<Kind>(action % kKinds) != Kind::kLose) &&
           SmallSystem::guard(action, state);
  }
};

TEST(SmallModel, WithoutLostAnswersEveryFairRunEnds) {
  checker::SearchOptions how = options();
  how.progress = true;
  const checker::SearchResult result = checker::search(Reliable(kSmall), how);
  EXPECT_EQ(result.end, checker::SearchEnd::kExhausted);
  EXPECT_TRUE(result.progress_checked);
  EXPECT_TRUE(result.violations.empty());
  EXPECT_FALSE(result.deadlock);
  EXPECT_FALSE(result.lasso);
}

// Cells of a Footprint state, numbered in the order of the concrete bytes.
struct FootprintState {
  static constexpr std::size_t kCells = sizeof(SmallSystem::State);
  union {
    State<spec::Footprint> state;
    std::array<spec::Footprint::Cell, kCells> cells;
  };
  explicit FootprintState(spec::Footprint::Record& record) : cells() {
    static_assert(sizeof state == sizeof cells);
    for (std::size_t i = 0; i < kCells; ++i) cells[i] = {static_cast<int>(i), &record};
  }
};

TEST(SmallModel, FootprintsOfOnePartitionsActionsDoNotTouchTheOther) {
  const Model<spec::Footprint> model(kSmall);
  constexpr int kPartitionCells = sizeof(Partition<spec::Concrete>);
  constexpr auto kKinds = static_cast<int>(Kind::kCount);
  for (int action = 0; action < model.bump(); ++action) {
    spec::Footprint::Record record;
    FootprintState cells(record);
    spec::Footprint d;
    static_cast<void>(model.guard(d, action, cells.state));
    const std::set<int> tested = record.reads;
    EXPECT_FALSE(tested.empty());
    EXPECT_TRUE(record.writes.empty()) << "a guard writes nothing";
    model.effect(d, action, cells.state);
    EXPECT_FALSE(record.writes.empty());
    const int other = kPartitionCells * (1 - action / kKinds);
    for (const std::set<int>* touched : {&record.reads, &record.writes}) {
      const auto inside = touched->lower_bound(other);
      EXPECT_TRUE(inside == touched->end() || *inside >= other + kPartitionCells) << action;
    }
  }
}

// What a concrete step changes, its footprint says it may write.
TEST(SmallModel, StepsChangeOnlyWhatTheirFootprintWrites) {
  checker::SearchOptions how = options();
  how.properties = 1U << SmallSystem::kDuplicate;
  const SmallSystem bumping(kBumping);
  const Model<spec::Footprint> model(kBumping);
  const checker::SearchResult result = checker::search(bumping, how);
  ASSERT_EQ(result.violations.size(), 1U);
  const auto states = checker::replay(bumping, result.violations[0].path);
  for (std::size_t i = 0; i + 1 < states.size(); ++i) {
    const auto* before = reinterpret_cast<const unsigned char*>(&states[i]);
    const auto* after = reinterpret_cast<const unsigned char*>(&states[i + 1]);
    spec::Footprint::Record record;
    FootprintState cells(record);
    spec::Footprint d;
    model.effect(d, static_cast<int>(result.violations[0].path[i]), cells.state);
    for (std::size_t byte = 0; byte < sizeof states[i]; ++byte) {
      if (before[byte] != after[byte]) {
        EXPECT_TRUE(record.writes.contains(static_cast<int>(byte))) << i << " " << byte;
      }
    }
  }
}

}  // namespace
}  // namespace fencepost::small_model
