#include "impl/simulator.h"

#include <memory>

namespace fencepost::impl {
namespace {

/// Replayed choices that shrinking may cost.
constexpr std::uint64_t kShrinkWork = 40'000'000;

ClusterRules rules_of(const SimulateOptions& options) {
  spec::Instance instance;
  instance.partitions = options.partitions;
  instance.messages = 0;
  instance.warm = 0;
  instance.in_flight = options.in_flight;
  instance.brokers = options.brokers;
  instance.faults = options.faults;
  instance.faults.budget = 1 << 30;
  ClusterRules rules = rules_for(options.behaviour, instance, options.grain, options.mutant);
  rules.producer.eager = false;
  rules.producer.batch = options.batch;
  rules.partition_messages = options.messages;
  return rules;
}

/// The cluster of one run.
class Run : public View {
 public:
  Run(const SimulateOptions& options, fp_tracer* tracer)
      : rules_(rules_of(options)), monitor_(state_, rules_, tracer), cluster_(rules_, monitor_) {
    state_ = cluster_.initial();
    acquire_id(options.numbered_at_start);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  [[nodiscard]] bool enabled(const Choice& choice) const override {
    return cluster_.guard(choice, state_);
  }
  [[nodiscard]] const ClusterState<Large>& state() const override { return state_; }
  [[nodiscard]] const ClusterRules& rules() const override { return rules_; }
  [[nodiscard]] const Monitor& monitor() const { return monitor_; }
  void apply(const Choice& choice) { cluster_.apply(choice, state_); }

 private:
  /// InitProducerId, before anything else happens.
  void acquire_id(bool numbered) {
    const CoordinatorAnswer answer =
        step(state_.coordinator, {CoordinatorEvent::Kind::kInitProducerId});
    for (auto& partition : state_.producer.partition) partition.has_id = numbered ? 1 : 0;
    state_.producer.state = IdempotenceState::kWaitId;
    NoSink nobody;
    Producer<Large, NoSink> producer(state_.producer, rules_.producer, nobody);
    ProducerEvent event;
    event.kind = ProducerEvent::Kind::kId;
    event.last = answer.id;
    event.epoch = answer.epoch;
    producer.step(event);
  }

  ClusterRules rules_;
  ClusterState<Large> state_;
  Monitor monitor_;
  Cluster<Large, Monitor> cluster_;
};

void require_range(const char* what, int value, int most) {
  if (value >= 1 && value <= most) return;
  throw Error(Exit::kUsage, std::string("the simulator takes 1 to ") + std::to_string(most) + " " +
                                what + ", not " + std::to_string(value));
}

/// Replays a part of a schedule; true if it still breaks the property.
bool still_breaks(const SimulateOptions& options, const std::vector<Choice>& schedule,
                  spec::Property property, SimulateResult& result) {
  ListScheduler list(schedule);
  result = simulate(options, list, nullptr, true);
  return result.broken && result.broken->property == property;
}

}  // namespace

void require_simulable(const SimulateOptions& options) {
  require_range("partitions", options.partitions, Large::kPartitions);
  require_range("brokers", options.brokers, Large::kBrokers);
  require_range("messages in flight", options.in_flight, 1000);
  require_range("messages a batch", options.batch, 10'000);
  require_range("messages a partition", options.messages, 1 << 24);
  const std::string without = without_implementation(options.behaviour, options.faults);
  if (!without.empty()) throw Error(Exit::kUsage, without);
}

SimulateResult simulate(const SimulateOptions& options, Scheduler& scheduler, fp_tracer* tracer,
                        bool keep, Companion* companion) {
  const auto run = std::make_unique<Run>(options, tracer);
  SimulateResult result;
  while (result.steps < options.steps && !result.broken) {
    const std::optional<Choice> choice = scheduler.next(*run);
    if (!choice) {
      result.quiet = true;
      break;
    }
    if (companion != nullptr) companion->before(*choice, run->state());
    run->apply(*choice);
    ++result.steps;
    if (keep) result.schedule.push_back(*choice);
    result.broken = run->monitor().broken();
    if (companion != nullptr && !companion->after(run->state())) break;
  }
  result.counts = run->monitor().counts();
  return result;
}

std::vector<Choice> shrink(const SimulateOptions& options, std::vector<Choice> schedule,
                           spec::Property property) {
  std::uint64_t work = 0;
  std::size_t piece = schedule.size() / 2;
  while (piece > 0 && work < kShrinkWork) {
    bool removed = false;
    for (std::size_t from = 0; from < schedule.size() && work < kShrinkWork;) {
      std::vector<Choice> part(schedule.begin(), schedule.begin() + static_cast<long>(from));
      const std::size_t to = std::min(schedule.size(), from + piece);
      part.insert(part.end(), schedule.begin() + static_cast<long>(to), schedule.end());
      work += part.size() + 1;
      SimulateResult result;
      if (still_breaks(options, part, property, result)) {
        schedule = std::move(result.schedule);
        removed = true;
      } else {
        from += piece;
      }
    }
    if (!removed || piece > schedule.size()) piece /= 2;
  }
  return schedule;
}

}  // namespace fencepost::impl
