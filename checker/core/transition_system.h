// What an engine sees of a model. The concept belongs to the spec, which knows no engine; the
// checker only uses its names.
#pragma once

#include "spec/transition_system.h"

namespace fencepost::checker {

using spec::ByteWidths;
using spec::kUnfair;
using spec::StepInfo;
using spec::TransitionSystem;

}  // namespace fencepost::checker
