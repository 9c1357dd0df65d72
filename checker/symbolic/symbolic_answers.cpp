#include "spec/model/answers.h"

#include "checker/symbolic/spec_over_formulas.h"

namespace fencepost::spec {

template struct Answers<checker::Symbolic>;

}  // namespace fencepost::spec
