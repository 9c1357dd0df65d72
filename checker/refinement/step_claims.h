// Which action of the spec a choice of the implementation is, and whether taking it does what that
// action does. Of clusters of any size whose state has a place in the spec's.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "checker/refinement/mapping.h"
#include "impl/choice.h"

namespace fencepost::refinement {

/// A step of the implementation that the spec does not have.
struct Divergence {
  std::string choice;                    ///< the step
  std::string claims;                    ///< the spec's action it should be, or "stutter"
  std::vector<std::string> guard_false;  ///< what that action's guard requires and is not so
  bool producer_state = false;           ///< the replica's producer state is not the spec's
  std::vector<Difference> different;     ///< what the step does, against what the action would do
  std::string before;                    ///< the state it was taken in, as the spec's
  std::string after;                     ///< the state it led to, as the spec's
};

/// Says it in lines: the step, the action, what its guard requires, the fields that differ, and
/// both states.
std::string divergence_text(const Divergence& divergence);

/// The spec's actions by the choices that claim them.
class StepClaims {
 public:
  static constexpr int kStutter = -1;
  static constexpr int kNoSuchAction = -2;

  explicit StepClaims(const spec::Model& model);

  /// The action that the choice should be, kStutter, or kNoSuchAction. For an election: the action
  /// that loses least.
  [[nodiscard]] int of(const impl::Choice& choice) const;
  /// The same in a state, which tells what an election loses.
  template <class Z>
  [[nodiscard]] int of(const impl::Choice& choice, const impl::ClusterState<Z>& s) const {
    if (!elects(choice)) return of(choice);
    const auto p = static_cast<std::size_t>(choice.partition);
    const int from = s.controlled[p].log_of - 1;
    return of_election(choice, s.replica[static_cast<std::size_t>(from)][p].end() -
                                   s.replica[static_cast<std::size_t>(choice.a)][p].end() +
                                   std::max(choice.b, 0));
  }
  /// What it loses depends on the state.
  [[nodiscard]] static bool elects(const impl::Choice& choice) {
    return choice.kind == impl::ChoiceKind::kElect ||
           choice.kind == impl::ChoiceKind::kElectUncleanly;
  }
  [[nodiscard]] const spec::Model& model() const { return model_; }

 private:
  [[nodiscard]] int of_election(const impl::Choice& choice, int lost) const;

  const spec::Model& model_;
  std::map<std::tuple<spec::ActionKind, int, int>, int> actions_;
};

/// What the spec makes of a step: the claimed action's effect, or the state itself for a stutter.
struct Expected {
  spec::Model::State state{};
  bool guard = true;         ///< the claimed action's holds, and there is one
  std::uint32_t bounds = 0;  ///< the instance's, that the action would have exceeded
};
Expected expected_step(const spec::Model& model, int claimed, const spec::Model::State& before);

/// What is wrong with a step between two states, or nothing. `agrees`: the replicas' producer
/// state after it is what the spec derives.
std::optional<Divergence> divergence_of(const spec::Model& model, const impl::Choice& choice,
                                        int claimed, const spec::Model::State& before,
                                        const spec::Model::State& after, bool agrees);

/// Whether the producer state of every partition agrees.
template <class Z>
bool producer_states_agree(const impl::ClusterState<Z>& s, const spec::Rules& rules) {
  for (int p = 0; p < rules.instance.partitions; ++p) {
    if (!producer_state_agrees(s, p, rules)) return false;
  }
  return true;
}

}  // namespace fencepost::refinement
