// The one place that knows Z3's solver names, seeds, resource limits and interrupts. A session is
// one context: it belongs to one thread and outlives every formula made in it.
#pragma once

#include <z3++.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace fencepost::checker {

struct SolverLimits {
  double seconds = 0;                       ///< of each query; 0: none
  unsigned resource_limit = 0;              ///< Z3's deterministic rlimit of each query; 0: none
  unsigned memory_mib = 0;                  ///< of the solver; 0: none
  const std::atomic<bool>* stop = nullptr;  ///< interrupts the query when true; may be null
  unsigned seed = 0;
  unsigned conflicts = 0;  ///< CaDiCaL's of each query, the same on every machine; 0: no limit
};

/// What a query came to. `kUnknown` has a reason.
enum class Sat : std::uint8_t { kSat, kUnsat, kUnknown };

/// A formula in conjunctive normal form.
struct Clauses {
  int variables = 0;                           ///< numbered from 1
  std::vector<int> literals;                   ///< each clause ends with a 0, as in DIMACS
  std::unordered_map<std::string, int> named;  ///< constants of the formula by their names
};

class Z3Session {
 public:
  Z3Session() = default;
  Z3Session(const Z3Session&) = delete;
  Z3Session& operator=(const Z3Session&) = delete;

  z3::context& context() { return context_; }

  /// A solver for quantifier-free bit-vectors and booleans: the incremental SAT core. Never the
  /// default solver, which is about sixty times slower here.
  z3::solver make_solver(const SolverLimits& limits);

  /// One that holds these formulas.
  z3::solver make_solver(const z3::expr_vector& formulas, const SolverLimits& limits);

  /// Runs one query, interrupted when `limits.stop` is set or the time is over.
  Sat check(z3::solver& solver, const z3::expr_vector& assumptions, const SolverLimits& limits);

  /// The formulas, all of them, as clauses over single bits. None if interrupted, or late.
  std::optional<Clauses> clauses(const z3::expr_vector& formulas, const SolverLimits& limits);

  /// Why the last query was `kUnknown`, in words.
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  z3::context context_;
  std::string reason_;
};

/// The question whether all of these hold together as SMT-LIB 2. Not asked of the solver that holds
/// them: from Z3 5 on, the one for finite domains does not say what it holds.
std::string smt2(const z3::expr_vector& formulas);

/// The version of the Z3 that is linked, e.g. "4.8.12".
std::string z3_version();

}  // namespace fencepost::checker
