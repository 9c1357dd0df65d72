// Bounded model checking: is there a run of exactly k steps that ends in a violation, for k = 0,
// 1, 2, ...? One incremental query per depth, "bad at k" being an assumption, so a counterexample
// is as short as any. Progress is no property of a state and out of its scope.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checker/symbolic/formula_system.h"
#include "checker/symbolic/z3_session.h"

namespace fencepost::checker {

struct BoundedOptions {
  std::uint32_t max_depth = 30;  ///< the deepest k that is asked
  SolverLimits limits;           ///< of each query
  double seconds = 0;            ///< of all together; 0: none
  /// Called before each query with its depth. May be empty.
  std::function<void(std::uint32_t)> on_depth;
};

struct BoundedResult {
  /// The actions of a shortest run into a violation of any of the facts asked. The caller replays
  /// it on the concrete model.
  std::optional<std::vector<std::uint32_t>> path;
  /// Depths 0..checked-1 have no violation.
  std::uint32_t checked = 0;
  std::string unknown;  ///< why it stopped before `max_depth`; empty if it did not
  double seconds = 0;
};

/// `facts`: indices into `system.facts()`; a violation of any one of them is bad.
BoundedResult check_bounded(const FormulaSystem& system, const std::vector<std::size_t>& facts,
                            const BoundedOptions& options);

}  // namespace fencepost::checker
