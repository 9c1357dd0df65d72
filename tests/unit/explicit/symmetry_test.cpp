// Symmetry: verdicts, depths and loops are those of the whole graph; only counts are smaller.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "checker/core/fair.h"
#include "checker/explicit/explicit_search.h"
#include "checker/explicit/quotient.h"
#include "spec/symmetry.h"

namespace fencepost::checker {
namespace {

using spec::Permutations;

TEST(PermutationsTest, AreAGroup) {
  int factorial = 1;
  for (int things = 1; things <= Permutations::kMaxThings; ++things) {
    const Permutations all(things);
    factorial *= things;
    EXPECT_EQ(all.count(), factorial);
    for (int a = 0; a < all.count(); ++a) {
      EXPECT_EQ(all.compose(a, all.inverse(a)), 0);
      EXPECT_EQ(all.compose(all.inverse(a), a), 0);
      EXPECT_EQ(all.of(a, things), things) << "what is no thing stays";
      for (int b = 0; b < all.count(); ++b) {
        for (int x = 0; x < things; ++x) {
          EXPECT_EQ(all.of(all.compose(a, b), x), all.of(a, all.of(b, x)));
        }
      }
    }
  }
}

TEST(PermutationsTest, GenerateGroups) {
  const Permutations all(3);
  EXPECT_EQ(generated(0, all), 1);
  const int swap = all.number_of({1, 0, 2});
  const int cycle = all.number_of({1, 2, 0});
  EXPECT_EQ(generated(static_cast<PermutationSet>(1U << swap), all), 1U | 1U << swap);
  EXPECT_EQ(__builtin_popcount(generated(static_cast<PermutationSet>(1U << cycle), all)), 3);
  EXPECT_EQ(generated(static_cast<PermutationSet>(1U << cycle | 1U << swap), all), 0x3F);
}

/// Tokens on the nodes of one random graph, and a shared place that their steps read and write.
/// The tokens are interchangeable.
struct TokenSystem {
  using State = std::array<std::uint8_t, 8>;  // the shared place, then the tokens
  struct Move {
    bool enabled = false;
    std::uint8_t shared = 0, node = 0;
  };
  static constexpr int kNodes = 3, kShared = 2, kKinds = 3;

  int tokens = 2;
  std::array<Move, kKinds * kShared * kNodes> moves{};
  std::array<bool, kKinds> fair{};
  int end_node = -1;  ///< all tokens there: ended
  int bad_node = -1;  ///< all tokens there, the shared place 1: property 0
  Permutations group{1};

  explicit TokenSystem(unsigned seed) {
    std::mt19937 random(seed);
    tokens = 2 + static_cast<int>(random() % 2);
    group = Permutations(tokens);
    for (Move& move : moves) {
      move = {random() % 5 < 2, static_cast<std::uint8_t>(random() % kShared),
              static_cast<std::uint8_t>(random() % kNodes)};
    }
    for (bool& is : fair) is = random() % 3 != 0;
    end_node = static_cast<int>(random() % (kNodes + 1)) - 1;
    bad_node = static_cast<int>(random() % (kNodes + 1)) - 1;
  }
  [[nodiscard]] const Move& move(std::size_t a, const State& s) const {
    const std::size_t kind = a / static_cast<std::size_t>(tokens);
    return moves[(kind * kShared + s[0]) * kNodes + s[1 + a % static_cast<std::size_t>(tokens)]];
  }
  [[nodiscard]] bool all_on(const State& s, int node) const {
    return std::all_of(s.begin() + 1, s.begin() + 1 + tokens, [&](int n) { return n == node; });
  }

  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] std::size_t action_count() const {
    return static_cast<std::size_t>(kKinds * tokens);
  }
  [[nodiscard]] bool guard(std::size_t a, const State& s) const { return move(a, s).enabled; }
  [[nodiscard]] StepInfo effect(std::size_t a, State& s) const {
    const Move to = move(a, s);
    s[0] = to.shared;
    s[1 + a % static_cast<std::size_t>(tokens)] = to.node;
    return {};
  }
  [[nodiscard]] std::uint32_t violations(const State& s) const {
    return s[0] == 1 && all_on(s, bad_node) ? 1U : 0U;
  }
  [[nodiscard]] bool ended(const State& s) const { return all_on(s, end_node) && s[0] == 0; }
  [[nodiscard]] int fairness(std::size_t a) const {
    return fair[a / static_cast<std::size_t>(tokens)] ? static_cast<int>(a) : kUnfair;
  }
  [[nodiscard]] int fairness_classes() const { return kKinds * tokens; }
  [[nodiscard]] ByteWidths widths() const { return {8, 8, 8, 8, 0, 0, 0, 0}; }

  [[nodiscard]] const Permutations& permutations() const { return group; }
  void permute(int g, State& s) const {
    const State old = s;
    for (int t = 0; t < tokens; ++t) {
      s[static_cast<std::size_t>(1 + group.of(g, t))] = old[static_cast<std::size_t>(1 + t)];
    }
  }
  int canonical(State& s) const {
    State best = s;
    int by = 0;
    for (int g = 1; g < group.count(); ++g) {
      State moved = s;
      permute(g, moved);
      if (moved < best) {
        best = moved;
        by = g;
      }
    }
    s = best;
    return by;
  }
  [[nodiscard]] std::size_t permuted(int g, std::size_t a) const {
    const auto n = static_cast<std::size_t>(tokens);
    return a / n * n + static_cast<std::size_t>(group.of(g, static_cast<int>(a % n)));
  }
};
static_assert(spec::SymmetricSystem<TokenSystem>);

SearchResult run(const TokenSystem& system, bool symmetry, bool expand, unsigned threads = 1) {
  SearchOptions options;
  options.properties = 1;
  options.progress = true;
  options.symmetry = symmetry;
  options.expand_violating = expand;
  options.threads = threads;
  options.memory_bytes = std::size_t{8} << 20;
  return search(system, options);
}

// Lassos are verified by the search itself, on real states.
TEST(SymmetrySearch, VerdictsAndDepthsAreThoseOfTheWholeGraph) {
  int lassos = 0, deadlocks = 0, violations = 0, smaller = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    const TokenSystem system(seed);
    const bool expand = seed % 2 == 0;
    const SearchResult whole = run(system, false, expand);
    const SearchResult reduced = run(system, true, expand);
    ASSERT_EQ(whole.permutations, 1);
    ASSERT_EQ(reduced.permutations, system.group.count());
    ASSERT_EQ(whole.lasso.has_value(), reduced.lasso.has_value()) << seed;
    ASSERT_EQ(whole.deadlock.has_value(), reduced.deadlock.has_value()) << seed;
    ASSERT_EQ(whole.violations.size(), reduced.violations.size()) << seed;
    ASSERT_EQ(whole.stats.depth, reduced.stats.depth) << seed;
    ASSERT_LE(reduced.stats.distinct, whole.stats.distinct);
    ASSERT_GE(reduced.stats.distinct * static_cast<std::uint64_t>(system.group.count()),
              whole.stats.distinct);
    if (whole.lasso) {
      ++lassos;
      ASSERT_EQ(whole.lasso->stem.size(), reduced.lasso->stem.size()) << seed;
    }
    if (whole.deadlock) {
      ++deadlocks;
      ASSERT_EQ(whole.deadlock->size(), reduced.deadlock->size()) << seed;
    }
    if (!whole.violations.empty()) {
      ++violations;
      ASSERT_EQ(whole.violations[0].depth, reduced.violations[0].depth) << seed;
      const auto states = replay(system, reduced.violations[0].path);
      ASSERT_EQ(system.violations(states.back()), 1U) << seed;
    }
    smaller += reduced.stats.distinct < whole.stats.distinct ? 1 : 0;
  }
  // Every kind of answer was there to be compared.
  EXPECT_GT(lassos, 200);
  EXPECT_GT(deadlocks, 200);
  EXPECT_GT(violations, 200);
  EXPECT_GT(smaller, 1000);
}

/// One token may step at a time, and each step hands the turn to the next token: on the graph of
/// representatives a loop of one step, among real states one of as many as there are tokens.
struct RingSystem {
  using State = std::array<std::uint8_t, 8>;  // by token: whether it has the turn
  Permutations group{3};

  [[nodiscard]] State initial() const { return {1}; }
  [[nodiscard]] std::size_t action_count() const { return 9; }
  [[nodiscard]] bool guard(std::size_t a, const State& s) const { return s[a / 3] == 1; }
  [[nodiscard]] StepInfo effect(std::size_t a, State& s) const {
    s[a / 3] = 0;
    s[a % 3] = 1;
    return {};
  }
  [[nodiscard]] std::uint32_t violations(const State&) const { return 0; }
  [[nodiscard]] bool ended(const State&) const { return false; }
  [[nodiscard]] int fairness(std::size_t a) const { return static_cast<int>(a / 3); }
  [[nodiscard]] int fairness_classes() const { return 3; }
  [[nodiscard]] ByteWidths widths() const { return {1, 1, 1, 0, 0, 0, 0, 0}; }
  [[nodiscard]] const Permutations& permutations() const { return group; }
  void permute(int g, State& s) const {
    const State old = s;
    for (int t = 0; t < 3; ++t) {
      s[static_cast<std::size_t>(group.of(g, t))] = old[static_cast<std::size_t>(t)];
    }
  }
  int canonical(State& s) const {
    for (int g = 0; g < group.count(); ++g) {
      State moved = s;
      permute(g, moved);
      if (moved[2] != 1) continue;
      s = moved;
      return g;
    }
    return 0;
  }
  [[nodiscard]] std::size_t permuted(int g, std::size_t a) const {
    return static_cast<std::size_t>(group.of(g, static_cast<int>(a / 3)) * 3 +
                                    group.of(g, static_cast<int>(a % 3)));
  }
};

TEST(SymmetrySearch, ALoopOfOneRepresentativeIsOneOfRealStates) {
  SearchOptions options;
  options.progress = true;
  options.symmetry = true;
  const RingSystem system;
  const SearchResult result = search(system, options);
  EXPECT_EQ(result.stats.distinct, 1U);
  EXPECT_EQ(result.permutations, 6);
  ASSERT_TRUE(result.lasso.has_value());
  ActionPath all = result.lasso->stem;
  all.insert(all.end(), result.lasso->loop.begin(), result.lasso->loop.end());
  EXPECT_TRUE(is_fair_loop(system, replay(system, all), all, result.lasso->stem.size()));
}

TEST(SymmetrySearch, ComesOutTheSameForAnyNumberOfThreads) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const TokenSystem system(seed);
    const SearchResult one = run(system, true, true, 1);
    const SearchResult three = run(system, true, true, 3);
    EXPECT_EQ(one.stats.distinct, three.stats.distinct);
    EXPECT_EQ(one.stats.transitions, three.stats.transitions);
    EXPECT_EQ(one.lasso.has_value(), three.lasso.has_value());
    if (one.lasso && three.lasso) {
      EXPECT_EQ(one.lasso->loop, three.lasso->loop);
    }
  }
}

}  // namespace
}  // namespace fencepost::checker
