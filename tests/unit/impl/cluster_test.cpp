// The cluster: connections in order, the purgatory, replication, hints, the in-sync replicas.
#include "impl/cluster.h"

#include <gtest/gtest.h>

#include "spec/instance_text.h"
#include "spec/variant.h"

namespace fencepost::impl {
namespace {

class ClusterTest : public ::testing::Test {
 protected:
  ClusterTest() {
    const std::string spec = FENCEPOST_SOURCE_DIR "/spec";
    behaviour_ = spec::combine(spec::load_variant("librdkafka-2.15", spec + "/variants"),
                               spec::load_variant("kafka-2.5-to-4.4", spec + "/brokers"));
    instance_.partitions = 2;
    instance_.messages = 3;
    instance_.warm = 0;
    instance_.in_flight = 3;
    instance_.brokers = 2;
    instance_.faults = spec::parse_faults("all", 15);
    start({});
  }

  void start(const Grain& grain) {
    rules_ = rules_for(behaviour_, instance_, grain);
    state_ = Cluster<Large>(rules_, observer_).initial();
  }
  [[nodiscard]] bool can(const std::string& text) {
    return Cluster<Large>(rules_, observer_).guard(choice(text), state_);
  }
  void take(const std::string& text) {
    ASSERT_TRUE(can(text)) << text;
    Cluster<Large>(rules_, observer_).apply(choice(text), state_);
  }
  static Choice choice(const std::string& text) {
    Choice choice;
    EXPECT_TRUE(read_choice(text, choice)) << text;
    return choice;
  }
  void take_all(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) take(text);
  }
  [[nodiscard]] const Request<Large>& request(int broker, int i) const {
    return state_.connection[static_cast<std::size_t>(broker)].requests[i];
  }
  [[nodiscard]] const Replica<Large>& replica(int broker, int p) const {
    return state_.replica[static_cast<std::size_t>(broker)][static_cast<std::size_t>(p)];
  }

  spec::Behaviour behaviour_;
  spec::Instance instance_;
  ClusterRules rules_;
  NoObserver observer_;
  ClusterState<Large> state_;
};

TEST_F(ClusterTest, ABrokerTakesOneRequestOfAConnectionAtATime) {
  take_all({"send partition=0", "send partition=0", "take partition=0"});
  EXPECT_FALSE(can("take partition=0"));  // the first waits for the watermark
  EXPECT_FALSE(can("receive partition=0"));
  take_all({"fetch partition=0 a=1", "advance-watermark partition=0"});
  EXPECT_TRUE(can("take partition=0"));
  EXPECT_TRUE(can("receive partition=0"));
}

TEST_F(ClusterTest, PartitionsShareTheirLeadersConnection) {
  take_all({"lose-leader partition=1", "elect partition=1 a=0", "learn-leadership partition=1",
            "learn-leader partition=1", "send partition=0", "send partition=1"});
  EXPECT_FALSE(can("take partition=1"));
  take("take partition=0");
  EXPECT_FALSE(can("take partition=1"));  // partition 0's request waits
}

TEST_F(ClusterTest, WhoeverWaitsIsToldNotLeaderBesideItsOffset) {
  take_all({"send partition=0", "take partition=0", "lose-leader partition=0"});
  EXPECT_TRUE(request(0, 0).error == ErrorCode::kNotLeader);
  EXPECT_EQ(request(0, 0).has_offset, 1);
  take_all({"receive partition=0", "elect partition=0 a=0", "send partition=0"});
  take("take partition=0");  // it does not know yet that it leads again
  EXPECT_TRUE(request(0, 0).error == ErrorCode::kNotLeader);
  EXPECT_EQ(request(0, 0).has_offset, 0);
}

TEST_F(ClusterTest, AnElectionCutsWhatTheNewLeaderDoesNotHave) {
  take_all(
      {"send partition=0", "take partition=0", "lose-leader partition=0", "elect partition=0 a=1"});
  EXPECT_EQ(replica(0, 0).end(), 0);
  EXPECT_EQ(replica(0, 0).producer.known, 0);
}

TEST_F(ClusterTest, LateRequestsOfAConnectionStayInOrder) {
  take_all({"send partition=0", "send partition=0", "disconnect-late a=0"});
  EXPECT_EQ(state_.late.size(), 2);
  EXPECT_TRUE(can("take-late partition=0 a=0"));
  EXPECT_FALSE(can("take-late partition=0 a=1"));  // behind the other
  take("take-late partition=0 a=0");
  EXPECT_EQ(replica(0, 0).end(), 1);
  EXPECT_TRUE(can("take-late partition=0 a=0"));
}

TEST_F(ClusterTest, AClosedConnectionFailsAllPartitionsOnIt) {
  take_all({"lose-leader partition=1", "elect partition=1 a=0", "learn-leader partition=1",
            "send partition=0", "send partition=1", "disconnect a=0"});
  EXPECT_EQ(state_.producer.partitions_in_flight, 0);
  EXPECT_FALSE(can("receive partition=0"));
  EXPECT_TRUE(can("send partition=1"));
}

TEST_F(ClusterTest, ThePurgatoryExpiresWithItsPresetError) {
  take_all({"send partition=0", "take partition=0", "request-timeout partition=0"});
  EXPECT_TRUE(request(0, 0).error == ErrorCode::kRequestTimedOut);
  EXPECT_EQ(request(0, 0).has_offset, 1);
}

/// The new leader does not know of its election and points back at the old one, which points at it:
/// the client's epoch check ends that.
TEST_F(ClusterTest, TwoBrokersPointAtEachOther) {
  Grain grain;
  grain.leader_hints = true;
  start(grain);
  take_all(
      {"send partition=0", "lose-leader partition=0", "elect partition=0 a=1", "take partition=0"});
  EXPECT_EQ(request(0, 0).hint, 2);
  take("receive partition=0");
  const auto& q = state_.producer.partition[0];
  EXPECT_EQ(q.leader, 2);  // learnt from the hint
  take_all({"send partition=0", "take partition=0"});
  EXPECT_EQ(request(1, 0).hint, 1);
  EXPECT_EQ(request(1, 0).hint_epoch, 0);
  take("receive partition=0");
  EXPECT_EQ(q.leader, 2);  // the older epoch is ignored
}

TEST_F(ClusterTest, TooFewInSyncReplicasRefuseAndHoldTheWatermark) {
  Grain grain;
  grain.changing_isr = true;
  start(grain);
  take_all(
      {"send partition=0", "send partition=0", "take partition=0", "shrink-isr partition=0 a=1"});
  EXPECT_FALSE(can("advance-watermark partition=0"));
  EXPECT_TRUE(can("expand-isr partition=0 a=1"));  // its log reaches the watermark
  take_all({"request-timeout partition=0", "take partition=0"});
  EXPECT_TRUE(request(0, 1).error == ErrorCode::kNotEnoughReplicas);
  EXPECT_EQ(request(0, 1).has_offset, 0);
  take("lose-leader partition=0");
  EXPECT_FALSE(can("elect partition=0 a=1"));  // a clean election takes in-sync replicas only
}

TEST_F(ClusterTest, AWatermarkMayStopShort) {
  Grain grain;
  grain.partial_watermark = true;
  start(grain);
  take_all({"send partition=0", "send partition=0", "take partition=0", "fetch partition=0 a=1",
            "request-timeout partition=0", "take partition=0", "advance-watermark partition=0"});
  EXPECT_EQ(replica(0, 0).watermark, 1);
  EXPECT_TRUE(request(0, 1).stage == RequestStage::kWaiting);
}

TEST_F(ClusterTest, AReplicaThatHeardNothingBringsItsSuffixBack) {
  Grain grain;
  grain.lagging_truncation = true;
  start(grain);
  take_all({"send partition=0", "take partition=0", "lose-leader partition=0",
            "elect partition=0 a=1", "learn-leadership partition=0"});
  EXPECT_EQ(replica(0, 0).end(), 1);
  take_all({"lose-leader partition=0", "elect partition=0 a=0", "learn-leadership partition=0"});
  EXPECT_EQ(replica(0, 0).end(), 1);
  take_all({"follow partition=0 a=1", "fetch partition=0 a=1", "advance-watermark partition=0"});
  EXPECT_EQ(replica(1, 0).watermark, 1);
}

TEST_F(ClusterTest, BudgetsAreKept) {
  instance_.faults = spec::parse_faults("disconnect=1,purge", 2);
  start({});
  take_all({"send partition=0", "disconnect a=0", "send partition=0"});
  EXPECT_FALSE(can("disconnect a=0"));
  take("purge partition=1 a=0");
  EXPECT_FALSE(can("purge partition=1 a=1"));
}

TEST(Coordinator, GivesAFreshIdEachTime) {
  CoordinatorState<Large> state;
  const CoordinatorEvent ask{CoordinatorEvent::Kind::kInitProducerId};
  EXPECT_EQ(step(state, ask), (CoordinatorAnswer{0, 0}));
  EXPECT_EQ(step(state, ask), (CoordinatorAnswer{1, 0}));
}

}  // namespace
}  // namespace fencepost::impl
