// The search for lemmas that close an induction, from its counterexamples.
//
// Targets are facts of a system that shall be inductive together, with whatever lemmas are found.
// What they rest on is followed backwards: every action must keep every target, assuming all
// targets and the lemmas found so far; if the solver has a state from which it does not, that state
// has to be excluded by a lemma, which the proposer (proposer.h) takes from the grammar; and the
// lemmas that an unsatisfiable query used (its core) have to be kept by every action, too. When
// nothing is left to show the targets are proved.
//
// A state that no candidate excludes counts as reachable from then on, and so does what follows:
// every candidate is true of it, as far as the search can tell. So lemmas and targets that are
// false in the next state are given up. As each round either adds a clause or a state, it ends, and
// a target that was given up is beyond the grammar: no set of its clauses closes the induction
// (as far as clauses of three literals were restricted, see grammar.h).
//
// This is Houdini's greatest fixpoint (Flanagan and Leino, FME 2001) over candidates that are made
// when a counterexample asks for them, as in endive (Schultz, Dardik and Tripakis, FMCAD 2022).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checker/symbolic/formula_system.h"
#include "checker/symbolic/grammar.h"
#include "checker/symbolic/induction.h"
#include "checker/symbolic/proposer.h"
#include "checker/symbolic/z3_session.h"

namespace fencepost::checker {

/// A system with candidates as lemmas: each in each partition.
class WithCandidates : public FormulaSystem {
 public:
  /// Requires: both outlive this, and the vocabulary of the grammar is of the system.
  WithCandidates(const FormulaSystem& system, const Grammar& grammar,
                 std::vector<Candidate> candidates);

  [[nodiscard]] const std::vector<CellInfo>& cells() const override { return system_.cells(); }
  [[nodiscard]] std::vector<unsigned> initial() const override { return system_.initial(); }
  [[nodiscard]] std::vector<std::vector<unsigned>> initials() const override {
    return system_.initials();
  }
  [[nodiscard]] std::size_t action_count() const override { return system_.action_count(); }
  [[nodiscard]] std::string action_text(std::size_t a) const override {
    return system_.action_text(a);
  }
  [[nodiscard]] int action_partition(std::size_t a) const override {
    return system_.action_partition(a);
  }
  [[nodiscard]] FormulaStep step(std::size_t a, const Values& state) const override {
    return system_.step(a, state);
  }
  [[nodiscard]] const std::vector<Fact>& facts() const override { return facts_; }
  [[nodiscard]] Symbolic::Bool holds(std::size_t fact, const Values& state) const override;
  [[nodiscard]] std::vector<std::string> bound_names() const override {
    return system_.bound_names();
  }
  /// The facts that are the candidate of this number.
  [[nodiscard]] std::vector<std::size_t> facts_of(std::size_t candidate) const;

 private:
  const FormulaSystem& system_;
  const Grammar& grammar_;
  std::vector<Candidate> candidates_;
  std::vector<Fact> facts_;
};

/// What the search has come to, for whoever watches it.
struct LemmaSearchProgress {
  std::size_t lemmas = 0;      ///< found and not given up
  std::size_t open = 0;        ///< steps of what is needed that are not shown yet
  std::uint64_t excluded = 0;  ///< counterexamples to induction for which a lemma was found
  std::uint64_t given_up = 0;  ///< lemmas and targets
};

struct LemmaSearchOptions {
  SolverLimits limits;              ///< of each query
  double seconds = 0;               ///< of the whole search; 0: no limit
  std::uint32_t stated_bounds = 0;  ///< as for induction
  std::function<void(const LemmaSearchProgress&)> on_progress;  ///< may be empty
};

struct LemmaSearchResult {
  /// By targets as asked: whether it is inductive with the lemmas and the other such targets.
  std::vector<bool> closed;
  /// No step leaves a cell's range or hits a bound that is not stated. Without it nothing is
  /// closed.
  bool bounded = false;
  /// What the closed targets rest on, of which none can be left out. Stopped early: what was found
  /// and is needed so far.
  std::vector<Candidate> lemmas;
  bool minimal = false;  ///< each of the lemmas was tried to be left out
  /// Per target that was given up: the step that breaks it, from a state that no candidate
  /// excludes.
  std::vector<std::optional<CounterexampleToInduction>> failures;
  std::string unknown;  ///< why it ended early, or empty
  LemmaSearchProgress progress;
  std::uint32_t queries = 0;
  double seconds = 0;
};

/// `targets`: facts of the system by index, each a list of those that stand or fall together (one
/// a partition). `proposer` has observed the reachable states.
LemmaSearchResult search_lemmas(const FormulaSystem& system, const Grammar& grammar,
                                Proposer& proposer,
                                const std::vector<std::vector<std::size_t>>& targets,
                                const LemmaSearchOptions& options);

}  // namespace fencepost::checker
