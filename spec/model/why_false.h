// Why an action cannot happen: the conjuncts of its guard that are false, from the guard itself.
#pragma once

#include <string>
#include <vector>

#include "spec/domain/concrete.h"
#include "spec/model/actions.h"

namespace fencepost::spec {

/// What the guard of `action` requires and `state` does not give, one sentence a conjunct, in the
/// order of the guard: "in flight of partition 0 (2) < 2". Values stand in brackets behind their
/// fields, enumerators by name. Empty if the guard holds.
std::vector<std::string> why_false(const Action& action, const State<Concrete>& state,
                                   const Rules& rules);

}  // namespace fencepost::spec
