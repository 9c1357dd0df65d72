// Exact counts per (variant, instance): nothing else finds a silently wrong change of the model or
// of the engine as fast. On smaller instances the engine is held against a naive search.
#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <map>

#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

struct Row {
  const char* variant;
  const char* faults;
  int budget;
  std::uint64_t states;
  std::uint64_t transitions;
  std::uint32_t depth;
  const char* broker = "kafka-2.5-to-4.4";
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.variant << " on " << row.broker << " " << row.faults;
}

constexpr Row kRows[] = {
    {"librdkafka-2.15", "all-but:cache-shrink,expiry", 1, 95711, 351920, 35},
    {"librdkafka-2.15", "stale-view,permanent-error,purge", 2, 104831, 326597, 42},
    {"librdkafka-2.15", "disconnect,message-timeout", 2, 83955, 237892, 29},
    {"librdkafka-2.15", "late-request,too-few-replicas", 2, 228324, 913720, 38},
    {"librdkafka-2.15", "cache-shrink,expiry,disconnect", 2, 82630, 294560, 31},
    {"librdkafka-pr-4972", "all-but:cache-shrink,expiry", 1, 89296, 335618, 31},
    {"librdkafka-pr-4972", "stale-view,permanent-error,purge", 2, 61635, 204291, 30},
    {"librdkafka-pr-4972", "disconnect,message-timeout", 2, 82555, 235364, 28},
    {"librdkafka-pr-4972", "late-request,too-few-replicas", 2, 129652, 579398, 30},
    {"librdkafka-pr-4972", "cache-shrink,expiry,disconnect", 2, 82630, 294560, 31},
    {"librdkafka-conditional-bump", "all-but:cache-shrink,expiry", 1, 89628, 336360, 31},
    {"librdkafka-conditional-bump", "stale-view,permanent-error,purge", 2, 68087, 220979, 33},
    {"librdkafka-conditional-bump", "disconnect,message-timeout", 2, 83955, 237892, 29},
    {"librdkafka-conditional-bump", "late-request,too-few-replicas", 2, 129652, 579398, 30},
    {"librdkafka-conditional-bump", "cache-shrink,expiry,disconnect", 2, 82630, 294560, 31},
    {"librdkafka-deferred-naive", "all-but:cache-shrink,expiry", 1, 89640, 336394, 31},
    {"librdkafka-deferred-naive", "stale-view,permanent-error,purge", 2, 69365, 224535, 31},
    {"librdkafka-deferred-naive", "disconnect,message-timeout", 2, 71249, 207240, 28},
    {"librdkafka-deferred-naive", "late-request,too-few-replicas", 2, 129652, 579398, 30},
    {"librdkafka-deferred-naive", "cache-shrink,expiry,disconnect", 2, 82630, 294560, 31},
    {"librdkafka-deferred", "all-but:cache-shrink,expiry", 1, 89232, 335616, 31},
    {"librdkafka-deferred", "stale-view,permanent-error,purge", 2, 73851, 234993, 33},
    {"librdkafka-deferred", "disconnect,message-timeout", 2, 74081, 213556, 29},
    {"librdkafka-deferred", "late-request,too-few-replicas", 2, 129652, 579398, 30},
    {"librdkafka-deferred", "cache-shrink,expiry,disconnect", 2, 82630, 294560, 31},
    {"librdkafka-deferred-answered", "all-but:cache-shrink,expiry", 1, 89232, 335616, 31},
    {"librdkafka-deferred-answered", "stale-view,permanent-error,purge", 2, 69603, 226183, 30},
    {"librdkafka-deferred-answered", "disconnect,message-timeout", 2, 71249, 207240, 28},
    {"librdkafka-deferred-answered", "late-request,too-few-replicas", 2, 129652, 579398, 30},
    {"librdkafka-deferred-answered", "cache-shrink,expiry,disconnect", 2, 82630, 294560, 31},
    {"librdkafka-deferred-honest", "all-but:cache-shrink,expiry", 1, 105792, 393478, 31},
    {"librdkafka-deferred-honest", "stale-view,permanent-error,purge", 2, 73851, 234993, 33},
    {"librdkafka-deferred-honest", "disconnect,message-timeout", 2, 74081, 213556, 29},
    {"librdkafka-deferred-honest", "late-request,too-few-replicas", 2, 129652, 579398, 30},
    {"librdkafka-deferred-honest", "cache-shrink,expiry,disconnect", 2, 82630, 294560, 31},
};

class Counts : public ::testing::TestWithParam<Row> {};

TEST_P(Counts, AreExact) {
  const Row& row = GetParam();
  const auto result = run(behaviour(row.variant, row.broker), instance_w(row.faults, row.budget));
  EXPECT_EQ(result.stats.distinct, row.states);
  EXPECT_EQ(result.stats.transitions, row.transitions);
  EXPECT_EQ(result.stats.depth, row.depth);
  EXPECT_FALSE(result.stats.bounded());
}

INSTANTIATE_TEST_SUITE_P(W, Counts, ::testing::ValuesIn(kRows));

constexpr Row kOthers[] = {
    {"java-3.9", "all-but:cache-shrink,expiry", 1, 101008, 383204, 32},
    {"java-3.9", "stale-view,permanent-error", 2, 129816, 401999, 33},
    {"java-3.9", "disconnect,message-timeout", 2, 38014, 108340, 28},
    {"java-3.9", "retention,disconnect", 2, 177961, 541271, 36, "kafka-2.0-to-2.4"},
    {"java-3.9", "cache-shrink,disconnect", 2, 27175, 95796, 28, "kafka-1.0-to-1.1"},
    {"java-2.4", "all-but:cache-shrink,expiry", 1, 97474, 374770, 32},
    {"java-2.4", "retention,disconnect", 2, 80390, 274088, 35, "kafka-1.0-to-1.1"},
    {"java-2.4", "producer-restart,permanent-error", 2, 628804, 1782228, 46},
    {"librdkafka-2.15", "retention,disconnect", 2, 149117, 487109, 35, "kafka-2.0-to-2.4"},
    {"librdkafka-2.15", "retention,state-rebuilt,purge", 2, 40511, 138082, 26},
    {"librdkafka-2.15", "producer-restart,permanent-error", 2, 678956, 1875581, 46},
    {"librdkafka-2.15", "disconnect,leader-lost", 1, 48737, 172462, 35, "kafka-0.11"},
    {"librdkafka-2.15", "disconnect", 2, 42277, 130350, 31, "redpanda-21.10.2"},
    {"librdkafka-pr-4972", "leader-lost,unclean-election", 2, 869171, 3970946, 39},
    {"java-3.9", "leader-lost,unclean-election", 2, 1684393, 7449246, 40},
};

INSTANTIATE_TEST_SUITE_P(Others, Counts, ::testing::ValuesIn(kOthers));

/// Breadth-first over a std::map of whole states: slow, and too simple to be wrong.
struct Naive {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint32_t depth = 0;
};

struct Less {
  bool operator()(const spec::Model::State& a, const spec::Model::State& b) const {
    return std::memcmp(&a, &b, sizeof a) < 0;
  }
};

Naive naive_search(const spec::Model& model) {
  Naive count;
  std::map<spec::Model::State, std::uint32_t, Less> seen{{model.initial(), 0}};
  std::deque<spec::Model::State> queue{model.initial()};
  while (!queue.empty()) {
    const spec::Model::State state = queue.front();
    queue.pop_front();
    const std::uint32_t depth = seen.at(state);
    count.depth = std::max(count.depth, depth);
    for (std::size_t a = 0; a < model.action_count(); ++a) {
      if (!model.guard(a, state)) continue;
      spec::Model::State next = state;
      if (model.effect(a, next).bounds != 0) continue;
      ++count.transitions;
      if (seen.emplace(next, depth + 1).second) queue.push_back(next);
    }
  }
  count.states = seen.size();
  return count;
}

TEST(Counts, AreThoseOfANaiveSearch) {
  for (const char* variant : {"librdkafka-2.15", "librdkafka-deferred-answered"}) {
    for (const char* faults : {"leader-lost,disconnect", "late-request,permanent-error",
                               "expiry,retries-exhausted,disconnect"}) {
      const spec::Instance shape = instance(1, 3, 2, faults, 2);
      const Naive naive = naive_search(spec::Model(behaviour(variant), shape));
      const auto result = run(behaviour(variant), shape);
      EXPECT_EQ(result.stats.distinct, naive.states) << variant << " " << faults;
      EXPECT_EQ(result.stats.transitions, naive.transitions) << variant << " " << faults;
      EXPECT_EQ(result.stats.depth, naive.depth) << variant << " " << faults;
    }
  }
}

TEST(Counts, AreThoseOfANaiveSearchWithSeveralProducerIds) {
  for (const char* variant : {"librdkafka-2.15", "java-2.4", "java-3.9"}) {
    for (const char* faults : {"producer-restart,disconnect", "retention,permanent-error"}) {
      const spec::Instance shape = instance(1, 3, 2, faults, 2);
      const spec::Behaviour both = behaviour(variant, "kafka-1.0-to-1.1");
      const Naive naive = naive_search(spec::Model(both, shape));
      const auto result = run(both, shape);
      EXPECT_EQ(result.stats.distinct, naive.states) << variant << " " << faults;
      EXPECT_EQ(result.stats.transitions, naive.transitions) << variant << " " << faults;
    }
  }
}

class Steps : public ::testing::TestWithParam<const char*> {};

TEST_P(Steps, ChangeTheStateAndKeepEveryCellInItsRange) {
  // A step that changes nothing would make weak fairness of its class an empty promise.
  const spec::Behaviour both =
      behaviour(GetParam(), GetParam() == std::string("librdkafka-deferred") ? "kafka-2.5-to-4.4"
                                                                             : "kafka-1.0-to-1.1");
  spec::Instance shape =
      instance(1, 3, 2, "all,retention,state-rebuilt,producer-restart,unclean-election", 2);
  shape.max_epoch = 1;
  const spec::Model model(both, shape);
  std::map<spec::Model::State, int, Less> seen{{model.initial(), 0}};
  std::deque<spec::Model::State> queue{model.initial()};
  while (!queue.empty()) {
    const spec::Model::State state = queue.front();
    queue.pop_front();
    spec::visit_cells(state, model.rules(),
                      [](const spec::Concrete::Cell& cell, const spec::CellPlace& place) {
                        ASSERT_LE(cell.v, place.max) << place.field;
                      });
    for (std::size_t a = 0; a < model.action_count(); ++a) {
      if (!model.guard(a, state)) continue;
      spec::Model::State next = state;
      if (model.effect(a, next).bounds != 0) continue;
      ASSERT_NE(std::memcmp(&next, &state, sizeof state), 0) << spec::action_text(model.action(a));
      if (seen.size() < 60000 && seen.emplace(next, 0).second) queue.push_back(next);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Spec, Steps,
                         ::testing::Values("librdkafka-deferred", "librdkafka-2.15", "java-2.4",
                                           "java-2.7", "java-3.9", "librdkafka-deferred-race"));

}  // namespace
}  // namespace fencepost::testing
