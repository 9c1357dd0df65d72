#include "checker/refinement/comparison.h"

#include <fmt/format.h>

namespace fencepost::refinement {
namespace {

spec::Instance instance_of(const impl::SimulateOptions& options) {
  spec::Instance instance;
  instance.partitions = options.partitions;
  instance.messages = options.messages;
  instance.warm = 0;
  instance.in_flight = options.in_flight;
  instance.brokers = options.brokers;
  instance.epochs = spec::kMaxEpochs;
  instance.log = spec::kMaxLog;
  instance.faults = options.faults;
  instance.faults.budget = options.faults_per_mille > 0 ? 1 : 0;
  instance.faults.unlimited = instance.faults.budget > 0;
  return instance;
}

}  // namespace

std::string why_not_compared(const impl::SimulateOptions& options) {
  const auto over = [](const char* what, int wanted, int most) {
    return fmt::format("the spec holds at most {} {}, not {}", most, what, wanted);
  };
  if (!(options.grain == impl::Grain{})) return "the grain is finer than the spec's (--grain spec)";
  if (options.batch != 1) return "a batch of the spec is one message (--batch 1)";
  if (options.partitions > spec::kMaxPartitions) {
    return over("partitions", options.partitions, spec::kMaxPartitions);
  }
  if (options.messages > spec::kMaxMessages) {
    return over("messages a partition", options.messages, spec::kMaxMessages);
  }
  if (options.in_flight > spec::kMaxInFlight) {
    return over("in flight", options.in_flight, spec::kMaxInFlight);
  }
  if (options.brokers > spec::kMaxBrokers) {
    return over("brokers", options.brokers, spec::kMaxBrokers);
  }
  return {};
}

Comparison::Comparison(const impl::SimulateOptions& options)
    : model_(options.behaviour, instance_of(options), 0), claims_(model_) {
  FP_ASSERT(why_not_compared(options).empty());
}

void Comparison::before(const impl::Choice& choice, const impl::ClusterState<impl::Large>& s) {
  if (!ended_.empty()) return;
  choice_ = choice;
  claimed_ = claims_.of(choice, s);
  before_ = map_to_spec(s, model_.rules());
  const std::uint32_t bounds = expected_step(model_, claimed_, before_).bounds;
  for (std::size_t k = 0; k < spec::kBoundNames.size(); ++k) {
    if (((bounds >> k) & 1U) != 0) ended_ = fmt::format("the bound on {}", spec::kBoundNames[k]);
  }
}

bool Comparison::after(const impl::ClusterState<impl::Large>& s) {
  if (!ended_.empty()) return true;
  divergence_ = divergence_of(model_, choice_, claimed_, before_, map_to_spec(s, model_.rules()),
                              producer_states_agree(s, model_.rules()));
  ++compared_;
  return !divergence_.has_value();
}

}  // namespace fencepost::refinement
