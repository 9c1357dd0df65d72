// Clauses and the SAT solver for them, CaDiCaL: bounded checking far from the initial state is
// where it answers in seconds what Z3's own core does not answer in minutes (README.md).
#pragma once

#include <string>
#include <vector>

#include "checker/symbolic/z3_session.h"

namespace fencepost::checker {

/// What a SAT query came to. With `kSat`, `assignment[v]` is the value of variable v.
struct SatAnswer {
  Sat sat = Sat::kUnknown;
  std::vector<bool> assignment;
  std::string reason;  ///< why it is unknown
};

/// Solves within the limits' time and conflicts, until they say stop.
SatAnswer solve(const Clauses& clauses, const SolverLimits& limits);

}  // namespace fencepost::checker
