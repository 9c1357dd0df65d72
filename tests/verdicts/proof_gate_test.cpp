// Proofs as the command line asks for them: verdicts, counterexamples to induction in words, false
// lemmas, refutations on the way, bounded depth, and what is refused.
#include <gtest/gtest.h>

#include "checker/core/path.h"
#include "checker/gate/judge.h"
#include "checker/gate/proof.h"
#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using checker::Verdict;
using gate::ProofRequest;
using spec::Property;

gate::Task task(const std::string& variant, const spec::Instance& instance,
                Property property = Property::kNoDuplicate) {
  gate::Task task;
  task.behaviour = behaviour(variant);
  task.instance = instance;
  task.properties = gate::bit(property);
  task.limits.memory_bytes = std::size_t{256} << 20;
  return task;
}

constexpr const char* kField = "leader-lost,stale-view,disconnect";

TEST(Proof, OfAFixIsAVerdictForAnyDepth) {
  ProofRequest request{task("librdkafka-pr-4972", instance_w(kField, 2)), false, {}, ""};
  const auto result = gate::prove_by_induction(request);
  const auto answer = gate::judge_proof(request, result, Property::kNoDuplicate);
  EXPECT_EQ(answer.verdict, Verdict::kProved);
  EXPECT_NE(answer.not_covered.find("more partitions"), std::string::npos);
  request.any_partitions = true;
  const auto any = gate::prove_by_induction(request);
  EXPECT_TRUE(any.proved);
  EXPECT_EQ(gate::judge_proof(request, any, Property::kNoDuplicate).not_covered.find("partitions"),
            std::string::npos);
}

TEST(Proof, OfTheGateIsForAnyNumberOfPartitions) {
  const gate::Task one =
      task("librdkafka-conditional-bump", instance_w("leader-lost,disconnect", 2));
  EXPECT_EQ(gate::proof_sentence(one).find("proved at any depth, for any number of partitions"),
            0U);
}

TEST(Proof, OfTheGateSaysWhereItEnds) {
  gate::Task broken = task("librdkafka-deferred", instance_w("disconnect,permanent-error", 2));
  broken.behaviour.adopt_defers_unresolved = false;
  EXPECT_EQ(gate::proof_sentence(broken), "") << "no lemmas are claimed of it";
}

TEST(Proof, WithoutLemmasSaysWhereItFails) {
  ProofRequest request{task("librdkafka-pr-4972", instance(1, 2, 2, kField, 1)), false, {}, ""};
  request.lemmas = {"canonical", "warm"};
  const auto result = gate::prove_by_induction(request);
  EXPECT_FALSE(result.proved);
  const auto answer = gate::judge_proof(request, result, Property::kNoDuplicate);
  EXPECT_EQ(answer.verdict, Verdict::kUnknown);
  EXPECT_EQ(answer.reason, "the induction step fails");
  for (const char* part :
       {"In this state all lemmas and properties hold", "messages: A0", "and this step",
        "which breaks", "The state is not reachable", "A lemma is missing"}) {
    EXPECT_NE(result.failure.find(part), std::string::npos) << part << "\n" << result.failure;
  }
}

TEST(Proof, OfABrokenProtocolBecomesARefutation) {
  ProofRequest request{
      task("librdkafka-deferred", instance_w("disconnect,permanent-error", 2)), false, {}, ""};
  request.task.behaviour.adopt_defers_unresolved = false;
  const auto result = gate::prove_by_induction(request);
  ASSERT_EQ(result.findings.size(), 1U);
  const auto answer = gate::judge_proof(request, result, Property::kNoDuplicate);
  EXPECT_EQ(answer.verdict, Verdict::kRefuted);
  EXPECT_EQ(answer.depth, result.findings[0].stem.size());
}

TEST(Proof, NamesAFalseLemmaAndTheStateThatBreaksIt) {
  ProofRequest request{
      task("librdkafka-pr-4972", instance(1, 1, 1, "disconnect", 1)), false, {}, ""};
  request.task.behaviour.duplicate_at_watermark = false;
  try {
    static_cast<void>(gate::prove_by_induction(request));
    FAIL() << "the lemma ok-is-committed is false";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Exit::kBadInput);
    const std::string what = error.what();
    EXPECT_EQ(what.find("the lemma \"ok-is-committed\" is false of this variant"), 0U) << what;
    EXPECT_NE(what.find("high watermark"), std::string::npos) << what;
    EXPECT_NE(what.find("closes"), std::string::npos) << what;
  }
}

TEST(Proof, RefusesWhatItCannotProve) {
  ProofRequest request{
      task("librdkafka-pr-4972", instance_w(kField, 2), Property::kProgress), false, {}, ""};
  EXPECT_THROW(static_cast<void>(gate::prove_by_induction(request)), Error);
  request.task.properties = gate::bit(Property::kNoLoss);
  request.lemmas = {"canonicle"};
  try {
    static_cast<void>(gate::prove_by_induction(request));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "unknown lemma \"canonicle\"; did you mean \"canonical\"?");
  }
}

TEST(Proof, WhenInterruptedIsUnknown) {
  const std::atomic<bool> stop = true;
  ProofRequest request{task("librdkafka-pr-4972", instance_w(kField, 2)), false, {}, ""};
  request.task.limits.stop = &stop;
  const auto result = gate::prove_by_induction(request);
  const auto answer = gate::judge_proof(request, result, Property::kNoDuplicate);
  EXPECT_EQ(answer.verdict, Verdict::kUnknown);
  EXPECT_EQ(answer.reason, "interrupted");
}

// One partition alone duplicates nothing here: another one has to ask for the bump.
TEST(AnyPartitions, ARefutationIsMadeConcreteWithTwo) {
  ProofRequest request{
      task("librdkafka-2.15", instance(1, 1, 1, "disconnect,permanent-error", 1)), true, {}, ""};
  EXPECT_EQ(depth_of(run(request.task.behaviour, request.task.instance), Property::kNoDuplicate),
            -1);
  const auto result = gate::prove_by_induction(request);
  ASSERT_EQ(result.findings.size(), 1U) << result.unknown;
  EXPECT_EQ(result.refuted.partitions, 2);
  const spec::Model model(request.task.behaviour, result.refuted);
  const auto last = checker::replay(model, result.findings[0].stem).back();
  EXPECT_EQ(model.violated_partition(last, Property::kNoDuplicate), result.findings[0].partition);
  const auto answer = gate::judge_proof(request, result, Property::kNoDuplicate);
  EXPECT_EQ(answer.verdict, Verdict::kRefuted);
  EXPECT_EQ(answer.instance.find("2 partitions"), 0U) << answer.instance;
}

// With disconnects alone no partition ever asks for a bump, so what the environment does is no run.
TEST(AnyPartitions, ARefutationThatIsNoRunOfTwoIsInconclusive) {
  ProofRequest request{task("librdkafka-2.15", instance(1, 1, 1, "disconnect", 1)), true, {}, ""};
  const auto result = gate::prove_by_induction(request);
  EXPECT_TRUE(result.findings.empty());
  const auto answer = gate::judge_proof(request, result, Property::kNoDuplicate);
  EXPECT_EQ(answer.verdict, Verdict::kUnknown);
  EXPECT_EQ(answer.reason.find("inconclusive: a run of "), 0U) << answer.reason;
}

// What may happen in some partition may happen in the one that stands for each; and a connection
// that leaves a late request elsewhere just closes here.
TEST(AnyPartitions, EachMaySufferWhatAnyMay) {
  ProofRequest request{
      task("librdkafka-deferred-naive", instance_w("late-request@0,permanent-error@1", 2)),
      true,
      {},
      ""};
  const auto result = gate::prove_by_induction(request);
  EXPECT_TRUE(result.proved) << result.failure;
  EXPECT_TRUE(result.instance.faults.allows(spec::Fault::kLateRequest, 0));
  EXPECT_TRUE(result.instance.faults.allows(spec::Fault::kPermanentError, 0));
  EXPECT_TRUE(result.instance.faults.allows(spec::Fault::kDisconnect, 0));
}

// Where lemmas are claimed for some properties only, the others are searched, and never proved.
TEST(Proof, OfSomePropertiesSaysNothingOfTheOthers) {
  ProofRequest request{
      task("librdkafka-deferred", instance(1, 3, 2, "stale-view,expiry", 2)), true, {}, ""};
  for (const Property p : {Property::kNoLoss, Property::kWellFormed}) {
    request.task.properties |= gate::bit(p);
  }
  const auto result = gate::prove_by_induction(request);
  const auto verdict = [&](Property p) { return gate::judge_proof(request, result, p).verdict; };
  EXPECT_TRUE(result.proved) << result.failure;
  EXPECT_EQ(verdict(Property::kNoDuplicate), Verdict::kProved);
  EXPECT_EQ(verdict(Property::kNoLoss), Verdict::kRefuted);
  EXPECT_EQ(verdict(Property::kWellFormed), Verdict::kUnknown);
}

// One proof for all fault sets that the same largest set contains.
TEST(Proof, IsSharedByWhatItCovers) {
  gate::SharedProofs prove;
  const std::string first = prove(task("librdkafka-conditional-bump", instance_w("disconnect", 2)));
  EXPECT_EQ(first.find("proved at any depth"), 0U) << first;
  EXPECT_EQ(prove(task("librdkafka-conditional-bump", instance_w("leader-lost,late-request", 2))),
            first);
  EXPECT_NE(prove(task("librdkafka-conditional-bump", instance_w("permanent-error,expiry", 2))),
            first);
  EXPECT_EQ(prove(task("librdkafka-2.15", instance_w("leader-lost", 2))), "");
}

/// A broker that acknowledges a duplicate before it is committed: the lemmas do not know of it.
gate::Task early_acknowledgement(const char* faults, int budget, Property property) {
  gate::Task broken = task("librdkafka-pr-4972", instance(1, 1, 1, faults, budget), property);
  broken.behaviour.duplicate_at_watermark = false;
  return broken;
}

// With a larger set a lemma is false; the row's own faults do not show it.
TEST(Proof, ThatFailsWithMoreFaultsIsTriedWithTheRowsOwn) {
  gate::SharedProofs prove;
  EXPECT_THROW(
      prove(early_acknowledgement("too-few-replicas,disconnect", 1, Property::kNoDuplicate)),
      Error);
  const std::string own =
      prove(early_acknowledgement("too-few-replicas", 1, Property::kNoDuplicate));
  EXPECT_EQ(own.find("proved at any depth"), 0U) << own;
}

TEST(Proof, OfAClaimedPropertyThatIsViolatedIsAnError) {
  const gate::Task broken = early_acknowledgement("disconnect,leader-lost", 2, Property::kNoLoss);
  for (const gate::Task& asked :
       {broken, early_acknowledgement("disconnect", 2, Property::kNoLoss)}) {
    try {
      const std::string says = gate::SharedProofs()(asked);
      FAIL() << says;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Exit::kBadInput);
      EXPECT_NE(std::string(error.what()).find("lemmas are claimed to prove no-loss"),
                std::string::npos)
          << error.what();
    }
  }
}

// The epochs end in one instance and not in the other: what is known of one is not of the other.
TEST(Proof, IsNotSharedByInstancesWhoseEpochsEnd) {
  gate::SharedProofs prove;
  gate::Task one = task("librdkafka-conditional-bump", instance(1, 1, 1, "disconnect", 1));
  EXPECT_EQ(prove(one).find("proved at any depth"), 0U);
  one.instance.max_epoch = 1;
  EXPECT_EQ(prove(one), "") << "the lemmas do not speak of it";
}

// A request for a bump takes effect at once there, in all partitions.
TEST(AnyPartitions, AreNotCoveredWhereABumpWaitsForNothing) {
  ProofRequest request{
      task("librdkafka-conditional-bump", instance(1, 1, 1, "disconnect", 1)), true, {}, ""};
  request.task.behaviour.bump_waits_for = spec::BumpWaits::kNothing;
  const auto result = gate::prove_by_induction(request);
  EXPECT_FALSE(result.proved);
  const auto answer = gate::judge_proof(request, result, Property::kNoDuplicate);
  EXPECT_EQ(answer.verdict, Verdict::kUnknown);
  EXPECT_EQ(answer.reason.find("nothing is claimed of any number of partitions where a bump waits "
                               "for nothing"),
            0U)
      << answer.reason;
  EXPECT_EQ(gate::proof_sentence(request.task), "");
  EXPECT_EQ(gate::SharedProofs()(request.task), "");
  // The instance itself needs no environment.
  request.any_partitions = false;
  EXPECT_EQ(gate::prove_by_induction(request).claimed, gate::bit(Property::kNoDuplicate));
}

TEST(Bounded, RefutesTheAnswerOfTheSearchOnlyWithinTheUsersTime) {
  gate::Task asked = task("librdkafka-2.15", instance_w("leader-lost,stale-view", 2));
  asked.limits.seconds = 0.05;
  const std::string says = gate::refutation_sentence(asked, Property::kNoDuplicate, 18);
  EXPECT_EQ(says.find("the search alone vouches for it; bmc"), 0U) << says;
  EXPECT_NE(says.find("the time of 0.05 s for one query is over"), std::string::npos) << says;
}

TEST(Bounded, RefutesAtTheDepthOfTheSearch) {
  gate::Task asked = task("librdkafka-2.15", instance(1, 2, 2, "disconnect,permanent-error", 2));
  const auto searched = run(asked.behaviour, asked.instance,
                            Ask{.properties = asked.properties, .stop_when_decided = true});
  const auto result = gate::check_bounded_depth(asked);
  ASSERT_EQ(result.findings.size(), 1U) << result.stopped;
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(static_cast<int>(result.findings[0].depth()),
            depth_of(searched, Property::kNoDuplicate));
  EXPECT_EQ(gate::judge(asked, result, Property::kNoDuplicate, 0).verdict, Verdict::kRefuted);
}

// On W, at the depth of the explicit search, and no shorter.
TEST(Bounded, RefutesTheDuplicateByAPermanentError) {
  const gate::Task asked = task("librdkafka-2.15", instance_w("disconnect,permanent-error", 2));
  const auto result = gate::check_bounded_depth(asked);
  ASSERT_EQ(result.findings.size(), 1U) << result.stopped;
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.findings[0].depth(), 10U);
  EXPECT_EQ(result.findings[0].note, "") << "none is shorter";
}

TEST(Bounded, SaysWhatIsNotKnownWhenTimeIsOver) {
  gate::Task asked = task("librdkafka-2.15", instance_w("leader-lost,stale-view", 2));
  asked.limits.seconds = 0.5;
  const auto result = gate::check_bounded_depth(asked);
  const auto answer = gate::judge(asked, result, Property::kNoDuplicate, 0);
  EXPECT_EQ(answer.verdict, Verdict::kUnknown);
  EXPECT_NE(result.stopped.find("steps violates no-duplicate, then the time of"), std::string::npos)
      << result.stopped;
}

// The field's duplicate: 18 steps in two partitions.
TEST(Bounded, RefutesTheFieldsDuplicateAtItsDepth) {
  const gate::Task asked = task("librdkafka-2.15", instance_w("leader-lost,stale-view", 2));
  const std::string says = gate::refutation_sentence(asked, Property::kNoDuplicate, 18);
  EXPECT_EQ(says.find("refuted by bmc (Z3 "), 0U) << says;
  EXPECT_NE(says.find("in 18 steps, too"), std::string::npos) << says;
}

TEST(Bounded, DisagreementIsAnError) {
  const gate::Task asked =
      task("librdkafka-2.15", instance(1, 2, 2, "disconnect,permanent-error", 2));
  const auto searched = run(asked.behaviour, asked.instance,
                            Ask{.properties = asked.properties, .stop_when_decided = true});
  const auto depth = static_cast<std::uint32_t>(depth_of(searched, Property::kNoDuplicate));
  EXPECT_NE(
      gate::refutation_sentence(asked, Property::kNoDuplicate, depth).find("fewer are not enough"),
      std::string::npos);
  const auto complaint = [&](std::uint32_t claimed) -> std::string {
    try {
      return gate::refutation_sentence(asked, Property::kNoDuplicate, claimed);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Exit::kInternal);
      return error.what();
    }
  };
  EXPECT_NE(complaint(depth - 1).find("finds no such run"), std::string::npos);
  // One step more than needed: the solver may take it, but then sees that fewer are enough.
  EXPECT_NE(complaint(depth + 1).find("steps enough"), std::string::npos);
}

TEST(Bounded, WithoutAViolationIsNoProof) {
  gate::Task asked = task("librdkafka-pr-4972", instance(1, 1, 1, "disconnect", 1));
  asked.limits.max_depth = 8;
  const auto result = gate::check_bounded_depth(asked);
  EXPECT_TRUE(result.findings.empty());
  const auto answer = gate::judge(asked, result, Property::kNoDuplicate, 0);
  EXPECT_EQ(answer.verdict, Verdict::kBounded);
  EXPECT_EQ(answer.depth, 8U);
}

}  // namespace
}  // namespace fencepost::testing
