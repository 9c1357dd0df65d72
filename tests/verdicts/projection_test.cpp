// "Any number of partitions" is proved of one partition with an environment in place of the
// others. That every run of the full system projects onto a run of that one is argued in
// spec/README.md, and checked here on every transition of W, for both partitions.
#include <gtest/gtest.h>

#include <cstring>

#include "checker/explicit/explicit_search.h"
#include "spec/lemmas.h"
#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using spec::Action;
using spec::ActionKind;
using State = spec::Model::State;

/// One partition and the producer, any number of faults.
spec::Instance alone(spec::Instance i) {
  i.partitions = 1;
  i.faults.unlimited = true;
  // A closed connection can leave late requests of other partitions and none of this one.
  if (i.faults.allows(spec::Fault::kLateRequest)) i.faults.allow(spec::Fault::kDisconnect);
  return i;
}

/// What partition `p` and the producer are in `s`; counters of faults are left behind.
State project(const State& s, int p) {
  State one{};
  one.mode = s.mode;
  one.epoch = s.epoch;
  one.partition[0] = s.partition[p];
  return one;
}

bool same(const State& a, const State& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// The spec, and beside every step the look at what it is for each partition.
class Projected : public spec::Model {
 public:
  Projected(const spec::Behaviour& behaviour, const spec::Instance& instance)
      : spec::Model(behaviour, instance), one_(behaviour, alone(instance)) {}

  [[nodiscard]] spec::StepInfo effect(std::size_t a, State& s) const {
    const State before = s;
    const spec::StepInfo info = spec::Model::effect(a, s);
    if (info.bounds != 0) return info;
    for (int p = 0; p < rules().instance.partitions; ++p) {
      ++checked_;
      if (!explained(action(a), p, project(before, p), project(s, p))) {
        if (lost_.empty()) lost_ = spec::action_text(action(a));
      }
    }
    return info;
  }
  [[nodiscard]] const std::string& lost() const { return lost_; }
  [[nodiscard]] std::uint64_t checked() const { return checked_; }
  [[nodiscard]] std::uint64_t by_environment() const { return by_environment_; }
  [[nodiscard]] std::uint64_t fatal_by_environment() const { return fatal_by_environment_; }

 private:
  /// A stutter, a step of the environment, or a step of the one partition. The environment's are
  /// those of checker/symbolic/spec_system.cpp.
  bool explained(const Action& x, int p, const State& from, const State& to) const {
    if (same(from, to)) return true;
    if (x.partition == p || x.partition < 0 || x.kind == ActionKind::kDisconnectExhausted) {
      return own_step(from, to);
    }
    const auto becomes = [&](spec::Mode mode) {
      State next = from;
      next.mode.v = static_cast<std::uint8_t>(mode);
      return same(next, to);
    };
    const bool may_ask = !spec::applies(spec::Lemma::kNeverBumps, rules()) &&
                         (from.mode == spec::Mode::kAssigned).value();
    const bool may_end = (from.mode < spec::Mode::kFatal).value();
    ++by_environment_;
    if (may_ask && becomes(spec::Mode::kDraining)) return true;
    const bool excused = may_end && rules().cache_can_be_lost();
    if (excused && becomes(spec::Mode::kFatalExcused)) return ++fatal_by_environment_ != 0;
    const bool without = may_end && !spec::applies(spec::Lemma::kNeverFatal, rules());
    return without && becomes(spec::Mode::kFatal);
  }
  bool own_step(const State& from, const State& to) const {
    for (std::size_t a = 0; a < one_.action_count(); ++a) {
      if (!one_.guard(a, from)) continue;
      State next = from;
      if (one_.effect(a, next).bounds == 0 && same(next, to)) return true;
    }
    return false;
  }

  spec::Model one_;
  mutable std::string lost_;
  mutable std::uint64_t checked_ = 0;
  mutable std::uint64_t by_environment_ = 0;
  mutable std::uint64_t fatal_by_environment_ = 0;
};

struct Case {
  const char* name;
  const char* variant;
  const char* faults;
  int budget;
};

class ProjectionTest : public ::testing::TestWithParam<Case> {};

TEST_P(ProjectionTest, ExplainsEveryTransitionOfW) {
  const Projected model(behaviour(GetParam().variant),
                        instance_w(GetParam().faults, GetParam().budget));
  checker::SearchOptions options;
  options.threads = 1;
  const checker::SearchResult result = checker::search(model, options);
  EXPECT_EQ(result.end, checker::SearchEnd::kExhausted);
  EXPECT_EQ(model.lost(), "") << "a step that the environment does not allow";
  EXPECT_GE(model.checked(), 2 * result.stats.transitions);
  if (GetParam().budget > 1 && std::string(GetParam().variant).find("deferred") == 11) {
    EXPECT_GT(model.by_environment(), 0U) << "no bump of the other partition was seen";
  }
  if (std::string(GetParam().name) == "DeferredForgotten") {
    EXPECT_GT(model.fatal_by_environment(), 0U) << "the other partition never gave up";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Spec, ProjectionTest,
    ::testing::Values(
        Case{"Pr4972", "librdkafka-pr-4972", "leader-lost,stale-view,disconnect", 2},
        Case{"Conditional", "librdkafka-conditional-bump", "leader-lost,stale-view,disconnect", 2},
        Case{"NaiveEveryFault", "librdkafka-deferred-naive",
             "all-but:late-request,cache-shrink,expiry", 1},
        Case{"DeferredEveryFault", "librdkafka-deferred",
             "all-but:late-request,cache-shrink,expiry", 1},
        Case{"DeferredBumps", "librdkafka-deferred", "disconnect,permanent-error", 2},
        Case{"DeferredRetriesExhausted", "librdkafka-deferred", "disconnect,retries-exhausted", 2},
        Case{"HonestGaps", "librdkafka-deferred-honest", "leader-lost,message-timeout", 2},
        Case{"DeferredNoneFails", "librdkafka-deferred",
             "leader-lost,stale-view,disconnect,late-request,request-timeout,too-few-replicas,"
             "too-few-replicas-after-append,cache-shrink",
             1},
        Case{"DeferredForgotten", "librdkafka-deferred", "disconnect,cache-shrink", 2},
        Case{"DeferredNoDoubt", "librdkafka-deferred", "stale-view,permanent-error,purge,expiry",
             2},
        Case{"NaiveLateRequests", "librdkafka-deferred-naive", "late-request,permanent-error", 2},
        Case{"NaiveLateRetriesExhausted", "librdkafka-deferred-naive",
             "late-request,retries-exhausted,cache-shrink", 2},
        Case{"AnsweredLateRequests", "librdkafka-deferred-answered",
             "late-request,permanent-error,cache-shrink", 2}),
    [](const auto& p) { return p.param.name; });

}  // namespace
}  // namespace fencepost::testing
