// The search for lemmas finds by itself enough to prove variant B of the small model, and never
// enough to prove variant A.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>

#include "checker/explicit/each_state.h"
#include "checker/symbolic/lemma_search.h"
#include "tests/small_model/small_rows.h"
#include "tests/small_model/small_vocabulary.h"

namespace fencepost::small_model {
namespace {

using checker::Candidate;
using checker::LemmaSearchOptions;
using checker::LemmaSearchResult;

/// One search, from no lemmas: no-duplicate, and that the client never gives up.
struct Case {
  explicit Case(Variant variant, int states = -1)
      : parameters{2, 2, 2, 1, 1, variant},
        formulas(parameters),
        grammar(vocabulary(parameters)),
        proposer(grammar) {
    int left = states;
    checker::each_state(SmallSystem(parameters), explore(),
                        [&](const SmallSystem::State& s, std::size_t) {
                          if (left == 0) return;
                          proposer.observe(cells_of(s, parameters));
                          if (left > 0) --left;
                        });
    std::vector<unsigned> maxima;
    for (const checker::CellInfo& cell : formulas.cells()) maxima.push_back(cell.max);
    proposer.spoil_observed(maxima);
  }
  static checker::SearchOptions explore() {
    checker::SearchOptions how = options();
    how.stop_when_decided = false;
    return how;
  }
  LemmaSearchResult search(const LemmaSearchOptions& how = {}) {
    return checker::search_lemmas(formulas, grammar, proposer, {{0, 1}, {2}}, how);
  }
  [[nodiscard]] std::vector<std::string> texts(const std::vector<Candidate>& candidates) const {
    std::vector<std::string> list;
    for (const Candidate& c : candidates) list.push_back(grammar.formula(c));
    return list;
  }
  [[nodiscard]] checker::InductionResult prove(const std::vector<Candidate>& lemmas,
                                               bool fresh = false) const {
    const checker::WithCandidates system(formulas, grammar, lemmas);
    std::vector<std::size_t> facts(system.facts().size());
    for (std::size_t f = 0; f < facts.size(); ++f) facts[f] = f;
    checker::InductionOptions how;
    how.fresh = fresh;
    return checker::prove(system, facts, how);
  }

  Parameters parameters;
  SmallFormulas formulas;
  checker::Grammar grammar;
  checker::Proposer proposer;
};

/// The small model with candidates as what a state can violate.
class WithFound : public SmallSystem {
 public:
  WithFound(const Case& c, const std::vector<Candidate>& found)
      : SmallSystem(c.parameters), case_(c), found_(found) {}
  [[nodiscard]] std::uint32_t violations(const State& state) const {
    for (const Candidate& candidate : found_) {
      if (!case_.proposer.holds(candidate, cells_of(state, case_.parameters))) return 1;
    }
    return 0;
  }

 private:
  const Case& case_;
  const std::vector<Candidate>& found_;
};

TEST(LemmaSearch, ProvesVariantBFromNothing) {
  Case b(Variant::kRetry);
  const LemmaSearchResult found = b.search();
  EXPECT_EQ(found.unknown, "");
  EXPECT_EQ(found.closed, (std::vector<bool>{true, true}));
  EXPECT_TRUE(found.bounded);
  EXPECT_TRUE(found.minimal);
  EXPECT_GT(found.lemmas.size(), 5U);
  EXPECT_TRUE(b.prove(found.lemmas).proved);
  EXPECT_TRUE(b.prove(found.lemmas, true).proved) << "in fresh solvers";
  for (std::size_t k = 0; k < found.lemmas.size(); ++k) {
    std::vector<Candidate> fewer = found.lemmas;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
    const checker::InductionResult proof = b.prove(fewer);
    EXPECT_FALSE(proof.proved) << b.grammar.formula(found.lemmas[k]);
    EXPECT_EQ(proof.unknown, "");
  }
  checker::SearchOptions how = options();
  how.properties = 1;
  const auto held = checker::search(WithFound(b, found.lemmas), how);
  EXPECT_EQ(held.end, checker::SearchEnd::kExhausted);
  EXPECT_EQ(held.stats.distinct, 18'090U);
  EXPECT_TRUE(held.violations.empty()) << "a lemma is false of a reachable state";
}

// Its counterexamples are reachable, so that no clause that is true of all reachable states
// excludes them.
TEST(LemmaSearch, NeverProvesVariantA) {
  Case a(Variant::kBump);
  const LemmaSearchResult found = a.search();
  ASSERT_FALSE(found.closed[0]) << "no-duplicate is false of variant A";
  EXPECT_FALSE(found.closed[1]);
  ASSERT_TRUE(found.failures[0].has_value());
  EXPECT_FALSE(found.failures[0]->broken.empty());
  EXPECT_GT(found.progress.given_up, 0U);
}

// Held against the first states only, candidates are proposed that are false; the solver finds out.
TEST(LemmaSearch, GivesUpWhatIsFalse) {
  Case few(Variant::kRetry, 100);
  std::atomic<bool> stop = false;
  LemmaSearchOptions how;
  how.limits.stop = &stop;
  how.on_progress = [&](const checker::LemmaSearchProgress& p) { stop = p.given_up > 0; };
  const std::size_t before = few.proposer.observed();
  const LemmaSearchResult found = few.search(how);
  EXPECT_GT(found.progress.given_up, 0U);
  EXPECT_GT(few.proposer.observed(), before) << "what could not be excluded counts as reachable";
}

TEST(LemmaSearch, IsTheSameEveryTime) {
  std::vector<std::vector<std::string>> runs;
  for (int n = 0; n < 2; ++n) {
    Case b(Variant::kRetry);
    std::atomic<bool> stop = false;
    LemmaSearchOptions how;
    how.limits.stop = &stop;
    how.on_progress = [&](const checker::LemmaSearchProgress& p) { stop = p.excluded == 12; };
    const LemmaSearchResult found = b.search(how);
    EXPECT_EQ(found.progress.excluded, 12U);
    runs.push_back(b.texts(found.lemmas));
  }
  EXPECT_EQ(runs[0], runs[1]);
}

TEST(LemmaSearch, TellsWhatItHasWhenInterrupted) {
  Case b(Variant::kRetry);
  std::atomic<bool> stop = false;
  LemmaSearchOptions how;
  how.limits.stop = &stop;
  how.on_progress = [&](const checker::LemmaSearchProgress& p) { stop = p.excluded >= 8; };
  const LemmaSearchResult found = b.search(how);
  EXPECT_EQ(found.unknown, "interrupted");
  EXPECT_EQ(found.closed, (std::vector<bool>{false, false}));
  EXPECT_FALSE(found.minimal);
  EXPECT_FALSE(found.lemmas.empty());
  EXPECT_LE(found.lemmas.size(), 8U);
}

TEST(LemmaSearch, EndsWhenTheTimeIsOver) {
  Case b(Variant::kRetry);
  LemmaSearchOptions how;
  how.seconds = 0.2;
  const LemmaSearchResult found = b.search(how);
  EXPECT_EQ(found.unknown, "the time is over");
  EXPECT_EQ(found.closed, (std::vector<bool>{false, false}));
  EXPECT_LT(found.seconds, 20);
}

TEST(Proposer, ProposesOnlyWhatIsTrueOfAllObservedStates) {
  const Parameters p{2, 2, 2, 1, 1, Variant::kRetry};
  const checker::Grammar grammar(vocabulary(p));
  const SmallFormulas formulas(p);
  checker::Proposer proposer(grammar);
  const checker::CellValues initial = formulas.initial();
  checker::CellValues drained = initial;
  drained[formulas.cells().size() - 3] = 1;
  ASSERT_EQ(formulas.cells()[formulas.cells().size() - 3].name, "drain");
  proposer.observe(initial);
  const std::vector<bool> all(initial.size(), true);
  const std::optional<Candidate> found = proposer.propose(drained, all);
  ASSERT_TRUE(found);
  EXPECT_FALSE(proposer.holds(*found, drained));
  EXPECT_TRUE(proposer.holds(*found, initial));
  EXPECT_EQ(grammar.formula(*found), "drain != yes");
  EXPECT_EQ(grammar.sentence(*found), "it is false that the client drains");
  EXPECT_FALSE(proposer.propose(drained, std::vector<bool>(initial.size(), false)))
      << "of a state of which nothing may be read nothing can be said";
  proposer.observe(drained);
  EXPECT_FALSE(proposer.propose(drained, all)) << "it is reachable now";
  EXPECT_FALSE(proposer.propose(initial, all));
}

}  // namespace
}  // namespace fencepost::small_model
