#include "spec/transactions/producer.h"

#include "checker/symbolic/transactions/over_formulas.h"

namespace fencepost::spec::transactions {

template struct ProducerSteps<checker::Symbolic>;

}  // namespace fencepost::spec::transactions
