// The grammar of lemmas: one template, two domains, the same truth; its size; its words.
#include "checker/symbolic/grammar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "checker/symbolic/formula_system.h"
#include "checker/symbolic/proposer.h"
#include "checker/symbolic/spec_system.h"
#include "checker/symbolic/spec_vocabulary.h"
#include "tests/support/random_states.h"
#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

using checker::Candidate;
using checker::CellValues;
using checker::Grammar;
using checker::Language;
using checker::Over;
using checker::Symbolic;

spec::Instance small() {
  spec::Instance i = instance(2, 2, 2, "disconnect,leader-lost,permanent-error", 1);
  i.faults.unlimited = true;
  i.log = i.total_messages();
  return i;
}

class GrammarTest : public ::testing::Test {
 protected:
  GrammarTest()
      : system_(behaviour("librdkafka-deferred"), small(), {}),
        grammar_(checker::spec_vocabulary(system_.rules())) {}

  Candidate random_candidate(std::mt19937& random) const {
    Candidate candidate;
    candidate.language = static_cast<int>(random() % grammar_.languages().size());
    const Language& l = language(candidate);
    std::set<int> literals;
    for (std::size_t n = 1 + random() % 3; n > 0; --n) {
      literals.insert(static_cast<int>(random() % l.literals.size()));
    }
    candidate.literals.assign(literals.begin(), literals.end());
    return candidate;
  }
  const Language& language(const Candidate& candidate) const {
    return grammar_.languages()[static_cast<std::size_t>(candidate.language)];
  }
  bool holds(const Candidate& candidate, const CellValues& state, int partition) const {
    std::vector<spec::Concrete::Num> numbers;
    for (const unsigned v : state) numbers.emplace_back(static_cast<int>(v));
    return checker::Reading<spec::Concrete>(grammar_.vocabulary(), numbers, partition)
        .holds(grammar_, candidate)
        .value();
  }
  Candidate named(const std::string& formula) const {
    for (std::size_t l = 0; l < grammar_.languages().size(); ++l) {
      const auto n = static_cast<int>(grammar_.languages()[l].literals.size());
      for (int k = 0; k < n; ++k) {
        const Candidate candidate{static_cast<int>(l), {k}};
        if (grammar_.formula(candidate) == formula) return candidate;
      }
    }
    throw std::runtime_error("no such clause: " + formula);
  }

  checker::SpecSystem system_;
  Grammar grammar_;
};

TEST_F(GrammarTest, IsTheSameOverNumbersAndFormulas) {
  z3::context c;
  const checker::Values variables = checker::state_variables(system_, c, "now");
  std::mt19937 random(20240817);
  std::size_t held = 0;
  constexpr int kStates = 40;
  constexpr int kCandidates = 60;
  for (int n = 0; n < kStates; ++n) {
    const CellValues state =
        checker::cell_values(random_state(system_.rules(), random), system_.rules());
    z3::expr_vector from(c);
    z3::expr_vector to(c);
    for (std::size_t i = 0; i < state.size(); ++i) {
      if (variables[i].is_constant()) continue;
      from.push_back(variables[i].expr());
      to.push_back(c.bv_val(state[i], variables[i].expr().get_sort().bv_size()));
    }
    for (int k = 0; k < kCandidates; ++k) {
      const Candidate candidate = random_candidate(random);
      const int partition = static_cast<int>(random() % 2);
      const bool concrete = holds(candidate, state, partition);
      const checker::Reading<Symbolic> reading(grammar_.vocabulary(), variables, partition);
      z3::expr formula = reading.holds(grammar_, candidate).in(c);
      EXPECT_EQ(formula.substitute(from, to).simplify().is_true(), concrete)
          << grammar_.formula(candidate);
      held += concrete ? 1 : 0;
    }
  }
  EXPECT_GT(held, kStates * kCandidates / 4U);
  EXPECT_LT(held, kStates * kCandidates * 3U / 4U);
}

TEST_F(GrammarTest, SaysWhatItMeans) {
  spec::Model::State s = spec::Model(behaviour("librdkafka-deferred"), small()).initial();
  const auto is = [&](const std::string& formula) {
    return holds(named(formula), checker::cell_values(s, system_.rules()), 0);
  };
  EXPECT_TRUE(is("watermark <= log_end"));
  EXPECT_TRUE(is("log[j-1] + 1 = log[j]")) << "a log of one entry has no neighbours";
  EXPECT_TRUE(is("committed(log[0])"));
  EXPECT_TRUE(is("committed(base + next_ack - 1)"));
  EXPECT_TRUE(is("log[j] = 0"));
  s.partition[0].watermark.v = 0;
  EXPECT_FALSE(is("committed(log[0])"));
  s.partition[0].length.v = 3;
  s.partition[0].log[1].message.v = 1;
  s.partition[0].log[2].message.v = 2;
  EXPECT_TRUE(is("log[j-1] + 1 = log[j]"));
  EXPECT_FALSE(is("status[log[j]] = delivered")) << "only the warm one was";
  s.partition[0].log[2].message.v = 1;
  EXPECT_FALSE(is("log[j-1] + 1 = log[j]"));
  s.partition[0].length.v = 2;
  EXPECT_TRUE(is("log[j-1] + 1 = log[j]")) << "what is not in use does not count";
  EXPECT_EQ(grammar_.sentence(named("watermark <= log_end")),
            "the high watermark is at most the log's end");
  EXPECT_EQ(grammar_.sentence(named("log[j-1] + 1 = log[j]")),
            "for every log entry j and the one before: the message of log entry j-1 + 1 is the "
            "message of log entry j");
  EXPECT_EQ(grammar_.sentence(named("!sent(m)")),
            "for every message m: message m is not carried by a request in flight");
}

TEST_F(GrammarTest, SaysDifferentThingsDifferently) {
  for (std::size_t l = 0; l < grammar_.languages().size(); ++l) {
    std::set<std::string> formulas;
    std::set<std::string> sentences;
    const std::size_t n = grammar_.languages()[l].literals.size();
    for (std::size_t k = 0; k < n; ++k) {
      const Candidate candidate{static_cast<int>(l), {static_cast<int>(k)}};
      EXPECT_TRUE(formulas.insert(grammar_.formula(candidate)).second)
          << grammar_.formula(candidate);
      EXPECT_TRUE(sentences.insert(grammar_.sentence(candidate)).second)
          << grammar_.sentence(candidate);
    }
  }
}

// One flag: it is set, it is not; both together say nothing.
TEST(GrammarSize, OfOneFlag) {
  checker::Vocabulary v;
  v.fields.push_back({"flag",
                      "whether it is set{}",
                      Over::kNothing,
                      checker::Sort::kChoice,
                      1,
                      {"no", "yes"},
                      false,
                      {{0}}});
  const Grammar grammar(v);
  EXPECT_EQ(grammar.languages().size(), 1U) << "no arrays: nothing else to speak of";
  EXPECT_EQ(grammar.size(1), 2);
  EXPECT_EQ(grammar.size(2), 1);
  EXPECT_EQ(grammar.size(3), 0);
}

// Two numbers: each is 0 or not, at most 1 or not; x = y or not, and +1 both ways; and six orders
// and two distances with their opposites.
TEST(GrammarSize, OfTwoNumbers) {
  checker::Vocabulary v;
  for (std::size_t k = 0; k < 2; ++k) {
    v.fields.push_back({"n", "n{}", Over::kNothing, checker::Sort::kNumber, 3, {}, false, {{k}}});
  }
  const Grammar grammar(v);
  EXPECT_EQ(grammar.size(1), 8 + 6 + 4 + 4);
  EXPECT_EQ(grammar.size(2), 22 * 21 / 2);
}

}  // namespace
}  // namespace fencepost::testing
