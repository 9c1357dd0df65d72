// Puts what the implementation says of a claim beside what the spec says.
#pragma once

#include "checker/gate/gate.h"

namespace fencepost::gate {

/// Gives every row of `result` that was asked of the implementation, too, a sentence about that
/// answer, and takes over what is not as claimed there: such a row becomes `kNotMet` or
/// `kUndecided`, and a failed check of our own there makes it an error. The rows of `impl` are
/// those of `result`, perhaps smaller and fewer, in the same order. Returns how many rows have a
/// sentence now.
std::size_t put_beside(GateResult& result, const GateResult& impl);

}  // namespace fencepost::gate
