// Bounded model checking: is there a run of at most k steps that ends in a violation? Each query is
// the run in frames (frames.h) as clauses, made by Z3 and solved by CaDiCaL. k grows by strides
// until there is one; then shorter ones are asked for until there is none, so that the
// counterexample is as short as any if time allows. Progress is no property of a state and out of
// its scope.
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
  std::uint32_t max_depth = 30;  ///< the longest runs that are asked about
  /// The first query asks for runs of so many steps, each later one for so many more.
  std::uint32_t stride = 4;
  SolverLimits limits;  ///< of each query
  double seconds = 0;   ///< of all together; 0: none
  /// Called before each query with its k. May be empty.
  std::function<void(std::uint32_t)> on_depth;
};

struct BoundedResult {
  /// The actions of a run into a violation of any of the facts asked. The caller replays it on the
  /// concrete model.
  std::optional<std::vector<std::uint32_t>> path;
  /// No run of fewer steps than this ends in a violation: with as many as `path` has, none is
  /// shorter.
  std::uint32_t checked = 0;
  std::string unknown;  ///< why a query had no answer; empty if all had
  double seconds = 0;

  [[nodiscard]] bool shortest() const { return path && checked == path->size(); }
};

/// What one query says.
struct BoundedAnswer {
  Sat sat = Sat::kUnknown;
  std::vector<std::uint32_t> path;  ///< with `kSat`: the actions, at most k
  std::string reason;               ///< why it is unknown
};

/// Is there a run of at most `k` steps that violates one of `facts`, indices into
/// `system.facts()`? With fewer `frames` than k only runs that fit into them are looked at: faster
/// where partitions take turns, but kUnsat then says nothing.
BoundedAnswer violation_within(const FormulaSystem& system, const std::vector<std::size_t>& facts,
                               std::uint32_t k, std::uint32_t frames, const SolverLimits& limits);

/// Is there a run of fewer than `k` steps that does? None has fewer than no steps.
BoundedAnswer violation_before(const FormulaSystem& system, const std::vector<std::size_t>& facts,
                               std::uint32_t k, const SolverLimits& limits);

BoundedResult check_bounded(const FormulaSystem& system, const std::vector<std::size_t>& facts,
                            const BoundedOptions& options);

/// "bmc (Z3 4.8.12, CaDiCaL)"
std::string bounded_engine_name();

}  // namespace fencepost::checker
