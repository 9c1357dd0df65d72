// The transaction coordinator: its type and its event loop. For a producer without a transactional
// id every broker answers InitProducerId by itself, with an id never used before and epoch 0
// (TransactionCoordinator.handleInitProducerId, Kafka 1eb7644).
#pragma once

#include "impl/cell.h"

namespace fencepost::impl {

template <class Z>
struct CoordinatorState {
  using Int = typename Z::Int;
  Int next_id;  ///< ids below it have been given out
  bool operator==(const CoordinatorState&) const = default;
};

struct CoordinatorEvent {
  enum class Kind : std::uint8_t { kInitProducerId };
  Kind kind{};
};

struct CoordinatorAnswer {
  int id = 0;
  int epoch = 0;
  bool operator==(const CoordinatorAnswer&) const = default;
};

/// Steps a coordinator in place and returns its answer.
template <class Z>
CoordinatorAnswer step(CoordinatorState<Z>& state, const CoordinatorEvent& event) {
  switch (event.kind) {
    case CoordinatorEvent::Kind::kInitProducerId:
      break;
  }
  const int id = state.next_id;
  state.next_id = state.next_id + 1;
  return {id, 0};
}

}  // namespace fencepost::impl
