#include "checker/explicit/quotient.h"

namespace fencepost::checker {
namespace {

constexpr std::uint8_t kNoFrame = 0xFF;
constexpr std::size_t kBetween = 1024;  // the clock costs more than a state

PermutationSet set_of(int permutation) { return static_cast<PermutationSet>(1U << permutation); }

}  // namespace

PermutationSet generated(PermutationSet set, const spec::Permutations& permutations) {
  PermutationSet group = static_cast<PermutationSet>(set | set_of(0));
  for (bool grows = true; grows;) {
    const PermutationSet before = group;
    for (int a = 0; a < permutations.count(); ++a) {
      for (int b = 0; b < permutations.count(); ++b) {
        if ((group & set_of(a)) == 0 || (group & set_of(b)) == 0) continue;
        group = static_cast<PermutationSet>(group | set_of(permutations.compose(a, b)));
      }
    }
    grows = group != before;  // of finitely many, products give the inverses, too
  }
  return group;
}

Frames frames_of(const StateGraph& graph, const std::vector<std::uint8_t>& turns,
                 const Components& components, const std::vector<bool>& wanted,
                 const spec::Permutations& permutations,
                 const std::function<PermutationSet(StateIndex)>& fixing,
                 const std::function<bool()>& stopped) {
  Frames frames{std::vector<std::uint8_t>(graph.size(), kNoFrame),
                std::vector<PermutationSet>(components.count, 0)};
  std::vector<StateIndex> open;
  std::size_t seen = 0;
  const auto add = [&](StateIndex component, int permutation) {
    frames.group[component] =
        static_cast<PermutationSet>(frames.group[component] | set_of(permutation));
  };
  const auto visit = [&](StateIndex state) {
    if (seen++ % kBetween == 0 && stopped()) throw LivenessStopped();
    const StateIndex component = components.of[state];
    const int frame = frames.of_state[state];
    const PermutationSet fixed = fixing(state);
    for (int g = 1; g < permutations.count(); ++g) {
      if ((fixed & set_of(g)) == 0) continue;
      add(component,
          permutations.compose(permutations.compose(frame, g), permutations.inverse(frame)));
    }
    for (std::uint64_t e = graph.offsets[state]; e < graph.offsets[std::size_t{state} + 1]; ++e) {
      const StateIndex target = graph.targets[e];
      if (components.of[target] != component) continue;
      const int there = permutations.compose(frame, turns[e]);
      if (frames.of_state[target] == kNoFrame) {
        frames.of_state[target] = static_cast<std::uint8_t>(there);
        open.push_back(target);
      } else {
        add(component, permutations.compose(there, permutations.inverse(frames.of_state[target])));
      }
    }
  };
  for (StateIndex root = 0; root < graph.size(); ++root) {
    if (!wanted[components.of[root]]) {
      frames.of_state[root] = 0;
      continue;
    }
    if (frames.of_state[root] != kNoFrame) continue;
    frames.of_state[root] = 0;
    open.push_back(root);
    while (!open.empty()) {
      const StateIndex state = open.back();
      open.pop_back();
      visit(state);
    }
  }
  for (StateIndex c = 0; c < components.count; ++c) {
    if (wanted[c]) frames.group[c] = generated(frames.group[c], permutations);
  }
  return frames;
}

}  // namespace fencepost::checker
