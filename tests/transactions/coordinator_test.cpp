// The coordinator's tables, row by row.
#include <gtest/gtest.h>

#include "tests/support/transaction_cases.h"

namespace fencepost::testing::transactions {
namespace {

using model::RequestKind;
using model::Result;
using model::TransactionState;
using spec::Concrete;
using State = model::Model::State;

/// A coordinator in a given state, and what it does with one request of producer 0.
struct Fixture {
  model::Rules rules;
  State s{};

  explicit Fixture(const std::string& coordinator, int exhausted_at = 0)
      : rules{behaviour(coordinator == "kip-890" ? "java-4.0" : "java-3.9", coordinator,
                        coordinator == "kip-890" ? "kafka-4.0" : "kafka-2.5"),
              instance("producers=2,ids=3,epochs=6,partitions=2,exhausted-at=" +
                       std::to_string(exhausted_at))} {}

  Fixture& holds(int pid, int epoch, TransactionState state, int last = -1) {
    auto& c = s.coordinator;
    c.mapped.v = 1;
    c.pid.v = static_cast<std::uint8_t>(pid);
    c.ids_given.v = c.pid.v;
    c.epoch.v = static_cast<std::uint8_t>(epoch);
    c.last_epoch.v = static_cast<std::uint8_t>(last + 1);
    c.state.v = static_cast<std::uint8_t>(state);
    return *this;
  }
  [[nodiscard]] model::CoordinatorRequest<Concrete> request(RequestKind kind, int pid, int epoch,
                                                            int partition = 0) const {
    return {kind, pid, epoch, partition, 0, true};
  }
  [[nodiscard]] bool waits(RequestKind kind, int pid, int epoch) {
    Concrete d;
    return model::CoordinatorSteps<Concrete>{d, s, rules}.waits(request(kind, pid, epoch)).value();
  }
  Result take(RequestKind kind, int pid = 0, int epoch = 0, int partition = 0) {
    Concrete d;
    s.producer[0].request.v = static_cast<std::uint8_t>(kind);
    model::CoordinatorSteps<Concrete>{d, s, rules}.take(request(kind, pid, epoch, partition));
    EXPECT_EQ(d.bounds_hit(), 0U);
    return static_cast<Result>(s.producer[0].result.v);
  }
  /// "id/epoch of the answer; id/epoch, last epoch and state of the coordinator".
  [[nodiscard]] std::string text() const {
    const auto& p = s.producer[0];
    const auto& c = s.coordinator;
    return std::to_string(p.result_pid.v) + "/" + std::to_string(p.result_epoch.v) + "; " +
           std::to_string(c.pid.v) + "/" + std::to_string(c.epoch.v) + " last " +
           std::to_string(c.last_epoch.v - 1) + " state " + std::to_string(c.state.v);
  }
};

TEST(InitProducerId, GivesANewIdWhereNothingIsKnown) {
  Fixture plain("kip-360");
  EXPECT_EQ(plain.take(RequestKind::kInit), Result::kOk);
  EXPECT_EQ(plain.text(), "1/0; 1/0 last -1 state 0");
  Fixture expected("kip-360");
  expected.s.coordinator.ids_given.v = 1;
  EXPECT_EQ(expected.take(RequestKind::kInitBump, 1, 3), Result::kOk);
  EXPECT_EQ(expected.text(), "2/0; 2/0 last -1 state 0");
}

TEST(InitProducerId, WithoutAnEpochBumpsAndLeavesNoLastEpoch) {
  Fixture f("kip-360");
  EXPECT_EQ(f.holds(1, 3, TransactionState::kCompleteCommit, 2).take(RequestKind::kInit),
            Result::kOk);
  EXPECT_EQ(f.text(), "1/4; 1/4 last -1 state 0");
}

TEST(InitProducerId, WithTheCurrentEpochBumpsAndKeepsIt) {
  Fixture f("kip-360");
  EXPECT_EQ(f.holds(1, 3, TransactionState::kEmpty).take(RequestKind::kInitBump, 1, 3),
            Result::kOk);
  EXPECT_EQ(f.text(), "1/4; 1/4 last 3 state 0");
}

TEST(InitProducerId, WithTheLastEpochReturnsTheCurrentOne) {
  Fixture f("kip-360");
  EXPECT_EQ(f.holds(1, 4, TransactionState::kEmpty, 3).take(RequestKind::kInitBump, 1, 3),
            Result::kOk);
  EXPECT_EQ(f.text(), "1/4; 1/4 last 3 state 0");
  Fixture without("expected-epoch-only");
  EXPECT_EQ(without.holds(1, 4, TransactionState::kEmpty, 3).take(RequestKind::kInitBump, 1, 3),
            Result::kFenced);
}

TEST(InitProducerId, WithAnyOtherEpochIsFenced) {
  Fixture f("kip-360");
  EXPECT_EQ(f.holds(1, 4, TransactionState::kEmpty, 3).take(RequestKind::kInitBump, 1, 2),
            Result::kFenced);
  EXPECT_EQ(f.text(), "0/0; 1/4 last 3 state 0");
  Fixture old("kip-98");
  EXPECT_EQ(old.holds(1, 4, TransactionState::kEmpty).take(RequestKind::kInitBump, 1, 2),
            Result::kOk);
  EXPECT_EQ(old.text(), "1/5; 1/5 last -1 state 0");
}

TEST(InitProducerId, WithAnotherIdIsFencedUnlessThatOneJustEnded) {
  for (const char* coordinator : {"kip-360", "kip-360-text"}) {
    Fixture f(coordinator, 4);
    EXPECT_EQ(f.holds(2, 0, TransactionState::kEmpty, 4).take(RequestKind::kInitBump, 1, 3),
              Result::kFenced);
    Fixture previous(coordinator, 4);
    previous.holds(2, 0, TransactionState::kEmpty, 4).s.coordinator.previous_pid.v = 1;
    const bool text = std::string(coordinator) == "kip-360-text";
    EXPECT_EQ(previous.take(RequestKind::kInitBump, 1, 4), text ? Result::kFenced : Result::kOk);
    EXPECT_EQ(previous.text(), text ? "0/0; 2/0 last 4 state 0" : "2/0; 2/0 last 4 state 0");
  }
}

TEST(InitProducerId, WaitsForMarkersWhateverItExpects) {
  for (const auto state : {TransactionState::kPrepareCommit, TransactionState::kPrepareAbort}) {
    Fixture f("kip-360");
    f.holds(1, 3, state);
    EXPECT_TRUE(f.waits(RequestKind::kInit, 0, 0));
    EXPECT_TRUE(f.waits(RequestKind::kInitBump, 1, 3));
    EXPECT_TRUE(f.waits(RequestKind::kInitBump, 2, 3));
  }
}

TEST(InitProducerId, AbortsATransactionUnderWayWithARaisedEpochAndDoesNotAnswer) {
  Fixture f("kip-360");
  f.holds(1, 3, TransactionState::kOngoing, 2).s.coordinator.added[1].v = 1;
  EXPECT_EQ(f.take(RequestKind::kInitBump, 1, 1), Result::kSent);
  EXPECT_EQ(f.text(), "0/0; 1/4 last -1 state 3");
  EXPECT_EQ(f.s.coordinator.pending[0].v, 0);
  EXPECT_EQ(f.s.coordinator.pending[1].v, 1);
  Fixture text("kip-360-text");
  EXPECT_EQ(text.holds(1, 3, TransactionState::kOngoing).take(RequestKind::kInitBump, 1, 1),
            Result::kFenced);
  EXPECT_EQ(text.text(), "0/0; 1/3 last -1 state 1");
}

TEST(InitProducerId, AtTheLastEpochGivesANewIdOrThrows) {
  Fixture plain("kip-360", 4);
  EXPECT_EQ(plain.holds(1, 4, TransactionState::kEmpty).take(RequestKind::kInit), Result::kOk);
  EXPECT_EQ(plain.text(), "2/0; 2/0 last -1 state 0");
  EXPECT_EQ(plain.s.coordinator.previous_pid.v, 1);
  Fixture current("kip-360", 4);
  current.holds(1, 4, TransactionState::kEmpty, 3);
  EXPECT_EQ(current.take(RequestKind::kInitBump, 1, 4), Result::kOk);
  EXPECT_EQ(current.text(), "2/0; 2/0 last 4 state 0");
  Fixture last("kip-360", 4);
  EXPECT_EQ(last.holds(1, 4, TransactionState::kEmpty, 3).take(RequestKind::kInitBump, 1, 3),
            Result::kUnexpected);
  Fixture text("kip-360-text", 4);
  EXPECT_EQ(text.holds(1, 4, TransactionState::kEmpty, 3).take(RequestKind::kInitBump, 1, 3),
            Result::kOk);
  EXPECT_EQ(text.text(), "1/4; 1/4 last 3 state 0");
}

TEST(AddPartitions, LooksAtIdThenEpochThenState) {
  Fixture f("kip-360");
  f.holds(1, 3, TransactionState::kCompleteAbort);
  EXPECT_EQ(f.take(RequestKind::kAdd, 2, 3), Result::kInvalidMapping);
  EXPECT_EQ(f.take(RequestKind::kAdd, 1, 2), Result::kFenced);
  EXPECT_EQ(f.take(RequestKind::kAdd, 1, 3, 1), Result::kOk);
  EXPECT_EQ(f.s.coordinator.state.v, static_cast<int>(TransactionState::kOngoing));
  EXPECT_EQ(f.s.coordinator.added[1].v, 1);
  EXPECT_EQ(Fixture("kip-360").take(RequestKind::kAdd, 1, 0), Result::kInvalidMapping);
  EXPECT_TRUE(Fixture("kip-360")
                  .holds(1, 3, TransactionState::kPrepareCommit)
                  .waits(RequestKind::kAdd, 1, 3));
}

struct EndRow {
  TransactionState state;
  Result commit;
  Result abort;
};

TEST(EndTxn, VersionOneFollowsItsTable) {
  // The prepared states answer CONCURRENT_TRANSACTIONS: their transition is pending.
  const EndRow rows[] = {
      {TransactionState::kEmpty, Result::kInvalidState, Result::kInvalidState},
      {TransactionState::kOngoing, Result::kOk, Result::kOk},
      {TransactionState::kCompleteCommit, Result::kOk, Result::kInvalidState},
      {TransactionState::kCompleteAbort, Result::kInvalidState, Result::kOk},
  };
  for (const EndRow& row : rows) {
    EXPECT_EQ(Fixture("kip-360").holds(1, 3, row.state).take(RequestKind::kCommit, 1, 3),
              row.commit);
    EXPECT_EQ(Fixture("kip-360").holds(1, 3, row.state).take(RequestKind::kAbort, 1, 3), row.abort);
    EXPECT_EQ(Fixture("kip-360").holds(1, 3, row.state).take(RequestKind::kAbort, 1, 2),
              Result::kFenced);
    EXPECT_EQ(Fixture("kip-360").holds(1, 3, row.state).take(RequestKind::kCommit, 2, 3),
              Result::kInvalidMapping);
  }
  Fixture f("kip-360");
  EXPECT_EQ(f.holds(1, 3, TransactionState::kOngoing).take(RequestKind::kCommit, 1, 3),
            Result::kOk);
  EXPECT_EQ(f.s.coordinator.epoch.v, 3);
  EXPECT_TRUE(f.waits(RequestKind::kCommit, 1, 3));
}

TEST(EndTxn, VersionTwoBumpsAndKnowsItsRetries) {
  Fixture f("kip-890");
  EXPECT_EQ(f.holds(1, 3, TransactionState::kOngoing).take(RequestKind::kCommit, 1, 3),
            Result::kOk);
  EXPECT_EQ(f.text(), "1/4; 1/4 last 3 state 2");
  EXPECT_TRUE(f.waits(RequestKind::kCommit, 1, 3));
  EXPECT_TRUE(f.waits(RequestKind::kAbort, 1, 4));
  const auto answer = [](TransactionState state, RequestKind kind, int epoch) {
    return Fixture("kip-890").holds(1, 4, state).take(kind, 1, epoch);
  };
  using S = TransactionState;
  EXPECT_EQ(answer(S::kCompleteCommit, RequestKind::kCommit, 3), Result::kOk);
  EXPECT_EQ(answer(S::kCompleteCommit, RequestKind::kCommit, 4), Result::kInvalidState);
  EXPECT_EQ(answer(S::kCompleteCommit, RequestKind::kAbort, 3), Result::kInvalidState);
  EXPECT_EQ(answer(S::kCompleteAbort, RequestKind::kCommit, 3), Result::kInvalidState);
  EXPECT_EQ(answer(S::kCompleteAbort, RequestKind::kAbort, 3), Result::kOk);
  EXPECT_EQ(answer(S::kEmpty, RequestKind::kCommit, 4), Result::kInvalidState);
  EXPECT_EQ(answer(S::kEmpty, RequestKind::kAbort, 3), Result::kFenced);
  for (const auto state : {S::kEmpty, S::kCompleteCommit, S::kCompleteAbort}) {
    Fixture empty("kip-890");
    EXPECT_EQ(empty.holds(1, 4, state).take(RequestKind::kAbort, 1, 4), Result::kOk);
    EXPECT_EQ(empty.text(), "1/5; 1/5 last 4 state 3");
  }
}

TEST(EndTxn, VersionTwoRotatesTheIdAtTheLastEpoch) {
  Fixture f("kip-890", 4);
  f.holds(1, 4, TransactionState::kOngoing).s.coordinator.added[0].v = 1;
  EXPECT_EQ(f.take(RequestKind::kCommit, 1, 4), Result::kOk);
  EXPECT_EQ(f.text(), "2/0; 1/5 last 4 state 2");
  f.s.coordinator.pending[0].v = 0;
  Concrete d;
  model::CoordinatorSteps<Concrete> steps{d, f.s, f.rules};
  ASSERT_TRUE(steps.can_complete().value());
  steps.complete_transaction();
  EXPECT_EQ(f.s.coordinator.pid.v, 2);
  EXPECT_EQ(f.s.coordinator.epoch.v, 0);
  EXPECT_EQ(f.s.coordinator.previous_pid.v, 1);
  EXPECT_EQ(f.take(RequestKind::kCommit, 1, 4), Result::kOk);  // a retry over the rotation
  EXPECT_EQ(f.take(RequestKind::kAbort, 1, 4), Result::kInvalidState);
}

}  // namespace
}  // namespace fencepost::testing::transactions
