// Symmetry, as the engine uses it: what a system offers (spec::SymmetricSystem) if the options ask
// for it, else the identity alone, which costs nothing.
//
// Stored are representatives, so that states are still compared in full and the counts depend on
// nothing but the model. A path is rebuilt from real states: from a real state some action leads to
// one whose representative is the next of the chain. See README.md for progress.
#pragma once

#include <cstddef>
#include <cstring>
#include <numeric>
#include <vector>

#include "checker/core/search.h"
#include "spec/symmetry.h"

namespace fencepost::checker {

template <TransitionSystem S>
class Reduction {
 public:
  using State = typename S::State;
  static constexpr bool kPossible = spec::SymmetricSystem<S>;

  /// Requires: `system` outlives this.
  Reduction(const S& system, const SearchOptions& options) : system_(system) {
    if constexpr (kPossible) {
      if (options.symmetry) count_ = system.permutations().count();
    }
  }

  [[nodiscard]] bool on() const { return kPossible && count_ > 1; }
  [[nodiscard]] int count() const { return count_; }

  /// Replaces the state by its representative; returns a permutation from the old to the new.
  int canonical(State& state) const {
    if constexpr (kPossible) {
      if (on()) return system_.canonical(state);
    }
    return 0;
  }
  [[nodiscard]] std::size_t action(int permutation, std::size_t a) const {
    if constexpr (kPossible) {
      if (on()) return system_.permuted(permutation, a);
    }
    return a;
  }
  [[nodiscard]] int compose(int after, int first) const {
    if constexpr (kPossible) {
      if (on()) return system_.permutations().compose(after, first);
    }
    return 0;
  }
  [[nodiscard]] int inverse(int permutation) const {
    if constexpr (kPossible) {
      if (on()) return system_.permutations().inverse(permutation);
    }
    return 0;
  }
  /// Whether the permutation leaves the state as it is.
  [[nodiscard]] bool fixes(int permutation, const State& state) const {
    if constexpr (kPossible) {
      if (on()) {
        State moved = state;
        system_.permute(permutation, moved);
        return std::memcmp(&moved, &state, sizeof state) == 0;
      }
    }
    return true;
  }
  /// By permutation and fairness class: where the class goes. One without actions stays.
  [[nodiscard]] std::vector<std::vector<int>> permuted_classes() const {
    const auto classes = static_cast<std::size_t>(system_.fairness_classes());
    std::vector<int> same(classes);
    std::iota(same.begin(), same.end(), 0);
    std::vector<std::vector<int>> all(static_cast<std::size_t>(count_), same);
    for (int g = 0; g < count_; ++g) {
      for (std::size_t a = 0; a < system_.action_count(); ++a) {
        const int c = system_.fairness(a);
        if (c == kUnfair) continue;
        all[static_cast<std::size_t>(g)][static_cast<std::size_t>(c)] =
            system_.fairness(action(g, a));
      }
    }
    return all;
  }

 private:
  const S& system_;
  int count_ = 1;
};

}  // namespace fencepost::checker
