#include "impl/cluster.h"

namespace fencepost::impl {

ClusterRules rules_for(const spec::Behaviour& behaviour, const spec::Instance& instance,
                       const Grain& grain, Mutant mutant) {
  ClusterRules rules;
  rules.producer.behaviour = behaviour;
  rules.producer.partitions = instance.partitions;
  rules.producer.max_in_flight = instance.in_flight;
  rules.producer.eager = true;
  rules.producer.window = grain.requeue_window;
  rules.producer.mutant = mutant;
  rules.instance = instance;
  rules.grain = grain;
  rules.mutant = mutant;
  return rules;
}

}  // namespace fencepost::impl
