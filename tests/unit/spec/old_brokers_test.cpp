// What older brokers answer, what retention makes them forget, and how two producer ids stand in
// one log: on logs made by hand.
#include <gtest/gtest.h>

#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using spec::Concrete;
using spec::Mode;
using spec::Stage;

/// One partition whose log holds these stamps, all committed.
struct Bench {
  spec::Rules rules;
  spec::Model::State state{};
  Concrete d;

  Bench(const std::string& client, const std::string& broker,
        const std::vector<std::pair<int, int>>& log,
        const std::string& faults = "retention,state-rebuilt,producer-restart")
      : rules{behaviour(client, broker), instance(1, 6, 5, faults, 3)} {
    rules.instance.log = 12;
    spec::set_initial(d, state, rules);
    for (std::size_t i = 0; i < log.size(); ++i) {
      q().log[i] = {{static_cast<std::uint8_t>(i)},
                    {static_cast<std::uint8_t>(log[i].first)},
                    {static_cast<std::uint8_t>(log[i].second)},
                    {0}};
    }
    q().length.v = q().watermark.v = static_cast<std::uint8_t>(log.size());
  }
  spec::Partition<Concrete>& q() { return state.partition[0]; }
  spec::FaultSteps<Concrete> faults() { return {d, state, rules}; }
  spec::Client<Concrete> client() { return {d, state, rules}; }

  Stage take(int epoch, int sequence) {
    q().in_flight.v = 1;
    q().target = q().leader;
    q().request[0] = {{6},
                      {static_cast<std::uint8_t>(epoch)},
                      {static_cast<std::uint8_t>(sequence)},
                      {static_cast<std::uint8_t>(Stage::kSent)}};
    spec::Broker<Concrete>{d, state, rules}.take(0);
    return static_cast<Stage>(q().request[0].stage.v);
  }
};

constexpr const char* kClient = "librdkafka-2.15";
const std::vector<std::pair<int, int>> kSeven{{0, 0}, {0, 1}, {0, 2}, {0, 3},
                                              {0, 4}, {0, 5}, {0, 6}};

TEST(OldBrokers, RetentionTakesTheProducersStateWithItsRecords) {
  Bench bench(kClient, "kafka-2.0-to-2.4", {{0, 0}, {0, 1}, {0, 2}});
  EXPECT_FALSE(bench.faults().can_delete(0, 4).value()) << "only what is committed";
  bench.faults().delete_records(0, 2);
  EXPECT_EQ(bench.q().cache_from.v, 2);
  EXPECT_EQ(bench.take(0, 3), Stage::kWaiting) << "one batch is left to know it by";
  Bench gone(kClient, "kafka-2.0-to-2.4", {{0, 0}, {0, 1}, {0, 2}});
  gone.faults().delete_records(0, 3);
  EXPECT_EQ(gone.take(0, 3), Stage::kUnknownProducerId);
  EXPECT_EQ(gone.take(0, 0), Stage::kWaiting) << "sequence 0 is anybody's";
}

TEST(OldBrokers, StateKeptInMemoryIsGoneWithARebuild) {
  Bench bench(kClient, "kafka-2.5-to-4.4", {{0, 0}, {0, 1}});
  bench.faults().delete_records(0, 2);
  EXPECT_EQ(bench.take(0, 1), Stage::kOk) << "a duplicate of a deleted record";
  ASSERT_TRUE(bench.faults().can_rebuild(0).value());
  bench.faults().rebuild(0);
  EXPECT_FALSE(bench.faults().can_rebuild(0).value());
  EXPECT_EQ(bench.take(0, 1), Stage::kWaiting) << "appended again";
}

TEST(OldBrokers, SayWhatTheyThinkOfAStampOlderThanTheCache) {
  EXPECT_EQ(Bench(kClient, "kafka-1.0-to-1.1", kSeven).take(0, 1), Stage::kDuplicateSequence);
  EXPECT_EQ(Bench(kClient, "kafka-2.0-to-2.4", kSeven).take(0, 1), Stage::kOutOfOrder);
  EXPECT_EQ(Bench(kClient, "kafka-1.0-to-1.1", kSeven).take(0, 2), Stage::kOk) << "in the cache";
  EXPECT_EQ(Bench(kClient, "kafka-0.11", kSeven).take(0, 5), Stage::kOutOfOrder);
  EXPECT_EQ(Bench(kClient, "redpanda-21.10.2", kSeven).take(0, 6), Stage::kOutOfOrder);
}

TEST(ProducerIds, AreCheckedEachByItsOwnBatches) {
  // A new id for every bump: 0 and 1 are two producers.
  Bench bench("java-2.4", "kafka-2.0-to-2.4", {{0, 0}, {0, 1}, {1, 0}});
  EXPECT_EQ(bench.take(0, 2), Stage::kWaiting) << "the older id is still next in sequence";
  EXPECT_EQ(bench.take(1, 1), Stage::kWaiting);
  EXPECT_EQ(bench.take(2, 1), Stage::kUnknownProducerId);
  EXPECT_EQ(bench.take(2, 0), Stage::kWaiting);
  EXPECT_EQ(bench.take(0, 1), Stage::kOk) << "a duplicate among its own last five";
}

TEST(ProducerIds, ARestartTakesTheNextAndHandsEverythingOverAgain) {
  Bench bench(kClient, "kafka-2.5-to-4.4", {{0, 0}});
  bench.client().send(0);
  bench.client().send(0);
  bench.state.mode.v = static_cast<std::uint8_t>(Mode::kFatal);
  ASSERT_TRUE(bench.faults().can_restart().value());
  bench.faults().restart();
  EXPECT_EQ(bench.state.epoch.v, bench.rules.span()) << "the first epoch of the next id";
  EXPECT_EQ(static_cast<Mode>(bench.state.mode.v), Mode::kAssigned);
  EXPECT_EQ(bench.q().in_flight.v, 0);
  bench.client().send(0);
  EXPECT_EQ(bench.q().request[0].message.v, 1);
  EXPECT_EQ(bench.q().request[0].sequence.v, 0);
  EXPECT_EQ(bench.q().request[0].epoch.v, bench.rules.span());
}

TEST(Epochs, BeyondTheHighestWrapOrAreThoseOfANewId) {
  Bench wraps(kClient, "kafka-2.5-to-4.4", {{0, 0}}, "permanent-error");
  wraps.rules.instance.max_epoch = 2;
  wraps.state.epoch.v = 2;
  wraps.client().bump();
  EXPECT_EQ(wraps.state.epoch.v, 0);
  Bench fresh("java-3.9", "kafka-2.5-to-4.4", {{0, 0}}, "permanent-error");
  fresh.rules.instance.max_epoch = 2;
  fresh.state.epoch.v = 2;
  fresh.client().bump();
  EXPECT_EQ(fresh.state.epoch.v, 3);
  using Numbering = spec::Numbering<Concrete>;
  EXPECT_FALSE(Numbering::same_id(fresh.rules, 2, 3).value());
  EXPECT_TRUE(Numbering::same_id(fresh.rules, 0, 2).value());
}

TEST(UnknownProducerId, ToLibrdkafkaIsABumpOnAFirstAttemptAndFatalOnARetry) {
  for (const bool retried : {false, true}) {
    Bench bench(kClient, "kafka-2.0-to-2.4", {{0, 0}});
    bench.client().send(0);
    spec::Answers<Concrete> answers{bench.d, bench.state, bench.rules};
    if (retried) {
      bench.q().request[0].stage.v = static_cast<std::uint8_t>(Stage::kNotLeader);
      answers.receive(0, false);
      bench.client().send(0);
    }
    bench.q().request[0].stage.v = static_cast<std::uint8_t>(Stage::kUnknownProducerId);
    answers.receive(0, false);
    EXPECT_EQ(static_cast<Mode>(bench.state.mode.v), retried ? Mode::kFatal : Mode::kDraining);
  }
}

TEST(UnknownProducerId, ToJava24RestartsTheSequencesIfAllThatWasAcknowledgedIsGone) {
  for (const int start : {0, 1}) {
    Bench bench("java-2.4", "kafka-2.0-to-2.4", {{0, 0}});
    bench.q().log_start.v = static_cast<std::uint8_t>(start);
    bench.client().send(0);
    bench.q().request[0].stage.v = static_cast<std::uint8_t>(Stage::kUnknownProducerId);
    spec::Answers<Concrete>{bench.d, bench.state, bench.rules}.receive(0, false);
    const auto status = static_cast<spec::MessageStatus>(bench.q().status[1].v);
    EXPECT_EQ(status,
              start == 1 ? spec::MessageStatus::kRetry : spec::MessageStatus::kFailedFalsely);
    EXPECT_EQ(bench.q().sequence[1].v, 0);
  }
}

}  // namespace
}  // namespace fencepost::testing
