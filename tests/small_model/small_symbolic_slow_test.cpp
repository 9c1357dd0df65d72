// The larger rows of the small model by bounded model checking.
#include "tests/small_model/small_bounded.h"

namespace fencepost::small_model {
namespace {

TEST(BoundedRefutesSlowly, TwoPartitionsFourMessages) {
  expect_refuted_by_bounded(kRefutedRows[1]);
}

TEST(BoundedRefutesSlowly, ThreePartitionsThreeMessages) {
  expect_refuted_by_bounded(kRefutedRows[2]);
}

}  // namespace
}  // namespace fencepost::small_model
