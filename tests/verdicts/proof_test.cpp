// What is proved at any depth, with any number of faults of the kinds named: proved, proved again
// in fresh solvers, and at W confirmed by another solver. And what must not be provable: broken
// protocols, each with a real counterexample.
#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "checker/explicit/explicit_search.h"
#include "checker/symbolic/certificate.h"
#include "checker/symbolic/induction.h"
#include "checker/symbolic/spec_system.h"
#include "spec/lemmas.h"
#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using checker::InductionOptions;
using checker::InductionResult;
using checker::SpecSystem;
using spec::Behaviour;
using spec::Property;

constexpr const char* kField = "leader-lost,stale-view,disconnect";
constexpr const char* kEvery = "all-but:late-request,cache-shrink,expiry";
constexpr const char* kNoneFails =
    "leader-lost,stale-view,disconnect,late-request,request-timeout,too-few-replicas,"
    "too-few-replicas-after-append,cache-shrink";
constexpr const char* kNoDoubt =
    "stale-view,too-few-replicas,message-timeout,message-timeout-leaderless,purge,"
    "retries-exhausted,permanent-error,cache-shrink";
constexpr const char* kNoDoubtExpiry =
    "all-but:leader-lost,disconnect,late-request,request-timeout,too-few-replicas-after-append";
constexpr const char* kEveryFailureBumps =
    "all-but:late-request,message-timeout-leaderless,purge,retries-exhausted,expiry";
constexpr const char* kNeverBumps = "all-but:message-timeout,permanent-error,expiry";
constexpr const char* kButExpiry = "all-but:expiry";
constexpr const char* kLate = "all-but:cache-shrink,expiry";
constexpr const char* kMarked = "all-but:leader-lost,expiry";

constexpr int kOrder = 2;  ///< no-duplicate and in-order
constexpr int kMost = 5;   ///< and no-loss, no-false-failure, well-formed
constexpr int kAll = 6;    ///< and honest-status

struct Case {
  const char* name;
  const char* variant;
  const char* faults;
  int properties = kMost;  ///< how many are claimed to be provable
  int in_flight = 3;       ///< where any number of partitions is asked
};

spec::Instance any_faults(spec::Instance i) {
  i.faults.unlimited = true;
  i.log = i.total_messages();  // and no step may ever hit that bound
  return i;
}

std::vector<std::size_t> every_fact(const SpecSystem& system) {
  std::vector<std::size_t> facts(system.facts().size());
  for (std::size_t i = 0; i < facts.size(); ++i) facts[i] = i;
  return facts;
}

InductionOptions epochs_stated() {
  InductionOptions options;
  options.stated_bounds = 1U << static_cast<unsigned>(spec::Bound::kEpochs);
  return options;
}

std::string failure_text(const SpecSystem& system, const InductionResult& result) {
  std::string text = result.unknown;
  for (const auto& failure : result.failures) {
    text += failure.action ? system.action_text(*failure.action) : "initial";
    for (const std::size_t f : failure.broken) text += " breaks " + system.facts()[f].name;
    text += " " + failure.other + "\n";
  }
  return text;
}

void expect_proved(const SpecSystem& system, bool fresh) {
  InductionOptions options = epochs_stated();
  options.fresh = fresh;
  const InductionResult result = checker::prove(system, every_fact(system), options);
  EXPECT_TRUE(result.proved) << failure_text(system, result);
}

class ProofTest : public ::testing::TestWithParam<Case> {};
class ConfirmedProofTest : public ProofTest {};
class ColdProofTest : public ProofTest {};

std::uint32_t provable(const Case& c, const spec::Instance& instance,
                       const std::string& broker = "kafka-2.5-to-4.4") {
  const std::uint32_t properties =
      spec::provable_properties({behaviour(c.variant, broker), instance});
  EXPECT_EQ(std::popcount(properties), c.properties);
  return properties;
}

TEST_P(ConfirmedProofTest, AtWAndConfirmedByCvc5) {
  const spec::Instance w = any_faults(instance(2, 3, 2, GetParam().faults, 1));
  const std::uint32_t properties = provable(GetParam(), w);
  const SpecSystem system(behaviour(GetParam().variant), w, {properties, true, false});
  expect_proved(system, false);
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / (std::string("fencepost-proof-") + GetParam().name);
  const auto certificate =
      checker::write_certificate(system, every_fact(system), epochs_stated(), folder, "A test.");
  EXPECT_TRUE(certificate.result.proved) << "in fresh solvers";
  const checker::Confirmation confirmation = checker::confirm_by_cvc5(certificate, folder);
  std::filesystem::remove_all(folder);
  ASSERT_FALSE(confirmation.solver.empty()) << "cvc5 is not installed; ./run test installs it";
  EXPECT_TRUE(confirmation.whole) << confirmation.refused;
  EXPECT_EQ(confirmation.confirmed, static_cast<int>(certificate.files.size()));
}

TEST_P(ProofTest, ForAnyNumberOfPartitions) {
  const spec::Instance one = any_faults(instance(1, 4, GetParam().in_flight, GetParam().faults, 1));
  const std::uint32_t properties = provable(GetParam(), one);
  const SpecSystem system(behaviour(GetParam().variant), one, {properties, true, true});
  expect_proved(system, true);
}

// A partition that holds nothing yet, on a broker that then insists on sequence 0.
TEST_P(ColdProofTest, ForAnyNumberOfPartitions) {
  spec::Instance one = instance(1, 3, 2, GetParam().faults, 1);
  one.warm = 0;
  one = any_faults(one);
  const std::uint32_t properties = provable(GetParam(), one, "kafka-4.5");
  const SpecSystem system(behaviour(GetParam().variant, "kafka-4.5"), one,
                          {properties, true, true});
  expect_proved(system, true);
}

constexpr Case kMain[] = {
    {"Pr4972", "librdkafka-pr-4972", kField},
    {"Conditional", "librdkafka-conditional-bump", kField},
    {"Naive", "librdkafka-deferred-naive", kEvery},
    {"Deferred", "librdkafka-deferred", kEvery},
    {"DeferredNoneFails", "librdkafka-deferred", kNoneFails},
    {"NaiveLate", "librdkafka-deferred-naive", "late-request,permanent-error,cache-shrink", kAll}};
constexpr Case kMore[] = {
    {"NaiveButExpiry", "librdkafka-deferred-naive", kButExpiry},
    {"Honest", "librdkafka-deferred-honest", kEvery, kAll},
    {"Answered", "librdkafka-deferred-answered", kEvery},
    {"DeferredNoDoubt", "librdkafka-deferred", kNoDoubt, kAll},
    {"DeferredNoDoubtExpiry", "librdkafka-deferred", kNoDoubtExpiry, kOrder},
    {"DeferredEveryFailureBumps", "librdkafka-deferred", kEveryFailureBumps, kMost, 2},
    {"ConditionalNoneFailsLeaderlessNeverStrikes", "librdkafka-conditional-bump",
     "stale-view,disconnect,late-request,message-timeout-leaderless,cache-shrink", kAll, 2},
    {"DeferredRetriesNeverEnd", "librdkafka-deferred",
     "leader-lost,stale-view,retries-exhausted,cache-shrink", kMost, 2},
    {"ConditionalNoneFails", "librdkafka-conditional-bump", kNoneFails},
    {"Pr4972NeverBumps", "librdkafka-pr-4972", kNeverBumps},
    {"AnsweredLate", "librdkafka-deferred-answered", kLate},
    {"AnsweredMarked", "librdkafka-deferred-answered", kMarked, kAll},
    {"AnsweredHonest", "librdkafka-answered-honest", kButExpiry, kAll},
    {"ClientAsItIsNoDoubt", "librdkafka-2.15", kNoDoubt, kAll},
    {"ClientAsItIsNoDoubtExpiry", "librdkafka-2.15", kNoDoubtExpiry, kOrder}};
constexpr Case kCold[] = {{"Deferred", "librdkafka-deferred", kEvery},
                          {"DeferredNoneFails", "librdkafka-deferred", kNoneFails},
                          {"DeferredNoDoubt", "librdkafka-deferred", kNoDoubt, kAll},
                          {"DeferredEveryFailureBumps", "librdkafka-deferred", kEveryFailureBumps},
                          {"NaiveButExpiry", "librdkafka-deferred-naive", kButExpiry},
                          {"Pr4972NeverBumps", "librdkafka-pr-4972", kNeverBumps},
                          {"AnsweredLate", "librdkafka-deferred-answered", kLate}};

std::string case_name(const ::testing::TestParamInfo<Case>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Spec, ConfirmedProofTest, ::testing::ValuesIn(kMain), case_name);
INSTANTIATE_TEST_SUITE_P(Spec, ProofTest, ::testing::ValuesIn(kMain), case_name);
INSTANTIATE_TEST_SUITE_P(More, ProofTest, ::testing::ValuesIn(kMore), case_name);
INSTANTIATE_TEST_SUITE_P(Cold, ColdProofTest, ::testing::ValuesIn(kCold), case_name);

// A bump really happens within the instance of the proof, and what the set adds does, too.
TEST(Proofs, SpeakOfRunsWithBumps) {
  using spec::Note;
  struct Witnessed {
    const char* variant;
    const char* faults;
    std::vector<Note> notes;
  };
  const Note done = Note::kBumpCompletes;
  const std::vector<Witnessed> cases{
      {"librdkafka-deferred", "disconnect,permanent-error", {done, Note::kAdoptionDeferred}},
      {"librdkafka-deferred-naive", "late-request,permanent-error", {done, Note::kLateAppend}},
      {"librdkafka-deferred-answered",
       "late-request,permanent-error",
       {done, Note::kLateAppend, Note::kAbsenceProved}},
      {"librdkafka-deferred", "disconnect,permanent-error,cache-shrink", {done, Note::kFatal}},
      {"librdkafka-deferred", "permanent-error,expiry", {done, Note::kAcceptedWithoutEntry}}};
  for (const Witnessed& c : cases) {
    const auto result = run(behaviour(c.variant), instance_w(c.faults, 2), Ask{});
    for (const Note note : c.notes) {
      EXPECT_TRUE(((result.notes >> static_cast<unsigned>(note)) & 1U) != 0)
          << c.variant << " with " << c.faults << ": "
          << spec::notes()[static_cast<std::size_t>(note)].name;
    }
    EXPECT_TRUE(((result.notes >> static_cast<unsigned>(Note::kAdopts)) & 1U) != 0) << c.faults;
  }
}

struct Mutant {
  std::string name;
  const char* variant;
  std::function<void(Behaviour&)> break_it;
  spec::Instance instance;
  Property property;
  bool claimed = true;  ///< lemmas are claimed of the mutant, and yet not proved
};

/// Of the sets with late requests, lost producer state, or without doubt: the lemmas are claimed of
/// these mutants, too, and cannot be proved of them.
void add_more(std::vector<Mutant>& list) {
  const auto early = [](Behaviour& b) { b.duplicate_at_watermark = false; };
  const auto no_check = [](Behaviour& b) { b.duplicate_check = false; };
  const auto any_start = [](Behaviour& b) { b.new_epoch_from_zero = false; };
  const auto all_sent = [](Behaviour& b) { b.implicit_ack = spec::ImplicitAck::kAllSent; };
  const auto shared = [&](const std::string& name, const char* variant, const char* faults) {
    list.push_back({name + "DuplicateAnsweredEarly", variant, early, instance(1, 2, 2, faults, 2),
                    Property::kNoLoss});
    list.push_back({name + "NoDuplicateCheck", variant, no_check, instance(1, 2, 2, faults, 2),
                    Property::kNoFalseFailure});
  };
  shared("DeferredNoneFails", "librdkafka-deferred", kNoneFails);
  shared("DeferredEveryFailureBumps", "librdkafka-deferred", kEveryFailureBumps);
  shared("NaiveButExpiry", "librdkafka-deferred-naive", kButExpiry);
  shared("Pr4972NeverBumps", "librdkafka-pr-4972", kNeverBumps);
  shared("AnsweredLate", "librdkafka-deferred-answered", kLate);
  list.push_back({"DeferredNoDoubtNewEpochAtAnySequence", "librdkafka-deferred", any_start,
                  instance(1, 3, 2, kNoDoubt, 2), Property::kNoLoss});
  list.push_back({"DeferredNoDoubtImplicitAcknowledgementWithoutOrder", "librdkafka-deferred",
                  all_sent, instance(1, 3, 3, kNoDoubt, 2), Property::kNoLoss});
  const auto unsorted = [](Behaviour& b) { b.requeue = spec::Requeue::kBehind; };
  const auto no_drain = [](Behaviour& b) { b.drain_before_retry = false; };
  list.push_back({"DeferredNoDoubtExpiryUnsortedRequeue", "librdkafka-deferred", unsorted,
                  instance(1, 3, 2, kNoDoubtExpiry, 2), Property::kInOrder});
  list.push_back({"DeferredNoDoubtExpiryNoDrain", "librdkafka-deferred", no_drain,
                  instance(1, 3, 2, kNoDoubtExpiry, 3), Property::kInOrder});
}

std::vector<Mutant> mutants() {
  const auto early = [](Behaviour& b) { b.duplicate_at_watermark = false; };
  const auto no_check = [](Behaviour& b) { b.duplicate_check = false; };
  const auto no_deferral = [](Behaviour& b) { b.adopt_defers_unresolved = false; };
  std::vector<Mutant> list;
  const auto shared = [&](const std::string& name, const char* variant) {
    list.push_back({name + "DuplicateAnsweredEarly", variant, early,
                    instance(1, 2, 2, "disconnect,leader-lost", 2), Property::kNoLoss});
    list.push_back({name + "NoDuplicateCheck", variant, no_check,
                    instance(1, 2, 2, "disconnect", 1), Property::kNoFalseFailure});
  };
  shared("Pr4972", "librdkafka-pr-4972");
  shared("Conditional", "librdkafka-conditional-bump");
  shared("Naive", "librdkafka-deferred-naive");
  shared("Deferred", "librdkafka-deferred");
  add_more(list);
  list.push_back({"DeferredWithoutDeferral", "librdkafka-deferred", no_deferral,
                  instance_w("disconnect,permanent-error", 2), Property::kNoDuplicate, false});
  list.push_back({"NaiveWithoutDeferral", "librdkafka-deferred-naive", no_deferral,
                  instance_w("disconnect,permanent-error", 2), Property::kNoDuplicate, false});
  return list;
}

void PrintTo(const Mutant& mutant, std::ostream* out) { *out << mutant.name; }

class UnprovableTest : public ::testing::TestWithParam<Mutant> {};

TEST_P(UnprovableTest, ABrokenProtocolIsRefutedAndNotProved) {
  const Mutant& mutant = GetParam();
  Behaviour broken = behaviour(mutant.variant);
  mutant.break_it(broken);
  const auto property = 1U << static_cast<unsigned>(mutant.property);
  const auto found =
      run(broken, mutant.instance, Ask{.properties = property, .stop_when_decided = true});
  EXPECT_GT(depth_of(found, mutant.property), 0) << "a real counterexample";
  EXPECT_TRUE(mutant.claimed == spec::lemmas_claimed({broken, any_faults(mutant.instance)}));
  for (const bool lemmas : {false, true}) {
    const SpecSystem system(broken, any_faults(mutant.instance), {property, lemmas, false});
    const auto result = checker::prove(system, every_fact(system), epochs_stated());
    EXPECT_FALSE(result.proved);
    EXPECT_FALSE(result.failures.empty()) << result.unknown;
  }
}

INSTANTIATE_TEST_SUITE_P(Spec, UnprovableTest, ::testing::ValuesIn(mutants()),
                         [](const auto& p) { return p.param.name; });

}  // namespace
}  // namespace fencepost::testing
