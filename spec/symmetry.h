// Symmetry: permutations of interchangeable things (partitions), and what a transition system
// offers to an engine that wants to visit only one of all states that differ in nothing but the
// things' numbers.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <vector>

#include "spec/transition_system.h"

namespace fencepost::spec {

/// All permutations of the numbers below `things`, by number; number 0 is the identity.
class Permutations {
 public:
  static constexpr int kMaxThings = 3;
  static constexpr int kMaxCount = 6;
  using Image = std::array<int, kMaxThings>;

  /// Requires: 1 <= `things` <= kMaxThings.
  explicit Permutations(int things = 1);

  [[nodiscard]] int count() const { return static_cast<int>(images_.size()); }
  [[nodiscard]] int things() const { return things_; }
  /// Where the thing goes. What is not below `things` stays where it is.
  [[nodiscard]] int of(int permutation, int thing) const {
    if (thing < 0 || thing >= things_) return thing;
    return images_[static_cast<std::size_t>(permutation)][static_cast<std::size_t>(thing)];
  }
  /// `first`, and then `after`.
  [[nodiscard]] int compose(int after, int first) const {
    return composed_[static_cast<std::size_t>(after)][static_cast<std::size_t>(first)];
  }
  [[nodiscard]] int inverse(int permutation) const {
    return inverse_[static_cast<std::size_t>(permutation)];
  }
  /// The permutation with this image; entries from `things` on are ignored.
  [[nodiscard]] int number_of(const Image& image) const;

 private:
  int things_;
  std::vector<Image> images_;
  std::array<std::array<int, kMaxCount>, kMaxCount> composed_{};
  std::array<int, kMaxCount> inverse_{};
};

/// A transition system whose permutations are automorphisms: for every permutation g, action a and
/// state s
/// - `guard(g a, g s)` is `guard(a, s)`, and `effect(g a, g s)` is g of `effect(a, s)`, with the
///   same notes and bounds; the initial state, `violations` and `ended` do not change under g;
/// - `permuted(g, a)` maps fairness classes to fairness classes.
///
/// `canonical(s)` replaces `s` by its representative, the same for all states that differ by a
/// permutation, and returns a permutation that leads from the old `s` to it.
template <class S>
concept SymmetricSystem = TransitionSystem<S> &&
    requires(const S& sys, typename S::State& s, int permutation, std::size_t a) {
  { sys.permutations() } -> std::same_as<const Permutations&>;
  { sys.canonical(s) } -> std::same_as<int>;
  { sys.permute(permutation, s) } -> std::same_as<void>;
  { sys.permuted(permutation, a) } -> std::same_as<std::size_t>;
};

}  // namespace fencepost::spec
