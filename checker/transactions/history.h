// Counterexamples of endless instances (spec/transactions/endless.h), replayed on the same
// behaviour where nothing is forgotten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "checker/transactions/search.h"
#include "spec/transactions/model.h"

namespace fencepost::transactions {

struct HistoryReplay {
  enum class End : std::uint8_t {
    kShows,    ///< stem and one round of the loop show there what they should
    kDiffers,  ///< they do not: forgetting has changed the run
    kBound,    ///< a bound ended the replay; so far nothing differed
  };
  End end{};
  std::size_t steps = 0;     ///< taken on both
  std::uint32_t bounds = 0;  ///< bit = spec::transactions::Bound: those that were met
};

/// Takes the steps of stem and loop on `endless` and on the model that forgets nothing, its bounds
/// on attempts, epochs and logs as wide as the state's arrays. In every state both must have the
/// same actions enabled and both have ended or neither; in the last one a safety property must be
/// violated in both. That a loop closes only the model that forgets can say; that it is fair and
/// does not end follows for the other from what is compared.
/// Requires: an endless instance, on which the finding is a run.
HistoryReplay replay_with_history(const spec::transactions::Model& endless, const Finding& finding);

/// What of the finding the replay left open, a sentence for the row, or empty.
std::string remark_of(const HistoryReplay& replay, const Finding& finding);

}  // namespace fencepost::transactions
