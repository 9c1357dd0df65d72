// Runs claims: plans the searches, shares them between claims, and judges every row.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "checker/core/verdict.h"
#include "checker/gate/claims.h"
#include "checker/gate/task.h"

namespace fencepost::gate {

/// How a row compares with what its claim says.
enum class RowStatus : std::uint8_t {
  kAsClaimed,
  kOpen,       ///< the claim asks: whatever comes out is the answer
  kNotMet,     ///< the claim says otherwise
  kUndecided,  ///< no answer, so neither
};

/// How a row compares with the same question asked of the base of a comparison.
enum class Change : std::uint8_t {
  kNone,      ///< nothing is compared, or the run was interrupted before
  kSame,      ///< both hold, or both are refuted
  kBetter,    ///< refuted there, holds here
  kWorse,     ///< holds there, refuted here
  kMixed,     ///< of rows taken together: some better, some worse
  kNoAnswer,  ///< one of the two has no answer
};

struct RowResult {
  const Claim* claim = nullptr;  ///< points into the claims that were run
  const ClaimRow* row = nullptr;
  checker::Answer answer;
  RowStatus status = RowStatus::kUndecided;
  /// Beside a verdict of the explicit engine that holds: what induction says of any depth, any
  /// number of faults and of partitions, or what Z3 says of the states that were visited; beside a
  /// refutation: what bounded model checking says of that depth. Empty where nothing was tried.
  std::string proof = {};
  std::string beside = {};                   ///< what the implementation says of it, or empty
  bool interrupted = false;                  ///< not checked, or not to the end: the run was ended
  std::optional<checker::Answer> base = {};  ///< the same question's answer of the base
  Change change = Change::kNone;
};

struct GateProgress {
  std::size_t searches_done = 0;  ///< proofs and refutations by other engines included
  std::size_t searches = 0;
  std::uint64_t states = 0;
};

struct GateOptions {
  Limits limits;            ///< of each search; its `threads` is for one search
  unsigned parallel = 1;    ///< searches at the same time, at least 1
  std::string on = "spec";  ///< what the checker searches, as in Task
  /// Tried for safety properties that the search found to hold: what it proves of them, one
  /// sentence; empty if it was not tried. It throws if a lemma is false. May be empty.
  std::function<std::string(const Task&)> prover;
  /// Tried for safety properties that the search refuted, as claimed, at this depth: what another
  /// engine makes of it, one sentence. It throws if the two disagree. May be empty.
  std::function<std::string(const Task&, spec::Property, std::uint32_t depth)> refuter;
  /// Called after every search, proof or refutation, by one thread at a time. May be empty.
  std::function<void(const GateProgress&)> on_search;
};

struct GateResult {
  std::vector<RowResult> rows;  ///< in the order of the claims
  Comparison comparison;
  std::size_t searches = 0;
  bool interrupted = false;
  double seconds = 0;  ///< wall-clock time

  /// Of the rows that were checked.
  [[nodiscard]] std::size_t count(RowStatus status) const;
  [[nodiscard]] std::size_t count(Change change) const;
  /// Rows that the run was interrupted before.
  [[nodiscard]] std::size_t not_checked() const;
  /// Of the rows that were checked: "57 claims: 40 as claimed, 17 open, 0 not met" and, if there
  /// are any, "3 undecided".
  [[nodiscard]] std::string summary() const;
  /// "interrupted: 40 of 314 claims were not checked, and their verdict is unknown"
  [[nodiscard]] std::string interruption() const;
  /// 0 if all is as claimed or open; 12 if something is not met; 20 if something is undecided or
  /// the run was interrupted; 70 if a check of our own failed. Of a comparison: 0 if nothing is
  /// worse; 11, 12 or 13 by the kind of property that is; 20 if a row cannot be compared.
  [[nodiscard]] Exit exit_code() const;
};

/// The claims with ids that equal or match one of `patterns` (`*` and `?`), slow ones included;
/// without patterns all that are not slow, with `all` the slow ones too.
/// Throws Error(kUsage) for a pattern that matches none.
std::vector<const Claim*> select(const Claims& claims, const std::vector<std::string>& patterns,
                                 bool all);

/// How a verdict compares with what a claim expects.
RowStatus status_of(Expect expect, checker::Verdict verdict);

/// Writes what another engine says of rows below them; if it throws, they are errors. Running out
/// of memory only leaves them unconfirmed.
void confirm(const std::vector<RowResult*>& rows, const std::function<std::string()>& other);

/// Runs the claims. Rows with the same variant, broker, instance, faults and budget share one
/// search. The rows and their order do not depend on `parallel`, times excepted.
GateResult run_gate(const Claims& claims, const std::vector<const Claim*>& selected,
                    const Checker& checker, const GateOptions& options);

/// What makes two rows share a search.
using SearchKey = std::tuple<std::string, std::string, std::string>;
SearchKey search_key(const ClaimRow& row);

}  // namespace fencepost::gate
