#include "spec/model/faults.h"

#include "checker/symbolic/spec_over_formulas.h"

namespace fencepost::spec {

template struct FaultSteps<checker::Symbolic>;

}  // namespace fencepost::spec
