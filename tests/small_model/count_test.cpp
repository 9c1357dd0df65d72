// The explicit engine counts what SPIN, TLC and a plain search counted on the small model.
#include <gtest/gtest.h>

#include "checker/explicit/explicit_search.h"
#include "tests/small_model/small_rows.h"

namespace fencepost::small_model {
namespace {

class Count : public testing::TestWithParam<HoldingRow> {};

TEST_P(Count, IsWhatOtherCheckersFound) { expect_row(GetParam(), 1); }

INSTANTIATE_TEST_SUITE_P(SmallModel, Count, testing::ValuesIn(kQuickRows), row_name<HoldingRow>);

class Refuted : public testing::TestWithParam<RefutedRow> {};

TEST_P(Refuted, DuplicateAtTheShortestDepth) {
  const RefutedRow& row = GetParam();
  const SmallSystem system(row.parameters);
  checker::SearchOptions how = options();
  how.max_depth = row.depth;
  const checker::SearchResult result = checker::search(system, how);
  ASSERT_EQ(result.violations.size(), 1U);
  const checker::Violation& violation = result.violations[0];
  EXPECT_EQ(violation.property, SmallSystem::kDuplicate);
  EXPECT_EQ(violation.depth, row.depth);
  EXPECT_EQ(violation.path.size(), row.depth);
  const auto states = checker::replay(system, violation.path);
  EXPECT_EQ(system.violations(states.back()), 1U << SmallSystem::kDuplicate);
}

INSTANTIATE_TEST_SUITE_P(SmallModel, Refuted, testing::ValuesIn(kRefutedRows),
                         row_name<RefutedRow>);

}  // namespace
}  // namespace fencepost::small_model
