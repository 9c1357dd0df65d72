// Endless instances: a run may begin any number of transactions, because after each step the state
// forgets what no later step and no property that is asked can see. README.md argues each part.
#pragma once

#include <string_view>

#include "spec/domain/concrete.h"
#include "spec/transactions/rules.h"

namespace fencepost::spec::transactions {

/// Why the instance cannot be endless with this behaviour, or empty.
/// Requires: `instance.endless`.
std::string_view endless_fault(const Behaviour& behaviour, const Instance& instance);

/// Bit = Property: those that look at what an endless instance forgets.
std::uint32_t needs_history();

/// Forgets it:
/// - aborted entries and markers leave the logs; committed entries keep only what readers see of
///   them;
/// - a transaction that was told aborted and of which nothing stands in a log gives its number to
///   the next one;
/// - epochs are numbered anew: their order and whether two are equal or neighbours stay. This is
///   exact because only the greatest epoch, the coordinator's, rises: that none is above it is
///   asserted in every state.
///
/// Returns false if a sequence has left its range; then the step is beyond the bounds.
/// Requires: `endless_fault` is empty.
bool forget_history(const Rules& rules, State<Concrete>& s);

}  // namespace fencepost::spec::transactions
