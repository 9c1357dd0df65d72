#include "checker/symbolic/closure.h"

#include <algorithm>
#include <bit>
#include <map>

#include "spec/base.h"

namespace fencepost::checker {
namespace {

using Bool = Symbolic::Bool;
using Num = Symbolic::Num;

Bool all_facts(const FormulaSystem& system, const Values& state) {
  Bool all(true);
  for (std::size_t f = 0; f < system.facts().size(); ++f) all = all && system.holds(f, state);
  return all;
}

/// One step of whichever action has the number `which`.
struct AnyStep {
  Bool enabled = Bool(false);
  Bool beyond = Bool(false);  ///< a bound that must not be met, or a cell's range
  Values next;
};

AnyStep any_step(const FormulaSystem& system, const Values& state, const Num& which,
                 AtBound at_bound) {
  AnyStep any;
  any.next = state;
  for (std::size_t a = 0; a < system.action_count(); ++a) {
    const FormulaStep step = system.step(a, state);
    const Bool on = at_bound == AtBound::kDisables ? step.enabled() : step.guard;
    const Bool taken = which == Num(static_cast<int>(a)) && on;
    Bool beyond = step.overflow;
    for (const Bool& hit : step.bounds) beyond = beyond || hit;
    any.enabled = any.enabled || taken;
    any.beyond = any.beyond || (taken && beyond);
    for (std::size_t c = 0; c < state.size(); ++c) {
      if (step.next[c].same(state[c])) continue;
      any.next[c] = Symbolic::pick(taken, step.next[c], any.next[c]);
    }
  }
  return any;
}

}  // namespace

StateSet::StateSet(std::vector<std::vector<unsigned>> states) {
  FP_ASSERT(!states.empty());
  first_ = states.front();
  for (std::size_t c = 0; c < first_.size(); ++c) {
    const auto differs = [&](const std::vector<unsigned>& s) { return s[c] != first_[c]; };
    if (std::any_of(states.begin(), states.end(), differs)) varying_.push_back(c);
  }
  std::sort(states.begin(), states.end());
  FP_ASSERT(std::adjacent_find(states.begin(), states.end()) == states.end());
  // From the last cell back: states that agree in all cells before it share a node there.
  std::vector<std::size_t> node_of(states.size(), 0);
  std::vector<std::size_t> begins(states.size());
  for (std::size_t i = 0; i < begins.size(); ++i) begins[i] = i;
  nodes_.push_back({0, {}});
  std::map<Node, std::size_t> known;
  for (std::size_t level = varying_.size(); level > 0; --level) {
    std::vector<std::size_t> groups;
    std::vector<std::size_t> nodes;
    for (std::size_t g = 0; g < begins.size();) {
      const std::vector<unsigned>& head = states[begins[g]];
      const auto end = head.begin() + static_cast<std::ptrdiff_t>(varying_[level - 1]);
      Node node{varying_[level - 1], {}};
      groups.push_back(begins[g]);
      for (; g < begins.size() && std::equal(head.begin(), end, states[begins[g]].begin()); ++g) {
        node.edges.push_back({states[begins[g]][node.cell], node_of[g]});
      }
      const auto [found, fresh] = known.try_emplace(node, nodes_.size());
      if (fresh) nodes_.push_back(std::move(node));
      nodes.push_back(found->second);
    }
    begins = std::move(groups);
    node_of = std::move(nodes);
  }
}

Bool StateSet::has(const Values& state) const {
  std::vector<Bool> is{Bool(true)};
  for (std::size_t n = 1; n < nodes_.size(); ++n) {
    Bool any(false);
    for (const Edge& edge : nodes_[n].edges) {
      const Num value(static_cast<int>(edge.value));
      any = any || (state[nodes_[n].cell] == value && is[edge.to]);
    }
    is.push_back(any);
  }
  Bool all = is.back();
  for (std::size_t c = 0; c < first_.size(); ++c) {
    if (std::binary_search(varying_.begin(), varying_.end(), c)) continue;
    all = all && state[c] == Num(static_cast<int>(first_[c]));
  }
  return all;
}

ClosureResult check_closed(const FormulaSystem& system, const StateSet& states, AtBound at_bound,
                           const SolverLimits& limits) {
  ClosureResult result;
  for (const std::vector<unsigned>& initial : system.initials()) {
    result.state = initial;
    if (!states.has(initial) || !all_facts(system, constant_state(initial)).is(true)) return result;
  }
  Z3Session session;
  z3::context& c = session.context();
  const Values now = state_variables(system, c, "now");
  const auto last = static_cast<unsigned>(system.action_count() - 1);
  const Num which = last == 0
                        ? Num(0)
                        : Num(c.bv_const("action", static_cast<unsigned>(std::bit_width(last))),
                              (1U << std::bit_width(last)) - 1);
  AnyStep step = any_step(system, now, which, at_bound);
  z3::solver solver = session.make_solver(limits);
  solver.add(states.has(now).in(c));
  // Variables of their own, so that the set's formula is not spread over the steps'.
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (step.next[i].same(now[i]) || step.next[i].is_constant()) continue;
    const unsigned max = step.next[i].max();
    const std::string name = system.cells()[i].name + "_next";
    const Num next(c.bv_const(name.c_str(), static_cast<unsigned>(std::bit_width(max))), max);
    solver.add((next == step.next[i]).in(c));
    step.next[i] = next;
  }
  const Bool good = states.has(step.next) && all_facts(system, step.next);
  solver.add((step.beyond || (step.enabled && !good)).in(c));
  const Sat sat = session.check(solver, z3::expr_vector(c), limits);
  result.closed = sat == Sat::kUnsat;
  result.state.clear();
  if (sat == Sat::kUnknown) result.unknown = session.reason();
  if (sat != Sat::kSat) return result;
  const z3::model model = solver.get_model();
  result.action = read_state(model, {which}).front();
  result.state = read_state(model, now);
  result.next = read_state(model, step.next);
  return result;
}

CountedSteps::CountedSteps(const FormulaSystem& system, unsigned most)
    : system_(system), most_(most), cells_(system.cells()) {
  FP_ASSERT(most > 0);
  cells_.push_back({"steps_taken", most, -1, false});
}

std::vector<unsigned> CountedSteps::initial() const {
  std::vector<unsigned> values = system_.initial();
  values.push_back(0);
  return values;
}

FormulaStep CountedSteps::step(std::size_t a, const Values& state) const {
  const Num taken = state.back();
  FormulaStep step = system_.step(a, Values(state.begin(), state.end() - 1));
  step.guard = step.guard && taken < Num(static_cast<int>(most_));
  for (Bool& hit : step.bounds) hit = hit && step.guard;
  step.overflow = step.overflow && step.guard;
  step.next.push_back(taken + Num(1));
  return step;
}

Bool CountedSteps::holds(std::size_t fact, const Values& state) const {
  return system_.holds(fact, Values(state.begin(), state.end() - 1));
}

}  // namespace fencepost::checker
