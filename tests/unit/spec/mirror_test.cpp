#include "spec/model/mirror.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "spec/instance_text.h"
#include "spec/variant.h"
#include "tests/support/random_states.h"
#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using spec::Action;
using spec::ActionKind;
using spec::Model;

constexpr unsigned kSeed = 4953;

int mirrored_broker(const spec::Instance& instance, int broker) {
  return instance.brokers == 2 && broker > 0 ? 3 - broker : broker;
}

Model::State mirrored(const spec::Instance& instance, Model::State s) {
  std::swap(s.partition[0], s.partition[1]);
  std::swap(s.partition_used[0], s.partition_used[1]);
  for (auto& q : s.partition) {
    const auto swap = [&](spec::Concrete::Cell& cell) {
      cell.v = static_cast<std::uint8_t>(mirrored_broker(instance, cell.v));
    };
    swap(q.leader);
    swap(q.view);
    swap(q.target);
    swap(q.between_at);
    for (auto& late : q.late) swap(late.broker);
  }
  return s;
}

Action mirrored(const spec::Instance& instance, Action x) {
  if (x.partition >= 0) x.partition = 1 - x.partition;
  switch (x.kind) {
    case ActionKind::kElect:
    case ActionKind::kElectUncleanly:
    case ActionKind::kDisconnect:
    case ActionKind::kDisconnectLate:
    case ActionKind::kDisconnectExhausted:
    case ActionKind::kDisconnectLateExhausted:
      x.a = mirrored_broker(instance, x.a + 1) - 1;  // from 0
      return x;
    default:
      return x;
  }
}

bool same(const Model::State& a, const Model::State& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

/// Random states, not only reachable ones: whatever the guard says, it says in the mirror, too.
void expect_mirror(const Model& model) {
  const spec::Instance& instance = model.rules().instance;
  ASSERT_TRUE(spec::has_mirror(instance));
  ASSERT_TRUE(same(mirrored(instance, model.initial()), model.initial()));
  std::mt19937 random(kSeed);
  for (int round = 0; round < 200; ++round) {
    const Model::State state = random_state(model.rules(), random);
    const Model::State other = mirrored(instance, state);
    for (std::size_t a = 0; a < model.action_count(); ++a) {
      const Action image = mirrored(instance, model.action(a));
      const auto found = std::find(model.action_list().begin(), model.action_list().end(), image);
      ASSERT_NE(found, model.action_list().end()) << spec::action_text(image);
      const auto b = static_cast<std::size_t>(found - model.action_list().begin());
      ASSERT_EQ(model.guard(a, state), model.guard(b, other)) << spec::action_text(image);
      if (!model.guard(a, state)) continue;
      Model::State next = state;
      Model::State other_next = other;
      const auto info = model.effect(a, next);
      ASSERT_EQ(info.bounds, model.effect(b, other_next).bounds) << spec::action_text(image);
      ASSERT_TRUE(same(mirrored(instance, next), other_next)) << spec::action_text(image);
    }
    const spec::Formulas<spec::Concrete> here{state, model.rules()};
    const spec::Formulas<spec::Concrete> there{other, model.rules()};
    for (int k = 0; k < spec::kSafetyProperties; ++k) {
      const auto property = static_cast<spec::Property>(k);
      for (int p = 0; p < 2; ++p) {
        ASSERT_EQ(here.holds(property, p).value(), there.holds(property, 1 - p).value());
      }
    }
  }
}

class Mirror : public ::testing::TestWithParam<std::string> {};

TEST_P(Mirror, IsARunOfTheSameSystem) {
  for (const char* faults : {"all", "all,retention,state-rebuilt", "leader-lost,producer-restart",
                             "leader-lost,unclean-election", "purge=1,disconnect"}) {
    for (const int brokers : {1, 2}) {
      spec::Instance w = instance(2, 3, 2, faults, 2);
      w.brokers = brokers;
      expect_mirror(Model(behaviour(GetParam()), w));
      w.warm = 0;
      expect_mirror(Model(behaviour(GetParam(), "kafka-4.5"), w));
    }
  }
}

/// Of every client in the folder, so that none is forgotten.
std::vector<std::string> clients() {
  std::vector<std::string> names;
  for (const spec::Variant& variant :
       spec::load_variants(std::string(FENCEPOST_SOURCE_DIR) + "/spec/variants")) {
    names.push_back(variant.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Variants, Mirror, ::testing::ValuesIn(clients()));

TEST(MirrorOf, WhatTheClaimTellsApart) {
  EXPECT_TRUE(spec::has_mirror(instance(2, 3, 2, "leader-lost,disconnect", 2)));
  EXPECT_FALSE(spec::has_mirror(instance(2, 3, 2, "leader-lost@0,message-timeout@1", 2)));
  EXPECT_FALSE(spec::has_mirror(instance(1, 3, 2, "leader-lost", 2)));
  EXPECT_FALSE(spec::has_mirror(instance(3, 2, 2, "leader-lost", 2)));
  spec::Instance capped = instance(2, 3, 2, "leader-lost", 2);
  capped.faults.partition_cap[0] = 1;
  EXPECT_FALSE(spec::has_mirror(capped));
  capped.faults.partition_cap[1] = 1;
  EXPECT_TRUE(spec::has_mirror(capped));
  capped.brokers = 3;
  EXPECT_FALSE(spec::has_mirror(capped));
}

}  // namespace
}  // namespace fencepost::testing
