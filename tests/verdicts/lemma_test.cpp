// Every lemma holds in every state that the explicit engine visits, on W with the fault sets of
// the claims and on small instances with any number of faults, to the last state.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "checker/explicit/explicit_search.h"
#include "tests/support/lemma_model.h"
#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

constexpr const char* kField = "leader-lost,stale-view,disconnect";
constexpr const char* kEvery = "all-but:late-request,cache-shrink,expiry";
constexpr const char* kNoneFails =
    "leader-lost,stale-view,disconnect,late-request,request-timeout,too-few-replicas,"
    "too-few-replicas-after-append,cache-shrink";
constexpr const char* kNoDoubt =
    "stale-view,too-few-replicas,message-timeout,purge,retries-exhausted,permanent-error,"
    "cache-shrink";
constexpr const char* kNoDoubtExpiry =
    "stale-view,too-few-replicas,message-timeout,purge,retries-exhausted,permanent-error,"
    "cache-shrink,expiry";
constexpr const char* kEveryFailureBumps =
    "all-but:late-request,message-timeout-leaderless,purge,retries-exhausted,expiry";

struct Case {
  const char* name;
  const char* variant;
  spec::Instance instance;
  const char* broker = "kafka-2.5-to-4.4";
};

spec::Instance unlimited(spec::Instance i) {
  i.faults.unlimited = true;
  i.epochs = 2;
  return i;
}

spec::Instance cold(spec::Instance i) {
  i.warm = 0;
  return i;
}

class LemmaTest : public ::testing::TestWithParam<Case> {};

TEST_P(LemmaTest, HoldsInEveryStateVisited) {
  const LemmaModel model(behaviour(GetParam().variant, GetParam().broker), GetParam().instance);
  EXPECT_TRUE(spec::lemmas_claimed(model.rules()));
  checker::SearchOptions options;
  options.properties = (1U << spec::kLemmas) - 1;
  options.stop_when_decided = false;
  const checker::SearchResult result = checker::search(model, options);
  EXPECT_EQ(result.end, checker::SearchEnd::kExhausted);
  EXPECT_GT(result.stats.distinct, 500U);
  for (const checker::Violation& v : result.violations) {
    ADD_FAILURE() << spec::lemmas()[static_cast<std::size_t>(v.property)].name << " is false after "
                  << v.depth << " steps";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Spec, LemmaTest,
    ::testing::Values(
        Case{"Pr4972OnW", "librdkafka-pr-4972", instance_w(kField, 2)},
        Case{"ConditionalOnW", "librdkafka-conditional-bump", instance_w(kField, 2)},
        Case{"NaiveOnW", "librdkafka-deferred-naive", instance_w(kEvery, 1)},
        Case{"DeferredOnW", "librdkafka-deferred", instance_w(kEvery, 1)},
        Case{"HonestOnW", "librdkafka-deferred-honest", instance_w(kEvery, 1)},
        Case{"DeferredWithPurge", "librdkafka-deferred",
             instance_w("disconnect,purge,stale-view", 2)},
        Case{"Pr4972AnyFaults", "librdkafka-pr-4972", unlimited(instance(1, 3, 2, kField, 1))},
        Case{"DeferredAnyFaults", "librdkafka-deferred", unlimited(instance(1, 2, 2, kEvery, 1))},
        Case{"DeferredAnyTwoPartitions", "librdkafka-deferred",
             unlimited(instance(2, 1, 1, "disconnect,permanent-error", 1))},
        Case{"NaiveAnyFaults", "librdkafka-deferred-naive",
             unlimited(instance(1, 2, 2, kEvery, 1))}),
    [](const auto& p) { return p.param.name; });

// Late requests, lost producer state, cold partitions.
INSTANTIATE_TEST_SUITE_P(
    More, LemmaTest,
    ::testing::Values(
        Case{"DeferredNoneFailsOnW", "librdkafka-deferred", instance_w(kNoneFails, 1)},
        Case{"DeferredNoneFails", "librdkafka-deferred",
             unlimited(instance(1, 2, 2, kNoneFails, 1))},
        Case{"ConditionalNoneFails", "librdkafka-conditional-bump",
             instance(1, 3, 2, kNoneFails, 2)},
        Case{"NaiveOnWButExpiry", "librdkafka-deferred-naive", instance_w("all-but:expiry", 1)},
        Case{"NaiveButExpiry", "librdkafka-deferred-naive",
             unlimited(instance(1, 2, 2, "late-request,purge,permanent-error,cache-shrink", 1))},
        Case{"NaiveColdButExpiry", "librdkafka-deferred-naive",
             cold(instance(1, 3, 2, "all-but:expiry", 2)), "kafka-4.5"},
        Case{"Pr4972ThatNeverBumps", "librdkafka-pr-4972",
             instance(1, 3, 2, "all-but:message-timeout,permanent-error,expiry", 3)},
        Case{"AnsweredLateRequests", "librdkafka-deferred-answered",
             instance(1, 3, 2, "all-but:cache-shrink,expiry", 3)},
        Case{"AnsweredLateRequestsAndBumps", "librdkafka-deferred-answered",
             unlimited(instance(1, 3, 2, "late-request,permanent-error", 1))},
        Case{"AnsweredMarked", "librdkafka-deferred-answered",
             instance(1, 3, 2, "all-but:leader-lost,expiry", 3)},
        Case{"AnsweredCold", "librdkafka-deferred-answered",
             cold(instance(1, 3, 2, "all-but:cache-shrink,expiry", 2)), "kafka-4.5"},
        Case{"DeferredNoDoubtOnW", "librdkafka-deferred", instance_w(kNoDoubtExpiry, 2)},
        Case{"DeferredNoDoubt", "librdkafka-deferred",
             unlimited(instance(1, 3, 2, kNoDoubtExpiry, 1))},
        Case{"DeferredNoDoubtNoExpiry", "librdkafka-deferred",
             unlimited(instance(1, 3, 3, kNoDoubt, 1))},
        Case{"ClientAsItIsNoDoubt", "librdkafka-2.15", unlimited(instance(1, 3, 2, kNoDoubt, 1))},
        Case{"ClientAsItIsNoDoubtExpiry", "librdkafka-2.15",
             cold(unlimited(instance(1, 3, 2, kNoDoubtExpiry, 1)))},
        Case{"DeferredEveryFailureBumpsOnW", "librdkafka-deferred",
             instance_w(kEveryFailureBumps, 1)},
        Case{"DeferredEveryFailureBumps", "librdkafka-deferred",
             unlimited(instance(1, 3, 2, "disconnect,permanent-error,message-timeout,cache-shrink",
                                1))},
        Case{"DeferredEveryFailureBumpsLeaderLost", "librdkafka-deferred",
             instance(1, 3, 2, kEveryFailureBumps, 4)},
        Case{"HonestCold", "librdkafka-deferred-honest", cold(instance(1, 3, 2, kEvery, 3)),
             "kafka-4.5"}),
    [](const auto& p) { return p.param.name; });

// A lemma that holds in every well-typed state would say nothing. Between them these rules have
// every lemma.
TEST(Lemmas, EachIsFalseInSomeWellTypedState) {
  std::mt19937 random(20240817);
  std::uint32_t falsified = 0;
  const std::array cases{
      Case{"", "librdkafka-pr-4972", instance_w(kField, 2)},
      Case{"", "librdkafka-deferred-answered", instance_w("all-but:leader-lost,expiry", 2)},
      Case{"", "librdkafka-deferred", instance_w(kNoDoubtExpiry, 2)},
      Case{"", "librdkafka-deferred", instance_w(kEveryFailureBumps, 2)}};
  for (const Case& c : cases) {
    const spec::Model model(behaviour(c.variant), c.instance);
    for (int n = 0; n < 2000; ++n) {
      spec::Model::State s = model.initial();
      spec::visit_cells(s, model.rules(), [&](spec::Concrete::Cell& cell, const auto& place) {
        if (random() % 4 != 0) return;
        cell.v = static_cast<std::uint8_t>(std::uniform_int_distribution<>(0, place.max)(random));
      });
      const spec::Lemmas<spec::Concrete> lemmas{s, model.rules()};
      for (int k = 0; k < spec::kLemmas; ++k) {
        const auto lemma = static_cast<spec::Lemma>(k);
        if (!spec::applies(lemma, model.rules())) continue;
        if (!lemmas.holds(lemma, 0).value()) falsified |= 1U << k;
      }
    }
  }
  for (int k = 0; k < spec::kLemmas; ++k) {
    EXPECT_TRUE(((falsified >> k) & 1U) != 0) << spec::lemmas()[static_cast<std::size_t>(k)].name;
  }
}

}  // namespace
}  // namespace fencepost::testing
