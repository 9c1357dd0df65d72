// What is proved at any depth, with any number of faults of the kinds named: proved, proved again
// in fresh solvers, and at W confirmed by another solver. And what must not be provable: broken
// protocols, each with a real counterexample.
#include <gtest/gtest.h>

#include <functional>

#include "checker/explicit/explicit_search.h"
#include "checker/symbolic/certificate.h"
#include "checker/symbolic/induction.h"
#include "checker/symbolic/spec_system.h"
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
constexpr std::uint32_t kProved = 1U << static_cast<unsigned>(Property::kNoDuplicate) |
                                  1U << static_cast<unsigned>(Property::kInOrder) |
                                  1U << static_cast<unsigned>(Property::kNoLoss) |
                                  1U << static_cast<unsigned>(Property::kNoFalseFailure) |
                                  1U << static_cast<unsigned>(Property::kWellFormed);

struct Case {
  const char* name;
  const char* variant;
  const char* faults;
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

TEST_P(ConfirmedProofTest, AtWAndConfirmedByCvc5) {
  const spec::Instance w = any_faults(instance(2, 3, 2, GetParam().faults, 1));
  const SpecSystem system(behaviour(GetParam().variant), w, {kProved, true, false});
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
  const spec::Instance one = any_faults(instance(1, 4, 3, GetParam().faults, 1));
  const SpecSystem system(behaviour(GetParam().variant), one, {kProved, true, true});
  expect_proved(system, true);
}

constexpr Case kMain[] = {{"Pr4972", "librdkafka-pr-4972", kField},
                          {"Conditional", "librdkafka-conditional-bump", kField},
                          {"Naive", "librdkafka-deferred-naive", kEvery},
                          {"Deferred", "librdkafka-deferred", kEvery}};
constexpr Case kMore[] = {{"Honest", "librdkafka-deferred-honest", kEvery},
                          {"Answered", "librdkafka-deferred-answered", kEvery}};

std::string case_name(const ::testing::TestParamInfo<Case>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Spec, ConfirmedProofTest, ::testing::ValuesIn(kMain), case_name);
INSTANTIATE_TEST_SUITE_P(Spec, ProofTest, ::testing::ValuesIn(kMain), case_name);
INSTANTIATE_TEST_SUITE_P(More, ProofTest, ::testing::ValuesIn(kMore), case_name);

// A bump really happens within the instance of the proof.
TEST(Proofs, SpeakOfRunsWithBumps) {
  const auto result =
      run(behaviour("librdkafka-deferred"), instance_w("disconnect,permanent-error", 2), Ask{});
  const auto noted = [&](spec::Note note) {
    return ((result.notes >> static_cast<unsigned>(note)) & 1U) != 0;
  };
  EXPECT_TRUE(noted(spec::Note::kBumpCompletes));
  EXPECT_TRUE(noted(spec::Note::kAdopts));
  EXPECT_TRUE(noted(spec::Note::kAdoptionDeferred));
}

struct Mutant {
  std::string name;
  const char* variant;
  std::function<void(Behaviour&)> break_it;
  spec::Instance instance;
  Property property;
};

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
  list.push_back({"DeferredWithoutDeferral", "librdkafka-deferred", no_deferral,
                  instance_w("disconnect,permanent-error", 2), Property::kNoDuplicate});
  list.push_back({"NaiveWithoutDeferral", "librdkafka-deferred-naive", no_deferral,
                  instance_w("disconnect,permanent-error", 2), Property::kNoDuplicate});
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
