// The spec in the words of the grammar of lemmas.
#pragma once

#include <string>
#include <vector>

#include "checker/symbolic/proposer.h"
#include "checker/symbolic/vocabulary.h"
#include "spec/domain/concrete.h"
#include "spec/model/rules.h"

namespace fencepost::checker {

/// Fields, sums and standings over the cells of a SpecSystem of these rules. Cells that count
/// faults are not spoken of, nor those of `cells_without_words`.
Vocabulary spec_vocabulary(const spec::Rules& rules);

/// The fields that the vocabulary has no words for, and that are in use with the faults, broker and
/// client of the rules, by spec::CellPlace::field: late requests, what a broker has lost or
/// deleted, and a message on its way back into the queue. A lemma that needs one is not in the
/// grammar. Requires: any number of faults, so that none is counted.
std::vector<std::string> cells_without_words(const spec::Rules& rules);

/// The values of a state's cells, in the order of the SpecSystem's.
CellValues cell_values(const spec::State<spec::Concrete>& state, const spec::Rules& rules);

}  // namespace fencepost::checker
