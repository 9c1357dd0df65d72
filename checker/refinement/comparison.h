// A simulation held against the spec, step by step.
#pragma once

#include <optional>
#include <string>

#include "checker/refinement/step_claims.h"
#include "impl/simulator.h"

namespace fencepost::refinement {

/// Why a simulation of that size and grain cannot be compared with the spec, or empty.
std::string why_not_compared(const impl::SimulateOptions& options);

/// Compares every step of a run. Ends the run at a step that is not one of the spec; ends itself
/// where the spec's arrays end (`ended`).
class Comparison : public impl::Companion {
 public:
  /// Requires: `why_not_compared` is empty, and the run starts as the spec does.
  explicit Comparison(const impl::SimulateOptions& options);

  void before(const impl::Choice& choice, const impl::ClusterState<impl::Large>& s) override;
  bool after(const impl::ClusterState<impl::Large>& s) override;

  [[nodiscard]] std::uint64_t compared() const { return compared_; }
  /// What the spec has no room for any more, or empty: "the bound on log".
  [[nodiscard]] const std::string& ended() const { return ended_; }
  [[nodiscard]] const std::optional<Divergence>& divergence() const { return divergence_; }

 private:
  spec::Model model_;
  StepClaims claims_;
  impl::Choice choice_;
  int claimed_ = StepClaims::kStutter;
  spec::Model::State before_{};
  std::uint64_t compared_ = 0;
  std::string ended_;
  std::optional<Divergence> divergence_;
};

}  // namespace fencepost::refinement
