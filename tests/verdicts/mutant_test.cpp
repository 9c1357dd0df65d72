// Broken protocols must be refuted, by the property that they break and at the depth stated. A
// checker that lets one of these pass is broken itself.
#include <gtest/gtest.h>

#include <functional>

#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using spec::Behaviour;
using spec::Property;

struct Mutant {
  std::string name;
  const char* variant;
  std::function<void(Behaviour&)> break_it;
  spec::Instance instance;
  Property property;
  int depth;
};

void PrintTo(const Mutant& mutant, std::ostream* out) { *out << mutant.name; }

std::vector<Mutant> mutants() {
  const char* const kLibrdkafka = "librdkafka-2.15";
  return {
      {"NoDuplicateCheck", kLibrdkafka, [](Behaviour& b) { b.duplicate_check = false; },
       // The retry of an appended batch is no longer recognised: OUT_OF_ORDER for the next expected
       // sequence, which is fatal.
       instance(1, 2, 2, "disconnect", 1), Property::kNoFalseFailure, 6},
      {"NoDuplicateCheckAndABrokerThatKnowsNothing", kLibrdkafka,
       [](Behaviour& b) {
         b.duplicate_check = false;
         b.new_epoch_from_zero = false;
         b.next_expected_out_of_order = spec::NextExpected::kBump;
       },
       instance(1, 2, 2, "disconnect", 1), Property::kNoDuplicate, 10},
      // The first of three appended batches has left the cache when its retry comes.
      {"CacheOfOneWithThreeInFlight", kLibrdkafka, [](Behaviour& b) { b.cache_size = 1; },
       instance(1, 3, 3, "disconnect", 1), Property::kNoFalseFailure, 9},
      // A partition goes on in the new epoch beside requests of the old one, whose epoch is
      // refused.
      {"NoDrainBeforeAdoption", kLibrdkafka,
       [](Behaviour& b) {
         b.bump_waits_for = spec::BumpWaits::kNothing;
         b.adopt_waits_for_in_flight = false;
         b.drain_before_retry = false;
       },
       instance(1, 3, 3, "stale-view", 2), Property::kNoFalseFailure, 20},
      // The other partition renumbers behind a request in flight that is then refused.
      {"RenumberWhileInFlight", kLibrdkafka,
       [](Behaviour& b) {
         b.bump_waits_for = spec::BumpWaits::kNothing;
         b.adopt_waits_for_in_flight = false;
       },
       instance(2, 2, 2, "stale-view", 2), Property::kNoLoss, 17},
      // Sequence 0 of the new epoch is refused, sequence 1 accepted, and acknowledges both.
      {"NewEpochAtAnySequence", kLibrdkafka, [](Behaviour& b) { b.new_epoch_from_zero = false; },
       instance(1, 3, 2, "permanent-error,stale-view", 2), Property::kNoLoss, 13},
      {"UnsortedRequeue", kLibrdkafka, [](Behaviour& b) { b.requeue = spec::Requeue::kBehind; },
       instance(1, 3, 2, "stale-view", 1), Property::kInOrder, 20},
      {"DuplicateAnsweredBeforeTheWatermark", kLibrdkafka,
       [](Behaviour& b) { b.duplicate_at_watermark = false; },
       instance(1, 2, 2, "disconnect,leader-lost", 2), Property::kNoLoss, 6},
      {"ImplicitAcknowledgementWithoutOrder", kLibrdkafka,
       [](Behaviour& b) { b.implicit_ack = spec::ImplicitAck::kAllSent; },
       instance(1, 3, 3, "too-few-replicas,stale-view", 2), Property::kNoLoss, 10},
  };
}

/// Of clients that give a message its stamp once, and of brokers that delete records.
std::vector<Mutant> later_mutants() {
  const char* const kLibrdkafka = "librdkafka-2.15";
  const char* const kJava = "java-3.9";
  return {
      // What another partition has in the log is renumbered, too: the field's duplicate, in Java.
      {"JavaBumpRestampsEveryPartition", kJava,
       [](Behaviour& b) { b.bump_restamps = spec::Restamps::kAll; },
       instance_w("leader-lost@0,permanent-error@1", 2), Property::kNoDuplicate, 13},
      {"JavaBumpsForEveryOutOfOrder", kJava,
       [](Behaviour& b) { b.later_out_of_order = spec::Later::kBump; },
       instance(1, 3, 3, "leader-lost,stale-view", 2), Property::kNoDuplicate, 16},
      // The next epoch starts beside requests of the old one.
      {"JavaAdoptsBesideRequestsInFlight", kJava,
       [](Behaviour& b) { b.adopt_waits_for_in_flight = false; },
       instance_w("leader-lost@0,permanent-error@1", 2), Property::kNoDuplicate, 15},
      // The scan forgets that what expired may stand in the log.
      {"JavaForgetsWhatExpired", kJava,
       [](Behaviour& b) { b.expired_in_doubt = spec::ExpiredInDoubt::kForgotten; },
       instance(1, 3, 2, "disconnect,message-timeout", 2), Property::kProgress, 7},
      {"BrokerForgetsWithTheRecords", kLibrdkafka,
       [](Behaviour& b) { b.producer_state = spec::ProducerState::kFollowsLog; },
       instance(1, 2, 2, "retention,disconnect", 2), Property::kNoDuplicate, 8},
  };
}

/// The length of the shortest run that violates the property, or -1.
int length_of(const checker::SearchResult& result, Property property) {
  if (property != Property::kProgress) return depth_of(result, property);
  if (!result.lasso) return -1;
  return static_cast<int>(result.lasso->stem.size() + result.lasso->loop.size());
}

class MutantTest : public ::testing::TestWithParam<Mutant> {};

TEST_P(MutantTest, IsRefuted) {
  const Mutant& mutant = GetParam();
  const Behaviour sound = behaviour(mutant.variant);
  Behaviour broken = sound;
  mutant.break_it(broken);
  const auto property = 1U << static_cast<unsigned>(mutant.property);
  const bool progress = mutant.property == Property::kProgress;
  const Ask ask{
      .properties = progress ? 0 : property, .progress = progress, .stop_when_decided = true};
  EXPECT_EQ(length_of(run(broken, mutant.instance, ask), mutant.property), mutant.depth);
  const checker::SearchResult kept = run(sound, mutant.instance, ask);
  EXPECT_EQ(length_of(kept, mutant.property), -1)
      << "the instance refutes the sound protocol too, so it shows nothing";
  EXPECT_EQ(kept.end, checker::SearchEnd::kExhausted);
  EXPECT_FALSE(kept.stats.bounded());
}

INSTANTIATE_TEST_SUITE_P(Spec, MutantTest, ::testing::ValuesIn(mutants()),
                         [](const auto& p) { return p.param.name; });
INSTANTIATE_TEST_SUITE_P(Later, MutantTest, ::testing::ValuesIn(later_mutants()),
                         [](const auto& p) { return p.param.name; });

}  // namespace
}  // namespace fencepost::testing
