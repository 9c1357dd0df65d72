#include "spec/lemmas.h"

#include "checker/symbolic/spec_over_formulas.h"

namespace fencepost::spec {

template struct Lemmas<checker::Symbolic>;

}  // namespace fencepost::spec
