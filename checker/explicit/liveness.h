// Progress: does every weakly fair run end? Searched on the completed graph of a breadth-first
// search.
//
// Idea: a run that never ends stays, from some point on, in one strongly connected component of the
// states that are not `ended()`. A component with an edge holds a weakly fair run iff for every
// fairness class some state of it has no action of the class enabled, or some edge inside it is of
// the class: a loop through all states and edges of the component then meets every obligation, and
// the condition only becomes easier for larger components, so the maximal ones suffice. Unfair
// actions make edges like others, they only oblige nobody.
//
// A class counts as enabled where a guard holds, also if a bound disables the step. So a loop that
// exists only because of a bound is not reported; bound hits already forbid to say "holds".
//
// With symmetry the graph is that of representatives. A component of it is fair iff the components
// of real states behind it are (quotient.h): what one of its states and edges meets, turned into
// the frame of the component's root, and all that the component's group makes of it. The loop is
// then searched among real states, each a representative and a frame.
//
// The loop reported starts at the shallowest state of all unfair components. It walks, each time by
// a shortest way, to the nearest state or edge that meets an open obligation, then back. It is the
// same on every run: ties are broken by packed states and action numbers, never by state indices.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "checker/core/fair.h"
#include "checker/core/search.h"
#include "checker/explicit/explored.h"
#include "checker/explicit/liveness_graph.h"
#include "checker/explicit/quotient.h"
#include "checker/explicit/reduction.h"
#include "spec/base.h"

namespace fencepost::checker {

/// A fair loop, from a stored state back to it; with symmetry the representative itself.
struct FairLoop {
  StateIndex entry = kNoState;
  std::uint32_t depth = 0;  ///< of the entry
  ActionPath actions;
};

template <TransitionSystem S>
class Liveness {
 public:
  /// Requires: the search that filled `explored`, with the same options, was exhausted; all
  /// arguments outlive this. `stopped` is asked from time to time; when it answers true, the
  /// function at work throws LivenessStopped.
  Liveness(const S& system, const SearchOptions& options, const Explored& explored,
           std::function<bool()> stopped)
      : system_(system),
        options_(options),
        explored_(explored),
        stopped_(std::move(stopped)),
        classes_(static_cast<std::size_t>(system.fairness_classes())),
        reduction_(system, options),
        permuted_classes_(reduction_.permuted_classes()) {}

  /// Builds the graph of at most `edges` edges and its components.
  void build(std::uint64_t edges);

  /// A fair loop, if there is one. Requires: `build` has returned. Call once.
  std::optional<FairLoop> find();

 private:
  using State = typename S::State;
  using Classes = std::vector<bool>;
  static constexpr std::size_t kBatch = 256;

  // A real state: the frame's permutation of a stored one. Without symmetry the frame is 0.
  struct Place {
    StateIndex index;
    int frame = 0;
  };
  // A step that is taken in the graph, in the order of the graph's successors.
  struct Step {
    ActionIndex action;
    int fairness;
    Place target;
  };
  struct View {
    std::vector<Step> steps;
    Classes enabled;
  };
  struct Successor {
    std::uint64_t hash;
    std::vector<std::uint64_t> packed;
  };

  [[nodiscard]] State state_at(StateIndex index) const {
    State state;
    explored_.packing.unpack(explored_.store.state(index),
                             reinterpret_cast<unsigned char*>(&state));
    return state;
  }

  // Called once for every state looked at; the clock costs more than a look at a state.
  void poll() const {
    if (++polled_ % kBatch == 0 && stopped_()) throw LivenessStopped();
  }

  // Whether a run goes on from here.
  [[nodiscard]] bool goes_on(const State& state) const {
    if (system_.ended(state)) return false;
    return options_.expand_violating || (system_.violations(state) & options_.properties) == 0;
  }

  template <class F>
  void for_each_step(const State& state, F&& f) const {
    for (std::size_t a = 0; a < system_.action_count(); ++a) {
      if (!system_.guard(a, state)) continue;
      State next = state;
      if (system_.effect(a, next).bounds == 0) f(a, next);
    }
  }

  void add_successor(State& state) {
    Successor& successor = batch_[batched_++];
    const int permutation = reduction_.canonical(state);
    if (reduction_.on()) {
      turns_.push_back(static_cast<std::uint8_t>(reduction_.inverse(permutation)));
    }
    explored_.packing.pack(reinterpret_cast<const unsigned char*>(&state), successor.packed.data());
    successor.hash = hash_packed(successor.packed.data(), successor.packed.size());
    explored_.table.prefetch(successor.hash);
    if (batched_ == kBatch) flush();
  }

  void flush() {
    for (std::size_t i = 0; i < batched_; ++i) {
      const StateIndex candidate = explored_.table.candidate(batch_[i].hash);
      if (candidate != kNoState) explored_.store.prefetch(candidate);
    }
    for (std::size_t i = 0; i < batched_; ++i) {
      const std::uint64_t* packed = batch_[i].packed.data();
      const StateIndex found = explored_.table.find(
          batch_[i].hash, [&](StateIndex at) { return explored_.store.same(at, packed); });
      FP_ASSERT(found != kNoState);
      graph_.targets.push_back(found);
    }
    batched_ = 0;
  }

  [[nodiscard]] std::size_t class_in(int frame, int fairness) const {
    return static_cast<std::size_t>(
        permuted_classes_[static_cast<std::size_t>(frame)][static_cast<std::size_t>(fairness)]);
  }

  // What is seen from the real state.
  [[nodiscard]] View view(Place place) const {
    poll();
    const State state = state_at(place.index);
    View view{{}, Classes(classes_)};
    for (std::size_t a = 0; a < system_.action_count(); ++a) {
      const int fairness = system_.fairness(a);
      if (fairness != kUnfair && system_.guard(a, state)) {
        view.enabled[class_in(place.frame, fairness)] = true;
      }
    }
    std::uint64_t at = graph_.offsets[place.index];
    for_each_step(state, [&](std::size_t a, const State&) {
      const std::size_t action = reduction_.action(place.frame, a);
      const int frame = reduction_.on() ? reduction_.compose(place.frame, turns_[at]) : 0;
      view.steps.push_back({static_cast<ActionIndex>(action),
                            system_.fairness(action),
                            {graph_.targets[at], frame}});
      ++at;
    });
    return view;
  }

  [[nodiscard]] bool inside(StateIndex state) const { return components_.of[state] == component_; }
  [[nodiscard]] PermutationSet fixing(StateIndex index) const {
    const State state = state_at(index);
    PermutationSet set = 1;
    for (int g = 1; g < reduction_.count(); ++g) {
      if (reduction_.fixes(g, state)) set = static_cast<PermutationSet>(set | 1U << g);
    }
    return set;
  }

  // Marks in `met` what being in the state meets.
  void meet_state(const View& view, Classes& met) const {
    for (std::size_t c = 0; c < classes_; ++c) {
      if (!view.enabled[c]) met[c] = true;
    }
  }
  static void meet_step(const Step& step, Classes& met) {
    if (step.fairness != kUnfair) met[static_cast<std::size_t>(step.fairness)] = true;
  }

  [[nodiscard]] Frames frames(const std::vector<bool>& wanted) const;
  void turn(PermutationSet group, Classes& met) const;
  [[nodiscard]] std::vector<bool> violating_components() const;
  [[nodiscard]] FairLoop shallowest(const std::vector<bool>& violating) const;
  [[nodiscard]] bool packed_less(StateIndex a, StateIndex b) const;
  [[nodiscard]] std::vector<Step> way(Place from,
                                      const std::function<bool(const Step&)>& arrived) const;
  [[nodiscard]] ActionPath loop_from(StateIndex entry) const;

  const S& system_;
  const SearchOptions& options_;
  const Explored& explored_;
  const std::function<bool()> stopped_;
  mutable std::size_t polled_ = 0;
  const std::size_t classes_;
  const Reduction<S> reduction_;
  const std::vector<std::vector<int>> permuted_classes_;  // by permutation and class
  StateGraph graph_;
  std::vector<std::uint8_t> turns_;  // with symmetry, by edge (quotient.h)
  Components components_;
  StateIndex component_ = kNoState;  // the one the loop is searched in
  std::vector<Successor> batch_;
  std::size_t batched_ = 0;
};

template <TransitionSystem S>
void Liveness<S>::build(std::uint64_t edges) {
  graph_.targets.reserve(edges);
  if (reduction_.on()) turns_.reserve(edges);
  batch_.assign(kBatch, {0, std::vector<std::uint64_t>(explored_.packing.packed_words())});
  std::vector<StateRange> ranges;
  for (const auto& level : explored_.levels)
    ranges.insert(ranges.end(), level.begin(), level.end());
  std::ranges::sort(ranges, {}, &StateRange::begin);
  graph_.offsets.reserve(std::size_t{explored_.store.taken()} + 1);
  std::uint64_t added = 0;
  for (const StateRange& piece : cut(ranges, kBatch)) {
    if (stopped_()) throw LivenessStopped();
    // Indices that no state took are vertices without edges.
    graph_.offsets.resize(std::size_t{piece.begin} + 1, added);
    for (StateIndex index = piece.begin; index != piece.end; ++index) {
      const State state = state_at(index);
      if (goes_on(state)) {
        for_each_step(state, [&](std::size_t, State& next) {
          add_successor(next);
          ++added;
        });
      }
      graph_.offsets.push_back(added);
    }
  }
  flush();
  components_ = strong_components(graph_, stopped_);
  if (stopped_()) throw LivenessStopped();
}

template <TransitionSystem S>
std::optional<FairLoop> Liveness<S>::find() {
  const std::vector<bool> violating = violating_components();
  if (std::ranges::find(violating, true) == violating.end()) return std::nullopt;
  FairLoop loop = shallowest(violating);
  component_ = components_.of[loop.entry];
  loop.actions = loop_from(loop.entry);
  return loop;
}

// Without symmetry every frame is 0 and every group the identity.
template <TransitionSystem S>
Frames Liveness<S>::frames(const std::vector<bool>& wanted) const {
  if constexpr (Reduction<S>::kPossible) {
    if (reduction_.on()) {
      return frames_of(
          graph_, turns_, components_, wanted, system_.permutations(),
          [this](StateIndex index) { return fixing(index); }, stopped_);
    }
  }
  return {};
}

// Adds what the group makes of the classes.
template <TransitionSystem S>
void Liveness<S>::turn(PermutationSet group, Classes& met) const {
  const Classes before = met;
  for (int g = 1; g < reduction_.count(); ++g) {
    if ((group >> g & 1) == 0) continue;
    for (std::size_t c = 0; c < classes_; ++c) {
      if (before[c]) met[class_in(g, static_cast<int>(c))] = true;
    }
  }
}

template <TransitionSystem S>
std::vector<bool> Liveness<S>::violating_components() const {
  std::vector<bool> violating = cyclic(graph_, components_);
  const Frames frames = this->frames(violating);
  // What the states and inner edges of a component meet; only cyclic components have an entry.
  std::vector<StateIndex> row(components_.count, kNoState);
  std::vector<Classes> met;
  met.reserve(static_cast<std::size_t>(std::ranges::count(violating, true)));
  for (StateIndex c = 0; c < components_.count; ++c) {
    if (!violating[c]) continue;
    row[c] = static_cast<StateIndex>(met.size());
    met.emplace_back(classes_);
  }
  for (StateIndex index = 0; index < graph_.size(); ++index) {
    const StateIndex component = components_.of[index];
    if (row[component] == kNoState) continue;
    const View seen = view({index, reduction_.on() ? frames.of_state[index] : 0});
    meet_state(seen, met[row[component]]);
    for (const Step& step : seen.steps) {
      if (components_.of[step.target.index] == component) meet_step(step, met[row[component]]);
    }
  }
  for (StateIndex c = 0; c < components_.count; ++c) {
    if (row[c] == kNoState) continue;
    Classes& all = met[row[c]];
    if (reduction_.on()) turn(frames.group[c], all);
    violating[c] = std::find(all.begin(), all.end(), false) == all.end();
  }
  return violating;
}

template <TransitionSystem S>
bool Liveness<S>::packed_less(StateIndex a, StateIndex b) const {
  const std::uint32_t* left = explored_.store.state(a);
  const std::uint32_t* right = explored_.store.state(b);
  const std::size_t words = explored_.store.stored_words();
  return std::lexicographical_compare(left, left + words, right, right + words);
}

template <TransitionSystem S>
FairLoop Liveness<S>::shallowest(const std::vector<bool>& violating) const {
  FairLoop loop;
  for (; loop.depth < explored_.levels.size(); ++loop.depth) {
    for (const StateRange& range : explored_.levels[loop.depth]) {
      for (StateIndex index = range.begin; index != range.end; ++index) {
        if (!violating[components_.of[index]]) continue;
        if (loop.entry == kNoState || packed_less(index, loop.entry)) loop.entry = index;
      }
    }
    if (loop.entry != kNoState) return loop;
  }
  FP_ASSERT(false && "every stored state belongs to a level");
  return loop;
}

// A shortest way inside the component whose last step `arrived`; at least one step long.
template <TransitionSystem S>
auto Liveness<S>::way(Place from, const std::function<bool(const Step&)>& arrived) const
    -> std::vector<Step> {
  struct Reached {
    Place place;
    std::size_t before;  // position in the queue
    Step by;
  };
  const auto number = [this](Place place) {
    return std::size_t{place.index} * static_cast<std::size_t>(reduction_.count()) +
           static_cast<std::size_t>(place.frame);
  };
  std::deque<Reached> queue = {{from, 0, {}}};  // in pieces: never moved as a whole
  std::vector<bool> seen(std::size_t{graph_.size()} * static_cast<std::size_t>(reduction_.count()));
  seen[number(from)] = true;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    for (const Step& step : view(queue[at].place).steps) {
      if (!inside(step.target.index)) continue;
      if (arrived(step)) {
        std::vector<Step> steps = {step};
        for (std::size_t i = at; i != 0; i = queue[i].before) steps.push_back(queue[i].by);
        std::ranges::reverse(steps);
        return steps;
      }
      if (seen[number(step.target)]) continue;
      seen[number(step.target)] = true;
      queue.push_back({step.target, at, step});
    }
  }
  FP_ASSERT(false && "a component is strongly connected and meets every obligation");
  return {};
}

template <TransitionSystem S>
ActionPath Liveness<S>::loop_from(StateIndex entry) const {
  ActionPath loop;
  Classes met(classes_);
  Place at{entry};
  // Back at the state where the loop began, under whatever frame.
  const PermutationSet same = fixing(entry);
  const auto closed = [&](Place place) {
    return place.index == entry && (same >> place.frame & 1) != 0;
  };
  const auto walk = [&](const std::function<bool(const Step&)>& arrived) {
    for (const Step& step : way(at, arrived)) {
      loop.push_back(step.action);
      meet_step(step, met);
      at = step.target;
      meet_state(view(at), met);
    }
  };
  meet_state(view(at), met);
  while (std::find(met.begin(), met.end(), false) != met.end()) {
    walk([&](const Step& step) {
      Classes then = met;
      meet_step(step, then);
      meet_state(view(step.target), then);
      return then != met;
    });
  }
  if (!closed(at) || loop.empty()) {
    walk([&](const Step& step) { return closed(step.target); });
  }
  return loop;
}

/// Asserts that the lasso is what it claims to be: a run, closed, never ended, weakly fair.
template <TransitionSystem S>
void verify(const S& system, const Lasso& lasso) {
  ActionPath all = lasso.stem;
  all.insert(all.end(), lasso.loop.begin(), lasso.loop.end());
  FP_ASSERT(!lasso.loop.empty());
  FP_ASSERT(is_fair_loop(system, replay(system, all), all, lasso.stem.size()));
}

}  // namespace fencepost::checker
