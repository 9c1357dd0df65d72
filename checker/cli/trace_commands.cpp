// The commands that read traces.
#include "checker/cli/commands.h"

namespace fencepost::cli {

Exit run_explain(const Arguments&) { throw Error(Exit::kUsage, "explain is not built in"); }

Exit run_replay(const Arguments&) { throw Error(Exit::kUsage, "replay is not built in"); }

}  // namespace fencepost::cli
