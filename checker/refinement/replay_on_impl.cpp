#include "checker/refinement/replay_on_impl.h"

#include <fmt/format.h>

#include <unordered_map>

#include "checker/refinement/steering.h"

namespace fencepost::refinement {
namespace {

/// Repeats the loop until a state at its beginning comes back; the number of choices before it.
bool close_loop(Steering<ImplSystem>& steering, const std::vector<spec::Model::State>& states,
                const checker::Recording& recording, Replayed& replayed) {
  constexpr int kRounds = 16;
  std::unordered_map<std::string, std::size_t> starts;
  for (int round = 0; round < kRounds; ++round) {
    for (const std::size_t n : steering.front()) {
      const auto [it, fresh] = starts.emplace(steering.key_of(steering.state(n)), n);
      if (fresh) continue;
      const std::size_t before = steering.path(it->second).size();
      replayed.path = steering.path(n);
      if (before >= replayed.path.size()) continue;
      replayed.loop_from = before;
      return true;
    }
    for (std::size_t i = *recording.loop_from; i < recording.path.size(); ++i) {
      if (!steering.follow(recording.path[i], states[i + 1])) return false;
    }
  }
  return false;
}

}  // namespace

Replayed replay_on_impl(const checker::Recording& recording) {
  const std::string fault = impl_instance_fault(recording.behaviour, recording.instance);
  if (!fault.empty()) throw Error(Exit::kUsage, fault);
  const ImplSystem system(recording.behaviour, recording.instance);
  const auto states = checker::replay(system.model(), recording.path);
  Steering<ImplSystem> steering(system);
  Replayed replayed;
  const std::size_t stem = recording.loop_from.value_or(recording.path.size());
  while (replayed.steps < stem &&
         steering.follow(recording.path[replayed.steps], states[replayed.steps + 1])) {
    ++replayed.steps;
  }
  replayed.path = steering.path(steering.front().front());
  replayed.violations = system.violations(steering.state(steering.front().front()));
  replayed.followed = replayed.steps == stem;
  if (!replayed.followed) return replayed;
  if (!recording.loop_from) {
    if (recording.property != spec::Property::kProgress) return replayed;
    if (const auto end = steering.stuck()) {
      replayed.stuck = true;
      replayed.path = steering.path(*end);
    }
    return replayed;
  }
  replayed.followed = close_loop(steering, states, recording, replayed);
  if (replayed.followed) replayed.steps = recording.path.size();
  return replayed;
}

bool violates(const checker::Recording& recording, const Replayed& replayed) {
  const spec::Model model(recording.behaviour, recording.instance);
  if (!replayed.followed || !checker::violates(model, recording)) return false;
  if (recording.property == spec::Property::kProgress) {
    return recording.loop_from ? replayed.loop_from.has_value() : replayed.stuck;
  }
  return ((replayed.violations >> static_cast<unsigned>(recording.property)) & 1U) != 0;
}

std::string replayed_text(const checker::Recording& recording, const Replayed& replayed) {
  const ImplSystem system(recording.behaviour, recording.instance);
  std::string text;
  for (std::size_t i = 0; i < replayed.path.size(); ++i) {
    if (replayed.loop_from && *replayed.loop_from == i) text += "  from here on for ever:\n";
    text += fmt::format("  {:>3}  {}\n", i + 1, choice_text(system.choice(replayed.path[i])));
  }
  if (replayed.followed) return text;
  const spec::Action& action = system.model().action(recording.path[replayed.steps]);
  return text + fmt::format("  the implementation cannot do step {} of the spec here: {}\n",
                            replayed.steps + 1, action_text(action));
}

}  // namespace fencepost::refinement
