// Proposes lemmas from states: a state that should be excluded is turned into the clauses of the
// grammar that it breaks and no observed state does, the shortest first.
//
// What a language (grammar.h) can say of a state is a row: the values of its terms for one
// partition and elements. Rows of the states observed are kept once each, and for every literal the
// set of rows in which it is true, as bits: a clause is true of all observed states exactly if the
// sets of its literals have no row in common. So nothing is enumerated but the literals of one row,
// and a candidate costs a few machine words.
//
// Of candidates of the same length those come first that exclude most of the spoiled states:
// observed ones in which one cell was changed by chance, and counterexamples to induction.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "checker/symbolic/grammar.h"

namespace fencepost::checker {

/// Values of the cells of a state.
using CellValues = std::vector<unsigned>;

class Proposer {
 public:
  /// Requires: `grammar` outlives this. `stop` may be null; when true, `propose` ends early.
  explicit Proposer(const Grammar& grammar, const std::atomic<bool>* stop = nullptr);

  /// No candidate excludes this state from now on.
  void observe(const CellValues& state);
  /// States better excluded, by which candidates are ranked. Some come from what was observed.
  void spoil(const CellValues& state);
  /// Spoils some of the observed states. Call once, when most are observed.
  void spoil_observed(const std::vector<unsigned>& maxima);

  /// The best candidate of the least length that the state breaks; none if the grammar has none.
  /// Only what the state says in these cells counts. Requires: one entry a cell.
  [[nodiscard]] std::optional<Candidate> propose(const CellValues& state,
                                                 const std::vector<bool>& cells) const;

  /// The candidate holds in the state, in all partitions.
  [[nodiscard]] bool holds(const Candidate& candidate, const CellValues& state) const;

  /// Different states, as one partition and the producer see them.
  [[nodiscard]] std::size_t observed() const { return views_.size(); }

 private:
  using Row = std::vector<std::uint8_t>;
  using Bits = std::vector<std::uint64_t>;

  /// Lets a set of strings be asked without making one.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  using Known = std::unordered_set<std::string, Hash, std::equal_to<>>;

  /// Rows of one language, as sets of rows by literal.
  struct Rows {
    Known known;
    std::vector<Bits> of;
    std::size_t count = 0;
  };
  struct Choice {
    std::uint64_t spoiled = 0;
    Candidate candidate;
  };
  class Cubes;

  void add(std::vector<Rows>& rows, const CellValues& state, int partition) const;
  void add(Rows& rows, const Language& language, const Row& row) const;
  [[nodiscard]] std::string view(const CellValues& state, int partition) const;
  [[nodiscard]] std::vector<bool> known_terms(const Language& language, int partition,
                                              const Binding& binding, const CellValues& state,
                                              const std::vector<bool>& cells) const;

  const Grammar& grammar_;
  const std::atomic<bool>* stop_;
  std::vector<std::vector<std::size_t>> cells_of_;  ///< by partition: those a view consists of
  Known views_;
  std::vector<CellValues> samples_;  ///< some of the observed states
  std::vector<Rows> good_;           ///< by language
  std::vector<Rows> bad_;
};

}  // namespace fencepost::checker
