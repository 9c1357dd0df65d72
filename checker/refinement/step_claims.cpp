#include "checker/refinement/step_claims.h"

#include <fmt/format.h>

#include <cstring>

#include "spec/model/why_false.h"

namespace fencepost::refinement {
namespace {

using impl::Choice;
using impl::ChoiceKind;
using spec::ActionKind;

/// The kind of the spec's action that a choice is, or nothing for a stutter.
std::optional<ActionKind> kind_of(ChoiceKind kind) {
  switch (kind) {
    case ChoiceKind::kFetch:
    case ChoiceKind::kFollow:
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

StepClaims::StepClaims(const spec::Model& model) : model_(model) {
  for (std::size_t a = 0; a < model.action_count(); ++a) {
    const spec::Action& x = model.action(a);
    // Of elections the first: the spec lists them in a row, by entries lost, unclean ones from 1
    // on.
    actions_.emplace(std::tuple(x.kind, x.partition, x.a), static_cast<int>(a));
  }
}

int StepClaims::of(const Choice& choice) const {
  const auto kind = kind_of(choice.kind);
  if (!kind) return kStutter;
  const auto found = actions_.find(std::tuple(*kind, choice.partition, choice.a));
  return found == actions_.end() ? kNoSuchAction : found->second;
}

int StepClaims::of_election(const Choice& choice, int lost) const {
  const int first = of(choice);
  const spec::Instance& instance = model_.rules().instance;
  if (first < 0) return first;
  const bool unclean = choice.kind == ChoiceKind::kElectUncleanly;
  const int least = unclean ? 1 : 0;
  const int most = unclean ? instance.log : instance.log - instance.warm;
  if (lost < least || lost > most) return kNoSuchAction;
  return first + lost - least;
}

Expected expected_step(const spec::Model& model, int claimed, const spec::Model::State& before) {
  Expected expected;
  expected.state = before;
  expected.guard = claimed != StepClaims::kNoSuchAction;
  if (claimed < 0) return expected;
  const auto action = static_cast<std::size_t>(claimed);
  expected.guard = model.guard(action, before);
  if (expected.guard) expected.bounds = model.effect(action, expected.state).bounds;
  return expected;
}

std::optional<Divergence> divergence_of(const spec::Model& model, const Choice& choice, int claimed,
                                        const spec::Model::State& before,
                                        const spec::Model::State& after, bool agrees) {
  const Expected expected = expected_step(model, claimed, before);
  const bool same = std::memcmp(&expected.state, &after, sizeof after) == 0;
  if (expected.guard && same && agrees) return std::nullopt;
  Divergence divergence;
  divergence.choice = choice_text(choice);
  divergence.claims = claimed == StepClaims::kStutter ? "stutter" : "no action of the spec";
  if (claimed >= 0) {
    const spec::Action& action = model.action(static_cast<std::size_t>(claimed));
    divergence.claims = action_text(action);
    if (!expected.guard) divergence.guard_false = spec::why_false(action, before, model.rules());
  }
  divergence.different = differences(expected.state, after, model.rules());
  divergence.producer_state = !agrees;
  divergence.before = state_text(before, model.rules());
  divergence.after = state_text(after, model.rules());
  return divergence;
}

std::string divergence_text(const Divergence& divergence) {
  std::string text = fmt::format("step \"{}\" claims to be \"{}\" of the spec\n", divergence.choice,
                                 divergence.claims);
  if (!divergence.guard_false.empty()) text += "  the guard of that action is false here:\n";
  for (const std::string& conjunct : divergence.guard_false) {
    text += fmt::format("    it requires {}\n", conjunct);
  }
  if (divergence.producer_state) text += "  the replica's producer state is not the spec's\n";
  for (const Difference& d : divergence.different) {
    text +=
        fmt::format("  {}: the spec has {}, the implementation {}\n", d.field, d.expected, d.found);
  }
  return text + "  before, in the spec's fields (those not named are 0):\n" + divergence.before +
         "  after:\n" + divergence.after;
}

}  // namespace fencepost::refinement
