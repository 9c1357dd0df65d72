// The commands: each runs to its exit code. They throw Error for what is not our mistake.
#pragma once

#include "checker/cli/options.h"
#include "checker/gate/task.h"
#include "spec/base.h"
#include "spec/variant.h"

namespace fencepost::cli {

Exit run_gate(const Arguments& arguments);
Exit run_matrix(const Arguments& arguments);
Exit run_check(const Arguments& arguments);
/// `check --claim`.
Exit run_check_claim(const Arguments& arguments);
/// `check --engine induction`, and `z3`. Requires: the instance can be checked.
Exit run_induction(const Arguments& arguments, const spec::Variant& client,
                   const spec::Variant& broker, const gate::Task& task);
Exit run_transactions(const Arguments& arguments);
/// `transactions --list`.
Exit list_transactions(const Arguments& arguments);
Exit run_explain(const Arguments& arguments);
Exit run_replay(const Arguments& arguments);
Exit run_simulate(const Arguments& arguments);
Exit run_trace(const Arguments& arguments);
Exit run_mutants(const Arguments& arguments);
Exit list_variants(const Arguments& arguments);
Exit list_properties(const Arguments& arguments);
Exit list_faults(const Arguments& arguments);
Exit run_lemmas(const Arguments& arguments);
/// `lemmas --search`.
Exit run_lemma_search(const Arguments& arguments);

/// Calls the one that the arguments name.
Exit run(const Arguments& arguments);

}  // namespace fencepost::cli
