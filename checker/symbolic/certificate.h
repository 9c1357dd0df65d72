// A proof on paper: every query of an induction as one SMT-LIB 2 file, each to be answered "unsat",
// and a text that says what each asks. Another solver can then confirm the proof without believing
// anything of ours but the translation of the spec into formulas.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "checker/symbolic/formula_system.h"
#include "checker/symbolic/induction.h"

namespace fencepost::checker {

struct Certificate {
  InductionResult result;          ///< of the proof in fresh solvers that the files are of
  std::vector<std::string> files;  ///< names in the folder, in the order of the queries
};

/// Throws Error(kBadInput) if `write_certificate` could not make, or should not use, the folder:
/// for commands that compute long before they write. Changes nothing.
void require_certificate_folder(const std::filesystem::path& folder);

/// Proves once more, every query in a fresh solver, and writes the queries to `folder`, which is
/// made if it does not exist, with README.txt: `says` and one line per file. Files of an earlier
/// certificate in the folder are removed first.
/// Throws Error(kBadInput) if the folder cannot be written, or holds anything else.
Certificate write_certificate(const FormulaSystem& system, const std::vector<std::size_t>& facts,
                              const InductionOptions& options, const std::filesystem::path& folder,
                              const std::string& says);

/// What another solver made of a certificate.
struct Confirmation {
  std::string solver;   ///< "cvc5 1.0.3"; empty if it is not installed
  int confirmed = 0;    ///< files that it answered "unsat"
  std::string refused;  ///< the first file that it did not, and what it said instead; else empty
  /// Every file of the certificate was confirmed.
  bool whole = false;
};

/// Runs cvc5 on every file of the certificate. `stop` may be null.
Confirmation confirm_by_cvc5(const Certificate& certificate, const std::filesystem::path& folder,
                             const std::atomic<bool>* stop = nullptr);

}  // namespace fencepost::checker
