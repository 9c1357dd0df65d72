#include "checker/symbolic/spec_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "checker/symbolic/spec_over_formulas.h"
#include "checker/symbolic/state_cells.h"
#include "spec/base.h"
#include "spec/model/mirror.h"

namespace fencepost::checker {
namespace {

using spec::Concrete;
using SymbolicState = spec::State<Symbolic>;

/// What the partitions that are left out may do to the producer.
struct EnvironmentStep {
  std::string_view says;
  spec::Mode mode;  ///< what the producer becomes
};
constexpr EnvironmentStep kBump{"another partition asks for a bump", spec::Mode::kDraining};
constexpr EnvironmentStep kExcused{
    "another partition, whose broker lost producer state, makes the producer fatal",
    spec::Mode::kFatalExcused};
constexpr EnvironmentStep kFatal{"another partition makes the producer fatal", spec::Mode::kFatal};
constexpr std::array kEnvironment{kBump, kExcused, kFatal};

std::string cell_name(const spec::CellPlace& place) {
  std::string name(place.field);
  std::replace(name.begin(), name.end(), ' ', '_');
  if (place.partition >= 0) name += fmt::format("_p{}", place.partition);
  if (place.index >= 0) name += fmt::format("_{}", place.index);
  return name;
}

}  // namespace

bool environment_covers(const spec::Behaviour& behaviour) {
  return behaviour.bump_waits_for != spec::BumpWaits::kNothing;
}

SpecSystem::SpecSystem(const spec::Behaviour& behaviour, const spec::Instance& instance,
                       const SpecSystemOptions& options)
    : rules_{behaviour, instance},
      actions_(spec::actions(rules_)),
      environment_(options.environment) {
  FP_ASSERT(spec::instance_fault(instance).empty());
  FP_ASSERT(!environment_ || (instance.partitions == 1 && environment_covers(behaviour)));
  spec::State<Concrete> s{};
  spec::visit_cells(s, rules_, [&](Concrete::Cell&, const spec::CellPlace& place) {
    const bool counter = std::string_view(place.field).starts_with("faults used");
    cells_.push_back({cell_name(place), static_cast<unsigned>(place.max),
                      counter ? -1 : place.partition, counter});
  });
  for (int k = 0; k < spec::kLemmas && options.lemmas; ++k) {
    if (!spec::applies(static_cast<spec::Lemma>(k), rules_)) continue;
    const spec::LemmaInfo& info = spec::lemmas()[static_cast<std::size_t>(k)];
    for (int p = 0; p < instance.partitions; ++p) {
      facts_.push_back({std::string(info.name), std::string(info.says), p, -1});
      lemma_of_fact_.push_back(k);
    }
  }
  for (int k = 0; k < spec::kSafetyProperties; ++k) {
    if (((options.properties >> k) & 1U) == 0) continue;
    const spec::PropertyInfo& info = spec::properties()[static_cast<std::size_t>(k)];
    for (int p = 0; p < instance.partitions; ++p) {
      facts_.push_back({std::string(info.name), std::string(info.says), p, k});
      lemma_of_fact_.push_back(-1);
    }
  }
}

std::vector<unsigned> SpecSystem::initial() const { return initials().front(); }

// Partitions start with different leaders, and with an environment this one may be any of them.
std::vector<std::vector<unsigned>> SpecSystem::initials() const {
  std::vector<std::vector<unsigned>> states;
  const int leaders = environment_ ? rules_.instance.brokers : 1;
  for (int leader = 1; leader <= leaders; ++leader) {
    Concrete d;
    spec::State<Concrete> s{};
    spec::set_initial(d, s, rules_);
    if (environment_) {
      d.set(s.partition[0].leader, leader);
      d.set(s.partition[0].view, leader);
    }
    std::vector<unsigned> values;
    spec::visit_cells(s, rules_, [&](const Concrete::Cell& cell, const spec::CellPlace&) {
      values.push_back(cell.v);
    });
    states.push_back(std::move(values));
  }
  return states;
}

std::size_t SpecSystem::action_count() const {
  return actions_.size() + (environment_ ? kEnvironment.size() : 0);
}

std::string SpecSystem::action_text(std::size_t a) const {
  if (a < actions_.size()) return spec::action_text(actions_[a]);
  return std::string(kEnvironment[a - actions_.size()].says);
}

int SpecSystem::action_partition(std::size_t a) const {
  return a < actions_.size() ? actions_[a].partition : 0;
}

// The others satisfy the lemmas, too, as every partition does: so where it is claimed that none
// makes the producer fatal, or only with an excuse (never-fatal), none does, and where no partition
// can ask for a bump (never-bumps) none does. That each partition's own steps keep these lemmas is
// part of what is proved.
void SpecSystem::environment_step(std::size_t which, Symbolic& d, SymbolicState& s,
                                  FormulaStep& step) const {
  using spec::Lemma;
  using spec::Mode;
  const EnvironmentStep& x = kEnvironment[which];
  step.guard = x.mode == Mode::kDraining ? s.mode == Mode::kAssigned : s.mode < Mode::kFatal;
  const bool excused_only = spec::applies(Lemma::kNeverFatal, rules_);
  const bool never = (x.mode == Mode::kDraining && spec::applies(Lemma::kNeverBumps, rules_)) ||
                     (x.mode == Mode::kFatal && excused_only) ||
                     (x.mode == Mode::kFatalExcused && !rules_.cache_can_be_lost());
  if (never) step.guard = Symbolic::Bool(false);
  d.set(s.mode, x.mode);
}

FormulaStep SpecSystem::step(std::size_t a, const Values& state) const {
  Symbolic d;
  SymbolicState s = load_cells<SymbolicState>(state, cells_, rules_);
  FormulaStep step{Symbolic::Bool(false), {}, Symbolic::Bool(false), {}};
  if (a < actions_.size()) {
    spec::Steps<Symbolic> steps{d, s, rules_};
    step.guard = steps.guard(actions_[a]);
    steps.effect(actions_[a]);
  } else {
    environment_step(a - actions_.size(), d, s, step);
  }
  for (std::size_t b = 0; b < static_cast<std::size_t>(spec::kBounds); ++b) {
    step.bounds.push_back(d.bound_hit(b));
  }
  step.overflow = d.overflow();
  step.next = store_cells(s, rules_);
  return step;
}

Symbolic::Bool SpecSystem::holds(std::size_t fact, const Values& state) const {
  const SymbolicState s = load_cells<SymbolicState>(state, cells_, rules_);
  const Fact& f = facts_[fact];
  if (lemma_of_fact_[fact] < 0) {
    return spec::Formulas<Symbolic>{s, rules_}.holds(static_cast<spec::Property>(f.property),
                                                     f.partition);
  }
  return spec::Lemmas<Symbolic>{s, rules_}.holds(static_cast<spec::Lemma>(lemma_of_fact_[fact]),
                                                 f.partition);
}

std::vector<std::string> SpecSystem::bound_names() const {
  return {spec::kBoundNames.begin(), spec::kBoundNames.end()};
}

spec::State<Concrete> SpecSystem::concrete(const std::vector<unsigned>& values) const {
  spec::State<Concrete> s{};
  std::size_t i = 0;
  spec::visit_cells(s, rules_, [&](Concrete::Cell& cell, const spec::CellPlace&) {
    cell.v = static_cast<std::uint8_t>(values[i++]);
  });
  FP_ASSERT(i == values.size());
  return s;
}

std::vector<std::size_t> facts_to_ask(const SpecSystem& system) {
  const bool mirror = spec::has_mirror(system.rules().instance);
  std::vector<std::size_t> facts;
  for (std::size_t f = 0; f < system.facts().size(); ++f) {
    if (!mirror || system.facts()[f].partition != 0) facts.push_back(f);
  }
  return facts;
}

}  // namespace fencepost::checker
