// What a reader wants to see beside a state and what no rule of the model reads: how often a
// message was sent, whether some attempt may have been appended, and the leader epoch of every log
// entry. It is rebuilt along a path, so it costs the search nothing.
#pragma once

#include <array>

#include "spec/model/model.h"

namespace fencepost::checker {

struct Ghosts {
  template <class T>
  using PerMessage = std::array<std::array<T, spec::kMaxMessages>, spec::kMaxPartitions>;

  PerMessage<int> attempts{};    ///< times sent
  PerMessage<bool> ambiguous{};  ///< some attempt may have been appended; sticky over attempts
  std::array<int, spec::kMaxPartitions> leader_epoch{};
  std::array<std::array<int, spec::kMaxLog>, spec::kMaxPartitions> entry_leader_epoch{};

  /// Follows one step. Requires: `action` leads from `before` to `after`.
  void follow(const spec::Action& action, const spec::Model::State& before,
              const spec::Model::State& after, const spec::Rules& rules);
};

}  // namespace fencepost::checker
