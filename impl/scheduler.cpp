#include "impl/scheduler.h"

namespace fencepost::impl {
namespace {

using spec::Fault;

/// How many messages the application keeps queued at most in a partition.
constexpr int kQueued = 32;
/// How many entries a replica loses in an unclean shutdown: fewer than this.
constexpr int kLostEntries = 4;

struct FaultChoice {
  Fault fault;
  ChoiceKind kind;
};
constexpr std::array<FaultChoice, 17> kFaults{{
    {Fault::kLeaderLost, ChoiceKind::kLoseLeader},
    {Fault::kStaleView, ChoiceKind::kGoStale},
    {Fault::kDisconnect, ChoiceKind::kDisconnect},
    {Fault::kLateRequest, ChoiceKind::kDisconnectLate},
    {Fault::kRequestTimeout, ChoiceKind::kRequestTimeout},
    {Fault::kTooFewReplicas, ChoiceKind::kTooFewReplicas},
    {Fault::kTooFewReplicasAfterAppend, ChoiceKind::kTooFewReplicasAfterAppend},
    {Fault::kMessageTimeout, ChoiceKind::kMessageTimeout},
    {Fault::kMessageTimeoutLeaderless, ChoiceKind::kMessageTimeoutLeaderless},
    {Fault::kPurge, ChoiceKind::kPurge},
    {Fault::kRetriesExhausted, ChoiceKind::kReceiveExhausted},
    {Fault::kPermanentError, ChoiceKind::kPermanentError},
    {Fault::kCacheShrink, ChoiceKind::kCacheShrink},
    {Fault::kExpiry, ChoiceKind::kExpire},
    {Fault::kTooFewReplicas, ChoiceKind::kShrinkIsr},
    {Fault::kUncleanElection, ChoiceKind::kShrinkIsr},
    {Fault::kUncleanElection, ChoiceKind::kElectUncleanly},
}};
constexpr int kFaultsWithoutUnclean = 15;

constexpr std::array<ChoiceKind, 14> kFree{
    ChoiceKind::kSend,     ChoiceKind::kReceive,         ChoiceKind::kTake,
    ChoiceKind::kFetch,    ChoiceKind::kAdvance,         ChoiceKind::kProduce,
    ChoiceKind::kElect,    ChoiceKind::kLearnLeadership, ChoiceKind::kLearnLeader,
    ChoiceKind::kFollow,   ChoiceKind::kRequeue,         ChoiceKind::kCompleteBump,
    ChoiceKind::kTakeLate, ChoiceKind::kExpandIsr,
};

}  // namespace

bool RandomScheduler::wanted(const View& view, const Choice& choice) {
  if (choice.kind == ChoiceKind::kProduce) {
    const auto& q = view.state().producer.partition[static_cast<std::size_t>(choice.partition)];
    if (q.queue.size() + q.xmit.size() >= kQueued) return false;
  }
  return view.enabled(choice);
}

Choice RandomScheduler::free_choice(const ClusterRules& rules) {
  const ChoiceKind kind = kFree[static_cast<std::size_t>(random_.below(kFree.size()))];
  if (kind == ChoiceKind::kCompleteBump) return {kind, -1, -1};
  const int p = random_.below(rules.instance.partitions);
  switch (kind) {
    case ChoiceKind::kFetch:
    case ChoiceKind::kFollow:
    case ChoiceKind::kElect:
    case ChoiceKind::kExpandIsr:
      return {kind, p, random_.below(rules.instance.brokers)};
    case ChoiceKind::kTakeLate:
      return {kind, p, random_.below(spec::kMaxLate)};
    default:
      return {kind, p, -1};
  }
}

int RandomScheduler::some_queued(const ClusterState<Large>& state, int p) {
  const auto& q = state.producer.partition[static_cast<std::size_t>(p)];
  const int count = q.xmit.size() + q.queue.size();
  if (count == 0) return -1;
  const int i = random_.below(count);
  return (i < q.xmit.size() ? int{q.xmit[i].id} : int{q.queue[i - q.xmit.size()].id}) - 1;
}

std::optional<Choice> RandomScheduler::fault(const View& view) {
  const spec::Instance& instance = view.rules().instance;
  const bool unclean = instance.faults.allows(Fault::kUncleanElection);
  // Without them a seed gives the run that it gave before there were any.
  const int kinds = unclean ? static_cast<int>(kFaults.size()) : kFaultsWithoutUnclean;
  for (int i = 0; i < 8; ++i) {
    const FaultChoice& pick = kFaults[static_cast<std::size_t>(random_.below(kinds))];
    if (!instance.faults.allows(pick.fault)) continue;
    Choice choice{pick.kind, random_.below(instance.partitions), -1};
    switch (pick.kind) {
      case ChoiceKind::kDisconnect:
      case ChoiceKind::kDisconnectLate:
        choice = {pick.kind, -1, random_.below(instance.brokers)};
        break;
      case ChoiceKind::kShrinkIsr:
        if (!view.rules().grain.changing_isr && !unclean) continue;
        choice.a = random_.below(instance.brokers);
        break;
      case ChoiceKind::kElectUncleanly:
        choice.a = random_.below(instance.brokers);
        choice.b = random_.below(kLostEntries);
        break;
      case ChoiceKind::kMessageTimeout:
      case ChoiceKind::kMessageTimeoutLeaderless:
      case ChoiceKind::kPurge:
        choice.a = some_queued(view.state(), choice.partition);
        break;
      default:
        break;
    }
    if (view.enabled(choice)) return choice;
  }
  return std::nullopt;
}

/// Looks at everything, from a random place on.
std::optional<Choice> RandomScheduler::any_free(const View& view) {
  const spec::Instance& instance = view.rules().instance;
  const int from = random_.below(instance.partitions);
  for (int i = 0; i < instance.partitions; ++i) {
    const int p = (from + i) % instance.partitions;
    for (const ChoiceKind kind : kFree) {
      for (int a = -1; a < std::max(instance.brokers, spec::kMaxLate); ++a) {
        const bool takes = kind == ChoiceKind::kFetch || kind == ChoiceKind::kFollow ||
                           kind == ChoiceKind::kElect || kind == ChoiceKind::kTakeLate ||
                           kind == ChoiceKind::kExpandIsr;
        const bool broker = takes && kind != ChoiceKind::kTakeLate;
        if (takes != (a >= 0) || (broker && a >= instance.brokers)) continue;
        const Choice choice{kind, kind == ChoiceKind::kCompleteBump ? -1 : p, a};
        if (wanted(view, choice)) return choice;
      }
    }
  }
  return std::nullopt;
}

std::optional<Choice> RandomScheduler::next(const View& view) {
  if (faults_per_mille_ > 0 && random_.below(1000) < faults_per_mille_) {
    if (const auto choice = fault(view)) return choice;
  }
  for (int i = 0; i < 64; ++i) {
    const Choice choice = free_choice(view.rules());
    if (wanted(view, choice)) return choice;
  }
  return any_free(view);
}

std::optional<Choice> ListScheduler::next(const View& view) {
  while (at_ < list_.size()) {
    const Choice& choice = list_[at_++];
    if (view.enabled(choice)) return choice;
  }
  return std::nullopt;
}

}  // namespace fencepost::impl
