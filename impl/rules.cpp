#include "impl/cluster.h"

#include <fmt/format.h>

namespace fencepost::impl {

std::string without_implementation(const spec::Behaviour& b, const spec::Faults& faults) {
  struct Row {
    bool wanted;
    std::string_view entry, value;
  };
  const Row rows[] = {
      {b.sequences == spec::Sequences::kAtFirstSend, "sequences", "at-first-send"},
      {b.retry_only_lowest, "retry.only-lowest", "yes"},
      {b.adopt_when == spec::AdoptWhen::kWithLastAcknowledgement, "adopt.when",
       "last-acknowledgement"},
      {!b.old_epoch_retries, "old-epoch.retries", "no"},
      {b.bump_takes == spec::BumpTakes::kNewProducerId, "bump.takes", "new-producer-id"},
      {b.epoch_exhausted == spec::EpochExhausted::kNewProducerId, "epoch-exhausted",
       "new-producer-id"},
      {b.unknown_producer == spec::UnknownProducer::kRestartIfLogMoved, "unknown-producer-id",
       "restart-if-log-moved"},
  };
  for (const Row& row : rows) {
    if (!row.wanted) continue;
    return fmt::format(
        "the implementation is librdkafka's mechanism, which cannot have \"{}\" = \"{}\": ask the "
        "spec",
        row.entry, row.value);
  }
  for (int k = 0; k < spec::kFaultKinds; ++k) {
    const spec::FaultInfo& info = spec::fault_kinds()[static_cast<std::size_t>(k)];
    const auto kind = static_cast<spec::Fault>(k);
    if (!info.by_name_only || !faults.allows(kind) || kind == spec::Fault::kUncleanElection) {
      continue;
    }
    return fmt::format("the fault {} has no implementation yet: ask the spec", info.name);
  }
  return {};
}

ClusterRules rules_for(const spec::Behaviour& behaviour, const spec::Instance& instance,
                       const Grain& grain, Mutant mutant) {
  ClusterRules rules;
  rules.producer.behaviour = behaviour;
  rules.producer.partitions = instance.partitions;
  rules.producer.max_in_flight = instance.in_flight;
  rules.producer.eager = true;
  rules.producer.mutant = mutant;
  rules.instance = instance;
  rules.grain = grain;
  rules.mutant = mutant;
  return rules;
}

}  // namespace fencepost::impl
