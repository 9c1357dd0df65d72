// Bounded model checking of one row of the small model's table.
#pragma once

#include "checker/core/path.h"
#include "checker/symbolic/bounded.h"
#include "tests/small_model/small_formulas.h"
#include "tests/small_model/small_rows.h"

namespace fencepost::small_model {

inline void expect_refuted_by_bounded(const RefutedRow& row) {
  const SmallFormulas formulas(row.parameters);
  checker::BoundedOptions how;
  how.max_depth = row.depth + 2;
  const checker::BoundedResult result = checker::check_bounded(formulas, formulas.all(), how);
  ASSERT_TRUE(result.path) << result.unknown;
  EXPECT_EQ(result.path->size(), row.depth);
  EXPECT_EQ(result.checked, row.depth) << "no violation at any smaller depth";
  const SmallSystem system(row.parameters);
  const auto states = checker::replay(system, *result.path);
  EXPECT_EQ(system.violations(states.back()), 1U << SmallSystem::kDuplicate);
}

}  // namespace fencepost::small_model
