#include "checker/cli/commands.h"

namespace fencepost::cli {

Exit run(const Arguments& arguments) {
  switch (arguments.command) {
    case Command::kGate:
      return run_gate(arguments);
    case Command::kCheck:
      return run_check(arguments);
    case Command::kExplain:
      return run_explain(arguments);
    case Command::kReplay:
      return run_replay(arguments);
    case Command::kSimulate:
      return run_simulate(arguments);
    case Command::kTrace:
      return run_trace(arguments);
    case Command::kMutants:
      return run_mutants(arguments);
    case Command::kVariants:
      return list_variants(arguments);
    case Command::kProperties:
      return list_properties(arguments);
    case Command::kTransactions:
      return run_transactions(arguments);
    case Command::kFaults:
      return list_faults(arguments);
  }
  return Exit::kInternal;
}

}  // namespace fencepost::cli
