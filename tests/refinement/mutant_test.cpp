// Broken implementations must be caught: by a property that breaks, or by a step that is not one
// of the spec, at the depth stated. A mistake that passes here shows a hole in the checks.
#include <gtest/gtest.h>

#include <functional>

#include "checker/explicit/explicit_search.h"
#include "checker/refinement/impl_system.h"
#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using impl::Mutant;
using refinement::ImplSystem;
using spec::Behaviour;
using spec::Property;

constexpr int kNever = -1;

struct Case {
  std::string name;
  Mutant mutant;
  std::function<void(Behaviour&)> entry;  ///< a mistake that is an entry of the variant
  spec::Instance instance;
  std::string property;  ///< what breaks when steps are not compared; "" if nothing here does
  int depth;             ///< choices to the shortest violation
  int divergence;        ///< choices to the shortest divergence; the spec has the mistake: kNever
  impl::Grain grain{};
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

checker::SearchResult search(const Case& c, bool refine) {
  Behaviour b = behaviour("librdkafka-2.15");
  if (c.entry) c.entry(b);
  const ImplSystem system(b, c.instance, refine ? 0 : kAllSafety, c.grain, c.mutant, refine);
  checker::SearchOptions options;
  options.properties = refine ? 1U << refinement::kDivergence : kAllSafety;
  options.progress = !refine;
  return checker::search(system, options);
}

/// "no-loss at 9": the shallowest property that breaks, or the lasso of a run that never ends.
std::string broken(const checker::SearchResult& result) {
  const checker::Violation* first = nullptr;
  for (const checker::Violation& v : result.violations) {
    if (first == nullptr || v.depth < first->depth) first = &v;
  }
  if (first != nullptr) {
    return std::string(spec::properties()[static_cast<std::size_t>(first->property)].name) +
           " at " + std::to_string(first->depth);
  }
  return result.lasso ? "progress" : "";
}

spec::Instance three_brokers(spec::Instance instance) {
  instance.brokers = 3;
  return instance;
}

/// Mistakes that only show at a finer grain than the spec's.
std::vector<Case> finer_cases() {
  const auto none = std::function<void(Behaviour&)>();
  return {
      {"AFollowerCutsToItsWatermark",
       Mutant::kTruncateToWatermark,
       none,
       instance(1, 1, 1, "leader-lost", 2),
       "no-loss",
       9,
       kNever,
       {.lagging_watermark = true}},
      {"AFollowerDoesNotWalkBack",
       Mutant::kNoWalkBack,
       [](Behaviour& b) { b.later_out_of_order = spec::Later::kRetry; },  // duplicates by itself
       instance(1, 2, 2, "leader-lost", 4),
       "no-loss",
       24,
       kNever,
       {.lagging_truncation = true}},
      {"AFollowerJoinsAtTheWatermark",
       Mutant::kJoinsAtWatermark,
       none,
       three_brokers(instance(1, 1, 1, "leader-lost,too-few-replicas=1", 3)),
       "no-loss",
       12,
       kNever,
       {.lagging_watermark = true, .changing_isr = true}},
  };
}

std::vector<Case> cases() {
  const auto none = std::function<void(Behaviour&)>();
  const auto two = [](std::string_view faults, int budget) {
    return instance(1, 3, 2, faults, budget);
  };
  return {
      {"NextAckMovedOnAPossiblyPersistedError", Mutant::kNextAckOnPossiblyPersisted, none,
       two("request-timeout", 1), "", 0, 4},
      {"APartitionObjectMadeAnew", Mutant::kPartitionRecreated, none, two("leader-lost", 1),
       "no-loss", 7, 4},
      {"NoDrainOnJoiningANewLeader", Mutant::kNoDrainOnJoin, none, two("leader-lost,stale-view", 2),
       "", 0, 4},
      {"ASnapshotWithoutTheLastBatch", Mutant::kSnapshotWithoutLast, none,
       two("cache-shrink,disconnect", 2), "well-formed", 6, 3},
      {"AnAnswerBeforeTheWatermark", Mutant::kAcknowledgeBeforeWatermark, none,
       two("disconnect", 1), "no-loss", 3, 2},
      {"TheBaseIsForgottenAtABump", Mutant::kForgetsBaseOnBump, none, two("permanent-error", 1), "",
       0, 5},
      {"LowerIdsAreForgottenAtAnAcknowledgement", Mutant::kDropsImplicitAck, none,
       two("request-timeout", 1), "", 0, 10},
      {"AFollowerForgetsTheProducer", Mutant::kFollowerForgets, none, two("leader-lost", 1),
       "well-formed", 10, 5},
      {"AReplicaThatIsCutRemembersWhatIsGone", Mutant::kKeepsStateWhenCut, none,
       two("leader-lost", 2), "well-formed", 9, 6},
      {"AdoptionWhileInFlight", Mutant::kNone,
       [](Behaviour& b) {
         b.bump_waits_for = spec::BumpWaits::kNothing;
         b.adopt_waits_for_in_flight = false;
       },
       instance(2, 2, 2, "stale-view", 2), "no-loss", 18, kNever},
      {"UnsortedReinsertion", Mutant::kNone,
       [](Behaviour& b) { b.requeue = spec::Requeue::kBehind; }, two("stale-view", 1), "no-loss",
       14, kNever},
      {"NoBumpOnATimeoutWithALeader", Mutant::kNone,
       [](Behaviour& b) {
         b.message_timeout_bumps = false;
         b.later_out_of_order = spec::Later::kRetry;
       },
       two("message-timeout", 1), "progress", 0, kNever},
      {"ACacheOfOne", Mutant::kNone, [](Behaviour& b) { b.cache_size = 1; },
       instance(1, 3, 3, "disconnect", 1), "no-false-failure", 10, kNever},
      {"AWindowAboveTheCache", Mutant::kNone, [](Behaviour& b) { b.cache_size = 2; },
       instance(1, 3, 3, "disconnect", 1), "no-false-failure", 14, kNever},
  };
}

class ImplMutant : public ::testing::TestWithParam<Case> {};

TEST_P(ImplMutant, IsCaught) {
  const Case& c = GetParam();
  const bool at_spec_grain = c.grain == impl::Grain{};
  if (at_spec_grain) {
    const auto compared = search(c, true);
    EXPECT_EQ(compared.violations.empty() ? kNever : static_cast<int>(compared.violations[0].depth),
              c.divergence);
  }
  const std::string expected =
      c.depth > 0 ? c.property + " at " + std::to_string(c.depth) : c.property;
  EXPECT_EQ(broken(search(c, false)), expected);
  EXPECT_TRUE(c.divergence > 0 || !c.property.empty()) << "a survivor";
  if (c.mutant == Mutant::kNone) return;
  Case sound = c;
  sound.mutant = Mutant::kNone;
  if (!expected.empty()) {
    EXPECT_NE(broken(search(sound, false)), expected) << "the instance shows nothing";
  }
}

/// Before KIP-101: a follower of an unclean leader keeps what it holds below its own watermark. An
/// unclean election breaks no-loss by itself, so only the comparison can tell.
TEST(UncleanMutant, AFollowerCutsToItsWatermark) {
  Case c{"", Mutant::kTruncateToWatermark,
         {}, instance(1, 1, 1, "leader-lost,unclean-election", 3),
         "", 0,
         0};
  const auto found = search(c, true);
  ASSERT_FALSE(found.violations.empty());
  EXPECT_EQ(found.violations[0].depth, 6U);
  c.mutant = Mutant::kNone;
  EXPECT_TRUE(search(c, true).violations.empty());
}

INSTANTIATE_TEST_SUITE_P(Impl, ImplMutant, ::testing::ValuesIn(cases()),
                         [](const auto& p) { return p.param.name; });
INSTANTIATE_TEST_SUITE_P(FinerImpl, ImplMutant, ::testing::ValuesIn(finer_cases()),
                         [](const auto& p) { return p.param.name; });

}  // namespace
}  // namespace fencepost::testing
