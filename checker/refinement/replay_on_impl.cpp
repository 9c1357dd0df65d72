// A step of the spec can be several of the implementation: stutters (fetches) prepare it. So all
// implementation states that map to the spec's present state are kept, closed under stutters; those
// from which the wanted step leads to the wanted state make up the next set.
#include "checker/refinement/replay_on_impl.h"

#include <fmt/format.h>

#include <cstring>
#include <unordered_map>

#include "checker/core/fair.h"

namespace fencepost::refinement {
namespace {

using State = ImplSystem::State;

std::string key_of(const State& s) { return {reinterpret_cast<const char*>(&s), sizeof s}; }

/// A state reached, and how.
struct Node {
  State state;
  std::size_t parent = 0;
  checker::ActionIndex choice = 0;
};

class Steering {
 public:
  explicit Steering(const ImplSystem& system) : system_(system) {
    nodes_.push_back({system.initial(), 0, 0});
    front_ = {0};
  }

  /// Takes one step of the spec; false if no state reached so far can.
  bool follow(checker::ActionIndex action, const spec::Model::State& target) {
    close_under_stutters();
    std::unordered_map<std::string, std::size_t> seen;
    std::vector<std::size_t> next;
    for (const std::size_t n : front_) {
      for (std::size_t a = 0; a < system_.action_count(); ++a) {
        if (!system_.guard(a, nodes_[n].state)) continue;
        if (system_.claim(a, nodes_[n].state) != static_cast<int>(action)) continue;
        if (const auto node = step(n, a, target, seen)) next.push_back(*node);
      }
    }
    if (next.empty()) return false;
    front_ = std::move(next);
    return true;
  }

  [[nodiscard]] const std::vector<std::size_t>& front() const { return front_; }
  [[nodiscard]] const State& state(std::size_t node) const { return nodes_[node].state; }
  [[nodiscard]] std::size_t parent(std::size_t node) const { return nodes_[node].parent; }

  [[nodiscard]] checker::ActionPath path(std::size_t node) const {
    checker::ActionPath path;
    for (; node != 0; node = nodes_[node].parent) path.push_back(nodes_[node].choice);
    return {path.rbegin(), path.rend()};
  }

  /// A state of the front, or behind stutters of it, in which no free choice is left.
  std::optional<std::size_t> stuck() {
    close_under_stutters();
    for (const std::size_t n : front_) {
      if (!checker::any_free_action(system_, nodes_[n].state)) return n;
    }
    return std::nullopt;
  }

 private:
  std::optional<std::size_t> step(std::size_t from, std::size_t a, const spec::Model::State& target,
                                  std::unordered_map<std::string, std::size_t>& seen) {
    State next = nodes_[from].state;
    if (system_.effect(a, next).bounds != 0 || next.diverged != 0) return std::nullopt;
    const spec::Model::State mapped = system_.mapped(next);
    if (std::memcmp(&mapped, &target, sizeof target) != 0) return std::nullopt;
    if (!seen.emplace(key_of(next), nodes_.size()).second) return std::nullopt;
    nodes_.push_back({next, from, static_cast<checker::ActionIndex>(a)});
    return nodes_.size() - 1;
  }

  void close_under_stutters() {
    std::unordered_map<std::string, std::size_t> seen;
    for (const std::size_t n : front_) seen.emplace(key_of(nodes_[n].state), n);
    for (std::size_t i = 0; i < front_.size(); ++i) {
      for (std::size_t a = 0; a < system_.action_count(); ++a) {
        const State from = nodes_[front_[i]].state;
        if (system_.claimed(a) != ImplSystem::kStutter || !system_.guard(a, from)) continue;
        const auto node = step(front_[i], a, system_.mapped(from), seen);
        if (node) front_.push_back(*node);
      }
    }
  }

  const ImplSystem& system_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> front_;
};

/// Repeats the loop until a state at its beginning comes back; the number of choices before it.
bool close_loop(Steering& steering, const std::vector<spec::Model::State>& states,
                const checker::Recording& recording, Replayed& replayed) {
  constexpr int kRounds = 16;
  std::unordered_map<std::string, std::size_t> starts;
  for (int round = 0; round < kRounds; ++round) {
    for (const std::size_t n : steering.front()) {
      const auto [it, fresh] = starts.emplace(key_of(steering.state(n)), n);
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
  Steering steering(system);
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
