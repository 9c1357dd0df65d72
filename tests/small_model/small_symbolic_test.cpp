// The symbolic engines on the small model: variant A refuted at the depth that other
// checkers found, variant B proved at any depth, also where no search gets to.
#include <gtest/gtest.h>

#include "checker/explicit/explicit_search.h"
#include "checker/symbolic/induction.h"
#include "tests/small_model/small_bounded.h"
#include "tests/small_model/small_formulas.h"
#include "tests/small_model/small_lemmas.h"
#include "tests/small_model/small_rows.h"

namespace fencepost::small_model {
namespace {

TEST(BoundedRefutes, AtTheShortestDepth) { expect_refuted_by_bounded(kRefutedRows[0]); }

TEST(BoundedRefutes, NoShorterRunThanTheShortestAndNoneBeforeTheFirstStep) {
  const RefutedRow& row = kRefutedRows[0];
  const SmallFormulas formulas(row.parameters);
  const auto before = [&](std::uint32_t k) {
    return checker::violation_before(formulas, formulas.all(), k, {});
  };
  EXPECT_EQ(before(0).sat, checker::Sat::kUnsat);
  EXPECT_EQ(before(row.depth).sat, checker::Sat::kUnsat);
  const checker::BoundedAnswer found = before(row.depth + 1);
  EXPECT_EQ(found.sat, checker::Sat::kSat);
  EXPECT_EQ(found.path.size(), row.depth);
}

TEST(BoundedRefutes, HasNoAnswerBeyondItsConflicts) {
  const SmallFormulas formulas(kRefutedRows[0].parameters);
  checker::SolverLimits limits;
  limits.conflicts = 1;
  const checker::BoundedAnswer answer = checker::violation_within(
      formulas, formulas.all(), kRefutedRows[0].depth - 1, kRefutedRows[0].depth - 1, limits);
  EXPECT_EQ(answer.sat, checker::Sat::kUnknown);
  EXPECT_EQ(answer.reason, "the limit of 1 conflicts is reached");
}

class InductionProves : public testing::TestWithParam<Parameters> {};

std::string failure_text(const SmallFormulas& formulas, const checker::InductionResult& result) {
  std::string text = result.unknown;
  for (const auto& failure : result.failures) {
    text += failure.action ? formulas.action_text(*failure.action) : "initial";
    for (const std::size_t f : failure.broken) text += " " + formulas.facts()[f].name;
    text += " " + failure.other + "\n";
    for (std::size_t i = 0; i < failure.state.size(); ++i) {
      if (failure.state[i] != 0)
        text += fmt::format("  {} = {}\n", formulas.cells()[i].name, failure.state[i]);
    }
  }
  return text;
}

TEST_P(InductionProves, VariantBAtAnyDepth) {
  const SmallFormulas formulas(GetParam(), true);
  checker::InductionOptions how;
  checker::InductionResult result = checker::prove(formulas, formulas.all(), how);
  EXPECT_TRUE(result.proved) << failure_text(formulas, result);
  how.fresh = true;
  result = checker::prove(formulas, formulas.all(), how);
  EXPECT_TRUE(result.proved) << "in a fresh solver";
}

INSTANTIATE_TEST_SUITE_P(SmallModel, InductionProves,
                         testing::Values(Parameters{2, 2, 2, 1, 1, Variant::kRetry},
                                         Parameters{3, 4, 3, 1, 1, Variant::kRetry},
                                         Parameters{3, 4, 3, 6, 7, Variant::kRetry}),
                         [](const auto& p) { return name_of(p.param); });

// Variant A renumbers what may be in the log, so its steps must break the lemmas.
TEST(SmallInduction, DoesNotProveVariantA) {
  const SmallFormulas formulas({2, 2, 2, 1, 1, Variant::kBump}, true);
  const checker::InductionResult result = checker::prove(formulas, formulas.all(), {});
  EXPECT_FALSE(result.proved);
  ASSERT_EQ(result.failures.size(), 1U);
  EXPECT_FALSE(result.failures[0].broken.empty());
}

// The lemmas hold in every reachable state of variant B.
class WithLemmas : public SmallSystem {
 public:
  explicit WithLemmas(const Parameters& p) : SmallSystem(p), p_(p) {}
  [[nodiscard]] std::uint32_t violations(const State& state) const {
    std::uint32_t mask = SmallSystem::violations(state);
    for (std::size_t k = 0; k < kLemmaTexts.size(); ++k) {
      for (int p = 0; p < p_.partitions; ++p) {
        const SmallLemmas<spec::Concrete> lemmas{p_, state};
        if (!lemmas.holds(k, p).value()) mask |= 1U << (2 + k);
      }
    }
    return mask;
  }

 private:
  Parameters p_;
};

TEST(SmallLemmas, HoldInEveryReachableState) {
  checker::SearchOptions how = options();
  how.properties = (1U << (2 + kLemmaTexts.size())) - 1;
  const auto result = checker::search(WithLemmas({2, 3, 2, 1, 1, Variant::kRetry}), how);
  EXPECT_EQ(result.end, checker::SearchEnd::kExhausted);
  for (const checker::Violation& v : result.violations) {
    ASSERT_GE(v.property, 2);
    ADD_FAILURE() << kLemmaTexts[static_cast<std::size_t>(v.property - 2)].name << " is false";
  }
}

}  // namespace
}  // namespace fencepost::small_model
