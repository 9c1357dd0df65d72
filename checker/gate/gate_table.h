// The verdict table, as text.
#pragma once

#include <string>

#include "checker/gate/gate.h"

namespace fencepost::gate {

struct TableStyle {
  bool colour = false;
  std::size_t width = 130;  ///< longest line; the faults wrap to keep it
};

/// A heading per claim and a line per row. A claim with more than four fault sets and no
/// expectation gets a line per variant and property instead, which names the sets that refute it;
/// the properties of an open claim that hold share a line. The rows of gate_json are all there.
/// Of a comparison the mark of a row says what changed, and its verdict has the base's beside it.
/// Rows that the run was interrupted before are left out and counted at the end.
/// Ends with the summary sentence, or what changed. Names no times but the seconds column, so that
/// the rest is the same on every run.
std::string gate_table(const GateResult& result, const TableStyle& style);

}  // namespace fencepost::gate
