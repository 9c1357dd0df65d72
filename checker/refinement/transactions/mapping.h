// What a state of the transactional cluster is in the transactional spec.
#pragma once

#include <string>
#include <vector>

#include "checker/refinement/mapping.h"
#include "impl/transactions/cluster.h"
#include "spec/transactions/model.h"

namespace fencepost::refinement::transactions {

namespace impl = fencepost::impl::transactions;
namespace spec = fencepost::spec::transactions;

/// The state of the spec that the cluster is in: a record that is being written has not happened
/// yet, a marker is written when the leader has it, and an answer that only asks to send again is
/// none.
spec::Model::State map_to_spec(const impl::State& s, const spec::Rules& rules);

/// The fields in which two states of the spec differ.
std::vector<Difference> differences(const spec::Model::State& expected,
                                    const spec::Model::State& found, const spec::Rules& rules);

/// A state of the spec in lines, one an owner; fields that are 0 are left out.
std::string state_text(const spec::Model::State& state, const spec::Rules& rules);

}  // namespace fencepost::refinement::transactions
