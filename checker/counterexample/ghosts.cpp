#include "checker/counterexample/ghosts.h"

namespace fencepost::checker {

using spec::ActionKind;
using spec::MessageStatus;

void Ghosts::follow(const spec::Action& action, const spec::Model::State& before,
                    const spec::Model::State& after, const spec::Rules& rules) {
  for (int p = 0; p < rules.instance.partitions; ++p) {
    const auto& old = before.partition[p];
    const auto& now = after.partition[p];
    const auto at = static_cast<std::size_t>(p);
    for (int m = 0; m < rules.messages(); ++m) {
      const auto message = static_cast<std::size_t>(m);
      const bool was_flying = (old.status[m] == MessageStatus::kInFlight).value();
      const bool flies = (now.status[m] == MessageStatus::kInFlight).value();
      if (!was_flying && flies) ++attempts[at][message];
    }
    for (int i = old.length.v; i < now.length.v; ++i) {
      ambiguous[at][now.log[i].message.v] = true;
      entry_leader_epoch[at][static_cast<std::size_t>(i)] = leader_epoch[at];
    }
  }
  const bool elects =
      action.kind == ActionKind::kElect || action.kind == ActionKind::kElectUncleanly;
  if (elects) ++leader_epoch[static_cast<std::size_t>(action.partition)];
}

}  // namespace fencepost::checker
