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
/// Ends with the summary sentence. Names no times but the seconds column, so that the rest is the
/// same on every run.
std::string gate_table(const GateResult& result, const TableStyle& style);

}  // namespace fencepost::gate
