#include "spec/transactions/property_formulas.h"

#include "checker/symbolic/transactions/over_formulas.h"

namespace fencepost::spec::transactions {

template struct Formulas<checker::Symbolic>;

}  // namespace fencepost::spec::transactions
