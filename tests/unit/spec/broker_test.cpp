// The producer-state check, row by row of the version table: what a broker answers to a request
// with a given stamp, on a log made by hand.
#include <gtest/gtest.h>

#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using spec::Concrete;
using spec::Stage;
using State = spec::Model::State;

struct Entry {
  int epoch;
  int sequence;
};

/// One partition whose log holds these entries, all committed but the last `uncommitted`.
struct Bench {
  spec::Rules rules{behaviour("librdkafka-2.15"), instance(1, 6, 5, "cache-shrink,expiry", 1)};
  State state{};

  explicit Bench(const std::vector<Entry>& log, int uncommitted = 0) {
    rules.instance.log = 12;
    Concrete d;
    spec::set_initial(d, state, rules);
    auto& q = state.partition[0];
    for (std::size_t i = 0; i < log.size(); ++i) {
      q.log[i] = {{static_cast<std::uint8_t>(i)},
                  {static_cast<std::uint8_t>(log[i].epoch)},
                  {static_cast<std::uint8_t>(log[i].sequence)},
                  {0}};
    }
    q.length.v = static_cast<std::uint8_t>(log.size());
    q.watermark.v = static_cast<std::uint8_t>(log.size() - static_cast<std::size_t>(uncommitted));
  }

  /// The stage after taking a request with that stamp.
  Stage take(int epoch, int sequence) {
    auto& q = state.partition[0];
    q.in_flight.v = 1;
    q.target = q.leader;
    q.request[0] = {{6},
                    {static_cast<std::uint8_t>(epoch)},
                    {static_cast<std::uint8_t>(sequence)},
                    {static_cast<std::uint8_t>(Stage::kSent)}};
    Concrete d;
    spec::Broker<Concrete> broker{d, state, rules};
    EXPECT_TRUE(broker.can_take(0).value());
    broker.take(0);
    return static_cast<Stage>(q.request[0].stage.v);
  }
};

const std::vector<Entry> kSixOfEpochZero{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}};

TEST(BrokerCheck, TheNextSequenceIsAppended) {
  Bench bench({{0, 0}, {0, 1}});
  EXPECT_EQ(bench.take(0, 2), Stage::kWaiting);
  EXPECT_EQ(bench.state.partition[0].length.v, 3);
}

TEST(BrokerCheck, AGapIsOutOfOrder) {
  Bench bench({{0, 0}, {0, 1}});
  EXPECT_EQ(bench.take(0, 3), Stage::kOutOfOrder);
  EXPECT_EQ(bench.state.partition[0].length.v, 2);
}

TEST(BrokerCheck, AnExactDuplicateIsAcknowledgedAndNotAppended) {
  Bench bench({{0, 0}, {0, 1}});
  EXPECT_EQ(bench.take(0, 1), Stage::kOk);
  EXPECT_EQ(bench.state.partition[0].length.v, 2);
}

TEST(BrokerCheck, ADuplicateAboveTheWatermarkWaitsForIt) {
  Bench bench({{0, 0}, {0, 1}}, 1);
  EXPECT_EQ(bench.take(0, 1), Stage::kWaiting);
  EXPECT_EQ(bench.state.partition[0].length.v, 2);
}

TEST(BrokerCheck, TheFifthLastIsRememberedAndTheSixthIsNot) {
  EXPECT_EQ(Bench(kSixOfEpochZero).take(0, 1), Stage::kOk);
  EXPECT_EQ(Bench(kSixOfEpochZero).take(0, 0), Stage::kOutOfOrder);
}

TEST(BrokerCheck, ACacheOfOneRemembersTheLastOnly) {
  Bench bench(kSixOfEpochZero);
  bench.rules.behaviour.cache_size = 1;
  EXPECT_EQ(bench.take(0, 5), Stage::kOk);
  Bench other(kSixOfEpochZero);
  other.rules.behaviour.cache_size = 1;
  EXPECT_EQ(other.take(0, 4), Stage::kOutOfOrder);
}

TEST(BrokerCheck, ALowerEpochIsInvalidEvenIfItsStampStandsInTheLog) {
  EXPECT_EQ(Bench({{0, 0}, {1, 0}}).take(0, 0), Stage::kInvalidEpoch);
}

TEST(BrokerCheck, ANewEpochStartsAtZero) {
  EXPECT_EQ(Bench({{0, 0}}).take(1, 0), Stage::kWaiting);
  EXPECT_EQ(Bench({{0, 0}}).take(1, 1), Stage::kOutOfOrder);
}

TEST(BrokerCheck, WithoutAnEntryTheRuleDependsOnTheVersion) {
  Bench fresh({});
  EXPECT_EQ(fresh.take(0, 3), Stage::kWaiting);  // 2.5 to 4.4
  Bench fresh_45({});
  fresh_45.rules.behaviour.no_entry = spec::NoEntry::kZeroOnFreshLog;
  EXPECT_EQ(fresh_45.take(0, 3), Stage::kOutOfOrder);
  Bench expired_45({{0, 0}, {0, 1}});
  expired_45.rules.behaviour.no_entry = spec::NoEntry::kZeroOnFreshLog;
  expired_45.state.partition[0].cache_from.v = 2;
  EXPECT_EQ(expired_45.take(0, 1), Stage::kWaiting);  // the log has held records
  Bench strict({{0, 0}, {0, 1}});
  strict.rules.behaviour.no_entry = spec::NoEntry::kZero;
  strict.state.partition[0].cache_from.v = 2;
  EXPECT_EQ(strict.take(0, 1), Stage::kOutOfOrder);
}

TEST(BrokerCheck, AShrunkCacheKnowsTheLastBatchOnly) {
  Bench bench(kSixOfEpochZero);
  bench.state.partition[0].cache_from.v = 5;
  EXPECT_EQ(bench.take(0, 5), Stage::kOk);
  Bench other(kSixOfEpochZero);
  other.state.partition[0].cache_from.v = 5;
  EXPECT_EQ(other.take(0, 4), Stage::kOutOfOrder);
}

TEST(BrokerCheck, ALeaderThatDoesNotKnowItRefuses) {
  Bench bench({{0, 0}});
  bench.state.partition[0].aware.v = 0;
  EXPECT_EQ(bench.take(0, 1), Stage::kNotLeader);
}

TEST(BrokerCheck, AFullLogHitsItsBoundAndAppendsNothing) {
  Bench bench({{0, 0}});
  bench.rules.instance.log = 7;
  bench.state.partition[0].length.v = 7;
  Concrete d;
  spec::Broker<Concrete> broker{d, bench.state, bench.rules};
  broker.add(bench.state.partition[0], 1, 0, 1, Concrete::Bool(true));
  EXPECT_EQ(d.bounds_hit(), 1U << static_cast<unsigned>(spec::Bound::kLog));
  EXPECT_EQ(bench.state.partition[0].length.v, 7);
}

}  // namespace
}  // namespace fencepost::testing
