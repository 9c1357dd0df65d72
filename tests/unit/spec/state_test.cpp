// The state: ranges, packing, and what the actions read and write.
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "checker/explicit/packing.h"
#include "spec/domain/footprint.h"
#include "tests/support/random_states.h"
#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using spec::CellPlace;
using State = spec::Model::State;

spec::Instance everything() {
  spec::Instance i = instance(2, 3, 3, "all", 3);
  i.faults.cap[static_cast<std::size_t>(spec::Fault::kPurge)] = 2;
  i.faults.partition_cap[1] = 2;
  return i;
}

TEST(State, RandomWellTypedStatesPackAndUnpackToThemselves) {
  std::mt19937 random(7);
  for (const spec::Instance& shape :
       {everything(), instance_w("leader-lost", 2), instance(1, 1, 1, "disconnect", 1)}) {
    const spec::Model model(behaviour("librdkafka-2.15"), shape);
    const checker::Packing packing(model.widths());
    std::vector<std::uint64_t> words(packing.packed_words());
    for (int i = 0; i < 2000; ++i) {
      const State state = random_state(model.rules(), random);
      packing.pack(reinterpret_cast<const unsigned char*>(&state), words.data());
      State back{};
      std::vector<std::uint32_t> stored(words.size() * 2);
      std::memcpy(stored.data(), words.data(), words.size() * sizeof words[0]);
      packing.unpack(stored.data(), reinterpret_cast<unsigned char*>(&back));
      ASSERT_EQ(std::memcmp(&state, &back, sizeof state), 0);
    }
  }
}

TEST(State, InstanceWNeedsLittleMemory) {
  const spec::Model model(behaviour("librdkafka-2.15"),
                          instance_w("leader-lost,stale-view,disconnect", 2));
  int bits = 0;
  for (const auto width : model.widths()) bits += width;
  EXPECT_LE(bits, 28 * 8);
}

/// The cells of a concrete state by number, as the footprint numbers them.
std::vector<spec::Concrete::Cell*> cells_of(State& state, const spec::Rules& rules) {
  std::vector<spec::Concrete::Cell*> cells;
  spec::visit_cells(state, rules,
                    [&](spec::Concrete::Cell& cell, const CellPlace&) { cells.push_back(&cell); });
  return cells;
}

struct Footprints {
  spec::Footprint::Record guard;
  spec::Footprint::Record effect;
};

Footprints footprints(const spec::Action& action, const spec::Rules& rules) {
  Footprints found;
  for (const bool effect : {false, true}) {
    spec::State<spec::Footprint> state;
    spec::Footprint::Record* record = effect ? &found.effect : &found.guard;
    spec::Footprint::Record outside;  // cells that the instance does not use
    auto& partitions = state.partition;
    for (auto& q : partitions) {
      spec::detail::visit_client(q, 0, rules, [&](auto& c, const auto&) { c.record = &outside; });
      spec::detail::visit_network(q, 0, rules, [&](auto& c, const auto&) { c.record = &outside; });
      spec::detail::visit_broker(q, 0, rules, [&](auto& c, const auto&) { c.record = &outside; });
    }
    for (auto& used : state.partition_used) used.record = &outside;
    int id = 0;
    spec::visit_cells(state, rules, [&](spec::Footprint::Cell& cell, const CellPlace&) {
      cell = {id++, record};
    });
    spec::Footprint d;
    spec::Steps<spec::Footprint> steps{d, state, rules};
    if (effect) {
      steps.effect(action);
    } else {
      static_cast<void>(steps.guard(action));
    }
  }
  return found;
}

TEST(Footprint, StepsWriteAndGuardsReadNothingElse) {
  std::mt19937 random(11);
  const spec::Model model(behaviour("librdkafka-deferred"), everything());
  for (std::size_t a = 0; a < model.action_count(); ++a) {
    const Footprints found = footprints(model.action(a), model.rules());
    EXPECT_TRUE(found.guard.writes.empty());
    for (int i = 0; i < 300; ++i) {
      State state = random_state(model.rules(), random);
      const auto cells = cells_of(state, model.rules());
      const bool enabled = model.guard(a, state);
      const State before = state;
      if (enabled) {
        static_cast<void>(model.effect(a, state));
        const State after = state;
        state = before;
        State changed = after;
        const auto now = cells_of(changed, model.rules());
        for (std::size_t c = 0; c < cells.size(); ++c) {
          if (cells[c]->v == now[c]->v) continue;
          ASSERT_TRUE(found.effect.writes.contains(static_cast<int>(c)))
              << spec::action_text(model.action(a)) << " writes cell " << c;
        }
      }
      // A cell that the guard does not read does not change it.
      const std::size_t other = random() % cells.size();
      if (found.guard.reads.contains(static_cast<int>(other))) continue;
      cells[other]->v ^= 1;
      ASSERT_EQ(model.guard(a, state), enabled) << spec::action_text(model.action(a));
    }
  }
}

TEST(Footprint, ActionsOfOnePartitionLeaveTheOthersAlone) {
  const spec::Model model(behaviour("librdkafka-2.15"), everything());
  std::map<int, int> partition_of;  // cell -> partition
  State state{};
  int id = 0;
  spec::visit_cells(state, model.rules(), [&](spec::Concrete::Cell&, const CellPlace& place) {
    partition_of[id++] = place.partition;
  });
  for (const spec::Action& action : model.action_list()) {
    const bool whole_connection = action.kind == spec::ActionKind::kDisconnectExhausted ||
                                  action.kind == spec::ActionKind::kDisconnectLateExhausted;
    if (action.partition < 0 || whole_connection) continue;
    for (const int cell : footprints(action, model.rules()).effect.writes) {
      EXPECT_TRUE(partition_of[cell] < 0 || partition_of[cell] == action.partition)
          << spec::action_text(action);
    }
  }
}

}  // namespace
}  // namespace fencepost::testing
