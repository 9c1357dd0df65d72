// Proofs as the command line asks for them: verdicts, counterexamples to induction in words, false
// lemmas, refutations on the way, bounded depth, and what is refused.
#include <gtest/gtest.h>

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

// On W, at the depth of the explicit search.
TEST(Bounded, RefutesTheDuplicateByAPermanentError) {
  const gate::Task asked = task("librdkafka-2.15", instance_w("disconnect,permanent-error", 2));
  const auto result = gate::check_bounded_depth(asked);
  ASSERT_EQ(result.findings.size(), 1U) << result.stopped;
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.findings[0].depth(), 10U);
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
