// The reasons for which an action cannot happen are read off its guard.
#include "spec/model/why_false.h"

#include <gtest/gtest.h>

#include "spec/model/model.h"
#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using spec::ActionKind;
using spec::Stage;
using Texts = std::vector<std::string>;

struct Case {
  spec::Model model{behaviour("librdkafka-2.15"), instance(2, 2, 2, "leader-lost,stale-view", 1)};
  spec::Model::State state = model.initial();

  Texts why(ActionKind kind, int p, int a = -1, int b = -1) const {
    return spec::why_false({kind, p, a, b}, state, model.rules());
  }
};

TEST(WhyFalse, NothingIfTheGuardHolds) { EXPECT_EQ(Case{}.why(ActionKind::kSend, 0), Texts{}); }

TEST(WhyFalse, NamesTheFieldsAndTheirValues) {
  Case c;
  c.state.partition[0].leader.v = 0;
  EXPECT_EQ(c.why(ActionKind::kCommit, 0), (Texts{"leader of partition 0 (0) != 0",
                                                  "high watermark of partition 0 (1) < log end of "
                                                  "partition 0 (1)"}));
  c.state.faults_used.v = 1;
  EXPECT_EQ(c.why(ActionKind::kGoStale, 1), (Texts{"faults used (1) + 1 <= 1"}));
}

TEST(WhyFalse, NamesEnumeratorsAndTheOperandsThatDecide) {
  Case c;
  c.state.partition[1].in_flight.v = 1;
  c.state.partition[1].request[0].stage.v = static_cast<std::uint8_t>(Stage::kWaiting);
  const Texts take = c.why(ActionKind::kTake, 1);
  ASSERT_EQ(take.size(), 2U);
  EXPECT_EQ(take[0], "not (request stage 0 of partition 1 (waiting) = waiting)");
  EXPECT_TRUE(take[1].starts_with("2 < 2 (picked as not (")) << take[1];
  c.state.mode.v = static_cast<std::uint8_t>(spec::Mode::kFatal);
  EXPECT_EQ(
      c.why(ActionKind::kReceive, 1),
      (Texts{"producer (fatal) < fatal", "request stage 0 of partition 1 (waiting) > waiting"}));
}

/// It says something exactly where the guard is false: of every action in many states.
TEST(WhyFalse, AgreesWithTheGuard) {
  Case c;
  for (int step = 0; step < 60; ++step) {
    std::size_t next = c.model.action_count();
    for (std::size_t a = 0; a < c.model.action_count(); ++a) {
      const bool holds = c.model.guard(a, c.state);
      EXPECT_EQ(spec::why_false(c.model.action(a), c.state, c.model.rules()).empty(), holds);
      if (holds && (next == c.model.action_count() || a % 7 == static_cast<std::size_t>(step % 7)))
        next = a;
    }
    if (next == c.model.action_count()) break;
    static_cast<void>(c.model.effect(next, c.state));
  }
}

}  // namespace
}  // namespace fencepost::testing
