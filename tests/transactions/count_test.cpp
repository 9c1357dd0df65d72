// Exact counts per (variant, instance): nothing else finds a silently wrong change of the model as
// fast. On smaller instances the engine is held against a naive search.
#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <map>

#include "tests/support/transaction_cases.h"

namespace fencepost::testing::transactions {
namespace {

using State = model::Model::State;

constexpr const char* kPipelined = "messages=2,in-flight=2,inputs=2,attempts=5,epochs=7,log=14";

struct Row {
  const char* client;
  const char* coordinator;
  const char* broker;
  const char* shape;
  const char* faults;
  int budget;
  std::uint64_t states;
  std::uint64_t transitions;
  std::uint32_t depth;
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.client << " " << row.coordinator << " " << row.shape << " " << row.faults;
}

constexpr Row kRows[] = {
    {"java-3.9", "kip-360", "kafka-2.5", kZombies, "none", 0, 854, 1547, 30},
    {"java-3.9", "kip-98", "kafka-2.5", kZombies, "message-timeout", 1, 6736, 12547, 42},
    {"java-3.9", "kip-360", "kafka-2.5", kZombies, "message-timeout,answer-lost", 2, 44949, 88951,
     54},
    {"librdkafka-2.15", "kip-360", "kafka-3.6", kZombies,
     "message-timeout,transaction-timeout,coordinator-move", 2, 41247, 84540, 54},
    {"java-4.0", "kip-890", "kafka-4.2", kZombies, "message-timeout,answer-lost,disconnect", 2,
     23254, 46405, 50},
    {"java-3.9", "kip-360", "kafka-2.5", kLoop, "transactional-id-expiry", 1, 24172, 47306, 70},
    {"librdkafka-2.15", "kip-360", "kafka-2.5", kLoop, "crash", 1, 5181, 11625, 47},
    {"idempotent-loop", "kip-360", "kafka-2.5", kLoop, "crash", 1, 844, 1846, 24},
    {"librdkafka-2.15", "kip-360", "kafka-2.5", kPipelined, "not-leader,disconnect", 2, 373, 551,
     66},
    {"librdkafka-pr-4972", "kip-890", "kafka-4.2", kPipelined, "not-leader,message-timeout", 2,
     1832, 2405, 62},
    {"java-4.0", "kip-890", "kafka-4.0", kPipelined, "late-produce,late-marker,application-abort",
     2, 4487, 7811, 50},
};

class TransactionCounts : public ::testing::TestWithParam<Row> {};

TEST_P(TransactionCounts, AreExact) {
  const Row& row = GetParam();
  const auto result = run(behaviour(row.client, row.coordinator, row.broker),
                          instance(row.shape, row.faults, row.budget));
  EXPECT_EQ(result.stats.distinct, row.states);
  EXPECT_EQ(result.stats.transitions, row.transitions);
  EXPECT_EQ(result.stats.depth, row.depth);
  EXPECT_FALSE(result.stats.bounded());
}

INSTANTIATE_TEST_SUITE_P(Transactions, TransactionCounts, ::testing::ValuesIn(kRows));

struct Less {
  bool operator()(const State& a, const State& b) const {
    return std::memcmp(&a, &b, sizeof a) < 0;
  }
};

/// Breadth-first over a std::map of whole states: slow, and too simple to be wrong.
void expect_as_naive(const model::Behaviour& behaviour, const model::Instance& shape) {
  const model::Model system(behaviour, shape);
  std::uint64_t transitions = 0;
  std::uint32_t deepest = 0;
  std::map<State, std::uint32_t, Less> seen{{system.initial(), 0}};
  std::deque<State> queue{system.initial()};
  while (!queue.empty()) {
    const State state = queue.front();
    queue.pop_front();
    const std::uint32_t depth = seen.at(state);
    deepest = std::max(deepest, depth);
    for (std::size_t a = 0; a < system.action_count(); ++a) {
      if (!system.guard(a, state)) continue;
      State next = state;
      if (system.effect(a, next).bounds != 0) continue;
      ++transitions;
      if (seen.emplace(next, depth + 1).second) queue.push_back(next);
    }
  }
  const auto result = run(behaviour, shape);
  EXPECT_EQ(result.stats.distinct, seen.size());
  EXPECT_EQ(result.stats.transitions, transitions);
  EXPECT_EQ(result.stats.depth, deepest);
}

TEST(TransactionCounts, AreThoseOfANaiveSearch) {
  expect_as_naive(behaviour("java-3.9"),
                  instance("attempts=3,epochs=6,log=9", "answer-lost,late-request", 2));
  expect_as_naive(behaviour("librdkafka-2.15"),
                  instance(kPipelined, "not-leader,late-produce,disconnect", 2));
  expect_as_naive(
      behaviour("java-4.0", "kip-890", "kafka-4.2"),
      instance("inputs=2,attempts=4,epochs=6,log=10", "late-marker,application-abort", 2));
  expect_as_naive(behaviour("idempotent-loop"), instance(kLoop, "crash", 1));
}

}  // namespace
}  // namespace fencepost::testing::transactions
