#include <gtest/gtest.h>
#include <fmt/format.h>
#include "checker/explicit/each_state.h"
#include "checker/symbolic/lemma_search.h"
#include "tests/small_model/small_rows.h"
#include "tests/small_model/small_vocabulary.h"

namespace fencepost::small_model {
namespace {
TEST(Search, First) {
  const Parameters p{2, 2, 2, 1, 1, Variant::kRetry};
  const checker::Grammar grammar(vocabulary(p));
  const SmallFormulas formulas(p);
  fmt::print("{} {} {}\n", grammar.size(1), grammar.size(2), grammar.size(3));
  for (const auto& l : grammar.languages()) fmt::print("  {} terms {} literals {} bindings\n", l.terms.size(), l.literals.size(), l.bindings.size());
  checker::Proposer proposer(grammar);
  const auto r = checker::each_state(SmallSystem(p), options(), [&](const SmallSystem::State& s) { proposer.observe(cells_of(s, p)); });
  fmt::print("{} states {} views {}s\n", r.stats.distinct, proposer.observed(), r.stats.seconds);
  std::vector<unsigned> maxima;
  for (const auto& c : formulas.cells()) maxima.push_back(c.max);
  proposer.spoil_observed(maxima);
  checker::LemmaSearchOptions how;
  how.seconds = 120;
  how.on_progress = [](const checker::LemmaSearchProgress& q) { if (getenv("V")) fmt::print("{} lemmas {} open {} excluded {} given up\n", q.lemmas, q.open, q.excluded, q.given_up); };
  const auto found = checker::search_lemmas(formulas, grammar, proposer, {{0, 1}, {2}}, how);
  fmt::print("closed {} {} bounded {} minimal {} unknown '{}' queries {} {}s excluded {} given up {}\n", found.closed[0], found.closed[1], found.bounded, found.minimal, found.unknown, found.queries, found.seconds, found.progress.excluded, found.progress.given_up);
  for (const auto& f : found.failures) {
    if (!f) continue;
    fmt::print("failure: {}\n", formulas.action_text(*f->action));
    for (std::size_t i = 0; i < f->state.size(); ++i) if (f->state[i]) fmt::print("  {} {}\n", formulas.cells()[i].name, f->state[i]);
  }
  for (const auto& c : found.lemmas) fmt::print("  {}\n     {}\n", grammar.formula(c), grammar.sentence(c));
}
}  // namespace
}  // namespace fencepost::small_model
