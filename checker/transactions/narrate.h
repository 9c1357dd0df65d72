// Tells a path of the transactional model in Kafka's words: one line a step, what must not be
// missed below it, at the end the logs and what the application was told.
#pragma once

#include "checker/core/path.h"
#include "checker/counterexample/narrate.h"
#include "spec/transactions/model.h"

namespace fencepost::transactions {

/// Requires: `path` is a path of `model` (replayed here, every guard asserted).
checker::Narration narrate(const spec::transactions::Model& model, const checker::ActionPath& path);

}  // namespace fencepost::transactions
