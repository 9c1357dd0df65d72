// The transactional cluster as a transition system: the same search explores it as explores the
// spec, and every step it takes is compared with the spec's.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "checker/core/path.h"
#include "checker/refinement/step_claims.h"
#include "checker/refinement/transactions/mapping.h"

namespace fencepost::refinement::transactions {

/// The bit of `violations` that stands for a step that was neither one of the spec's nor a stutter.
/// Such a state violates every property besides.
inline constexpr int kDivergence = 16;

/// Why an instance cannot be explored on the implementation, or empty.
std::string instance_fault(const spec::Behaviour& behaviour, const spec::Instance& instance);

struct SystemState {
  impl::State cluster;
  std::uint8_t diverged = 0;
  std::uint8_t padding[8 - (sizeof(impl::State) + 1) % 8]{};
};

class System {
 public:
  using State = SystemState;

  /// `properties` is a mask as for the spec's model. Without `refine` no step is compared;
  /// `verification_window` is finer than the spec and asks for that.
  /// Requires: `instance_fault` is empty.
  System(const spec::Behaviour& behaviour, const spec::Instance& instance,
         std::uint32_t properties = (1U << spec::kSafetyProperties) - 1,
         impl::Mutant mutant = impl::Mutant::kNone, bool refine = true,
         bool verification_window = false);
  // The cluster refers to the rules.
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  [[nodiscard]] State initial() const;
  [[nodiscard]] std::size_t action_count() const { return choices_.size(); }
  [[nodiscard]] bool guard(std::size_t a, const State& s) const {
    return cluster_.guard(choices_[a], s.cluster);
  }
  [[nodiscard]] fencepost::spec::StepInfo effect(std::size_t a, State& s) const;
  [[nodiscard]] std::uint32_t violations(const State& s) const;
  [[nodiscard]] bool ended(const State& s) const { return model_.ended(mapped(s)); }
  [[nodiscard]] int fairness(std::size_t a) const { return fairness_[a]; }
  [[nodiscard]] int fairness_classes() const { return fairness_classes_; }
  [[nodiscard]] fencepost::spec::ByteWidths widths() const;

  [[nodiscard]] const impl::Choice& choice(std::size_t a) const { return choices_[a]; }
  [[nodiscard]] const spec::Model& model() const { return model_; }
  [[nodiscard]] spec::Model::State mapped(const State& s) const {
    return map_to_spec(s.cluster, model_.rules());
  }
  /// The spec's action that the step should be, kStutter, or kNoSuchAction. Requires: the guard
  /// holds.
  [[nodiscard]] int claim(std::size_t a, const State& s) const;
  /// Why the step diverges, or nothing if it does not. Requires: the guard holds.
  [[nodiscard]] std::optional<Divergence> compare(std::size_t a, const State& s) const;

  static constexpr int kStutter = StepClaims::kStutter;
  static constexpr int kNoSuchAction = StepClaims::kNoSuchAction;

 private:
  [[nodiscard]] std::optional<spec::Action> claimed_action(const impl::Choice& x,
                                                           const impl::State& s) const;
  [[nodiscard]] std::optional<spec::Action> end_of_write(const impl::State& s) const;
  [[nodiscard]] fencepost::spec::StepInfo unchecked(std::size_t a, State& s) const;
  [[nodiscard]] std::uint32_t bounds_before(const impl::Choice& x, const impl::State& s) const;

  impl::Rules rules_;
  spec::Model model_;
  bool refine_;
  impl::Cluster cluster_;
  std::vector<impl::Choice> choices_;
  std::map<std::tuple<spec::ActionKind, int, int, int>, int> actions_;
  std::vector<int> fairness_;
  int fairness_classes_ = 0;
};

/// Says a divergence of the transactional cluster in lines.
std::string path_text(const System& system, const checker::ActionPath& path);

}  // namespace fencepost::refinement::transactions
