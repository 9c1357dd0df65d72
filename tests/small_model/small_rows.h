// The table that three independent checkers agree on: parameters, counts, depth.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "checker/explicit/explicit_search.h"
#include "tests/small_model/small_system.h"

namespace fencepost::small_model {

struct HoldingRow {
  Parameters parameters;
  std::uint64_t distinct;
  std::uint64_t transitions;
  std::uint32_t depth;
};

struct RefutedRow {
  Parameters parameters;
  std::uint32_t depth;
};

inline constexpr HoldingRow kQuickRows[] = {
    {{2, 2, 2, 1, 1, Variant::kRetry}, 18'090, 68'159, 27},
    {{2, 3, 2, 1, 1, Variant::kRetry}, 143'338, 573'143, 39},
    {{2, 3, 3, 1, 1, Variant::kRetry}, 849'578, 3'921'317, 49},
    {{3, 2, 2, 1, 1, Variant::kRetry}, 1'008'562, 5'594'583, 40},
};

inline constexpr HoldingRow kSlowRows[] = {
    {{2, 4, 3, 1, 1, Variant::kRetry}, 9'124'572, 43'919'861, 67},
    {{3, 3, 2, 1, 1, Variant::kRetry}, 23'056'540, 136'178'630, 58},
};

inline constexpr RefutedRow kRefutedRows[] = {
    {{2, 2, 2, 1, 1, Variant::kBump}, 12},
    {{2, 4, 3, 1, 1, Variant::kBump}, 11},
    {{3, 3, 2, 1, 1, Variant::kBump}, 12},
};

/// What the table was counted with: both properties, and violating states not expanded.
inline checker::SearchOptions options() {
  checker::SearchOptions options;
  options.properties = SmallSystem::kAll;
  options.expand_violating = false;
  options.stop_when_decided = true;
  return options;
}

inline std::string name_of(const Parameters& p) {
  return fmt::format("P{}M{}F{}E{}L{}{}", p.partitions, p.messages, p.in_flight, p.epochs,
                     p.leader_changes, p.variant == Variant::kBump ? 'A' : 'B');
}

template <class Row>
std::string row_name(const testing::TestParamInfo<Row>& info) {
  return name_of(info.param.parameters);
}

inline void expect_row(const HoldingRow& row, unsigned threads) {
  checker::SearchOptions how = options();
  how.deadlock = true;
  how.threads = threads;
  const checker::SearchResult result = checker::search(SmallSystem(row.parameters), how);
  EXPECT_EQ(result.end, checker::SearchEnd::kExhausted);
  EXPECT_TRUE(result.violations.empty());
  EXPECT_FALSE(result.deadlock.has_value());
  EXPECT_FALSE(result.stats.bounded());
  EXPECT_EQ(result.stats.distinct, row.distinct);
  EXPECT_EQ(result.stats.transitions, row.transitions);
  EXPECT_EQ(result.stats.depth, row.depth);
}

}  // namespace fencepost::small_model
