#include <fmt/format.h>

#include <utility>

#include "checker/symbolic/lemma_search.h"

namespace fencepost::checker {

WithCandidates::WithCandidates(const FormulaSystem& system, const Grammar& grammar,
                               std::vector<Candidate> candidates)
    : system_(system),
      grammar_(grammar),
      candidates_(std::move(candidates)),
      facts_(system.facts()) {
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    for (int p = 0; p < grammar.vocabulary().partitions; ++p) {
      facts_.push_back({fmt::format("found-{}", k + 1), grammar.sentence(candidates_[k]), p, -1});
    }
  }
}

Symbolic::Bool WithCandidates::holds(std::size_t fact, const Values& state) const {
  const std::size_t own = system_.facts().size();
  if (fact < own) return system_.holds(fact, state);
  const auto partitions = static_cast<std::size_t>(grammar_.vocabulary().partitions);
  const Candidate& candidate = candidates_[(fact - own) / partitions];
  const auto partition = static_cast<int>((fact - own) % partitions);
  return Reading<Symbolic>(grammar_.vocabulary(), state, partition).holds(grammar_, candidate);
}

std::vector<std::size_t> WithCandidates::facts_of(std::size_t candidate) const {
  const auto partitions = static_cast<std::size_t>(grammar_.vocabulary().partitions);
  std::vector<std::size_t> facts;
  for (std::size_t p = 0; p < partitions; ++p) {
    facts.push_back(system_.facts().size() + candidate * partitions + p);
  }
  return facts;
}

}  // namespace fencepost::checker
