// What the solvers make of a row that the explicit engine has decided: what is refuted is looked
// for by bounded model checking, what is exhausted is asked to be closed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "checker/transactions/search.h"

namespace fencepost::transactions {

/// Of so many states it can be asked within some seconds whether they are closed.
inline constexpr std::uint64_t kMostStates = 10000;

/// Seconds on the wall that each question may take; 0: no limit.
struct SolverSeconds {
  double refute = 15;     ///< a refutation to be repeated
  double shorter = 5;     ///< shorter runs to be excluded
  double closed = 30;     ///< the visited states to be closed
  double short_run = 20;  ///< short runs where the states are too many
};

/// Refutes once more what the search refuted in `depth` steps, by bounded model checking at that
/// depth, replays the run that was found on the spec, and says so in one sentence; also whether a
/// shorter run was excluded or there was no time for it. Throws Error(kInternal) if the engines
/// disagree: no run of so many steps, a shorter one, or one that the spec does not confirm.
/// Requires: a safety property.
std::string refutation_sentence(const Question& question, Property property, std::uint32_t depth,
                                const gate::Limits& limits, const SolverSeconds& seconds = {});

/// Whether no run of fewer than `depth` steps violates the property: no run has fewer than no
/// steps, and the one of no steps needs no solver, only its state. None: no answer in time.
/// Requires: a safety property, an instance that is not endless.
std::optional<bool> none_shorter(const Question& question, Property property, std::uint32_t depth,
                                 const gate::Limits& limits, const SolverSeconds& seconds = {});

/// Of a question whose search visited `states` states, found that all its safety properties hold
/// and met no bound: Z3 is asked whether the visited states are closed under every step, and none
/// violates a property or meets a bound. Of more than `kMostStates` only short runs are asked.
/// One sentence that says what was confirmed. Throws Error(kInternal) if the engines disagree.
std::string exhaustion_sentence(const Question& question, std::uint64_t states,
                                const gate::Limits& limits, const SolverSeconds& seconds = {});

/// What `run_claims` asks beside the search. Either may be empty.
struct Confirmation {
  std::function<std::string(const Question&, Property, std::uint32_t, const gate::Limits&)> refuted;
  std::function<std::string(const Question&, std::uint64_t, const gate::Limits&)> exhausted;
};

/// Both, asked of the solvers.
Confirmation solvers();

}  // namespace fencepost::transactions
