// What the induction of each fact rests on: which of the other facts have to be assumed before a
// step for it to hold after the step. By unsat cores first, then by leaving out one at a time, so
// that of what remains none can be left out.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "checker/symbolic/formula_system.h"
#include "checker/symbolic/z3_session.h"

namespace fencepost::checker {

struct Support {
  std::size_t fact = 0;
  /// Other facts that are needed beside it, by index; a smallest set in that none can be left out,
  /// not the only one. Empty: the fact is inductive alone.
  std::vector<std::size_t> needs;
  /// In a single state the other facts imply this one, so it adds nothing to them.
  bool implied = false;
  /// With all facts assumed this action still breaks it; -1: none does.
  int broken_by = -1;
  std::string unknown;  ///< why there is no answer, or empty
};

struct SupportOptions {
  SolverLimits limits;  ///< of each query
  /// Called before each fact, with its place in `facts`. May be empty.
  std::function<void(std::size_t)> on_fact;
};

/// One for each of `facts`, indices into `system.facts()`; only these are assumed. Bounds disable
/// a step, as the proofs state them. Ends early, with `unknown`, when stopped.
std::vector<Support> supports(const FormulaSystem& system, const std::vector<std::size_t>& facts,
                              const SupportOptions& options);

/// Everything that the proof of `fact` rests on, directly or through other facts, itself left out;
/// in the order of `supports`.
std::vector<std::size_t> closure(const std::vector<Support>& supports, std::size_t fact);

}  // namespace fencepost::checker
