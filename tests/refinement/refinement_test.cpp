// Every step of the implementation is one of the spec or a stutter, and the properties hold and
// break on it as they do on the spec.
#include <gtest/gtest.h>

#include "checker/explicit/explicit_search.h"
#include "checker/gate/judge.h"
#include "checker/refinement/check_impl.h"
#include "checker/refinement/comparison.h"
#include "checker/refinement/impl_system.h"
#include "impl/random.h"
#include "spec/instance_text.h"
#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using refinement::ImplSystem;
using spec::Property;

gate::TaskResult check(const spec::Behaviour& behaviour, const spec::Instance& instance,
                       std::uint32_t properties) {
  gate::Task task;
  task.behaviour = behaviour;
  task.instance = instance;
  task.properties = properties;
  return refinement::check_on_impl(task);
}

std::uint32_t violated(const gate::TaskResult& result) {
  std::uint32_t mask = 0;
  for (const gate::Finding& finding : result.findings) mask |= gate::bit(finding.property);
  return mask;
}

class EveryVariant : public ::testing::TestWithParam<std::string> {};

/// Two new messages, two in flight, any fault once: the same verdicts as the spec gives.
TEST_P(EveryVariant, RefinesTheSpecAndAgreesWithIt) {
  const spec::Behaviour client = behaviour(GetParam());
  const spec::Instance two = instance(2, 2, 2, "all", 1);
  gate::Task task;
  task.behaviour = client;
  task.instance = two;
  task.properties = (1U << spec::kProperties) - 1;
  const gate::TaskResult on_impl = refinement::check_on_impl(task);
  const gate::TaskResult on_spec = gate::check_explicitly(task);
  EXPECT_EQ(on_impl.error, "");
  EXPECT_EQ(on_impl.end, checker::SearchEnd::kExhausted);
  EXPECT_FALSE(on_impl.stats.bounded());
  EXPECT_EQ(violated(on_impl), violated(on_spec));
  for (const gate::Finding& finding : on_impl.findings) {
    if (finding.property == Property::kProgress) continue;
    const gate::Finding* other = gate::finding_for(on_spec, finding.property);
    ASSERT_NE(other, nullptr);
    EXPECT_GE(finding.depth(), other->depth());
  }
}

/// One partition, three in flight, any two faults.
TEST_P(EveryVariant, RefinesTheSpecInOnePartition) {
  const gate::TaskResult result =
      check(behaviour(GetParam()), instance(1, 3, 3, "all", 2), 1U << refinement::kDivergence);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.end, checker::SearchEnd::kExhausted);
}

/// The window between flight and queue, and elections that lose committed entries.
class Wider : public ::testing::TestWithParam<std::string> {};

TEST_P(Wider, RefinesTheSpecWithTheWindow) {
  const spec::Behaviour client = behaviour(GetParam() + "-race");
  const gate::TaskResult one =
      check(client, instance(1, 3, 3, "all", 2), 1U << refinement::kDivergence);
  EXPECT_EQ(one.error, "");
  EXPECT_EQ(one.end, checker::SearchEnd::kExhausted);
  const gate::TaskResult two =
      check(client, instance(2, 2, 2, "leader-lost,stale-view,disconnect,purge", 1),
            1U << refinement::kDivergence);
  EXPECT_EQ(two.error, "");
}

TEST_P(Wider, RefinesTheSpecWithUncleanElections) {
  for (const char* broker : {"kafka-2.5-to-4.4", "kafka-4.5"}) {
    const spec::Behaviour both = behaviour(GetParam(), broker);
    const std::string more = "leader-lost,unclean-election,cache-shrink,expiry,disconnect";
    const gate::TaskResult one =
        check(both, instance(1, 2, 2, more, 3), 1U << refinement::kDivergence);
    EXPECT_EQ(one.error, "") << broker;
    EXPECT_EQ(one.end, checker::SearchEnd::kExhausted);
  }
  spec::Instance three = instance(1, 2, 2, "leader-lost,unclean-election", 3);
  three.brokers = 3;
  EXPECT_EQ(check(behaviour(GetParam()), three, 1U << refinement::kDivergence).error, "");
}

INSTANTIATE_TEST_SUITE_P(Impl, Wider,
                         ::testing::Values("librdkafka-2.15", "librdkafka-conditional-bump",
                                           "librdkafka-deferred"),
                         [](const auto& p) {
                           std::string name = p.param;
                           for (char& c : name) {
                             if (c == '-' || c == '.') c = '_';
                           }
                           return name;
                         });

class EveryBroker : public ::testing::TestWithParam<std::string> {};

/// Brokers that answer UNKNOWN_PRODUCER_ID and DUPLICATE_SEQUENCE_NUMBER, or remember less.
TEST_P(EveryBroker, RefinesTheSpec) {
  const spec::Behaviour both = behaviour("librdkafka-2.15", GetParam());
  const gate::TaskResult result =
      check(both, instance(1, 3, 3, "disconnect,stale-view,cache-shrink,expiry", 2),
            1U << refinement::kDivergence);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.end, checker::SearchEnd::kExhausted);
}

INSTANTIATE_TEST_SUITE_P(Impl, EveryBroker,
                         ::testing::Values("kafka-0.11", "kafka-1.0-to-1.1", "kafka-2.0-to-2.4",
                                           "kafka-4.5", "redpanda-21.10.2"),
                         [](const auto& p) {
                           std::string name = p.param;
                           for (char& c : name) {
                             if (c == '-' || c == '.') c = '_';
                           }
                           return name;
                         });

TEST(OtherClients, AreRefusedInOneSentence) {
  EXPECT_EQ(refinement::impl_instance_fault(behaviour("java-3.9"), instance(1, 1, 1, "purge", 1)),
            "the implementation is librdkafka's mechanism, which cannot have \"sequences\" = "
            "\"at-first-send\": ask the spec");
  EXPECT_EQ(refinement::impl_instance_fault(behaviour("librdkafka-2.15"),
                                            instance(1, 1, 1, "retention", 1)),
            "the fault retention has no implementation yet: ask the spec");
}

INSTANTIATE_TEST_SUITE_P(Impl, EveryVariant,
                         ::testing::Values("librdkafka-2.15", "librdkafka-pr-4972",
                                           "librdkafka-conditional-bump",
                                           "librdkafka-deferred-naive", "librdkafka-deferred",
                                           "librdkafka-deferred-answered",
                                           "librdkafka-deferred-honest"),
                         [](const auto& p) {
                           std::string name = p.param;
                           for (char& c : name) {
                             if (c == '-' || c == '.') c = '_';
                           }
                           return name;
                         });

TEST(Refinement, ColdPartitionsAndThreeBrokers) {
  spec::Instance cold = instance(2, 2, 2, "leader-lost,disconnect", 1);
  cold.warm = 0;
  EXPECT_EQ(check(behaviour("librdkafka-2.15"), cold, 1U << refinement::kDivergence).error, "");
  spec::Instance three = instance(1, 2, 2, "leader-lost,stale-view,disconnect", 2);
  three.brokers = 3;
  EXPECT_EQ(check(behaviour("librdkafka-2.15"), three, 1U << refinement::kDivergence).error, "");
}

TEST(Refinement, TheFieldDuplicateIsFoundOnTheImplementation) {
  const auto result =
      check(behaviour("librdkafka-2.15"), instance(2, 2, 2, "leader-lost,stale-view", 2),
            gate::bit(Property::kNoDuplicate));
  EXPECT_EQ(result.error, "");
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].depth(), 18U);  // of the spec; 20 choices with the fetches
}

/// Where no search can go: random runs of the greatest instance, every kind of fault, fifteen of
/// them, each step compared with the spec.
TEST(Refinement, LongRandomWalks) {
  spec::Instance big = instance(2, 3, 3, "all,unclean-election", 15);
  big.brokers = 3;
  big.epochs = spec::kMaxEpochs;
  for (const char* client :
       {"librdkafka-2.15", "librdkafka-deferred-answered", "librdkafka-deferred-race"}) {
    const ImplSystem system(behaviour(client), big, 0);
    impl::Random random(1);
    std::uint64_t steps = 0;
    for (int run = 0; run < 1000; ++run) {
      ImplSystem::State s = system.initial();
      for (int step = 0; step < 3000; ++step) {
        const auto a =
            static_cast<std::size_t>(random.below(static_cast<int>(system.action_count())));
        if (!system.guard(a, s)) continue;
        ImplSystem::State next = s;
        if (system.effect(a, next).bounds != 0) continue;
        if (next.diverged != 0) FAIL() << client << "\n" << divergence_text(*system.compare(a, s));
        s = next;
        ++steps;
      }
    }
    EXPECT_GT(steps, 30'000U);
  }
}

/// What the spec has no step for is not let through in silence.
TEST(Refinement, AFinerGrainDivergesAndIsToldInWords) {
  const spec::Instance one = instance(1, 3, 2, "leader-lost,late-request", 2);
  impl::Grain grain;
  grain.lagging_truncation = true;
  const ImplSystem system(behaviour("librdkafka-2.15"), one, 0, grain);
  checker::SearchOptions options;
  options.properties = 1U << refinement::kDivergence;
  const auto result = checker::search(system, options);
  ASSERT_EQ(result.violations.size(), 1U);
  ImplSystem::State s = system.initial();
  const auto& path = result.violations[0].path;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    EXPECT_FALSE(system.compare(path[i], s).has_value());
    static_cast<void>(system.effect(path[i], s));
  }
  const auto divergence = system.compare(path.back(), s);
  ASSERT_TRUE(divergence.has_value());
  const std::string text = divergence_text(*divergence);
  EXPECT_TRUE(text.starts_with("step \"")) << text;
  EXPECT_FALSE(divergence->before.empty());
  EXPECT_NE(divergence->before, divergence->after);
}

impl::SimulateOptions simulated(std::string_view faults) {
  impl::SimulateOptions o;
  o.behaviour = behaviour("librdkafka-2.15");
  o.partitions = 2;
  o.messages = 4;
  o.in_flight = 3;
  o.faults = spec::parse_faults(faults, 1);
  o.faults_per_mille = 30;
  o.grain = {};
  o.numbered_at_start = true;
  return o;
}

/// The simulator's own cluster, at the size of the spec: every step of many runs is compared.
TEST(Comparison, SimulationsAtTheGrainOfTheSpecRefineIt) {
  impl::SimulateOptions o = simulated("all,unclean-election");
  std::uint64_t compared = 0;
  std::uint64_t bumps = 0;
  for (const char* client : {"librdkafka-2.15", "librdkafka-pr-4972", "librdkafka-deferred",
                             "librdkafka-conditional-bump-race"}) {
    o.behaviour = behaviour(client);
    for (o.seed = 1; o.seed <= 200; ++o.seed) {
      refinement::Comparison comparison(o);
      impl::RandomScheduler random(o.seed, o.faults_per_mille);
      const impl::SimulateResult result = impl::simulate(o, random, nullptr, false, &comparison);
      ASSERT_FALSE(comparison.divergence()) << client << " seed " << o.seed << "\n"
                                            << divergence_text(*comparison.divergence());
      EXPECT_TRUE(comparison.compared() == result.steps || !comparison.ended().empty());
      compared += comparison.compared();
      bumps += result.counts.bumps;
    }
  }
  EXPECT_GT(compared, 30'000U);
  EXPECT_GT(bumps, 20U);
}

/// A run of an implementation with a mistake ends at the step that the spec does not have.
TEST(Comparison, AMistakeEndsTheRunAtItsStep) {
  impl::SimulateOptions o = simulated("leader-lost");
  o.mutant = impl::Mutant::kFollowerForgets;
  for (o.seed = 1; o.seed <= 50; ++o.seed) {
    refinement::Comparison comparison(o);
    impl::RandomScheduler random(o.seed, o.faults_per_mille);
    const impl::SimulateResult result = impl::simulate(o, random, nullptr, false, &comparison);
    if (!comparison.divergence()) continue;
    EXPECT_EQ(comparison.compared(), result.steps);
    EXPECT_TRUE(comparison.divergence()->producer_state);
    return;
  }
  FAIL() << "no run diverged";
}

/// A guard that is false is told by what it requires.
TEST(Refinement, AFalseGuardIsToldByItsConjuncts) {
  const spec::Model model(behaviour("librdkafka-2.15"), instance(1, 2, 2, "leader-lost", 1));
  const refinement::StepClaims claims(model);
  const impl::Choice receive{impl::ChoiceKind::kReceive, 0, -1};
  const spec::Model::State s = model.initial();
  const auto divergence = refinement::divergence_of(model, receive, claims.of(receive), s, s, true);
  ASSERT_TRUE(divergence.has_value());
  const std::string text = divergence_text(*divergence);
  EXPECT_TRUE(
      text.starts_with("step \"receive partition=0\" claims to be \"receive partition=0\" of "
                       "the spec\n"
                       "  the guard of that action is false here:\n"
                       "    it requires in flight of partition 0 (0) != 0\n"
                       "    it requires request stage 0 of partition 0 (sent) > waiting\n"
                       "  before, in the spec's fields (those not named are 0):\n"
                       "    producer:\n"
                       "    partition 0: status 3 0 0;"))
      << text;
}

TEST(Comparison, SaysWhyARunCannotBeCompared) {
  impl::SimulateOptions o = simulated("leader-lost");
  EXPECT_EQ(refinement::why_not_compared(o), "");
  o.messages = 100;
  EXPECT_EQ(refinement::why_not_compared(o),
            "the spec holds at most 7 messages a partition, not 100");
  o.grain.leader_hints = true;
  EXPECT_EQ(refinement::why_not_compared(o), "the grain is finer than the spec's (--grain spec)");
}

}  // namespace
}  // namespace fencepost::testing
