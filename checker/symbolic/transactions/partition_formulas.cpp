#include "spec/transactions/partition.h"

#include "checker/symbolic/transactions/over_formulas.h"

namespace fencepost::spec::transactions {

template struct PartitionSteps<checker::Symbolic>;

}  // namespace fencepost::spec::transactions
