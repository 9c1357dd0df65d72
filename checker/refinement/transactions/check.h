// Questions on the transactional model, asked of the implementation, every step compared.
#pragma once

#include <vector>

#include "checker/refinement/transactions/system.h"
#include "checker/transactions/claims.h"

namespace fencepost::refinement::transactions {

/// Searches the implementation as `question` asks. A counterexample comes back as the path of the
/// spec that the run is, without its stutters, and is confirmed there; statistics are the
/// implementation's, counted by the spec's actions. A step that is not one of the spec comes back
/// as `facts.error`, in words.
fencepost::transactions::Found check_on_impl(const fencepost::transactions::Question& question,
                                             const gate::Limits& limits);

/// The spec's actions along a run of the implementation, stutters left out.
checker::ActionPath spec_path(const System& system, const checker::ActionPath& path);

/// The claims with an expectation, as they are asked of the implementation: at most two partitions,
/// what holds with two faults at most, and without witnesses; not of endless instances, which the
/// implementation has not. The ids stay.
std::vector<fencepost::transactions::Claim> claims_for_impl(
    std::vector<fencepost::transactions::Claim> claims);

}  // namespace fencepost::refinement::transactions
