// The reductions of the transactional model against the model without them: symmetry of partitions,
// and what endless instances forget.
#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <set>

#include "checker/explicit/explicit_search.h"
#include "spec/transactions/endless.h"
#include "tests/support/transaction_cases.h"

namespace fencepost::testing::transactions {
namespace {

using model::Model;
using model::Property;
using State = Model::State;

struct Less {
  bool operator()(const State& a, const State& b) const {
    return std::memcmp(&a, &b, sizeof a) < 0;
  }
};

bool same(const State& a, const State& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// The first states of a breadth-first search.
std::set<State, Less> some_states(const Model& system, std::size_t count) {
  std::set<State, Less> seen{system.initial()};
  std::deque<State> queue{system.initial()};
  while (!queue.empty() && seen.size() < count) {
    const State state = queue.front();
    queue.pop_front();
    for (std::size_t a = 0; a < system.action_count(); ++a) {
      if (!system.guard(a, state)) continue;
      State next = state;
      if (system.effect(a, next).bounds != 0) continue;
      if (seen.insert(next).second) queue.push_back(next);
    }
  }
  return seen;
}

constexpr const char* kFaults =
    "answer-lost,late-request,disconnect,late-produce,not-leader,message-timeout,"
    "coordinator-move,transaction-timeout,late-marker,producer-id-expiry,crash=1";

/// Every permutation is an automorphism, and a state's representative is that of its images.
void expect_symmetry(const Model& system, const State& state) {
  const spec::Permutations& all = system.permutations();
  State canonical = state;
  const int by = system.canonical(canonical);
  State moved = state;
  system.permute(by, moved);
  ASSERT_TRUE(same(moved, canonical));
  for (int g = 0; g < all.count(); ++g) {
    State image = state;
    system.permute(g, image);
    ASSERT_EQ(system.violations(image), system.violations(state));
    ASSERT_EQ(system.ended(image), system.ended(state));
    for (std::size_t a = 0; a < system.action_count(); ++a) {
      const std::size_t b = system.permuted(g, a);
      ASSERT_EQ(system.fairness(a) == spec::kUnfair, system.fairness(b) == spec::kUnfair);
      ASSERT_EQ(system.guard(a, state), system.guard(b, image))
          << model::action_text(system.action(a));
      if (!system.guard(a, state)) continue;
      State next = state;
      State there = image;
      const spec::StepInfo one = system.effect(a, next);
      const spec::StepInfo two = system.effect(b, there);
      ASSERT_EQ(one.notes, two.notes);
      ASSERT_EQ(one.bounds, two.bounds);
      if (one.bounds != 0) continue;
      system.permute(g, next);
      ASSERT_TRUE(same(next, there)) << model::action_text(system.action(a));
    }
    ASSERT_EQ(all.of(g, all.things()), all.things());
    static_cast<void>(system.canonical(image));
    ASSERT_TRUE(same(image, canonical));
  }
}

TEST(TransactionSymmetry, PartitionsAreInterchangeable) {
  const struct {
    const char* client;
    const char* coordinator;
    const char* broker;
    const char* shape;
  } cases[] = {
      {"java-3.9", "kip-360", "kafka-3.6", "producers=2,partitions=3,messages=2,attempts=3,log=8"},
      {"java-4.0", "kip-890", "kafka-4.2", "producers=2,partitions=2,offsets,attempts=3,log=8"},
      {"librdkafka-2.15", "kip-98", "kafka-2.5", "partitions=3,messages=2,in-flight=2,attempts=3"},
      {"java-4.0", "kip-890", "kafka-4.2", "producers=2,partitions=3,attempts=3,log=8,endless"},
  };
  for (const auto& c : cases) {
    const Model system(behaviour(c.client, c.coordinator, c.broker), instance(c.shape, kFaults, 2));
    for (const State& state : some_states(system, 3000)) {
      expect_symmetry(system, state);
      if (HasFatalFailure()) return;
    }
  }
}

checker::SearchResult searched(const model::Behaviour& b, const model::Instance& i, bool symmetry,
                               std::uint32_t properties) {
  checker::SearchOptions options;
  options.properties = properties & ((1U << model::kSafetyProperties) - 1);
  options.progress = true;
  options.symmetry = symmetry;
  return checker::search(Model(b, i), options);
}

struct Case {
  const char* client;
  const char* coordinator;
  const char* broker;
  const char* shape;
  const char* faults;
  int budget;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.client << " " << c.coordinator << " " << c.shape << " " << c.faults;
}

constexpr const char* kTwo = "producers=2,partitions=2,attempts=4,epochs=7,log=14";
constexpr const char* kOneTwo = "partitions=2,inputs=2,attempts=5,epochs=7,log=14";

/// Of each kind of answer some: holds, refuted by a state, by a deadlock, by a loop.
constexpr Case kCases[] = {
    {"java-3.9", "kip-360", "kafka-2.5", kTwo, "message-timeout", 1},
    {"java-3.9", "kip-98", "kafka-2.5", kTwo, "message-timeout", 1},
    {"java-3.9", "no-bump-at-timeout", "kafka-2.5", kOneTwo, "transaction-timeout", 1},
    {"java-3.9", "kip-360", "kafka-2.5", kOneTwo, "late-produce,message-timeout", 2},
    {"java-4.0", "kip-890", "kafka-4.2-strict", kOneTwo, "coordinator-move", 1},
    {"java-4.0", "kip-890", "older-open-counts", kOneTwo, "none", 0},
    {"java-4.0", "kip-890-own-retries", "kafka-4.2", kTwo, "message-timeout,answer-lost", 1},
    {"java-4.0", "kip-890", "kafka-4.2", "producers=2,partitions=3,attempts=3,epochs=9,endless",
     "none", 0},
    {"librdkafka-2.15", "kip-360", "kafka-2.5",
     "partitions=2,attempts=4,epochs=4,exhausted-at=1,ids=3,log=12", "answer-lost,message-timeout",
     2},
};

class Reductions : public ::testing::TestWithParam<Case> {};

TEST_P(Reductions, SymmetryChangesNoVerdictAndNoDepth) {
  const Case& c = GetParam();
  const auto b = behaviour(c.client, c.coordinator, c.broker);
  const auto i = instance(c.shape, c.faults, c.budget);
  const std::uint32_t all = i.endless ? ~model::needs_history() : ~0U;
  const auto whole = searched(b, i, false, all);
  const auto reduced = searched(b, i, true, all);
  EXPECT_EQ(whole.end, reduced.end);
  EXPECT_EQ(whole.notes, reduced.notes);
  EXPECT_EQ(whole.stats.bounded(), reduced.stats.bounded());
  EXPECT_EQ(whole.stats.depth, reduced.stats.depth);
  EXPECT_EQ(whole.deadlock.has_value(), reduced.deadlock.has_value());
  EXPECT_EQ(whole.lasso.has_value(), reduced.lasso.has_value());
  for (int p = 0; p < model::kSafetyProperties; ++p) {
    const auto property = static_cast<Property>(p);
    EXPECT_EQ(depth_of(whole, property), depth_of(reduced, property)) << p;
  }
  if (whole.lasso && reduced.lasso) {
    EXPECT_EQ(whole.lasso->stem.size(), reduced.lasso->stem.size());
  }
  // Most states have different partitions, so the factor is nearly that of the permutations.
  const auto times = static_cast<std::uint64_t>(reduced.permutations);
  EXPECT_LT(reduced.stats.distinct, whole.stats.distinct);
  EXPECT_GE(reduced.stats.distinct * times, whole.stats.distinct);
}

INSTANTIATE_TEST_SUITE_P(Transactions, Reductions, ::testing::ValuesIn(kCases));

/// Instances that are exhausted without forgetting, or refuted.
constexpr Case kFinite[] = {
    {"java-3.9", "kip-360", "kafka-3.6", "producers=2,attempts=5,epochs=7,log=14",
     "message-timeout,answer-lost,transaction-timeout", 2},
    {"java-3.9", "kip-98", "kafka-2.5", "producers=2,attempts=5,epochs=7,log=14", "message-timeout",
     1},
    {"java-4.0", "kip-890-own-retries", "kafka-4.2",
     "producers=2,offsets,attempts=5,epochs=9,log=14", "message-timeout,coordinator-move,crash", 2},
    {"java-3.9", "kip-360", "kafka-2.5", "attempts=5,epochs=7,log=14",
     "late-produce,message-timeout,crash", 3},
    {"java-4.0", "kip-890", "kafka-4.0", "messages=2,inputs=2,attempts=5,epochs=7,log=14",
     "late-marker,late-request,application-abort", 2},
    {"java-3.9", "kip-360", "kafka-2.5", "messages=2,inputs=2,attempts=5,epochs=7,log=14",
     "late-request,application-abort", 2},
    {"bump-inside-transaction", "kip-98", "kafka-2.5",
     "partitions=2,messages=2,in-flight=2,inputs=2,attempts=5,epochs=7,log=14", "not-leader", 1},
};

class Endless : public ::testing::TestWithParam<Case> {};

TEST_P(Endless, ForgettingChangesNoVerdictAndNoDepth) {
  const Case& c = GetParam();
  const auto b = behaviour(c.client, c.coordinator, c.broker);
  const auto finite = instance(c.shape, c.faults, c.budget);
  auto endless = finite;
  endless.endless = true;
  const std::uint32_t asked = ~model::needs_history();
  const auto whole = searched(b, finite, true, asked);
  const auto reduced = searched(b, endless, true, asked);
  ASSERT_FALSE(whole.stats.bounded());
  EXPECT_FALSE(reduced.stats.bounded());
  EXPECT_EQ(whole.notes, reduced.notes);
  EXPECT_EQ(whole.deadlock.has_value(), reduced.deadlock.has_value());
  if (whole.deadlock && reduced.deadlock) {
    EXPECT_EQ(whole.deadlock->size(), reduced.deadlock->size());
  }
  EXPECT_EQ(whole.lasso.has_value(), reduced.lasso.has_value());
  for (int p = 0; p < model::kSafetyProperties; ++p) {
    const auto property = static_cast<Property>(p);
    EXPECT_EQ(depth_of(whole, property), depth_of(reduced, property)) << p;
  }
  EXPECT_LE(reduced.stats.distinct, whole.stats.distinct);
}

INSTANTIATE_TEST_SUITE_P(Transactions, Endless, ::testing::ValuesIn(kFinite));

/// With numbers that only grow it is a bound that ends the search; with numbers that start anew
/// the run is a loop. Where the zombie is fenced there is none.
TEST(EndlessInstances, DecideWhatABoundLeavesOpen) {
  constexpr const char* kNineEpochs = "producers=2,offsets,attempts=4,epochs=9,log=12";
  const auto finite = instance(kNineEpochs);
  auto endless = finite;
  endless.endless = true;
  const auto b = behaviour("java-4.0", "kip-890", "kafka-4.0");
  const auto before = searched(b, finite, true, ~model::needs_history());
  EXPECT_TRUE(before.stats.bounded());
  EXPECT_FALSE(before.lasso.has_value());
  const auto after = searched(b, endless, true, ~model::needs_history());
  EXPECT_FALSE(after.stats.bounded());
  EXPECT_TRUE(after.lasso.has_value());
  EXPECT_TRUE(after.violations.empty());
  const auto fenced = searched(behaviour("java-4.0", "kip-890-own-retries", "kafka-4.0"), endless,
                               true, ~model::needs_history());
  EXPECT_FALSE(fenced.stats.bounded());
  EXPECT_FALSE(fenced.lasso.has_value());
}

TEST(EndlessInstances, AreRefusedWhereForgettingWouldShow) {
  const auto plain = behaviour("java-3.9");
  auto i = instance("producers=2,attempts=3");
  i.endless = true;
  EXPECT_EQ(model::endless_fault(plain, i), "");
  i.exhausted_at = 1;
  EXPECT_NE(model::endless_fault(plain, i).find("epochs anew"), std::string_view::npos);
  i.exhausted_at = 0;
  i.faults = model::parse_faults("transactional-id-expiry", 1);
  EXPECT_NE(model::endless_fault(plain, i).find("one producer id"), std::string_view::npos);
  i.faults = {};
  EXPECT_NE(model::endless_fault(behaviour("idempotent-loop"), i), "");
  auto fresh = plain;
  fresh.no_entry = model::NoEntry::kZeroOnFreshLog;
  EXPECT_NE(model::endless_fault(fresh, i).find("ever written to"), std::string_view::npos);
  EXPECT_NE(model::endless_fault(behaviour("bump-alone"), i).find("raises its own"),
            std::string_view::npos);
}

}  // namespace
}  // namespace fencepost::testing::transactions
