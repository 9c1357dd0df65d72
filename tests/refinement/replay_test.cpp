// Every counterexample of the spec's claims is a run of the implementation, too, and ends in the
// same violation there.
#include <gtest/gtest.h>

#include "checker/gate/claims.h"
#include "checker/gate/judge.h"
#include "checker/refinement/replay_on_impl.h"

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
  for (const gate::Claim& claim : claims.list) {
    if (claim.expect != gate::Expect::kRefuted || claim.slow) continue;
    for (const gate::ClaimRow& row : claim.rows) {
      const checker::Recording recording = counterexample(claims, row);
      const auto where = claim.id + " " + row.variant + " " + row.faults;
      ASSERT_FALSE(recording.path.empty()) << where;
      const refinement::Replayed replayed = refinement::replay_on_impl(recording);
      EXPECT_TRUE(replayed.followed) << where << "\n"
                                     << refinement::replayed_text(recording, replayed);
      EXPECT_GE(replayed.path.size(), replayed.steps);
      if (recording.property != Property::kProgress) {
        EXPECT_TRUE((replayed.violations >> static_cast<unsigned>(recording.property)) & 1U)
            << where;
      }
      ++followed;
    }
  }
  EXPECT_GE(followed, 15);
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
