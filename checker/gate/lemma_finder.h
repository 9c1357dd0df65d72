// The search for lemmas on the spec: reachable states from the explicit engine, candidates from the
// grammar, induction from Z3 (checker/symbolic/lemma_search.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "checker/gate/task.h"
#include "checker/symbolic/certificate.h"
#include "checker/symbolic/lemma_search.h"

namespace fencepost::gate {

struct FindRequest {
  spec::Behaviour behaviour;
  /// The instance of the proof: any number of faults of its kinds.
  spec::Instance instance;
  /// Candidates are held against the instance's reachable states with so many faults in all; -1:
  /// any number. And, of several partitions, against those of one partition with any number while
  /// the others do nothing, unless the producer renumbers them all (`bump.restamps`: all, or a
  /// restart).
  int budget = -1;
  std::uint32_t properties = 0;  ///< safety, bit = spec::Property
  /// The lemmas of spec/lemmas.h to begin with, by name; they are to be shown, too.
  std::vector<std::string> given;
  std::string certificate;  ///< folder for the proof, or empty
  Limits limits;            ///< `seconds`: of the search for lemmas, without that for states
  std::function<void(const checker::LemmaSearchProgress&)> on_progress;  ///< may be empty
};

/// A property or a given lemma, and what became of it.
struct FindTarget {
  enum class End : std::uint8_t {
    kClosed,  ///< inductive with the other closed ones and the lemmas found
    kFalse,   ///< a reachable state breaks it
    kBeyond,  ///< no clauses of the grammar close its induction
    kUndecided
  };
  std::string name;
  bool property = false;
  End end = End::kUndecided;
  std::uint32_t depth = 0;  ///< kFalse: steps to the first such state
  std::string where;        ///< kFalse: in which search that was, as in "with any number of faults"
  std::string failure;      ///< kBeyond: the step that breaks it, in Kafka's words
};

struct FoundLemma {
  std::string formula;
  std::string sentence;
};

/// An instance larger than that of the search, and whether the same lemmas are enough for it. They
/// are clauses over the same words, but were only held against the states of the smaller one.
struct LargerInstance {
  enum class Answer : std::uint8_t {
    kProved,     ///< twice, the second time in fresh solvers
    kNotEnough,  ///< a step leads from a state in which they hold to one in which one does not
    kUndecided
  };
  std::string instance;
  Answer answer = Answer::kUndecided;
  std::string unknown;  ///< kUndecided: why
};

/// The states that candidates were held against, of one search.
struct Explored {
  std::uint64_t states = 0;
  int log = 0;           ///< entries that a log can hold in them
  bool log_cut = false;  ///< steps that need a longer log were left out
  std::string stopped;   ///< why it ended before it had them all, or empty

  [[nodiscard]] bool all() const { return !log_cut && stopped.empty(); }
};

struct FindResult {
  Explored explored;            ///< of the instance
  Explored explored_of_one;     ///< of one partition; no states: that was not looked at
  std::vector<double> grammar;  ///< how many clauses of one, two, three literals there are
  /// What the grammar has no words for and the instance uses (checker/symbolic/spec_vocabulary.h).
  std::vector<std::string> without_words;
  std::vector<FindTarget> targets;
  std::vector<FoundLemma> lemmas;
  bool minimal = false;                ///< none of the lemmas can be left out
  bool proved_again = false;           ///< all that is closed, in fresh solvers
  checker::Confirmation confirmation;  ///< of the certificate, if one was asked for
  std::vector<LargerInstance> larger;  ///< one more message, request in flight, partition
  checker::LemmaSearchProgress progress;
  std::uint32_t queries = 0;
  double seconds = 0;   ///< of the search for lemmas
  std::string unknown;  ///< why it ended early, or empty
};

FindResult find_lemmas(const FindRequest& request);

}  // namespace fencepost::gate
