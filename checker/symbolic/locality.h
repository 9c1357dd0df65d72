// Which actions of different partitions commute, so that bounded checking need look at one order
// of two adjacent ones only. Read off the formulas: what a guard or a successor mentions is read,
// what differs from before is written. And which cells matter at all to a fact.
#pragma once

#include <vector>

#include "checker/symbolic/formula_system.h"

namespace fencepost::checker {

/// Where an action reads and writes, counters of faults apart: those only limit how many faults a
/// run has, in whatever order.
struct Locality {
  int partition = -1;         ///< it touches cells of this partition only; -1: of several or none
  bool reads_shared = false;  ///< cells of no partition
  bool writes_shared = false;
};

/// One per action. Requires: `state` is made of variables.
std::vector<Locality> localities(const FormulaSystem& system, const Values& state);

/// The cells that the fact or any guard reads, now or after further steps: the others can be left
/// out of runs that are looked at for the fact. Requires: `state` is made of variables.
std::vector<bool> cone(const FormulaSystem& system, std::size_t fact, const Values& state);

/// Taking `a` and then `b` leads where `b` and then `a` leads, and is possible exactly if that is.
constexpr bool commute(const Locality& a, const Locality& b) {
  if (a.partition < 0 || b.partition < 0 || a.partition == b.partition) return false;
  if (a.writes_shared && (b.reads_shared || b.writes_shared)) return false;
  return !(b.writes_shared && a.reads_shared);
}

}  // namespace fencepost::checker
