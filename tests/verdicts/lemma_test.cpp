// Every lemma holds in every state that the explicit engine visits, on W with the fault sets of
// the claims and on small instances with any number of faults, to the last state.
#include <gtest/gtest.h>

#include <random>

#include "checker/explicit/explicit_search.h"
#include "tests/support/lemma_model.h"
#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

constexpr const char* kField = "leader-lost,stale-view,disconnect";
constexpr const char* kEvery = "all-but:late-request,cache-shrink,expiry";

struct Case {
  const char* name;
  const char* variant;
  spec::Instance instance;
};

spec::Instance unlimited(spec::Instance i) {
  i.faults.unlimited = true;
  i.epochs = 2;
  return i;
}

class LemmaTest : public ::testing::TestWithParam<Case> {};

TEST_P(LemmaTest, HoldsInEveryStateVisited) {
  const LemmaModel model(behaviour(GetParam().variant), GetParam().instance);
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

// A lemma that holds in every well-typed state would say nothing.
TEST(Lemmas, EachIsFalseInSomeWellTypedState) {
  const spec::Model model(behaviour("librdkafka-pr-4972"), instance_w(kField, 2));
  std::mt19937 random(20240817);
  std::uint32_t falsified = 0;
  for (int n = 0; n < 2000; ++n) {
    spec::Model::State s = model.initial();
    spec::visit_cells(s, model.rules(), [&](spec::Concrete::Cell& cell, const auto& place) {
      if (random() % 4 != 0) return;
      cell.v = static_cast<std::uint8_t>(std::uniform_int_distribution<>(0, place.max)(random));
    });
    const spec::Lemmas<spec::Concrete> lemmas{s, model.rules()};
    for (int k = 0; k < spec::kLemmas; ++k) {
      if (!lemmas.holds(static_cast<spec::Lemma>(k), 0).value()) falsified |= 1U << k;
    }
  }
  for (int k = 0; k < spec::kLemmas; ++k) {
    EXPECT_TRUE(((falsified >> k) & 1U) != 0) << spec::lemmas()[static_cast<std::size_t>(k)].name;
  }
}

}  // namespace
}  // namespace fencepost::testing
