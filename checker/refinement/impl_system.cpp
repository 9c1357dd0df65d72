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
using spec::ActionKind;

/// The kind of the spec's action that a choice is, or nothing for a stutter.
std::optional<ActionKind> kind_of(ChoiceKind kind) {
  switch (kind) {
    case ChoiceKind::kFetch:
    case ChoiceKind::kFollow:
    case ChoiceKind::kRequeue:
    case ChoiceKind::kProduce:
    case ChoiceKind::kExpandIsr:
    case ChoiceKind::kShrinkIsr:
      return std::nullopt;
    case ChoiceKind::kAdvance:
      return ActionKind::kCommit;
    default:
      break;
  }
  // The others have the names of the spec's, one for one.
  for (int k = 0; k < spec::kActionKinds; ++k) {
    const auto action = static_cast<ActionKind>(k);
    if (spec::action_name(action) == impl::choice_name(kind)) return action;
  }
  FP_ASSERT(false);
  return std::nullopt;
}

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
      refine_(refine),
      cluster_(rules_, observer_),
      choices_(impl::choices(instance, behaviour, grain, false)) {
  FP_ASSERT(impl_instance_fault(behaviour, instance).empty());
  claim_actions();
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

void ImplSystem::claim_actions() {
  for (const Choice& x : choices_) {
    const auto kind = kind_of(x.kind);
    int claimed = kStutter;
    if (kind) {
      const spec::Action wanted{*kind, x.partition, x.a, *kind == ActionKind::kElect ? 0 : -1};
      claimed = kNoSuchAction;
      for (std::size_t a = 0; a < model_.action_count(); ++a) {
        if (model_.action(a) == wanted) claimed = static_cast<int>(a);
      }
    }
    claims_.push_back(claimed);
  }
}

int ImplSystem::claim(std::size_t a, const State& s) const {
  const Choice& x = choices_[a];
  if (x.kind != ChoiceKind::kElect || claims_[a] < 0) return claims_[a];
  const auto p = static_cast<std::size_t>(x.partition);
  const int from = s.cluster.controlled[p].log_of - 1;
  const int lost = s.cluster.replica[static_cast<std::size_t>(from)][p].end() -
                   s.cluster.replica[static_cast<std::size_t>(x.a)][p].end();
  if (lost < 0 || lost > model_.rules().instance.log - model_.rules().instance.warm) {
    return kNoSuchAction;
  }
  return claims_[a] + lost;  // the spec lists them in a row, by entries lost
}

ImplSystem::State ImplSystem::initial() const {
  State s{};
  s.cluster = cluster_.initial();
  return s;
}

bool ImplSystem::producer_states_agree(const State& s) const {
  for (int p = 0; p < rules_.instance.partitions; ++p) {
    if (!producer_state_agrees(s.cluster, p, model_.rules())) return false;
  }
  return true;
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
  sound = sound && std::memcmp(&expected, &found, sizeof found) == 0 && producer_states_agree(s);
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
  const int claimed = claim(a, s);
  spec::Model::State expected = mapped(s);
  Divergence divergence;
  divergence.choice = choice_text(choices_[a]);
  divergence.claims = claimed == kStutter ? "stutter" : "no action of the spec";
  if (claimed >= 0) {
    const auto action = static_cast<std::size_t>(claimed);
    divergence.claims = action_text(model_.action(action));
    divergence.guard_false = !model_.guard(action, expected);
    if (!divergence.guard_false) static_cast<void>(model_.effect(action, expected));
  }
  State next = s;
  cluster_.apply(choices_[a], next.cluster);
  divergence.different = differences(expected, mapped(next), model_.rules());
  divergence.producer_state = !producer_states_agree(next);
  const bool sound = claimed != kNoSuchAction && !divergence.guard_false &&
                     divergence.different.empty() && !divergence.producer_state;
  if (sound) return std::nullopt;
  return divergence;
}

std::string divergence_text(const Divergence& divergence) {
  std::string text = fmt::format("step \"{}\" claims to be \"{}\" of the spec\n", divergence.choice,
                                 divergence.claims);
  if (divergence.guard_false) text += "  the guard of that action is false here\n";
  if (divergence.producer_state) text += "  the replica's producer state is not the spec's\n";
  for (const Difference& d : divergence.different) {
    text +=
        fmt::format("  {}: the spec has {}, the implementation {}\n", d.field, d.expected, d.found);
  }
  return text;
}

spec::ByteWidths ImplSystem::widths() const { return state_widths(rules_); }

}  // namespace fencepost::refinement
