// The transactional model's templates over the Symbolic domain are instantiated once each, one
// source file per actor.
#pragma once

#include "checker/symbolic/symbolic.h"
#include "spec/transactions/actions.h"
#include "spec/transactions/property_formulas.h"

namespace fencepost::spec::transactions {

extern template struct CoordinatorSteps<checker::Symbolic>;
extern template struct PartitionSteps<checker::Symbolic>;
extern template struct ProducerSteps<checker::Symbolic>;
extern template struct MessageSteps<checker::Symbolic>;
extern template struct FaultSteps<checker::Symbolic>;
extern template struct Steps<checker::Symbolic>;
extern template struct Formulas<checker::Symbolic>;

}  // namespace fencepost::spec::transactions
