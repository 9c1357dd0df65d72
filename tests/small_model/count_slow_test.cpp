// The two largest rows of the small model's table.
#include <gtest/gtest.h>

#include "tests/small_model/small_rows.h"

namespace fencepost::small_model {
namespace {

class Count : public testing::TestWithParam<HoldingRow> {};

TEST_P(Count, IsWhatOtherCheckersFound) { expect_row(GetParam(), 1); }
TEST_P(Count, IsTheSameWithTwoThreads) { expect_row(GetParam(), 2); }

INSTANTIATE_TEST_SUITE_P(SmallModel, Count, testing::ValuesIn(kSlowRows), row_name<HoldingRow>);

}  // namespace
}  // namespace fencepost::small_model
