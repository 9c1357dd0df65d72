#include "spec/transactions/faults.h"

#include "checker/symbolic/transactions/over_formulas.h"

namespace fencepost::spec::transactions {

template struct FaultSteps<checker::Symbolic>;

}  // namespace fencepost::spec::transactions
