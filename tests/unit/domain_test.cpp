// The domains do what spec/domain/README.md says.
#include <gtest/gtest.h>

#include "spec/domain/concrete.h"
#include "spec/domain/footprint.h"

namespace fencepost::spec {
namespace {

TEST(Concrete, IncrementAtItsLimitHitsTheBoundAndLeavesTheCell) {
  Concrete d;
  Concrete::Cell cell{2};
  d.increment(cell, 3, 5);
  EXPECT_EQ(cell.v, 3);
  EXPECT_EQ(d.bounds_hit(), 0U);
  d.increment(cell, 3, 5);
  EXPECT_EQ(cell.v, 3);
  EXPECT_EQ(d.bounds_hit(), 1U << 5);
}

TEST(Concrete, WhenIsABranch) {
  Concrete d;
  Concrete::Cell cell{1};
  d.when(
      cell == 1, [&] { d.set(cell, 7); }, [&] { d.set(cell, 9); });
  EXPECT_EQ(cell.v, 7);
  d.when(cell < 7, [&] { d.set(cell, 0); });
  EXPECT_EQ(cell.v, 7);
}

TEST(Footprint, RecordsBothBranchesAndEveryElementOfADynamicIndex) {
  Footprint::Record record;
  Footprint::Cell cells[4];
  for (int i = 0; i < 4; ++i) cells[i] = {i, &record};
  Footprint d;
  d.when(
      cells[0] == 1, [&] { d.set(cells[1], 2); }, [&] { d.put(cells + 2, 2, cells[0], 3); });
  EXPECT_EQ(record.reads, (std::set<int>{0}));
  EXPECT_EQ(record.writes, (std::set<int>{1, 2, 3}));
}

}  // namespace
}  // namespace fencepost::spec
