// The spec's templates over the Symbolic domain are instantiated once each, one source file per
// actor: together they are the slowest thing to compile in this folder.
#pragma once

#include "checker/symbolic/symbolic.h"
#include "spec/lemmas.h"
#include "spec/model/actions.h"
#include "spec/model/property_formulas.h"

namespace fencepost::spec {

extern template struct Numbering<checker::Symbolic>;
extern template struct Client<checker::Symbolic>;
extern template struct Answers<checker::Symbolic>;
extern template struct Broker<checker::Symbolic>;
extern template struct FaultSteps<checker::Symbolic>;
extern template struct Steps<checker::Symbolic>;
extern template struct Formulas<checker::Symbolic>;
extern template struct Lemmas<checker::Symbolic>;

}  // namespace fencepost::spec
