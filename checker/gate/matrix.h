// Client x broker x property: every pair searched on one instance under the same faults, the
// verdicts side by side.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "checker/gate/gate.h"

namespace fencepost::gate {

struct MatrixRequest {
  std::vector<spec::Variant> clients;
  std::vector<spec::Variant> brokers;
  spec::Instance instance;  ///< faults and budget included
  std::string faults;       ///< their text, for the answers
  std::vector<spec::Property> properties;
  /// One sentence why a pair is not searched; empty if it is. May be empty.
  std::function<std::string(const spec::Behaviour&, const spec::Instance&)> refuse;
};

/// A pair that is not searched, and why.
struct RefusedPair {
  std::string client, broker, why;
};

struct Matrix {
  MatrixRequest request;
  Claims claims;      ///< one open claim a pair; the rows of `result` point into it
  GateResult result;  ///< clients, then brokers, then properties
  std::vector<RefusedPair> refused;
};

/// Searches every pair that is not refused. Requires: at least one client, broker and property.
Matrix run_matrix(MatrixRequest request, const Checker& checker, const GateOptions& options);

/// One table a property: a row a client, a column a broker; then the remarks of cells that hold
/// (faults that never happened), each once with its pairs; then what is not decided or refused,
/// each with its reason. Cells: the verdict, with the depth of a counterexample.
std::string matrix_text(const Matrix& matrix);

/// {"version", "instance", "faults", "budget", "cells": [answers], "refused": [...]}.
std::string matrix_json(const Matrix& matrix);

}  // namespace fencepost::gate
