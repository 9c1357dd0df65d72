#include "spec/model/broker.h"

#include "checker/symbolic/spec_over_formulas.h"

namespace fencepost::spec {

template struct Broker<checker::Symbolic>;

}  // namespace fencepost::spec
