// Each safety property on logs and statuses made by hand: holds, and is violated by one change.
#include <gtest/gtest.h>

#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using spec::MessageStatus;
using spec::Property;
using State = spec::Model::State;

struct Bench {
  spec::Model model{behaviour("librdkafka-2.15"), instance_w("disconnect", 1)};
  State state = model.initial();

  /// Appends to partition 0 and commits.
  void append(int message, int epoch, int sequence) {
    auto& q = state.partition[0];
    q.log[q.length.v] = {{static_cast<std::uint8_t>(message)},
                         {static_cast<std::uint8_t>(epoch)},
                         {static_cast<std::uint8_t>(sequence)},
                         {0}};
    ++q.length.v;
    q.watermark = q.length;
  }
  void set(int message, MessageStatus status) {
    state.partition[0].status[message].v = static_cast<std::uint8_t>(status);
  }
  [[nodiscard]] bool violated(Property property) const {
    return ((model.violations(state) >> static_cast<unsigned>(property)) & 1U) != 0;
  }
};

TEST(Properties, HoldInitially) { EXPECT_EQ(Bench().model.violations(Bench().state), 0U); }

TEST(Properties, TwoCommittedCopiesAreADuplicate) {
  Bench bench;
  bench.append(1, 0, 1);
  bench.append(1, 1, 0);
  EXPECT_TRUE(bench.violated(Property::kNoDuplicate));
  EXPECT_FALSE(bench.violated(Property::kWellFormed)) << "the log itself looks fine";
  EXPECT_EQ(bench.model.violated_partition(bench.state, Property::kNoDuplicate), 0);
  --bench.state.partition[0].watermark.v;
  EXPECT_FALSE(bench.violated(Property::kNoDuplicate)) << "an uncommitted copy may still be cut";
}

TEST(Properties, FirstCopiesDecideTheOrder) {
  Bench bench;
  bench.append(2, 0, 1);
  EXPECT_FALSE(bench.violated(Property::kInOrder)) << "message 1 may have failed";
  bench.append(1, 0, 2);
  EXPECT_TRUE(bench.violated(Property::kInOrder));
  Bench again;
  again.append(1, 0, 1);
  again.append(2, 0, 2);
  again.append(1, 1, 0);
  EXPECT_FALSE(again.violated(Property::kInOrder)) << "a second copy is a duplicate, not disorder";
}

TEST(Properties, DeliveredMeansBelowTheWatermark) {
  Bench bench;
  bench.append(1, 0, 1);
  bench.set(1, MessageStatus::kDelivered);
  EXPECT_FALSE(bench.violated(Property::kNoLoss));
  --bench.state.partition[0].watermark.v;
  EXPECT_TRUE(bench.violated(Property::kNoLoss));
}

TEST(Properties, AFalseFailureIsOneThatNothingExcuses) {
  Bench bench;
  bench.set(1, MessageStatus::kFailed);
  EXPECT_FALSE(bench.violated(Property::kNoFalseFailure));
  bench.set(1, MessageStatus::kFailedFalsely);
  EXPECT_TRUE(bench.violated(Property::kNoFalseFailure));
  Bench fatal;
  fatal.state.mode.v = static_cast<std::uint8_t>(spec::Mode::kFatalExcused);
  EXPECT_FALSE(fatal.violated(Property::kNoFalseFailure));
  fatal.state.mode.v = static_cast<std::uint8_t>(spec::Mode::kFatal);
  EXPECT_TRUE(fatal.violated(Property::kNoFalseFailure));
}

TEST(Properties, NotPersistedMustBeTrue) {
  Bench bench;
  bench.append(1, 0, 1);
  bench.set(1, MessageStatus::kFailed);
  EXPECT_TRUE(bench.violated(Property::kHonestStatus));
  bench.state.partition[0].possibly[1].v = 1;
  EXPECT_FALSE(bench.violated(Property::kHonestStatus));
}

TEST(Properties, SequencesAreContiguousPerEpochAndEpochsOnlyGrow) {
  Bench bench;
  bench.append(1, 0, 1);
  bench.append(2, 1, 0);
  EXPECT_FALSE(bench.violated(Property::kWellFormed));
  Bench gap;
  gap.append(1, 0, 2);
  EXPECT_TRUE(gap.violated(Property::kWellFormed));
  Bench late_start;
  late_start.append(1, 1, 1);
  EXPECT_TRUE(late_start.violated(Property::kWellFormed));
  Bench back;
  back.append(1, 1, 0);
  back.append(2, 0, 0);
  EXPECT_TRUE(back.violated(Property::kWellFormed));
}

TEST(Properties, EndedIsEveryMessageOverOrTheProducerFatal) {
  Bench bench;
  EXPECT_FALSE(bench.model.ended(bench.state));
  for (int p = 0; p < 2; ++p) {
    for (int m = 0; m < 4; ++m) {
      bench.state.partition[p].status[m].v = static_cast<std::uint8_t>(MessageStatus::kDelivered);
    }
  }
  EXPECT_TRUE(bench.model.ended(bench.state));
  Bench fatal;
  fatal.state.mode.v = static_cast<std::uint8_t>(spec::Mode::kFatal);
  EXPECT_TRUE(fatal.model.ended(fatal.state));
}

}  // namespace
}  // namespace fencepost::testing
