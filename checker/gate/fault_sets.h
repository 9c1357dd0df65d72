// The fault sets of a claim: given one by one, or as "every so many kinds".
#pragma once

#include <string>
#include <vector>

#include "spec/faults.h"
#include "spec/located_json.h"

namespace fencepost::gate {

struct FaultSet {
  std::string text;
  spec::Faults faults;
};

struct FaultSets {
  std::vector<FaultSet> sets;
  std::string shared;  ///< the kind of `with`
};

/// Reads a text of faults, a list of such texts, or {"choose": n, "with": kind, "of": faults}: all
/// sets of n kinds out of `of` (default: all), `with` being in each.
/// Throws Error(kBadInput) with file and line.
FaultSets read_fault_sets(const spec::JsonFile& file, const spec::LocatedJson& value, int budget);

}  // namespace fencepost::gate
