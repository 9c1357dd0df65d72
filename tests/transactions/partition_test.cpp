// A leader's checks of a write and of a marker.
#include <gtest/gtest.h>

#include "tests/support/transaction_cases.h"

namespace fencepost::testing::transactions {
namespace {

using model::EntryKind;
using model::TransactionState;
using spec::Concrete;
using State = model::Model::State;

struct Fixture {
  model::Rules rules;
  State s{};

  explicit Fixture(const std::string& broker, const std::string& client = "java-3.9",
                   const std::string& coordinator = "kip-360")
      : rules{behaviour(client, coordinator, broker),
              instance("messages=2,attempts=4,ids=2,log=8,epochs=6")} {
    s.coordinator.mapped.v = 1;
    s.coordinator.pid.v = 1;
    s.coordinator.state.v = static_cast<std::uint8_t>(TransactionState::kOngoing);
    s.coordinator.added[0].v = 1;
  }
  /// What comes of a write: "appended", "duplicate", ...
  std::string write(int pid, int epoch, int sequence) {
    Concrete d;
    model::PartitionSteps<Concrete> leader{d, s, rules};
    const model::Write<Concrete> w{pid, epoch, sequence, 1, 0, 0, 0};
    const auto rows = leader.write_rows(0, w);
    if (rows.waits.value()) return "waits";
    leader.write(0, w, rows);
    if (rows.duplicate.value()) return "duplicate";
    if (rows.unmapped.value()) return "unmapped";
    if (rows.unverified.value()) return "unverified";
    if (rows.old_epoch.value()) return "old epoch";
    if (rows.out_of_order.value()) return "out of order";
    return rows.appended.value() ? "appended" : "nothing";
  }
  bool marker(int pid, int epoch, bool commit) {
    Concrete d;
    model::PartitionSteps<Concrete> leader{d, s, rules};
    if (!leader.accepts_marker(0, pid, epoch).value()) return false;
    leader.apply_marker(0, pid, epoch, Concrete::Bool(commit));
    return true;
  }
  [[nodiscard]] EntryKind entry(int offset) const {
    return static_cast<EntryKind>(s.partition[0].log[offset].kind.v);
  }
};

TEST(Write, IsCheckedForDuplicateEpochAndSequence) {
  Fixture f("kafka-2.5");
  EXPECT_EQ(f.write(1, 1, 0), "appended");
  EXPECT_EQ(f.write(1, 1, 0), "duplicate");
  EXPECT_EQ(f.write(1, 1, 2), "out of order");
  EXPECT_EQ(f.write(1, 1, 1), "appended");
  EXPECT_EQ(f.write(1, 0, 0), "old epoch");
  EXPECT_EQ(f.write(1, 2, 1), "out of order");
  EXPECT_EQ(f.write(1, 2, 0), "appended");
  EXPECT_EQ(f.write(1, 1, 0), "old epoch");  // a stamp of an old epoch is no duplicate
  EXPECT_EQ(f.s.partition[0].length.v, 3);
}

TEST(Write, OfAnUnknownProducerDependsOnTheBroker) {
  Fixture any("kafka-2.5");
  EXPECT_EQ(any.write(1, 0, 1), "appended");
  EXPECT_EQ(any.write(1, 0, 0), "out of order");  // what lies before the first is no duplicate
  EXPECT_EQ(any.write(1, 0, 1), "duplicate");
  Fixture zero("kafka-4.2", "java-4.0", "kip-890");
  EXPECT_EQ(zero.write(1, 0, 1), "out of order");
  EXPECT_EQ(zero.write(1, 0, 0), "appended");
}

TEST(Write, TheFirstOfATransactionIsVerified) {
  Fixture f("kafka-3.6");
  EXPECT_EQ(f.write(2, 0, 0), "unmapped");
  EXPECT_EQ(f.write(1, 1, 0), "old epoch");  // fenced by the coordinator
  f.s.coordinator.added[0].v = 0;
  EXPECT_EQ(f.write(1, 0, 0), "unverified");
  f.s.coordinator.added[0].v = 1;
  EXPECT_EQ(f.write(1, 0, 0), "appended");
  f.s.coordinator.added[0].v = 0;
  EXPECT_EQ(f.write(1, 0, 1), "appended");  // the transaction is open here
  f.s.coordinator.state.v = static_cast<std::uint8_t>(TransactionState::kPrepareAbort);
  EXPECT_EQ(Fixture(f).write(1, 0, 2), "appended");
  f.s.partition[0].producer[1].open.v = 0;
  EXPECT_EQ(f.write(1, 0, 2), "waits");
}

TEST(Write, WithVersionTwoAddsThePartition) {
  Fixture f("kafka-4.0", "java-4.0", "kip-890");
  f.s.coordinator.added[0].v = 0;
  f.s.coordinator.state.v = static_cast<std::uint8_t>(TransactionState::kEmpty);
  EXPECT_EQ(f.write(1, 0, 0), "appended");
  EXPECT_EQ(f.s.coordinator.added[0].v, 1);
  EXPECT_EQ(f.s.coordinator.state.v, static_cast<int>(TransactionState::kOngoing));
  f.s.coordinator.state.v = static_cast<std::uint8_t>(TransactionState::kPrepareCommit);
  f.s.coordinator.epoch.v = 1;
  EXPECT_EQ(f.write(1, 1, 0), "waits");  // the transaction before is still open
  Fixture counts("older-open-counts", "java-4.0", "kip-890");
  EXPECT_EQ(counts.write(1, 0, 0), "appended");
  counts.s.coordinator.state.v = static_cast<std::uint8_t>(TransactionState::kPrepareCommit);
  counts.s.coordinator.epoch.v = 1;
  EXPECT_EQ(counts.write(1, 1, 0), "appended");
}

TEST(Marker, SettlesTheOpenEntriesOfItsProducer) {
  Fixture f("kafka-2.5");
  f.write(1, 0, 0);
  f.write(2, 0, 0);
  EXPECT_TRUE(f.marker(1, 0, true));
  EXPECT_EQ(f.entry(0), EntryKind::kCommitted);
  EXPECT_EQ(f.entry(1), EntryKind::kOpen);
  EXPECT_EQ(f.entry(2), EntryKind::kCommitMarker);
  EXPECT_EQ(f.write(1, 0, 1), "appended");  // an equal epoch keeps the sequences
  EXPECT_TRUE(f.marker(1, 1, false));
  EXPECT_EQ(f.entry(0), EntryKind::kCommitted);
  EXPECT_EQ(f.entry(3), EntryKind::kAborted);
  EXPECT_EQ(f.write(1, 1, 1), "out of order");  // a higher one clears them
  EXPECT_FALSE(f.marker(1, 0, false));
}

TEST(Marker, OfVersionTwoNeedsAHigherEpochByBroker) {
  const auto accepted = [](const char* broker, bool open) {
    Fixture f(broker, "java-4.0", "kip-890");
    f.s.coordinator.epoch.v = 2;
    EXPECT_EQ(f.write(1, 2, 0), "appended");
    f.s.partition[0].producer[1].open.v = open ? 1 : 0;
    EXPECT_TRUE(Fixture(f).marker(1, 3, true));
    EXPECT_FALSE(Fixture(f).marker(1, 1, true));
    return f.marker(1, 2, true);
  };
  EXPECT_TRUE(accepted("kafka-4.0", true));
  EXPECT_FALSE(accepted("kafka-4.2-strict", true));
  EXPECT_FALSE(accepted("kafka-4.2-strict", false));
  EXPECT_FALSE(accepted("kafka-4.2", true));
  EXPECT_TRUE(accepted("kafka-4.2", false));
}

}  // namespace
}  // namespace fencepost::testing::transactions
