// What a state of the implementation is in the spec: a function from cluster states to states of
// the model. impl/README.md argues it field by field.
#pragma once

#include "impl/cluster.h"
#include "spec/model/model.h"

namespace fencepost::refinement {

using SmallCluster = impl::ClusterState<impl::Small>;

/// The state of the spec that the cluster is in: of a cluster of the search, or of the simulator
/// where it is no larger than the spec's arrays and its batches are of one message. Unlimited
/// faults are counted in neither.
template <class Z>
spec::Model::State map_to_spec(const impl::ClusterState<Z>& s, const spec::Rules& rules);

/// Whether the producer state that the leader's replica keeps is what the spec derives from its
/// log. The mapping does not show it, so it is compared by itself.
template <class Z>
bool producer_state_agrees(const impl::ClusterState<Z>& s, int partition, const spec::Rules& rules);

/// A field in which two states of the spec differ.
struct Difference {
  std::string field;  ///< with partition and index
  int expected = 0;   ///< as the spec's step leaves it
  int found = 0;      ///< as the implementation has it
};
std::vector<Difference> differences(const spec::Model::State& expected,
                                    const spec::Model::State& found, const spec::Rules& rules);

/// A state of the spec in lines, one for the producer and one a partition; fields that are 0 are
/// left out.
std::string state_text(const spec::Model::State& state, const spec::Rules& rules);

}  // namespace fencepost::refinement
