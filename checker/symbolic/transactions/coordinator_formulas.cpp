#include "spec/transactions/coordinator.h"

#include "checker/symbolic/transactions/over_formulas.h"

namespace fencepost::spec::transactions {

template struct CoordinatorSteps<checker::Symbolic>;

}  // namespace fencepost::spec::transactions
