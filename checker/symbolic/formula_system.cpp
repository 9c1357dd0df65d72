#include "checker/symbolic/formula_system.h"

#include <bit>

namespace fencepost::checker {

Values state_variables(const FormulaSystem& system, z3::context& context, const std::string& tag) {
  Values state;
  state.reserve(system.cells().size());
  for (const CellInfo& cell : system.cells()) {
    if (cell.max == 0) {
      state.emplace_back(0);
      continue;
    }
    const std::string name = cell.name + "_" + tag;
    const auto width = static_cast<unsigned>(std::bit_width(cell.max));
    state.emplace_back(context.bv_const(name.c_str(), width), cell.max);
  }
  return state;
}

Values constant_state(const std::vector<unsigned>& values) {
  Values state;
  state.reserve(values.size());
  for (const unsigned v : values) state.emplace_back(static_cast<int>(v));
  return state;
}

Symbolic::Bool is_initial(const FormulaSystem& system, const Values& state) {
  Symbolic::Bool any(false);
  for (const std::vector<unsigned>& values : system.initials()) {
    Symbolic::Bool is(true);
    for (std::size_t i = 0; i < values.size(); ++i) {
      is = is && state[i] == Symbolic::Num(static_cast<int>(values[i]));
    }
    any = any || is;
  }
  return any;
}

Symbolic::Bool in_range(const FormulaSystem& system, const Values& state) {
  Symbolic::Bool ok(true);
  for (std::size_t i = 0; i < state.size(); ++i) {
    const unsigned max = system.cells()[i].max;
    if (state[i].is_constant()) {
      ok = ok && Symbolic::Bool(state[i].value() <= max);
      continue;
    }
    // Compared as bits: the ranges that a Num carries take for granted what is stated here.
    const unsigned width = static_cast<unsigned>(std::bit_width(state[i].max()));
    if (max >= (1U << width) - 1) continue;
    const z3::expr& e = state[i].expr();
    ok = ok && Symbolic::Bool(z3::ule(e, e.ctx().bv_val(max, width)));
  }
  return ok;
}

std::vector<unsigned> read_state(const z3::model& model, const Values& state) {
  std::vector<unsigned> values;
  values.reserve(state.size());
  for (const Symbolic::Num& cell : state) {
    values.push_back(cell.is_constant() ? cell.value()
                                        : model.eval(cell.expr(), true).get_numeral_uint());
  }
  return values;
}

}  // namespace fencepost::checker
