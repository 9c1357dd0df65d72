#include "tests/small_model/small_system.h"

#include <bit>

namespace fencepost::small_model {
namespace {

unsigned width_of(int largest) {
  return static_cast<unsigned>(std::bit_width(static_cast<unsigned>(largest)));
}

void put(std::uint8_t& width, unsigned bits) { width = static_cast<std::uint8_t>(bits); }

}  // namespace

static_assert(checker::TransitionSystem<SmallSystem>);

SmallSystem::State SmallSystem::initial() const {
  State state;
  for (int p = 0; p < model_.parameters().partitions; ++p) {
    for (int m = 0; m < model_.parameters().messages; ++m) {
      state.partition[p].sequence[m].v = static_cast<std::uint8_t>(m);
    }
  }
  return state;
}

int SmallSystem::fairness(std::size_t action) const {
  if (static_cast<int>(action) >= model_.bump()) return static_cast<int>(action);
  switch (static_cast<Kind>(action % static_cast<std::size_t>(Kind::kCount))) {
    case Kind::kLeaderChange:
    case Kind::kLateLeaderChange:
    case Kind::kLose:
      return checker::kUnfair;
    default:
      return static_cast<int>(action);
  }
}

// The widths are written into a state whose cells stand for themselves, and read off as bytes.
checker::ByteWidths SmallSystem::widths() const {
  const Parameters& p = model_.parameters();
  State state;
  const auto set = [](spec::Concrete::Cell& cell, unsigned bits) { put(cell.v, bits); };
  for (int i = 0; i < p.partitions; ++i) {
    Partition<spec::Concrete>& part = state.partition[i];
    for (int m = 0; m < p.messages; ++m) {
      set(part.status[m], 2);
      set(part.possibly[m], 1);
      set(part.sequence[m], width_of(p.messages - 1));
    }
    for (int k = 0; k < p.in_flight; ++k) {
      set(part.message[k], width_of(p.messages - 1));
      set(part.stage[k], 3);
    }
    set(part.epoch, width_of(p.epochs));
    set(part.next, width_of(p.messages));
    set(part.length, width_of(p.messages + 1));
    for (int k = 0; k <= p.messages; ++k) set(part.log[k], width_of(p.messages - 1));
  }
  set(state.epoch, width_of(p.epochs));
  set(state.drain, 1);
  set(state.changes, width_of(p.leader_changes));
  set(state.fatal, 1);
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&state);
  return {bytes, bytes + sizeof state};
}

}  // namespace fencepost::small_model
