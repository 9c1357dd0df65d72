// The implementation as a transition system: the same search explores it as explores the spec, and
// every step it takes is checked against the spec's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/core/search.h"
#include "checker/refinement/step_claims.h"

namespace fencepost::refinement {

/// The bit of `violations` that stands for a step that was neither one of the spec's nor a stutter.
/// Such a state violates every property besides.
inline constexpr int kDivergence = 8;

/// Why an instance cannot be explored on the implementation, or empty. Its state is fixed-size.
std::string impl_instance_fault(const spec::Behaviour& behaviour, const spec::Instance& instance);

/// A cluster, and whether a step that is not the spec's led to it.
struct ImplState {
  SmallCluster cluster;
  std::uint8_t diverged = 0;
  std::uint8_t padding[8 - (sizeof(SmallCluster) + 1) % 8]{};
};

class ImplSystem {
 public:
  using State = ImplState;

  /// `properties` is a mask as for spec::Model. Without `refine` no step is compared with the spec.
  /// Requires: `impl_instance_fault` is empty.
  ImplSystem(const spec::Behaviour& behaviour, const spec::Instance& instance,
             std::uint32_t properties = (1U << spec::kSafetyProperties) - 1,
             const impl::Grain& grain = {}, impl::Mutant mutant = impl::Mutant::kNone,
             bool refine = true);
  // The cluster refers to the rules.
  ImplSystem(const ImplSystem&) = delete;
  ImplSystem& operator=(const ImplSystem&) = delete;

  [[nodiscard]] State initial() const;
  [[nodiscard]] std::size_t action_count() const { return choices_.size(); }
  [[nodiscard]] bool guard(std::size_t a, const State& s) const {
    return cluster_.guard(choices_[a], s.cluster);
  }
  [[nodiscard]] spec::StepInfo effect(std::size_t a, State& s) const;
  [[nodiscard]] std::uint32_t violations(const State& s) const;
  [[nodiscard]] bool ended(const State& s) const { return model_.ended(mapped(s)); }
  [[nodiscard]] int fairness(std::size_t a) const { return fairness_[a]; }
  [[nodiscard]] int fairness_classes() const { return fairness_classes_; }
  [[nodiscard]] spec::ByteWidths widths() const;

  [[nodiscard]] const impl::Choice& choice(std::size_t a) const { return choices_[a]; }
  [[nodiscard]] const spec::Model& model() const { return model_; }
  [[nodiscard]] spec::Model::State mapped(const State& s) const {
    return map_to_spec(s.cluster, model_.rules());
  }
  static constexpr int kStutter = StepClaims::kStutter;
  static constexpr int kNoSuchAction = StepClaims::kNoSuchAction;
  /// The spec's action that the step should be, kStutter, or kNoSuchAction.
  [[nodiscard]] int claim(std::size_t a, const State& s) const {
    return StepClaims::elects(choices_[a]) ? step_claims_.of(choices_[a], s.cluster) : claims_[a];
  }
  /// The same without a state: for an election, the action that loses least.
  [[nodiscard]] int claimed(std::size_t a) const { return claims_[a]; }
  /// Whether a step along the path is not one of the spec.
  [[nodiscard]] bool diverges(const checker::ActionPath& path) const {
    State s = initial();
    for (const checker::ActionIndex a : path) static_cast<void>(effect(a, s));
    return s.diverged != 0;
  }
  /// Why the step diverges, or nothing if it does not. Requires: the guard holds.
  [[nodiscard]] std::optional<Divergence> compare(std::size_t a, const State& s) const;

 private:
  [[nodiscard]] spec::StepInfo unchecked(std::size_t a, State& s) const;

  impl::ClusterRules rules_;
  spec::Model model_;
  StepClaims step_claims_;
  bool refine_;
  mutable impl::NoObserver observer_;
  impl::Cluster<impl::Small> cluster_;
  std::vector<impl::Choice> choices_;
  std::vector<int> claims_;  ///< by choice; for elections the action that loses nothing
  std::vector<int> fairness_;
  int fairness_classes_ = 0;
};

}  // namespace fencepost::refinement
