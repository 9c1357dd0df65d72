// Unclean elections: what is cut, what excuses what, and where the properties keep their words.
#include <gtest/gtest.h>

#include "spec/instance_text.h"
#include "spec/lemmas.h"
#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using spec::Concrete;
using spec::Property;
using State = spec::Model::State;

/// Partition 0 without a leader: three entries, of which the last is not committed.
struct Bench {
  spec::Model model{behaviour("librdkafka-2.15"), instance(1, 3, 2, kFaults, 3)};
  State state = model.initial();
  Concrete d;

  static constexpr const char* kFaults = "leader-lost,unclean-election,retention,cache-shrink";

  Bench() {
    auto& q = state.partition[0];
    q.log[1] = {{1}, {0}, {1}, {0}};
    q.log[2] = {{2}, {0}, {2}, {0}};
    q.length.v = 3;
    q.watermark.v = 2;
    q.leader.v = spec::kNobody;
    q.aware.v = 0;
    q.status[1].v = static_cast<std::uint8_t>(spec::MessageStatus::kDelivered);
  }
  spec::Partition<Concrete>& q() { return state.partition[0]; }
  /// Elects broker 1 without its last `lost` entries; false if that cannot happen.
  bool elect(int lost) {
    for (std::size_t a = 0; a < model.action_count(); ++a) {
      const spec::Action& x = model.action(a);
      if (x.kind != spec::ActionKind::kElectUncleanly || x.a != 1 || x.b != lost) continue;
      if (!model.guard(a, state)) return false;
      EXPECT_EQ(model.effect(a, state).bounds, 0U);
      return true;
    }
    return false;
  }
  bool violated(Property property) { return model.violated_partition(state, property) >= 0; }
};

TEST(UncleanElection, CutsBelowTheWatermarkWhichFallsToTheCut) {
  Bench bench;
  EXPECT_FALSE(bench.elect(1)) << "that loses nothing committed: a clean election does it";
  EXPECT_TRUE(bench.elect(2));
  EXPECT_EQ(bench.q().length.v, 1);
  EXPECT_EQ(bench.q().watermark.v, 1);
  EXPECT_EQ(bench.q().leader.v, 2);
  EXPECT_EQ(bench.q().aware.v, 0);
  EXPECT_EQ(bench.q().log[1].message.v, 0) << "unused slots are zero";
  EXPECT_EQ(bench.state.faults_used.v, 1);
}

TEST(UncleanElection, NeedsAPartitionWithoutALeader) {
  Bench bench;
  bench.q().leader.v = 1;
  EXPECT_FALSE(bench.elect(3));
}

TEST(UncleanElection, LosesNoRecordsThatWereDeleted) {
  Bench bench;
  bench.q().log_start.v = 1;
  EXPECT_FALSE(bench.elect(3));
  EXPECT_TRUE(bench.elect(2));
}

TEST(UncleanElection, LosesTheAcknowledgedMessageAndSaysSo) {
  Bench bench;
  EXPECT_FALSE(bench.violated(Property::kNoLoss));
  EXPECT_TRUE(bench.elect(2));
  EXPECT_TRUE(bench.violated(Property::kNoLoss));
  for (const Property other : {Property::kNoDuplicate, Property::kInOrder, Property::kHonestStatus,
                               Property::kWellFormed, Property::kNoFalseFailure}) {
    EXPECT_FALSE(bench.violated(other)) << static_cast<int>(other);
  }
}

TEST(UncleanElection, TheBrokerKnowsWhatItsLogHolds) {
  Bench bench;
  bench.q().cache_from.v = 2;
  EXPECT_TRUE(bench.elect(2));
  EXPECT_EQ(bench.q().cache_from.v, 0) << "the last batch is known again";
}

TEST(UncleanElection, ExcusesAFatalErrorOfThatPartitionOnly) {
  for (const bool unclean : {false, true}) {
    Bench bench;
    if (unclean) {
      EXPECT_TRUE(bench.elect(2));
    }
    spec::Client<Concrete>{bench.d, bench.state, bench.model.rules()}.fatal(0);
    EXPECT_EQ(bench.violated(Property::kNoFalseFailure), !unclean);
  }
  const spec::Model two(behaviour("librdkafka-2.15"),
                        instance(2, 2, 2, "leader-lost,unclean-election", 2));
  State state = two.initial();
  state.partition[1].cut_below.v = 1;
  Concrete d;
  spec::Client<Concrete>{d, state, two.rules()}.fatal(0);
  EXPECT_GE(two.violated_partition(state, Property::kNoFalseFailure), 0);
}

TEST(UncleanElection, IsInNoSetOfFaultsThatDoesNotNameIt) {
  EXPECT_FALSE(spec::parse_faults("all", 1).allows(spec::Fault::kUncleanElection));
  // Without a leader lost there is nothing to elect.
  for (const char* faults : {"all", "unclean-election", "unclean-election@1,leader-lost@0"}) {
    const spec::Model model(behaviour("librdkafka-2.15"), instance(2, 2, 2, faults, 2));
    for (std::size_t a = 0; a < model.action_count(); ++a) {
      EXPECT_NE(model.action(a).kind, spec::ActionKind::kElectUncleanly) << faults;
    }
  }
}

TEST(UncleanElection, NoLemmasAreClaimed) {
  const auto claimed = [](const char* faults) {
    return spec::lemmas_claimed({behaviour("librdkafka-deferred"), instance(2, 2, 2, faults, 1)});
  };
  EXPECT_TRUE(claimed("leader-lost"));
  EXPECT_FALSE(claimed("leader-lost,unclean-election"));
}

}  // namespace
}  // namespace fencepost::testing
