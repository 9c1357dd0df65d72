#include "spec/transactions/model.h"

#include <bit>
#include <map>
#include <tuple>

#include "spec/base.h"

namespace fencepost::spec::transactions {

static_assert(TransitionSystem<Model>);

Model::Model(const Behaviour& behaviour, const Instance& instance, std::uint32_t properties)
    : rules_{behaviour, instance}, properties_(properties), actions_(actions(rules_)) {
  FP_ASSERT(instance_fault(instance).empty());
  std::map<std::tuple<ActionKind, int, int>, int> classes;
  for (const Action& x : actions_) {
    if (!is_fair(x.kind)) {
      fairness_.push_back(kUnfair);
      continue;
    }
    const auto key = std::tuple(x.kind, x.i, x.p);
    const auto [it, added] = classes.emplace(key, static_cast<int>(classes.size()));
    fairness_.push_back(it->second);
  }
  fairness_classes_ = static_cast<int>(classes.size());
}

Model::State Model::initial() const {
  Concrete d;
  State s{};
  set_initial(d, s, rules_);
  return s;
}

std::uint32_t Model::violations(const State& s) const {
  const Formulas<Concrete> formulas{s, rules_};
  std::uint32_t mask = 0;
  for (int k = 0; k < kSafetyProperties; ++k) {
    if (((properties_ >> k) & 1U) == 0) continue;
    if (!formulas.holds(static_cast<Property>(k)).value()) mask |= 1U << k;
  }
  return mask;
}

bool Model::ended(const State& s) const { return Formulas<Concrete>{s, rules_}.ended().value(); }

ByteWidths Model::widths() const {
  State s{};
  ByteWidths widths(sizeof(State), 0);
  visit_cells(s, rules_, [&](Concrete::Cell& cell, const CellPlace& place) {
    const auto at = reinterpret_cast<const std::byte*>(&cell) - reinterpret_cast<std::byte*>(&s);
    widths[static_cast<std::size_t>(at)] =
        static_cast<std::uint8_t>(std::bit_width(static_cast<unsigned>(place.max)));
  });
  return widths;
}

}  // namespace fencepost::spec::transactions
