// The small model as a transition system for the explicit engine.
#pragma once

#include "checker/core/transition_system.h"
#include "spec/domain/concrete.h"
#include "tests/small_model/small_model.h"

namespace fencepost::small_model {

class SmallSystem {
 public:
  using State = small_model::State<spec::Concrete>;
  enum Property { kDuplicate, kFatal };
  static constexpr std::uint32_t kAll = 1U << kDuplicate | 1U << kFatal;

  explicit SmallSystem(const Parameters& parameters) : model_(parameters) {}

  [[nodiscard]] State initial() const;
  [[nodiscard]] std::size_t action_count() const {
    return static_cast<std::size_t>(model_.actions());
  }
  [[nodiscard]] bool guard(std::size_t action, const State& state) const {
    spec::Concrete d;
    return model_.guard(d, static_cast<int>(action), state).value();
  }
  [[nodiscard]] checker::StepInfo effect(std::size_t action, State& state) const {
    spec::Concrete d;
    model_.effect(d, static_cast<int>(action), state);
    return {d.notes(), d.bounds_hit()};
  }
  [[nodiscard]] std::uint32_t violations(const State& state) const {
    return (model_.duplicate(state).value() ? 1U << kDuplicate : 0U) |
           (state.fatal.v != 0 ? 1U << kFatal : 0U);
  }
  [[nodiscard]] bool ended(const State& state) const {
    return model_.all_acknowledged(state).value();
  }
  /// A class per action, except leader changes and lost answers, which are faults.
  [[nodiscard]] int fairness(std::size_t action) const;
  [[nodiscard]] int fairness_classes() const { return model_.actions(); }
  [[nodiscard]] checker::ByteWidths widths() const;

 private:
  Model<spec::Concrete> model_;
};

}  // namespace fencepost::small_model
