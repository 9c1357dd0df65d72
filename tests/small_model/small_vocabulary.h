// The small model in the words of the grammar of lemmas.
#pragma once

#include "checker/symbolic/proposer.h"
#include "checker/symbolic/vocabulary.h"
#include "tests/small_model/small_formulas.h"
#include "tests/small_model/small_system.h"

namespace fencepost::small_model {

checker::Vocabulary vocabulary(const Parameters& parameters);

/// The cells of a state, in the order of SmallFormulas.
checker::CellValues cells_of(const SmallSystem::State& state, const Parameters& parameters);

}  // namespace fencepost::small_model
