// Runs claims on the transactional model for the gate's table.
#pragma once

#include <functional>
#include <vector>

#include "checker/gate/gate.h"
#include "checker/transactions/claims.h"
#include "checker/transactions/confirm.h"

namespace fencepost::transactions {

/// How a question is searched: `search`, or the same on the implementation.
using Searcher = std::function<Found(const Question&, const gate::Limits&)>;

/// Searches what the selected of these claims ask and appends their rows, in the order of the
/// claims, to `result`, as gate::run_gate does for the other model. Rows that ask the same but for
/// the property share a search. `selected` points at copies of `claims`' gate claims, by id.
/// `confirmation` is asked of safety properties: of those that are refuted as claimed, and of those
/// of a search that were exhausted. If it throws, the rows become errors.
void run_claims(const std::vector<Claim>& claims, const std::vector<const gate::Claim*>& selected,
                const gate::GateOptions& options, gate::GateResult& result,
                const Searcher& searcher = search, const Confirmation& confirmation = {});

}  // namespace fencepost::transactions
