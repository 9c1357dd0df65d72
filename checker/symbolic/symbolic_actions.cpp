#include "spec/model/actions.h"

#include "checker/symbolic/spec_over_formulas.h"

namespace fencepost::spec {

template struct Steps<checker::Symbolic>;

}  // namespace fencepost::spec
