// Every counterexample of the spec's claims is a run of the implementation, too, and ends in the
// same violation there.
#include <gtest/gtest.h>

#include "checker/gate/claims.h"
#include "checker/gate/judge.h"
#include "checker/refinement/impl_system.h"
#include "checker/refinement/replay_on_impl.h"
#include "spec/instance_text.h"

namespace fencepost::testing {
namespace {

using spec::Property;

gate::Claims project_claims() {
  const std::string root = FENCEPOST_SOURCE_DIR;
  return gate::read_claims(root + "/spec/claims.json", root + "/spec");
}

/// The counterexample of the spec, as a recording.
checker::Recording counterexample(const gate::Claims& claims, const gate::ClaimRow& row) {
  gate::Task task;
  task.behaviour = spec::combine(claims.clients.at(row.variant), claims.brokers.at(row.broker));
  task.instance = row.instance;
  task.properties = gate::bit(row.property);
  const gate::TaskResult result = gate::check_explicitly(task);
  const gate::Finding* finding = gate::finding_for(result, row.property);
  checker::Recording recording{row.variant, row.broker, task.behaviour, task.instance, row.property,
                               {},          {}};
  if (finding == nullptr) return recording;
  recording.path = finding->stem;
  recording.path.insert(recording.path.end(), finding->loop.begin(), finding->loop.end());
  if (!finding->loop.empty()) recording.loop_from = finding->stem.size();
  return recording;
}

TEST(Replay, EveryRefutedClaimIsFollowedToItsViolation) {
  const gate::Claims claims = project_claims();
  int followed = 0;
  int refused = 0;
  for (const gate::Claim& claim : claims.list) {
    if (claim.expect != gate::Expect::kRefuted || claim.slow) continue;
    for (const gate::ClaimRow& row : claim.rows) {
      const spec::Behaviour asked =
          spec::combine(claims.clients.at(row.variant), claims.brokers.at(row.broker));
      // What the implementation does not do is refused; see replay_on_impl's own tests.
      if (!refinement::impl_instance_fault(asked, row.instance).empty()) {
        ++refused;
        continue;
      }
      const checker::Recording recording = counterexample(claims, row);
      const auto where = claim.id + " " + row.variant + " " + row.faults;
      ASSERT_FALSE(recording.path.empty()) << where;
      const refinement::Replayed replayed = refinement::replay_on_impl(recording);
      EXPECT_TRUE(replayed.followed) << where << "\n"
                                     << refinement::replayed_text(recording, replayed);
      EXPECT_GE(replayed.path.size(), replayed.steps);
      EXPECT_TRUE(refinement::violates(recording, replayed)) << where;
      ++followed;
    }
  }
  EXPECT_GE(followed, 15);
  EXPECT_GE(refused, 10) << "other clients";
}

TEST(Replay, ARunThatIsFollowedViolatesOnlyWhatItViolatesOnTheSpec) {
  const gate::Claims claims = project_claims();
  gate::ClaimRow row{"librdkafka-2.15", "kafka-2.5-to-4.4", "", {}, "", Property::kNoDuplicate};
  row.instance.faults = spec::parse_faults("disconnect,message-timeout", 2);
  checker::Recording recording = counterexample(claims, row);
  ASSERT_FALSE(recording.path.empty());
  EXPECT_TRUE(refinement::violates(recording, refinement::replay_on_impl(recording)));
  recording.property = Property::kProgress;
  const refinement::Replayed replayed = refinement::replay_on_impl(recording);
  EXPECT_TRUE(replayed.followed);
  EXPECT_FALSE(replayed.stuck);
  EXPECT_FALSE(refinement::violates(recording, replayed));
}

TEST(Replay, AnImpossibleInstanceIsRefusedInOneSentence) {
  checker::Recording recording;
  recording.instance.partitions = 3;
  try {
    static_cast<void>(refinement::replay_on_impl(recording));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Exit::kUsage);
    EXPECT_STREQ(error.what(), "the implementation is explored with at most 2 partitions, not 3");
  }
}

}  // namespace
}  // namespace fencepost::testing
