// The simulator: repeatable, honest about what it finds, and good at making it small.
#include "impl/simulator.h"

#include <gtest/gtest.h>

#include "spec/instance_text.h"
#include "spec/variant.h"
#include "traces/tracer_trace.h"

namespace fencepost::impl {
namespace {

SimulateOptions options(const std::string& variant, const std::string& faults) {
  const std::string spec = FENCEPOST_SOURCE_DIR "/spec";
  SimulateOptions o;
  o.behaviour = spec::combine(spec::load_variant(variant, spec + "/variants"),
                              spec::load_variant("kafka-2.5-to-4.4", spec + "/brokers"));
  if (faults == "none") {
    o.faults_per_mille = 0;
  } else {
    o.faults = spec::parse_faults(faults, 1);
  }
  return o;
}

SimulateResult run(const SimulateOptions& o, std::string* trace = nullptr) {
  RandomScheduler random(o.seed, o.faults_per_mille);
  fp_tracer tracer;
  if (trace != nullptr) {
    fp_trace_open(
        &tracer,
        [](void* to, const char* line, size_t length) {
          static_cast<std::string*>(to)->append(line, length);
        },
        trace, "a test");
    fp_end(&tracer);
  }
  return simulate(o, random, trace == nullptr ? nullptr : &tracer, true);
}

TEST(Simulator, DeliversEverythingWithoutFaults) {
  SimulateOptions o = options("librdkafka-2.15", "none");
  o.batch = 7;
  o.messages = 500;
  const SimulateResult result = run(o);
  EXPECT_TRUE(result.quiet);
  EXPECT_FALSE(result.broken);
  EXPECT_EQ(result.counts.delivered, 2000U);
}

TEST(Simulator, TheSameSeedGivesTheSameBytes) {
  const SimulateOptions o = options("librdkafka-pr-4972", "leader-lost,disconnect,stale-view");
  std::string one;
  std::string two;
  const SimulateResult first = run(o, &one);
  const SimulateResult second = run(o, &two);
  EXPECT_EQ(one, two);
  EXPECT_EQ(first.schedule, second.schedule);
  SimulateOptions other = o;
  other.seed = 2;
  std::string three;
  run(other, &three);
  EXPECT_NE(one, three);
}

TEST(Simulator, WritesATraceThatTheReaderAccepts) {
  std::string text;
  SimulateOptions o = options(
      "librdkafka-pr-4972",
      "leader-lost,stale-view,disconnect,late-request,request-timeout,too-few-replicas,purge");
  o.steps = 20'000;
  run(o, &text);
  const auto summary = traces::check_tracer_trace(traces::read_trace(text, "run"), "run");
  EXPECT_GT(summary.events, 1000U);
  EXPECT_EQ(summary.by, "a test");
  EXPECT_TRUE(summary.actors.contains("broker 2"));
}

TEST(Simulator, FindsTheFieldDuplicateAndShrinksIt) {
  SimulateOptions o = options("librdkafka-2.15", "leader-lost,stale-view,disconnect");
  o.seed = 2;
  const SimulateResult result = run(o);
  ASSERT_TRUE(result.broken);
  EXPECT_EQ(result.broken->property, spec::Property::kNoDuplicate);
  const std::vector<Choice> small = shrink(o, result.schedule, spec::Property::kNoDuplicate);
  EXPECT_LT(small.size(), 60U);
  ListScheduler list(small);
  const SimulateResult again = simulate(o, list, nullptr, true);
  ASSERT_TRUE(again.broken);
  EXPECT_EQ(again.broken->property, spec::Property::kNoDuplicate);
  EXPECT_EQ(again.schedule, small);
}

/// The proposed change survives runs of any length at the grain of the spec.
TEST(Simulator, TheDeferralBreaksNothing) {
  SimulateOptions o = options("librdkafka-deferred", "leader-lost,stale-view,disconnect");
  o.messages = 20'000;
  for (o.seed = 1; o.seed <= 3; ++o.seed) {
    const SimulateResult result = run(o);
    EXPECT_FALSE(result.broken) << o.seed;
    EXPECT_EQ(result.steps, o.steps);
  }
}

/// Batches of several messages are rebuilt identically, whatever is queued meanwhile; the mutant
/// cuts a retried one (librdkafka 2.2.0 did, with a backoff per message).
TEST(Simulator, RetriedBatchesStayWhole) {
  SimulateOptions o = options("librdkafka-pr-4972", "disconnect,request-timeout,leader-lost");
  o.batch = 3;
  o.in_flight = 12;
  o.messages = 10'000;
  EXPECT_FALSE(run(o).broken);
  o.mutant = Mutant::kBackoffCutsBatch;
  const SimulateResult result = run(o);
  ASSERT_TRUE(result.broken);
  EXPECT_EQ(result.broken->property, spec::Property::kNoFalseFailure);
}

/// Found by the simulator: between two threads a failed batch is neither in flight nor queued, so
/// the conditional bump takes the next OUT_OF_ORDER for a gap, and partition 3 duplicates.
TEST(Simulator, TheRequeueWindowDefeatsTheConditionalBump) {
  const char* texts[] = {"produce partition=1",
                         "send partition=1",
                         "take partition=1",
                         "fetch partition=1 a=0",
                         "fetch partition=1 a=2",
                         "advance-watermark partition=1",
                         "receive partition=1",
                         "produce partition=3",
                         "send partition=3",
                         "take partition=3",
                         "fetch partition=3 a=2",
                         "produce partition=1",
                         "send partition=1",
                         "lose-leader partition=1",
                         "elect partition=1 a=2",
                         "learn-leader partition=1",
                         "learn-leadership partition=1",
                         "lose-leader partition=3",
                         "elect partition=3 a=2",
                         "learn-leader partition=3",
                         "learn-leadership partition=3",
                         "receive partition=3",
                         "requeue partition=3",
                         "disconnect a=1",
                         "produce partition=1",
                         "send partition=1",
                         "take partition=1",
                         "receive partition=1",
                         "requeue partition=1",
                         "complete-bump",
                         "send partition=3",
                         "take partition=3",
                         "fetch partition=3 a=0",
                         "fetch partition=3 a=1",
                         "fetch partition=3 a=1",
                         "advance-watermark partition=3"};
  std::vector<Choice> list;
  for (const char* text : texts) {
    Choice choice;
    ASSERT_TRUE(read_choice(text, choice)) << text;
    list.push_back(choice);
  }
  const char* faults = "leader-lost,stale-view,disconnect";
  SimulateOptions o = options("librdkafka-conditional-bump-race", faults);
  o.grain = {};
  ListScheduler with_window(list);
  const SimulateResult result = simulate(o, with_window, nullptr, true);
  ASSERT_TRUE(result.broken);
  EXPECT_EQ(result.broken->property, spec::Property::kNoDuplicate);
  EXPECT_EQ(result.steps, list.size());
  o.behaviour = options("librdkafka-conditional-bump", faults).behaviour;
  ListScheduler without(list);
  EXPECT_FALSE(simulate(o, without, nullptr, true).broken);
}

TEST(Simulator, ChoicesAreTextAndBack) {
  for (const Choice choice :
       {Choice{ChoiceKind::kTake, 3, -1}, Choice{ChoiceKind::kElect, 0, 2},
        Choice{ChoiceKind::kDisconnect, -1, 1}, Choice{ChoiceKind::kCompleteBump, -1, -1}}) {
    Choice back;
    EXPECT_TRUE(read_choice(choice_text(choice), back));
    EXPECT_EQ(back, choice);
  }
  Choice none;
  EXPECT_FALSE(read_choice("fly partition=0", none));
  EXPECT_FALSE(read_choice("take partition=x", none));
  EXPECT_FALSE(read_choice("take partition=0 and more", none));
}

TEST(Simulator, RefusesWhatItDoesNotHave) {
  SimulateOptions o = options("librdkafka-2.15", "none");
  o.partitions = 33;
  try {
    require_simulable(o);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Exit::kUsage);
    EXPECT_STREQ(error.what(), "the simulator takes 1 to 32 partitions, not 33");
  }
  EXPECT_THROW(parse_grain("coarse"), Error);
  EXPECT_THROW(parse_grain("changing-isr,"), Error);
  EXPECT_TRUE(parse_grain("changing-isr").changing_isr);
}

}  // namespace
}  // namespace fencepost::impl
