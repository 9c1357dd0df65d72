#include "spec/model/client.h"

#include "checker/symbolic/spec_over_formulas.h"

namespace fencepost::spec {

template struct Numbering<checker::Symbolic>;
template struct Client<checker::Symbolic>;

}  // namespace fencepost::spec
