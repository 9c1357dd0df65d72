// The search for lemmas on the spec: from none it proves what the hand-written lemmas prove, of
// each of these it finds something that does its work, and of a client that is wrong it proves
// nothing.
#include <gtest/gtest.h>

#include <filesystem>

#include "checker/gate/lemma_finder.h"
#include "spec/lemmas.h"
#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using End = gate::FindTarget::End;

constexpr const char* kField = "leader-lost,stale-view,disconnect";
constexpr const char* kEvery = "all-but:late-request,cache-shrink,expiry";
/// All but honest-status.
constexpr std::uint32_t kProvable =
    gate::bit(spec::Property::kNoDuplicate) | gate::bit(spec::Property::kInOrder) |
    gate::bit(spec::Property::kNoLoss) | gate::bit(spec::Property::kNoFalseFailure) |
    gate::bit(spec::Property::kWellFormed);

gate::FindRequest request(const char* variant, const char* faults, int messages, int in_flight) {
  gate::FindRequest request;
  request.behaviour = behaviour(variant);
  request.instance = instance(1, messages, in_flight, faults, 1);
  request.instance.faults.unlimited = true;
  request.instance.log = request.instance.total_messages();
  request.properties = kProvable;
  return request;
}

/// All lemmas that are claimed but one.
std::vector<std::string> all_but(spec::Lemma left_out, const gate::FindRequest& request) {
  std::vector<std::string> given;
  for (int k = 0; k < spec::kLemmas; ++k) {
    const auto lemma = static_cast<spec::Lemma>(k);
    if (lemma == left_out || !spec::applies(lemma, {request.behaviour, request.instance})) continue;
    given.emplace_back(spec::lemmas()[static_cast<std::size_t>(k)].name);
  }
  return given;
}

void expect_all_closed(const gate::FindResult& result) {
  EXPECT_EQ(result.unknown, "");
  EXPECT_TRUE(result.explored.all());
  EXPECT_TRUE(result.minimal);
  EXPECT_TRUE(result.proved_again);
  for (const gate::FindTarget& target : result.targets) {
    EXPECT_EQ(target.end, End::kClosed) << target.name << "\n" << target.failure;
  }
}

TEST(FindLemmas, OfPr4972FromNone) {
  gate::FindRequest asked = request("librdkafka-pr-4972", kField, 2, 2);
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "fencepost-found-lemmas";
  asked.certificate = folder.string();
  const gate::FindResult result = gate::find_lemmas(asked);
  std::filesystem::remove_all(folder);
  expect_all_closed(result);
  ASSERT_FALSE(result.confirmation.solver.empty())
      << "cvc5 is not installed; ./run test installs it";
  EXPECT_TRUE(result.confirmation.whole) << result.confirmation.refused;
  EXPECT_EQ(result.larger.size(), 3U);
  EXPECT_EQ(result.targets.size(), 5U);
  EXPECT_EQ(result.explored.states, 12'342U);
  EXPECT_GT(result.lemmas.size(), 10U);
}

TEST(FindLemmas, OfDeferredFromNone) {
  const gate::FindResult result = gate::find_lemmas(request("librdkafka-deferred", kEvery, 1, 1));
  expect_all_closed(result);
  EXPECT_GT(result.lemmas.size(), 5U);
}

struct Left {
  const char* name;
  const char* variant;
  const char* faults;
  spec::Lemma lemma;
};
class FindsAgain : public ::testing::TestWithParam<Left> {};

// Lemmas without which the others are not inductive, so that something has to be found.
TEST_P(FindsAgain, WhatDoesTheWorkOfALemma) {
  gate::FindRequest request = testing::request(GetParam().variant, GetParam().faults, 2, 2);
  request.given = all_but(GetParam().lemma, request);
  const gate::FindResult result = gate::find_lemmas(request);
  expect_all_closed(result);
  EXPECT_FALSE(result.lemmas.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Spec, FindsAgain,
    ::testing::Values(Left{"Canonical", "librdkafka-pr-4972", kField, spec::Lemma::kCanonical},
                      Left{"Stamps", "librdkafka-pr-4972", kField, spec::Lemma::kStamps},
                      Left{"NeverBumps", "librdkafka-pr-4972", kField, spec::Lemma::kNeverBumps},
                      Left{"LogShape", "librdkafka-deferred", "disconnect,permanent-error",
                           spec::Lemma::kLogShape}),
    [](const auto& p) { return p.param.name; });

TEST(FindLemmas, NoneOfAClientThatIsWrong) {
  const gate::FindResult result =
      gate::find_lemmas(request("librdkafka-2.15", "disconnect,permanent-error", 2, 2));
  ASSERT_EQ(result.targets[0].name, "no-duplicate");
  EXPECT_EQ(result.targets[0].end, End::kFalse);
  EXPECT_GT(result.targets[0].depth, 5U);
  for (const gate::FindTarget& target : result.targets) EXPECT_NE(target.end, End::kClosed);
  EXPECT_FALSE(result.proved_again);
}

// Without the rule that an unresolved head waits, the deferral is broken: with the bound on the log
// that hides duplicates, and held only against states without faults, all the same nothing is
// proved.
TEST(FindLemmas, NoneOfAMutant) {
  gate::FindRequest broken = request("librdkafka-deferred", "disconnect,permanent-error", 2, 2);
  broken.behaviour.adopt_defers_unresolved = false;
  broken.budget = 0;
  broken.properties = gate::bit(spec::Property::kNoDuplicate);
  broken.limits.seconds = 8;
  const gate::FindResult result = gate::find_lemmas(broken);
  EXPECT_NE(result.targets[0].end, End::kClosed);
  EXPECT_FALSE(result.proved_again);
}

}  // namespace
}  // namespace fencepost::testing
