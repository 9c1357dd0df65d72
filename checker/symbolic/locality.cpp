#include "checker/symbolic/locality.h"

#include <map>
#include <set>

namespace fencepost::checker {
namespace {

/// Walks formulas and notes which cells they mention. Formulas are told apart by Z3's numbers,
/// which it gives out again: all that are read must live as long as the reader.
class Reader {
 public:
  explicit Reader(const Values& state) {
    for (std::size_t i = 0; i < state.size(); ++i) {
      if (!state[i].is_constant()) cell_of_[id(state[i].expr())] = i;
    }
  }
  void read(const Symbolic::Bool& b) {
    if (!b.is_constant()) walk(b.expr());
  }
  void read(const Symbolic::Num& n) {
    if (!n.is_constant()) walk(n.expr());
  }
  [[nodiscard]] const std::set<std::size_t>& cells() const { return cells_; }

 private:
  static unsigned id(const z3::expr& e) { return Z3_get_ast_id(e.ctx(), e); }

  void walk(const z3::expr& root) {
    std::vector<z3::expr> open{root};
    while (!open.empty()) {
      const z3::expr e = open.back();
      open.pop_back();
      if (!seen_.insert(id(e)).second) continue;
      const auto cell = cell_of_.find(id(e));
      if (cell != cell_of_.end()) cells_.insert(cell->second);
      for (unsigned i = 0; i < e.num_args(); ++i) open.push_back(e.arg(i));
    }
  }

  std::map<unsigned, std::size_t> cell_of_;
  std::set<unsigned> seen_;
  std::set<std::size_t> cells_;
};

}  // namespace

std::vector<bool> cone(const FormulaSystem& system, std::size_t fact, const Values& state) {
  std::vector<std::set<std::size_t>> sources(state.size());  // what a cell's successors read
  std::vector<std::size_t> open;
  const auto add = [](auto& list, const auto& formula, const Values& of) {
    Reader reader(of);
    reader.read(formula);
    list.insert(list.end(), reader.cells().begin(), reader.cells().end());
  };
  add(open, system.holds(fact, state), state);
  for (std::size_t a = 0; a < system.action_count(); ++a) {
    const FormulaStep step = system.step(a, state);
    add(open, step.enabled(), state);
    for (std::size_t i = 0; i < state.size(); ++i) {
      if (step.next[i].same(state[i])) continue;
      std::vector<std::size_t> read;
      add(read, step.next[i], state);
      sources[i].insert(read.begin(), read.end());
    }
  }
  std::vector<bool> in(state.size(), false);
  while (!open.empty()) {
    const std::size_t cell = open.back();
    open.pop_back();
    if (in[cell]) continue;
    in[cell] = true;
    open.insert(open.end(), sources[cell].begin(), sources[cell].end());
  }
  return in;
}

std::vector<Locality> localities(const FormulaSystem& system, const Values& state) {
  std::vector<Locality> list;
  for (std::size_t a = 0; a < system.action_count(); ++a) {
    const FormulaStep step = system.step(a, state);
    Locality locality;
    std::set<int> partitions;
    Reader reader(state);
    reader.read(step.guard);
    for (const Symbolic::Bool& hit : step.bounds) reader.read(hit);
    for (std::size_t i = 0; i < state.size(); ++i) {
      const CellInfo& cell = system.cells()[i];
      if (cell.counter || step.next[i].same(state[i])) continue;
      reader.read(step.next[i]);
      partitions.insert(cell.partition);
      locality.writes_shared = locality.writes_shared || cell.partition < 0;
    }
    for (const std::size_t i : reader.cells()) {
      const CellInfo& cell = system.cells()[i];
      if (cell.counter) continue;
      partitions.insert(cell.partition);
      locality.reads_shared = locality.reads_shared || cell.partition < 0;
    }
    partitions.erase(-1);
    if (partitions.size() == 1) locality.partition = *partitions.begin();
    list.push_back(locality);
  }
  return list;
}

}  // namespace fencepost::checker
