#include "checker/gate/unfired.h"

#include <array>

#include "spec/model/model.h"

namespace fencepost::gate {
namespace {

using spec::ActionKind;
using spec::Fault;

struct FaultAction {
  ActionKind action;
  Fault fault;
};
// `disconnect-exhausted` is two faults at once.
constexpr std::array<FaultAction, 20> kFaultActions{{
    {ActionKind::kLoseLeader, Fault::kLeaderLost},
    {ActionKind::kGoStale, Fault::kStaleView},
    {ActionKind::kDisconnect, Fault::kDisconnect},
    {ActionKind::kDisconnectLate, Fault::kLateRequest},
    {ActionKind::kDisconnectExhausted, Fault::kDisconnect},
    {ActionKind::kDisconnectExhausted, Fault::kRetriesExhausted},
    {ActionKind::kRequestTimeout, Fault::kRequestTimeout},
    {ActionKind::kTooFewReplicas, Fault::kTooFewReplicas},
    {ActionKind::kTooFewReplicasAfterAppend, Fault::kTooFewReplicasAfterAppend},
    {ActionKind::kMessageTimeout, Fault::kMessageTimeout},
    {ActionKind::kMessageTimeoutLeaderless, Fault::kMessageTimeoutLeaderless},
    {ActionKind::kPurge, Fault::kPurge},
    {ActionKind::kReceiveExhausted, Fault::kRetriesExhausted},
    {ActionKind::kPermanentError, Fault::kPermanentError},
    {ActionKind::kCacheShrink, Fault::kCacheShrink},
    {ActionKind::kExpire, Fault::kExpiry},
    {ActionKind::kDeleteRecords, Fault::kRetention},
    {ActionKind::kRebuildState, Fault::kStateRebuilt},
    {ActionKind::kRestart, Fault::kProducerRestart},
    {ActionKind::kElectUncleanly, Fault::kUncleanElection},
}};

}  // namespace

std::vector<std::string_view> unfired_faults(const Task& task, const TaskResult& result) {
  const spec::Model model(task.behaviour, task.instance);
  const std::vector<std::uint64_t>& fired = result.stats.fired;
  if (fired.size() != model.action_count()) return {};
  std::array<bool, spec::kActionKinds> happened{};
  for (std::size_t a = 0; a < fired.size(); ++a) {
    if (fired[a] != 0) happened[static_cast<std::size_t>(model.action(a).kind)] = true;
  }
  std::array<bool, spec::kFaultKinds> met{};
  for (const FaultAction& pair : kFaultActions) {
    if (!happened[static_cast<std::size_t>(pair.action)]) continue;
    met[static_cast<std::size_t>(pair.fault)] = true;
  }
  std::vector<std::string_view> unfired;
  for (std::size_t k = 0; k < met.size(); ++k) {
    if (met[k] || !task.instance.faults.allows(static_cast<Fault>(k))) continue;
    unfired.push_back(spec::fault_kinds()[k].name);
  }
  return unfired;
}

}  // namespace fencepost::gate
