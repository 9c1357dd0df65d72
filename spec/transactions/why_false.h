// Why an action of the transactional model cannot happen, from its guard.
#pragma once

#include <string>
#include <vector>

#include "spec/domain/concrete.h"
#include "spec/transactions/actions.h"

namespace fencepost::spec::transactions {

/// What the guard of `action` requires and `state` does not give, one sentence a conjunct, as
/// spec::why_false says it. Empty if the guard holds.
std::vector<std::string> why_false(const Action& action, const State<Concrete>& state,
                                   const Rules& rules);

}  // namespace fencepost::spec::transactions
