// Runs claims on the transactional model for the gate's table.
#pragma once

#include <functional>
#include <vector>

#include "checker/gate/gate.h"
#include "checker/transactions/claims.h"

namespace fencepost::transactions {

/// How a question is searched: `search`, or the same on the implementation.
using Searcher = std::function<Found(const Question&, const gate::Limits&)>;

/// Searches what the selected of these claims ask and appends their rows, in the order of the
/// claims, to `result`, as gate::run_gate does for the other model. Rows that ask the same but for
/// the property share a search. `selected` points at copies of `claims`' gate claims, by id.
void run_claims(const std::vector<Claim>& claims, const std::vector<const gate::Claim*>& selected,
                const gate::GateOptions& options, gate::GateResult& result,
                const Searcher& searcher = search);

}  // namespace fencepost::transactions
