// The transactional model as a transition system over the Concrete domain: what the explicit
// engine explores and the replayer steps through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "spec/domain/concrete.h"
#include "spec/symmetry.h"
#include "spec/transactions/actions.h"
#include "spec/transactions/endless.h"
#include "spec/transactions/property_formulas.h"
#include "spec/transition_system.h"

namespace fencepost::spec::transactions {

class Model {
 public:
  using State = transactions::State<Concrete>;

  /// `properties` is the mask of safety properties that `violations` looks at.
  /// Requires: the instance and the behaviour can be checked (`instance_fault`, `impossible`,
  /// `endless_fault`).
  Model(const Behaviour& behaviour, const Instance& instance,
        std::uint32_t properties = (1U << kSafetyProperties) - 1);

  [[nodiscard]] State initial() const;
  [[nodiscard]] std::size_t action_count() const { return actions_.size(); }
  [[nodiscard]] const Action& action(std::size_t a) const { return actions_[a]; }
  [[nodiscard]] const Rules& rules() const { return rules_; }

  [[nodiscard]] bool guard(std::size_t a, const State& s) const {
    Concrete d;
    // The steps of a guard read only; the template is shared with effects, which write.
    return Steps<Concrete>{d, const_cast<State&>(s), rules_}.guard(actions_[a]).value();
  }
  [[nodiscard]] StepInfo effect(std::size_t a, State& s) const {
    Concrete d;
    Steps<Concrete>{d, s, rules_}.effect(actions_[a]);
    StepInfo info{d.notes(), d.bounds_hit()};
    if (rules_.instance.endless && info.bounds == 0 && !forget_history(rules_, s)) {
      info.bounds = 1U << static_cast<unsigned>(Bound::kAttempts);
    }
    return info;
  }

  /// Bit = Property.
  [[nodiscard]] std::uint32_t violations(const State& s) const;
  [[nodiscard]] bool ended(const State& s) const;

  /// Weak fairness is by action, producer instance and partition.
  [[nodiscard]] int fairness(std::size_t a) const { return fairness_[a]; }
  [[nodiscard]] int fairness_classes() const { return fairness_classes_; }
  [[nodiscard]] ByteWidths widths() const;

  /// Of the partitions that outputs go to (symmetry.cpp, spec/symmetry.h).
  [[nodiscard]] const Permutations& permutations() const { return permutations_; }
  [[nodiscard]] int canonical(State& s) const;
  void permute(int permutation, State& s) const;
  [[nodiscard]] std::size_t permuted(int permutation, std::size_t a) const {
    return permuted_[static_cast<std::size_t>(permutation)][a];
  }

 private:
  [[nodiscard]] std::vector<std::vector<std::size_t>> permuted_actions() const;

  Rules rules_;
  std::uint32_t properties_;
  std::vector<Action> actions_;
  Permutations permutations_;
  std::vector<std::vector<std::size_t>> permuted_;  // by permutation and action
  std::vector<int> fairness_;
  int fairness_classes_ = 0;
};

}  // namespace fencepost::spec::transactions
