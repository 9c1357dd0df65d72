// The state: ranges, packing, and what the actions read and write.
#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <set>

#include "checker/explicit/packing.h"
#include "spec/domain/footprint.h"
#include "tests/support/transaction_cases.h"

namespace fencepost::testing::transactions {
namespace {

using model::CellPlace;
using spec::Concrete;
using spec::Footprint;
using State = model::Model::State;

constexpr const char* kAllFaults =
    "answer-lost=2,late-init,late-bump,late-request,disconnect,late-produce,not-leader,"
    "message-timeout,application-abort,coordinator-move,transaction-timeout,"
    "transactional-id-expiry,producer-id-expiry,late-marker,crash";

model::Instance everything() {
  return instance(
      "producers=2,partitions=2,offsets,messages=2,in-flight=2,inputs=2,attempts=3,"
      "epochs=5,exhausted-at=3,ids=3,log=6,late=2",
      kAllFaults, 3);
}

TEST(TransactionState, RandomWellTypedStatesPackAndUnpackToThemselves) {
  std::mt19937 random(7);
  for (const model::Instance& shape : {everything(), instance("attempts=2"), instance("offsets")}) {
    const model::Model system(behaviour("java-3.9"), shape);
    const checker::Packing packing(system.widths());
    std::vector<std::uint64_t> words(packing.packed_words());
    for (int i = 0; i < 1000; ++i) {
      const State state = random_state(system.rules(), random);
      packing.pack(reinterpret_cast<const unsigned char*>(&state), words.data());
      State back{};
      std::vector<std::uint32_t> stored(words.size() * 2);
      std::memcpy(stored.data(), words.data(), words.size() * sizeof words[0]);
      packing.unpack(stored.data(), reinterpret_cast<unsigned char*>(&back));
      ASSERT_EQ(std::memcmp(&state, &back, sizeof state), 0);
    }
  }
}

/// The cells by number, as the footprint numbers them.
std::vector<Concrete::Cell*> cells_of(State& state, const model::Rules& rules) {
  std::vector<Concrete::Cell*> cells;
  model::visit_cells(state, rules,
                     [&](Concrete::Cell& cell, const CellPlace&) { cells.push_back(&cell); });
  return cells;
}

struct Footprints {
  Footprint::Record guard;
  Footprint::Record effect;
};

Footprints footprints(const model::Action& action, const model::Rules& rules) {
  Footprints found;
  for (const bool effect : {false, true}) {
    // Slots that are in use by no instance, such as producer id 0, are touched, too.
    static_assert(std::is_standard_layout_v<model::State<Footprint>>);
    model::State<Footprint> state;
    Footprint::Record outside;
    auto* all = reinterpret_cast<Footprint::Cell*>(&state);
    for (std::size_t k = 0; k < sizeof state / sizeof(Footprint::Cell); ++k)
      all[k].record = &outside;
    int id = 0;
    model::visit_cells(state, rules, [&](Footprint::Cell& cell, const CellPlace&) {
      cell = {id++, effect ? &found.effect : &found.guard};
    });
    Footprint d;
    model::Steps<Footprint> steps{d, state, rules};
    if (effect) {
      steps.effect(action);
    } else {
      static_cast<void>(steps.guard(action));
    }
  }
  return found;
}

void expect_footprints(const model::Behaviour& behaviour) {
  std::mt19937 random(11);
  const model::Model system(behaviour, everything());
  for (std::size_t a = 0; a < system.action_count(); ++a) {
    const Footprints found = footprints(system.action(a), system.rules());
    EXPECT_TRUE(found.guard.writes.empty());
    for (int i = 0; i < 100; ++i) {
      State state = random_state(system.rules(), random);
      const auto cells = cells_of(state, system.rules());
      const bool enabled = system.guard(a, state);
      if (enabled) {
        State after = state;
        static_cast<void>(system.effect(a, after));
        const auto now = cells_of(after, system.rules());
        for (std::size_t c = 0; c < cells.size(); ++c) {
          if (cells[c]->v == now[c]->v) continue;
          ASSERT_TRUE(found.effect.writes.contains(static_cast<int>(c)))
              << model::action_text(system.action(a)) << " writes cell " << c;
        }
      }
      // A cell that the guard does not read does not change it.
      const std::size_t other = random() % cells.size();
      if (found.guard.reads.contains(static_cast<int>(other))) continue;
      cells[other]->v ^= 1;
      ASSERT_EQ(system.guard(a, state), enabled) << model::action_text(system.action(a));
    }
  }
}

TEST(TransactionFootprint, StepsWriteAndGuardsReadNothingElse) {
  expect_footprints(behaviour("java-3.9"));
  expect_footprints(behaviour("java-4.0", "kip-890", "kafka-4.2"));
  expect_footprints(behaviour("bump-inside-transaction", "kip-98"));
  expect_footprints(behaviour("idempotent-loop"));
}

struct Less {
  bool operator()(const State& a, const State& b) const {
    return std::memcmp(&a, &b, sizeof a) < 0;
  }
};

void expect_steps(const model::Behaviour& behaviour, const model::Instance& shape) {
  const model::Model system(behaviour, shape);
  std::set<State, Less> seen{system.initial()};
  std::deque<State> queue{system.initial()};
  while (!queue.empty()) {
    const State state = queue.front();
    queue.pop_front();
    model::visit_cells(state, system.rules(), [](const Concrete::Cell& cell, const CellPlace& at) {
      ASSERT_LE(cell.v, at.max) << at.field;
    });
    for (std::size_t a = 0; a < system.action_count(); ++a) {
      if (!system.guard(a, state)) continue;
      State next = state;
      if (system.effect(a, next).bounds != 0) continue;
      ASSERT_NE(std::memcmp(&next, &state, sizeof state), 0)
          << model::action_text(system.action(a));
      if (seen.size() < 20000 && seen.insert(next).second) queue.push_back(next);
    }
  }
}

TEST(TransactionSteps, EveryStepChangesTheStateAndEveryCellStaysInItsRange) {
  // A step that changes nothing would make weak fairness of its class an empty promise.
  expect_steps(behaviour("java-3.9"), everything());
  expect_steps(behaviour("java-4.0", "kip-890", "kafka-4.2"), everything());
  expect_steps(behaviour("bump-inside-transaction", "kip-98"),
               instance("partitions=2,messages=2,in-flight=2,inputs=2,attempts=3,log=14",
                        "not-leader,disconnect", 2));
  expect_steps(behaviour("idempotent-loop-wrapping"), everything());
}

}  // namespace
}  // namespace fencepost::testing::transactions
