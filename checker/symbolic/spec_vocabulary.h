// The spec in the words of the grammar of lemmas.
#pragma once

#include "checker/symbolic/proposer.h"
#include "checker/symbolic/vocabulary.h"
#include "spec/domain/concrete.h"
#include "spec/model/rules.h"

namespace fencepost::checker {

/// Fields, sums and standings over the cells of a SpecSystem of these rules. Cells that count
/// faults and late requests are not spoken of.
Vocabulary spec_vocabulary(const spec::Rules& rules);

/// The values of a state's cells, in the order of the SpecSystem's.
CellValues cell_values(const spec::State<spec::Concrete>& state, const spec::Rules& rules);

}  // namespace fencepost::checker
