// A proof by induction as the gate and `fencepost check` ask for it: at any depth, with any number
// of faults of the kinds named, for the instance or for any number of partitions.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "checker/core/verdict.h"
#include "checker/gate/task.h"
#include "checker/symbolic/certificate.h"

namespace fencepost::gate {

/// What is looked for where a step fails.
enum class Diagnosis : std::uint8_t {
  kNone,         ///< nothing
  kFalseLemmas,  ///< a reachable state that breaks a lemma or a property
  kFull,         ///< the state in which the step fails, and a refutation among any partitions, too
};

struct ProofRequest {
  Task task;  ///< its fault budget does not count; progress is not among its properties
  bool any_partitions = false;      ///< one partition, and an environment in place of the others
  std::vector<std::string> lemmas;  ///< names; empty: all that are claimed of these faults
  std::string certificate;          ///< folder for the SMT-LIB files, or empty
  Diagnosis diagnosis = Diagnosis::kFull;
};

struct ProofResult {
  spec::Instance instance;  ///< what was proved of: faults unlimited, the log as long as it can be
  checker::InductionResult induction;
  std::uint32_t claimed = 0;      ///< properties asked for which lemmas are claimed, bit = Property
  bool proved = false;            ///< these, by induction, and once more in fresh solvers
  std::string unknown;            ///< why there is no answer, or empty
  std::string failure;            ///< the counterexample to induction, several lines
  std::vector<Finding> findings;  ///< real counterexamples, found by search with the budget
  spec::Instance refuted;         ///< what the findings are counterexamples of
  checker::Statistics search;     ///< of that search
  checker::Confirmation confirmation;  ///< if a certificate was asked for
  double seconds = 0;
};

/// Proves, and proves again in fresh solvers. If a step fails, the explicit engine looks for a
/// state that breaks a lemma or a property (with the task's budget); for any number of partitions a
/// refutation with the environment is then looked for and made concrete (concretize.h); then the
/// state in which the step fails is looked for.
/// Of any number of partitions nothing is claimed where a bump waits for nothing: `unknown` says
/// so. Throws Error(kUsage) for an unknown lemma, for lemmas without one that is claimed there, for
/// progress, and Error(kBadInput) for a lemma that a reachable state breaks, naming both.
ProofResult prove_by_induction(const ProofRequest& request);

/// The gate's prover: what induction proves of the task's properties for any number of partitions,
/// in one sentence; empty where no lemmas are claimed, or a bump waits for nothing. Throws Error
/// for a lemma that is false, and for a property that is, though lemmas are claimed for it. The
/// other properties of a state help: they are assumed and shown, too, unless they are false.
std::string proof_sentence(const Task& task);

/// The same for many tasks: what can be proved with more faults is proved once, with them all; if
/// that fails or has no answer, with the task's own. May be called from several threads at once;
/// copies share what they know.
class SharedProofs {
 public:
  std::string operator()(const Task& task);

 private:
  struct Proof {
    std::once_flag once;
    std::string sentence;
    bool proved = false;
  };
  struct Known {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<Proof>> proofs;
  };

  /// What is known of the task as it is, and if nothing is, of its proof now. Lives as long as
  /// this.
  const Proof& known(const Task& task);

  std::shared_ptr<Known> known_ = std::make_shared<Known>();
};

/// The verdict on one property. Requires: the task asks for it.
checker::Answer judge_proof(const ProofRequest& request, const ProofResult& result,
                            spec::Property property);

}  // namespace fencepost::gate
