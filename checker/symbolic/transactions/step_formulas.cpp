#include "spec/transactions/actions.h"

#include "checker/symbolic/transactions/over_formulas.h"

namespace fencepost::spec::transactions {

template struct Steps<checker::Symbolic>;

}  // namespace fencepost::spec::transactions
