// Drives an implementation along a run of the spec, by choosing for it. A step of the spec can be
// several of the implementation: stutters prepare it. So all implementation states that map to the
// spec's present state are kept, closed under stutters; those from which the wanted step leads to
// the wanted state make up the next set. Breadth-first, so the run found is a shortest one.
#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "checker/core/fair.h"
#include "checker/core/path.h"

namespace fencepost::refinement {

/// `System`: ImplSystem, or the transactional one. Requires: it outlives the steering.
template <class System>
class Steering {
 public:
  using State = typename System::State;
  using SpecState = decltype(std::declval<const System&>().model().initial());

  explicit Steering(const System& system) : system_(system) {
    nodes_.push_back({system.initial(), 0, 0});
    front_ = {0};
  }

  /// Takes one step of the spec; false if no state reached so far can.
  bool follow(checker::ActionIndex action, const SpecState& target) {
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

  /// The states reached so far.
  [[nodiscard]] const std::vector<std::size_t>& front() const { return front_; }
  [[nodiscard]] const State& state(std::size_t node) const { return nodes_[node].state; }
  [[nodiscard]] static std::string key_of(const State& s) {
    return {reinterpret_cast<const char*>(&s), sizeof s};
  }

  /// The choices that lead to a node.
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
  /// A state reached, and how.
  struct Node {
    State state;
    std::size_t parent = 0;
    checker::ActionIndex choice = 0;
  };

  std::optional<std::size_t> step(std::size_t from, std::size_t a, const SpecState& target,
                                  std::unordered_map<std::string, std::size_t>& seen) {
    State next = nodes_[from].state;
    if (system_.effect(a, next).bounds != 0 || next.diverged != 0) return std::nullopt;
    const SpecState mapped = system_.mapped(next);
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
        if (!system_.guard(a, from) || system_.claim(a, from) != System::kStutter) continue;
        const auto node = step(front_[i], a, system_.mapped(from), seen);
        if (node) front_.push_back(*node);
      }
    }
  }

  const System& system_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> front_;
};

}  // namespace fencepost::refinement
