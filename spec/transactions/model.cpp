#include "spec/transactions/model.h"

#include <tuple>

#include "spec/base.h"
#include "spec/system_parts.h"

namespace fencepost::spec::transactions {

static_assert(TransitionSystem<Model>);

Model::Model(const Behaviour& behaviour, const Instance& instance, std::uint32_t properties)
    : rules_{behaviour, instance},
      properties_(properties),
      actions_(actions(rules_)),
      permutations_(instance.partitions),
      permuted_(permuted_actions()) {
  FP_ASSERT(instance_fault(instance).empty());
  FP_ASSERT(!instance.endless || endless_fault(behaviour, instance).empty());
  const FairnessClasses classes = fairness_classes_of(
      actions_, [](const Action& x) { return is_fair(x.kind); },
      [](const Action& x) { return std::tuple(x.kind, x.i, x.p); });
  fairness_ = classes.of;
  fairness_classes_ = classes.count;
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
  return widths_of<State>([this](State& s, const auto& f) { visit_cells(s, rules_, f); });
}

}  // namespace fencepost::spec::transactions
