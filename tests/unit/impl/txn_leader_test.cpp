// A leader's checks of transactional writes, its markers, and what readers make of its log.
#include "impl/transactions/leader.h"

#include <gtest/gtest.h>

namespace fencepost::impl::transactions {
namespace {

using Kind = Checked::Kind;

struct Desk {
  Rules rules;
  Coordinator coordinator;
  Leader state;

  Desk() {
    rules.instance.ids = 3;
    rules.instance.log = shared::kMaxLog;
    coordinator.memory = {1, 1, 0, 0, 2, TxnState::kOngoing, 1, 0};
  }
  [[nodiscard]] LeaderSteps leader() { return {state, rules, 0}; }
  [[nodiscard]] Checked check(int sequence, int epoch = 2, int guard = 0) {
    return leader().check(batch(sequence, epoch), CoordinatorSteps(coordinator, rules), guard);
  }
  void append(int sequence, int epoch = 2) { leader().append(batch(sequence, epoch), false); }
  void mark(int epoch, bool commit) { leader().append_marker({1, 1, epoch, commit ? 1 : 0}); }
  [[nodiscard]] static Batch batch(int sequence, int epoch) {
    return {1, epoch, sequence, 0, 1, 0, 0};
  }
};

TEST(TxnLeader, KnowsTheLastFiveBatchesOfAnEpoch) {
  Desk desk;
  for (int k = 0; k < 6; ++k) desk.append(k);
  EXPECT_EQ(desk.check(5).kind, Kind::kDuplicate);
  EXPECT_EQ(desk.check(1).kind, Kind::kDuplicate);
  EXPECT_EQ(desk.check(0).code, Code::kOutOfOrder);
  EXPECT_EQ(desk.check(6).kind, Kind::kAppends);
  EXPECT_EQ(desk.check(7).code, Code::kOutOfOrder);
  EXPECT_EQ(desk.check(0, 3).kind, Kind::kAppends);
  EXPECT_EQ(desk.check(6, 1).code, Code::kInvalidEpoch);
}

TEST(TxnLeader, AMarkerSettlesWhatIsOpenBeforeIt) {
  Desk desk;
  desk.append(0);
  EXPECT_FALSE(desk.leader().stable());
  EXPECT_EQ(desk.leader().fate(0), Fate::kOpen);
  desk.mark(2, false);
  desk.append(1);
  desk.mark(2, true);
  EXPECT_TRUE(desk.leader().stable());
  EXPECT_EQ(desk.leader().fate(0), Fate::kAborted);
  EXPECT_EQ(desk.leader().fate(1), Fate::kControl);
  EXPECT_EQ(desk.leader().fate(2), Fate::kCommitted);
  EXPECT_FALSE(desk.leader().accepts({1, 1, 1, 1}));  // of an older epoch
}

TEST(TxnLeader, AMarkerOfANewEpochBeginsItsSequencesAnew) {
  Desk desk;
  desk.append(0);
  desk.mark(3, false);
  EXPECT_EQ(desk.check(1).code, Code::kInvalidEpoch);
  EXPECT_EQ(desk.check(1, 3).code, Code::kOutOfOrder);
  EXPECT_EQ(desk.check(0, 3).kind, Kind::kAppends);
}

TEST(TxnLeader, TheFirstWriteOfATransactionIsVerified) {
  Desk desk;
  desk.rules.behaviour.verification = shared::Verification::kVerify;
  EXPECT_EQ(desk.check(0).kind, Kind::kAppends);
  EXPECT_EQ(desk.check(0, 1).code, Code::kInvalidEpoch);
  desk.coordinator.memory.partitions = 0;
  EXPECT_EQ(desk.check(0).code, Code::kAbortable);
  desk.coordinator.memory.state = TxnState::kPrepareAbort;
  EXPECT_EQ(desk.check(0).kind, Kind::kWaits);
  desk.coordinator.memory.pid = 2;
  EXPECT_EQ(desk.check(0).code, Code::kInvalidMapping);
  desk.append(0);
  EXPECT_EQ(desk.check(1).kind, Kind::kAppends);  // not the first any more
}

TEST(TxnLeader, AGuardLastsUntilTheFirstAppendOrAMarker) {
  Desk desk;
  desk.rules.behaviour.verification = shared::Verification::kVerify;
  desk.rules.verification_window = true;
  EXPECT_EQ(desk.check(0).kind, Kind::kVerified);
  const int guard = desk.leader().begin_verification(1);
  EXPECT_EQ(desk.leader().begin_verification(1), guard);
  EXPECT_EQ(desk.check(0, 2, guard).kind, Kind::kAppends);
  desk.mark(2, false);
  EXPECT_EQ(desk.check(0, 2, guard).code, Code::kAbortable);
  EXPECT_NE(desk.leader().begin_verification(1), guard);
  EXPECT_EQ(desk.check(0, 2, guard).code, Code::kAbortable);
}

}  // namespace
}  // namespace fencepost::impl::transactions
