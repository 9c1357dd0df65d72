#include "spec/transactions/messages.h"

#include "checker/symbolic/transactions/over_formulas.h"

namespace fencepost::spec::transactions {

template struct MessageSteps<checker::Symbolic>;

}  // namespace fencepost::spec::transactions
