// Induction with lemmas. The invariant is all facts asked together: the lemmas and the properties,
// and every cell within its range. It is proved by queries each of which must be unsatisfiable:
//
//   initial  the initial state breaks some fact;
//   step a   a state in which all facts hold, action a is enabled in it, and afterwards a fact is
//            broken, a cell was written beyond its range, or a bound is hit that must never be
//            (one query per action and partition that it touches: far smaller than one for all,
//            and a failure names the action at once). Bounds that are stated only disable it;
//   property a state in which all facts hold and a property does not: plain, as the properties are
//            among the facts.
//
// The first and the last are asked only of a proof in fresh contexts, which is whole on paper; else
// the initial states are evaluated.
//
// A query about one partition assumes the facts of that partition and of none, which is enough
// where partitions meet only in the producer; if it fails it is asked again with all facts. Facts
// that an action leaves alone, because it writes none of the cells they read, are recognised by
// their formula being the same and cost nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checker/symbolic/formula_system.h"
#include "checker/symbolic/z3_session.h"

namespace fencepost::checker {

/// Why the induction fails: a state in which all facts hold, and a step that breaks one. The state
/// need not be reachable: then a lemma is missing, or else the protocol is broken.
struct CounterexampleToInduction {
  std::vector<unsigned> state;        ///< values of the cells
  std::optional<std::size_t> action;  ///< none: the state is the initial one, and breaks the fact
  std::vector<unsigned> next;         ///< after the action
  std::vector<std::size_t> broken;    ///< the facts, by index
  std::string other;                  ///< what else went wrong (a bound, a cell's range), or empty
};

struct InductionOptions {
  SolverLimits limits;  ///< of each query
  /// Bounds that a step may hit, bit = bound: the proof then speaks of the instance within them.
  std::uint32_t stated_bounds = 0;
  /// Go on after the first failed step, to see all actions that break something.
  bool all_failures = false;
  /// Every step query in a context of its own, too, nothing shared: how a proof is re-checked.
  bool fresh = false;
  /// Called before the query of each action. May be empty.
  std::function<void(std::size_t)> on_action;
  /// Called with every query as SMT-LIB 2, before it is run, and what it says. May be empty.
  std::function<void(const std::string& name, const std::string& says, const std::string& smt)>
      on_query;
};

struct InductionResult {
  bool proved = false;
  std::vector<CounterexampleToInduction> failures;
  std::string unknown;  ///< why a query had no answer; empty if all had
  std::uint32_t queries = 0;
  double seconds = 0;
};

/// `facts`: indices into `system.facts()`, all assumed before a step and shown after it.
InductionResult prove(const FormulaSystem& system, const std::vector<std::size_t>& facts,
                      const InductionOptions& options);

}  // namespace fencepost::checker
