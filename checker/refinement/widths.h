// How many bits of each byte of an implementation's state an instance can use.
#pragma once

#include "checker/refinement/impl_system.h"

namespace fencepost::refinement {

/// One width per byte of `ImplState`, 0 for what the instance never sets. The packing asserts on
/// every state that no bit beyond them is set, so a width that is too small cannot hide.
spec::ByteWidths state_widths(const impl::ClusterRules& rules);

}  // namespace fencepost::refinement
