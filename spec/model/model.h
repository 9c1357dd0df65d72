// The spec as a transition system over the Concrete domain: what the explicit engine explores and
// the replayer steps through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "spec/domain/concrete.h"
#include "spec/model/actions.h"
#include "spec/model/property_formulas.h"
#include "spec/transition_system.h"

namespace fencepost::spec {

class Model {
 public:
  using State = spec::State<Concrete>;

  /// `properties` is the mask of safety properties that `violations` looks at.
  Model(const Behaviour& behaviour, const Instance& instance,
        std::uint32_t properties = (1U << kSafetyProperties) - 1);

  [[nodiscard]] State initial() const;
  [[nodiscard]] std::size_t action_count() const { return actions_.size(); }
  [[nodiscard]] const Action& action(std::size_t a) const { return actions_[a]; }
  [[nodiscard]] const std::vector<Action>& action_list() const { return actions_; }
  [[nodiscard]] const Rules& rules() const { return rules_; }

  [[nodiscard]] bool guard(std::size_t a, const State& s) const {
    Concrete d;
    // The steps of a guard read only; the template is shared with effects, which write.
    return Steps<Concrete>{d, const_cast<State&>(s), rules_}.guard(actions_[a]).value();
  }
  [[nodiscard]] StepInfo effect(std::size_t a, State& s) const {
    Concrete d;
    Steps<Concrete>{d, s, rules_}.effect(actions_[a]);
    return {d.notes(), d.bounds_hit()};
  }

  /// Bit = spec::Property.
  [[nodiscard]] std::uint32_t violations(const State& s) const;
  /// The partition in which the property is violated, or -1.
  [[nodiscard]] int violated_partition(const State& s, Property property) const;
  [[nodiscard]] bool ended(const State& s) const;

  /// Weak fairness is by action, partition and broker.
  [[nodiscard]] int fairness(std::size_t a) const { return fairness_[a]; }
  [[nodiscard]] int fairness_classes() const { return fairness_classes_; }
  [[nodiscard]] ByteWidths widths() const;

 private:
  Rules rules_;
  std::uint32_t properties_;
  std::vector<Action> actions_;
  std::vector<int> fairness_;
  int fairness_classes_ = 0;
};

}  // namespace fencepost::spec
