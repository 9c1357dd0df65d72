// What the symbolic engines see of a model: cells with ranges, numbered actions as formulas over
// them, and facts: properties and lemmas, each per partition where it speaks of one. The spec and
// the tests' small model have this shape; both are instances of the same templates that the
// explicit engine runs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "checker/symbolic/symbolic.h"

namespace fencepost::checker {

/// The values of a state's cells, in the order of `FormulaSystem::cells()`.
using Values = std::vector<Symbolic::Num>;

struct CellInfo {
  std::string name;      ///< unique, fit for SMT-LIB: letters, digits, underscores
  unsigned max = 0;      ///< the greatest value; 0: the cell is not in use
  int partition = -1;    ///< of which it is, or -1
  bool counter = false;  ///< it counts faults: it only grows, and only limits how many there are
};

/// One action, from a given state. `bounds` disable the step.
struct FormulaStep {
  Symbolic::Bool guard;
  std::vector<Symbolic::Bool> bounds;  ///< when each bound is hit
  Symbolic::Bool overflow;             ///< a value left its cell's range: a mistake of the model
  Values next;

  [[nodiscard]] Symbolic::Bool enabled() const {
    Symbolic::Bool on = guard;
    for (const Symbolic::Bool& hit : bounds) on = on && !hit;
    return on;
  }
};

/// A property or a lemma, in one partition or of the whole state.
struct Fact {
  std::string name;
  std::string says;    ///< one sentence
  int partition = -1;  ///< -1: it speaks of no single partition
  int property = -1;   ///< number of the property, or -1: it is a lemma
};

class FormulaSystem {
 public:
  virtual ~FormulaSystem() = default;

  [[nodiscard]] virtual const std::vector<CellInfo>& cells() const = 0;
  [[nodiscard]] virtual std::vector<unsigned> initial() const = 0;
  /// All states that a run may start in, `initial()` first: more than one only where the system
  /// stands for several.
  [[nodiscard]] virtual std::vector<std::vector<unsigned>> initials() const { return {initial()}; }
  [[nodiscard]] virtual std::size_t action_count() const = 0;
  [[nodiscard]] virtual std::string action_text(std::size_t a) const = 0;
  /// The partition whose cells the action is about, or -1: several, or none.
  [[nodiscard]] virtual int action_partition(std::size_t a) const = 0;
  [[nodiscard]] virtual FormulaStep step(std::size_t a, const Values& state) const = 0;
  [[nodiscard]] virtual const std::vector<Fact>& facts() const = 0;
  [[nodiscard]] virtual Symbolic::Bool holds(std::size_t fact, const Values& state) const = 0;
  /// Names of the bounds, in the order of `FormulaStep::bounds`.
  [[nodiscard]] virtual std::vector<std::string> bound_names() const = 0;
};

/// A state of variables named `<cell>_<tag>`; cells that are not in use are zero.
Values state_variables(const FormulaSystem& system, z3::context& context, const std::string& tag);
/// A state of constants.
Values constant_state(const std::vector<unsigned>& values);
/// The state is one of the initial ones.
Symbolic::Bool is_initial(const FormulaSystem& system, const Values& state);
/// Every cell is within its range: what the widths alone do not say.
Symbolic::Bool in_range(const FormulaSystem& system, const Values& state);
/// Reads a state off a model; cells that the model leaves open are zero.
std::vector<unsigned> read_state(const z3::model& model, const Values& state);

}  // namespace fencepost::checker
