#include "checker/refinement/transactions/system.h"

#include <fmt/format.h>

#include <cstring>

#include "spec/transactions/why_false.h"

namespace fencepost::refinement::transactions {

static_assert(fencepost::spec::TransitionSystem<System>);

namespace {

using impl::CallStage;
using impl::Choice;
using impl::ChoiceKind;
using impl::Why;
using spec::Action;
using spec::ActionKind;
using spec::Bound;

std::uint32_t bit(Bound bound) { return 1U << static_cast<unsigned>(bound); }

/// The action of the same name.
ActionKind named(ChoiceKind kind) {
  for (int k = 0; k < spec::kActionKinds; ++k) {
    const auto action = static_cast<ActionKind>(k);
    if (spec::action_name(action) == impl::choice_name(kind)) return action;
  }
  FP_ASSERT(false);
  return {};
}

}  // namespace

std::string instance_fault(const spec::Behaviour& behaviour, const spec::Instance& instance) {
  const std::string_view fault = spec::instance_fault(instance);
  if (!fault.empty()) return std::string(fault);
  if (instance.endless) return "an endless instance is the spec's alone: the implementation counts";
  if (const auto reason = spec::impossible(behaviour)) return std::string(*reason);
  return {};
}

System::System(const spec::Behaviour& behaviour, const spec::Instance& instance,
               std::uint32_t properties, impl::Mutant mutant, bool refine, bool verification_window)
    : rules_{behaviour, instance, mutant, verification_window},
      model_(behaviour, instance, properties),
      refine_(refine),
      cluster_(rules_),
      choices_(impl::choices(rules_)) {
  FP_ASSERT(instance_fault(behaviour, instance).empty() && !(refine && verification_window));
  for (std::size_t a = 0; a < model_.action_count(); ++a) {
    const Action& x = model_.action(a);
    actions_.emplace(std::tuple(x.kind, x.i, x.p, x.k), static_cast<int>(a));
  }
  std::map<std::tuple<ChoiceKind, int, int>, int> classes;
  for (const Choice& x : choices_) {
    if (!is_fair(x.kind)) {
      fairness_.push_back(fencepost::spec::kUnfair);
      continue;
    }
    const auto key = std::tuple(x.kind, x.i, x.p);
    fairness_.push_back(classes.emplace(key, static_cast<int>(classes.size())).first->second);
  }
  fairness_classes_ = static_cast<int>(classes.size());
}

System::State System::initial() const {
  State s{};
  s.cluster = cluster_.initial();
  return s;
}

// --- which step of the spec a step is
// ---------------------------------------------------------------

/// A record is in the log: the request that it was written for has been taken.
std::optional<Action> System::end_of_write(const impl::State& s) const {
  const impl::Pending& pending = s.coordinator.pending;
  switch (static_cast<Why>(int{pending.why})) {
    case Why::kCall:
      return Action{ActionKind::kTakeRequest, pending.who, -1, -1};
    case Why::kLateCall:
      return Action{ActionKind::kTakeLateRequest, s.late_calls[pending.who].owner, -1, pending.who};
    default:
      return Action{ActionKind::kComplete, -1, -1, -1};
  }
}

std::optional<Action> System::claimed_action(const Choice& x, const impl::State& s) const {
  const auto i = static_cast<std::size_t>(x.i);
  switch (x.kind) {
    case ChoiceKind::kSendMarker:
    case ChoiceKind::kAnswerMarker:
    case ChoiceKind::kComplete:
      return std::nullopt;
    case ChoiceKind::kEndWrite:
      return end_of_write(s);
    case ChoiceKind::kTakeRequest: {
      const impl::Decision decision = cluster_.decision_for(s, s.call[i].call);
      const bool waits = decision.answer.code == impl::Code::kConcurrent;
      if (waits || decision.kind == impl::Decision::Kind::kWrite) return std::nullopt;
      return Action{ActionKind::kTakeRequest, x.i, -1, -1};
    }
    case ChoiceKind::kReceive:
      if (s.call[i].answer.code == impl::Code::kConcurrent) return std::nullopt;
      return Action{ActionKind::kReceive, x.i, -1, -1};
    case ChoiceKind::kTakeLateRequest: {
      const impl::LateCall& late = s.late_calls[x.k];
      const impl::Decision decision = cluster_.decision_for(s, late.call);
      if (decision.kind == impl::Decision::Kind::kWrite) return std::nullopt;
      return Action{ActionKind::kTakeLateRequest, late.owner, -1, x.k};
    }
    case ChoiceKind::kTakeLateProduce:
      return Action{ActionKind::kTakeLateProduce, s.late_batch[static_cast<std::size_t>(x.p)].owner,
                    x.p, -1};
    case ChoiceKind::kTakeProduce:
    case ChoiceKind::kLeaveProduce:
    case ChoiceKind::kRefuse:
      return Action{named(x.kind), x.i, x.p, impl::Cluster::next_taken(s, x.i, x.p)};
    case ChoiceKind::kMoveCoordinator:
      if (!cluster_.move_is_seen(s)) return std::nullopt;
      return Action{ActionKind::kMoveCoordinator, -1, -1, -1};
    default:
      return Action{named(x.kind), x.i, x.p, x.k};
  }
}

int System::claim(std::size_t a, const State& s) const {
  const auto action = claimed_action(choices_[a], s.cluster);
  if (!action) return kStutter;
  const auto found = actions_.find(std::tuple(action->kind, action->i, action->p, action->k));
  return found == actions_.end() ? kNoSuchAction : found->second;
}

// --- steps
// ------------------------------------------------------------------------------------------

fencepost::spec::StepInfo System::effect(std::size_t a, State& s) const {
  if (!refine_) return unchecked(a, s);
  const int claimed = claim(a, s);
  spec::Model::State expected = mapped(s);
  fencepost::spec::StepInfo info;
  bool sound = claimed != kNoSuchAction;
  if (claimed >= 0) {
    const auto action = static_cast<std::size_t>(claimed);
    sound = model_.guard(action, expected);
    if (sound) info = model_.effect(action, expected);
    if (info.bounds != 0) return info;
  }
  info.bounds = bounds_before(choices_[a], s.cluster);
  if (info.bounds != 0) return info;
  cluster_.apply(choices_[a], s.cluster);
  const spec::Model::State found = mapped(s);
  if (!sound || std::memcmp(&expected, &found, sizeof found) != 0) s.diverged = 1;
  return info;
}

/// What would not fit into the state any more, whatever the spec says of it.
std::uint32_t System::bounds_before(const Choice& x, const impl::State& s) const {
  const spec::Instance& n = rules_.instance;
  if (x.kind == ChoiceKind::kBegin) {
    return s.client[static_cast<std::size_t>(x.i)].attempt >= n.attempts ? bit(Bound::kAttempts)
                                                                         : 0;
  }
  const bool appends = x.kind == ChoiceKind::kTakeProduce || x.kind == ChoiceKind::kWriteMarker ||
                       x.kind == ChoiceKind::kTakeLateProduce ||
                       x.kind == ChoiceKind::kTakeLateMarker || x.kind == ChoiceKind::kLeaveMarker;
  if (!appends) return 0;
  const int length = s.leader[static_cast<std::size_t>(x.p)].log.size();
  return length >= spec::kMaxLog || (!refine_ && length >= n.log) ? bit(Bound::kLog) : 0;
}

fencepost::spec::StepInfo System::unchecked(std::size_t a, State& s) const {
  const spec::Instance& n = rules_.instance;
  fencepost::spec::StepInfo info;
  info.bounds = bounds_before(choices_[a], s.cluster);
  if (info.bounds != 0) return info;
  cluster_.apply(choices_[a], s.cluster);
  bool epochs = s.cluster.coordinator.memory.epoch > n.epochs;
  for (const impl::Client& c : s.cluster.client) epochs = epochs || c.epoch > n.epochs;
  if (epochs) info.bounds |= bit(Bound::kEpochs);
  if (s.cluster.coordinator.ids_given > n.ids) info.bounds |= bit(Bound::kIds);
  return info;
}

std::uint32_t System::violations(const State& s) const {
  return s.diverged != 0 ? ~0U : model_.violations(mapped(s));
}

std::optional<Divergence> System::compare(std::size_t a, const State& s) const {
  const int claimed = claim(a, s);
  const spec::Model::State before = mapped(s);
  spec::Model::State expected = before;
  Divergence divergence;
  divergence.choice = choice_text(choices_[a]);
  divergence.claims = claimed == kStutter ? "stutter" : "no action of the spec";
  bool sound = claimed != kNoSuchAction;
  if (claimed >= 0) {
    const auto action = static_cast<std::size_t>(claimed);
    divergence.claims = spec::action_text(model_.action(action));
    sound = model_.guard(action, expected);
    if (sound) {
      static_cast<void>(model_.effect(action, expected));
    } else {
      divergence.guard_false = spec::why_false(model_.action(action), before, model_.rules());
    }
  }
  State next = s;
  cluster_.apply(choices_[a], next.cluster);
  const spec::Model::State after = mapped(next);
  divergence.different = differences(expected, after, model_.rules());
  if (sound && std::memcmp(&expected, &after, sizeof after) == 0) return std::nullopt;
  divergence.before = state_text(before, model_.rules());
  divergence.after = state_text(after, model_.rules());
  return divergence;
}

std::string path_text(const System& system, const checker::ActionPath& path) {
  System::State s = system.initial();
  std::string text;
  for (const checker::ActionIndex a : path) {
    if (const auto divergence = system.compare(a, s)) return text + divergence_text(*divergence);
    text += fmt::format("  {}\n", choice_text(system.choice(a)));
    static_cast<void>(system.effect(a, s));
  }
  return text;
}

}  // namespace fencepost::refinement::transactions
