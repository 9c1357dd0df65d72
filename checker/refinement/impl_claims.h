// The claims as they are asked of the implementation.
#pragma once

#include "checker/gate/claims.h"

namespace fencepost::refinement {

/// The claims with an expectation, at a size that the implementation is searched at in seconds: two
/// new messages where there are two partitions, and, for what holds, one fault, with no witnesses
/// required, as most need two. Open claims are left out. The ids stay.
gate::Claims claims_for_impl(const gate::Claims& claims);

}  // namespace fencepost::refinement
