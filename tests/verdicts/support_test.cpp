// What the induction of each lemma rests on: enough, and none of it can be left out.
#include "checker/symbolic/support.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "checker/symbolic/induction.h"
#include "checker/symbolic/spec_system.h"
#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using checker::Support;

class SupportTest : public ::testing::Test {
 protected:
  SupportTest()
      : system_(behaviour("librdkafka-deferred"), small(),
                {1U << static_cast<unsigned>(spec::Property::kNoDuplicate), true, true}) {
    for (std::size_t f = 0; f < system_.facts().size(); ++f) facts_.push_back(f);
    supports_ = checker::supports(system_, facts_, {});
  }
  static spec::Instance small() {
    spec::Instance i = instance(1, 2, 2, "disconnect,permanent-error", 1);
    i.faults.unlimited = true;
    i.log = i.total_messages();
    return i;
  }
  const Support& of(const std::string& name) const {
    for (const Support& s : supports_) {
      if (system_.facts()[s.fact].name == name) return s;
    }
    throw std::runtime_error(name);
  }
  bool proves(const std::vector<std::size_t>& facts) const {
    checker::InductionOptions options;
    options.stated_bounds = 1U << static_cast<unsigned>(spec::Bound::kEpochs);
    const auto result = checker::prove(system_, facts, options);
    EXPECT_EQ(result.unknown, "");
    return result.proved;
  }
  /// With these facts assumed, and no others, some step breaks the fact.
  bool breaks(const std::vector<std::size_t>& facts, std::size_t fact) const {
    for (const Support& s : checker::supports(system_, facts, {})) {
      if (s.fact == fact) return s.broken_by >= 0;
    }
    return false;
  }

  checker::SpecSystem system_;
  std::vector<std::size_t> facts_;
  std::vector<Support> supports_;
};

TEST_F(SupportTest, EveryLemmaIsInductiveWithTheOthers) {
  ASSERT_EQ(supports_.size(), facts_.size());
  for (const Support& s : supports_) {
    EXPECT_EQ(s.broken_by, -1) << system_.facts()[s.fact].name;
    EXPECT_EQ(s.unknown, "");
  }
  EXPECT_TRUE(of("canonical").needs.empty());
  EXPECT_FALSE(of("no-duplicate").needs.empty());
  EXPECT_TRUE(of("no-duplicate").implied) << "by log-shape";
  EXPECT_FALSE(of("log-shape").implied);
}

TEST_F(SupportTest, NothingThatIsNeededCanBeLeftOut) {
  const Support& s = of("stamps-of-log");
  ASSERT_FALSE(s.needs.empty());
  std::vector<std::size_t> enough = s.needs;
  enough.push_back(s.fact);
  EXPECT_FALSE(breaks(enough, s.fact));
  for (const std::size_t left_out : s.needs) {
    std::vector<std::size_t> fewer = enough;
    std::erase(fewer, left_out);
    EXPECT_TRUE(breaks(fewer, s.fact)) << system_.facts()[left_out].name;
  }
}

TEST_F(SupportTest, ALemmaThatIsNotAssumedIsMissed) {
  std::vector<std::size_t> fewer = facts_;
  std::erase(fewer, of("unsent-not-in-log").fact);
  const auto supports = checker::supports(system_, fewer, {});
  EXPECT_TRUE(std::any_of(supports.begin(), supports.end(),
                          [](const Support& s) { return s.broken_by >= 0; }));
  EXPECT_FALSE(proves(fewer));
}

TEST_F(SupportTest, TheClosureHasWhatIsNeededOnTheWay) {
  const Support& property = of("no-duplicate");
  const auto all = checker::closure(supports_, property.fact);
  for (const std::size_t f : property.needs) {
    EXPECT_NE(std::find(all.begin(), all.end(), f), all.end());
  }
  EXPECT_EQ(std::find(all.begin(), all.end(), property.fact), all.end());
  EXPECT_GT(all.size(), property.needs.size());
}

}  // namespace
}  // namespace fencepost::testing
