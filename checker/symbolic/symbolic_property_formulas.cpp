#include "spec/model/property_formulas.h"

#include "checker/symbolic/spec_over_formulas.h"

namespace fencepost::spec {

template struct Formulas<checker::Symbolic>;

}  // namespace fencepost::spec
