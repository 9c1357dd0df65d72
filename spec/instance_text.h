// The text of faults and instances, as the command line and claims.json write them.
//
//   leader-lost,disconnect     these kinds, in every partition
//   purge=1                    this kind at most once
//   stale-view@1               this kind in partition 1 only
//   purge@0=1                  both
//   p0=1                       at most one fault in partition 0, of whatever kind
//   all                        every kind; all-but:expiry,cache-shrink: every kind but these
//   none                       no fault
#pragma once

#include <string>
#include <string_view>

#include "spec/instance.h"

namespace fencepost::spec {

/// Reads such a text; `budget` is the total. Throws Error(kUsage) for an unknown kind (with the
/// closest name), a kind of the list that this model leaves out, a number that is none or out of
/// range, a repeated item, and a budget without faults or faults without a budget.
Faults parse_faults(std::string_view text, int budget);

/// The shortest such text, kinds in the order of the table. `parse_faults` gives the same back.
std::string faults_text(const Faults& faults);

/// "2 partitions, 3 new messages after a warm one, 2 in flight, 2 brokers".
std::string instance_text(const Instance& instance);

/// Throws Error(kUsage) if the instance cannot be checked, or a fault speaks of a partition that
/// it does not have.
void require_checkable(const Instance& instance);

}  // namespace fencepost::spec
