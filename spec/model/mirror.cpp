#include "spec/model/mirror.h"

#include <algorithm>

namespace fencepost::spec {

bool has_mirror(const Instance& instance) {
  if (instance.partitions != 2 || instance.brokers > 2) return false;
  const Faults& faults = instance.faults;
  if (faults.partition_cap[0] != faults.partition_cap[1]) return false;
  return std::all_of(faults.partitions.begin(), faults.partitions.end(),
                     [](unsigned mask) { return (mask & 1U) == ((mask >> 1U) & 1U); });
}

}  // namespace fencepost::spec
