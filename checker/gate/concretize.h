// A refutation found for one partition and the environment that stands for all others is no
// counterexample yet: the environment may ask for a bump at any time, and whether a real partition
// could have asked then is open. It is made concrete with two partitions, or it counts for nothing.
#pragma once

#include <optional>
#include <string>

#include "checker/gate/task.h"

namespace fencepost::gate {

struct AbstractRefutation {
  /// The counterexample of two partitions, and the instance it is one of.
  std::optional<Finding> finding;
  spec::Instance instance;
  /// Why there is none although the abstraction is refuted: one sentence. Empty if the abstraction
  /// is not refuted either, as far as it was searched.
  std::string inconclusive;
};

/// Refutes one of the task's safety properties of one partition and the environment by bounded
/// checking, and then searches two partitions for a run whose one partition takes exactly those
/// steps, in their order, while the other does what it likes, with two faults more than the task
/// allows. Limits: the task's, and some seconds.
AbstractRefutation refute_any_partitions(const Task& task);

}  // namespace fencepost::gate
