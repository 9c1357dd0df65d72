#include "checker/symbolic/transactions/transaction_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "checker/symbolic/state_cells.h"
#include "checker/symbolic/transactions/over_formulas.h"
#include "spec/base.h"

namespace fencepost::checker {
namespace {

namespace model = spec::transactions;
using model::CellPlace;
using spec::Concrete;
using SymbolicState = model::State<Symbolic>;

}  // namespace

TransactionSystem::TransactionSystem(const model::Behaviour& behaviour,
                                     const model::Instance& instance, std::uint32_t properties,
                                     Facts facts)
    : rules_{behaviour, instance}, actions_(model::actions(rules_)), properties_(properties) {
  FP_ASSERT(model::instance_fault(instance).empty());
  std::map<std::string, int> seen;
  State s{};
  model::visit_cells(s, rules_, [&](Concrete::Cell&, const CellPlace& place) {
    const std::string_view field(place.field);
    std::string name(field);
    std::replace(name.begin(), name.end(), ' ', '_');
    if (place.owner >= 0) name += fmt::format("_o{}", place.owner);
    name += fmt::format("_{}", seen[name]++);
    cells_.push_back(
        {name, static_cast<unsigned>(place.max), -1, field.starts_with("faults used")});
  });
  if (facts == Facts::kTogether) {
    facts_.push_back({"properties", "every property asked for holds", -1, -1});
    return;
  }
  for (int k = 0; k < model::kSafetyProperties; ++k) {
    if (((properties >> k) & 1U) == 0) continue;
    const model::NameInfo& info = model::properties()[static_cast<std::size_t>(k)];
    facts_.push_back({std::string(info.name), std::string(info.says), -1, k});
  }
}

std::vector<unsigned> TransactionSystem::initial() const {
  Concrete d;
  State s{};
  model::set_initial(d, s, rules_);
  return values(s);
}

std::string TransactionSystem::action_text(std::size_t a) const {
  return model::action_text(actions_[a]);
}

FormulaStep TransactionSystem::step(std::size_t a, const Values& state) const {
  Symbolic d;
  SymbolicState s = load_cells<SymbolicState>(state, cells_, rules_);
  model::Steps<Symbolic> steps{d, s, rules_};
  FormulaStep step{steps.guard(actions_[a]), {}, Symbolic::Bool(false), {}};
  if (step.guard.is(false)) {
    step.bounds.assign(model::kBounds, Symbolic::Bool(false));
    step.next = state;
    return step;
  }
  steps.effect(actions_[a]);
  for (std::size_t b = 0; b < static_cast<std::size_t>(model::kBounds); ++b) {
    step.bounds.push_back(d.bound_hit(b));
  }
  step.overflow = d.overflow();
  step.next = store_cells(s, rules_);
  return step;
}

Symbolic::Bool TransactionSystem::holds(std::size_t fact, const Values& state) const {
  const SymbolicState s = load_cells<SymbolicState>(state, cells_, rules_);
  const model::Formulas<Symbolic> formulas{s, rules_};
  if (facts_[fact].property >= 0) {
    return formulas.holds(static_cast<model::Property>(facts_[fact].property));
  }
  Symbolic::Bool all(true);
  for (int k = 0; k < model::kSafetyProperties; ++k) {
    if (((properties_ >> k) & 1U) != 0) {
      all = all && formulas.holds(static_cast<model::Property>(k));
    }
  }
  return all;
}

std::vector<std::string> TransactionSystem::bound_names() const {
  return {model::kBoundNames.begin(), model::kBoundNames.end()};
}

std::vector<unsigned> TransactionSystem::values(const State& state) const {
  std::vector<unsigned> values;
  State s = state;  // the visitor serves writers, too
  model::visit_cells(
      s, rules_, [&](const Concrete::Cell& cell, const CellPlace&) { values.push_back(cell.v); });
  return values;
}

TransactionSystem::State TransactionSystem::concrete(const std::vector<unsigned>& values) const {
  State s{};
  std::size_t i = 0;
  model::visit_cells(s, rules_, [&](Concrete::Cell& cell, const CellPlace&) {
    cell.v = static_cast<std::uint8_t>(values[i++]);
  });
  FP_ASSERT(i == values.size());
  return s;
}

}  // namespace fencepost::checker
