#include "checker/refinement/impl_system.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <tuple>

#include "checker/refinement/widths.h"

namespace fencepost::refinement {

static_assert(spec::TransitionSystem<ImplSystem>);

namespace {

using impl::Choice;
using impl::ChoiceKind;
using impl::Small;

}  // namespace

std::string impl_instance_fault(const spec::Behaviour& behaviour, const spec::Instance& i) {
  const auto over = [](const char* what, int wanted, int most) {
    return fmt::format("the implementation is explored with at most {} {}, not {}", most, what,
                       wanted);
  };
  if (i.partitions > Small::kPartitions)
    return over("partitions", i.partitions, Small::kPartitions);
  if (i.total_messages() > Small::kMessages) {
    return over("messages a partition, the warm one included", i.total_messages(),
                Small::kMessages);
  }
  if (i.in_flight > Small::kInFlight) return over("in flight", i.in_flight, Small::kInFlight);
  if (i.brokers > Small::kBrokers) return over("brokers", i.brokers, Small::kBrokers);
  if (i.log > Small::kLog) return over("log entries", i.log, Small::kLog);
  if (behaviour.implicit_ack == spec::ImplicitAck::kAllSent && !behaviour.drain_before_retry) {
    return "this client acknowledges what it may have in flight twice, which has no implementation";
  }
  if (i.max_epoch > 0) {
    return "the implementation's epochs end at 32767, and no instance reaches that: ask the spec";
  }
  return impl::without_implementation(behaviour, i.faults);
}

ImplSystem::ImplSystem(const spec::Behaviour& behaviour, const spec::Instance& instance,
                       std::uint32_t properties, const impl::Grain& grain, impl::Mutant mutant,
                       bool refine)
    : rules_(impl::rules_for(behaviour, instance, grain, mutant)),
      model_(behaviour, instance, properties),
      step_claims_(model_),
      refine_(refine),
      cluster_(rules_, observer_),
      choices_(impl::choices(instance, behaviour, grain, false)) {
  FP_ASSERT(impl_instance_fault(behaviour, instance).empty());
  for (const Choice& x : choices_) claims_.push_back(step_claims_.of(x));
  std::map<std::tuple<ChoiceKind, int, int>, int> classes;
  for (const Choice& x : choices_) {
    if (!is_fair(x.kind)) {
      fairness_.push_back(spec::kUnfair);
      continue;
    }
    const auto key = std::tuple(x.kind, x.partition, x.a);
    fairness_.push_back(classes.emplace(key, static_cast<int>(classes.size())).first->second);
  }
  fairness_classes_ = static_cast<int>(classes.size());
}

ImplSystem::State ImplSystem::initial() const {
  State s{};
  s.cluster = cluster_.initial();
  return s;
}

spec::StepInfo ImplSystem::effect(std::size_t a, State& s) const {
  if (!refine_) return unchecked(a, s);
  const int claimed = claim(a, s);
  spec::Model::State expected = mapped(s);
  spec::StepInfo info;
  bool sound = claimed != kNoSuchAction;
  if (claimed >= 0) {
    const auto action = static_cast<std::size_t>(claimed);
    sound = model_.guard(action, expected);
    if (sound) info = model_.effect(action, expected);
    if (info.bounds != 0) return info;
  }
  cluster_.apply(choices_[a], s.cluster);
  const spec::Model::State found = mapped(s);
  sound = sound && std::memcmp(&expected, &found, sizeof found) == 0 &&
          producer_states_agree(s.cluster, model_.rules());
  if (!sound) s.diverged = 1;
  return info;
}

/// A step that nothing checks still has to respect the bounds of the instance.
spec::StepInfo ImplSystem::unchecked(std::size_t a, State& s) const {
  const Choice& x = choices_[a];
  spec::StepInfo info;
  const auto full = [&] {
    for (const auto& broker : s.cluster.replica) {
      const auto& replica = broker[static_cast<std::size_t>(x.partition)];
      if (replica.end() >= model_.rules().instance.log) return true;
    }
    return false;
  };
  if ((x.kind == ChoiceKind::kTake || x.kind == ChoiceKind::kTakeLate) && full()) {
    info.bounds = 1U << static_cast<unsigned>(spec::Bound::kLog);
    return info;
  }
  cluster_.apply(x, s.cluster);
  if (s.cluster.producer.epoch > model_.rules().instance.epochs) {
    info.bounds = 1U << static_cast<unsigned>(spec::Bound::kEpochs);
  }
  return info;
}

/// A state reached by a step that is not the spec's violates everything: no search passes it by.
std::uint32_t ImplSystem::violations(const State& s) const {
  return s.diverged != 0 ? ~0U : model_.violations(mapped(s));
}

std::optional<Divergence> ImplSystem::compare(std::size_t a, const State& s) const {
  State next = s;
  cluster_.apply(choices_[a], next.cluster);
  return divergence_of(model_, choices_[a], claim(a, s), mapped(s), mapped(next),
                       producer_states_agree(next.cluster, model_.rules()));
}

spec::ByteWidths ImplSystem::widths() const { return state_widths(rules_); }

}  // namespace fencepost::refinement
