// The grammar of lemmas. A candidate is a clause over one partition and the producer, for all
// elements of its scope:
//
//   for all elements in use:  not (literal and ... and literal)          one to three literals
//
// read as an implication, the last literal turned round. In words of grammar:
//
//   scope    nothing | message m | messages m < n | request i | requests i-1, i | entry j |
//            entries j-1, j | message and request | message and entry | request and entry |
//            a request, or an entry, not in use
//   term     field | field[element] | field[0] (where the scope is nothing) | element (of messages
//            and entries) | sum | field[message that an element carries] | standing(term - 0..1)
//   literal  term + c <= term, term + c = term, term = constant, term <= constant, and their
//            opposites; c is 0 to 2 for orders and 0 or 1 for equalities, and 0 where neither term
//            is about an element of the scope; of terms of one sort
//
// Fields, sums and standings are the vocabulary's. `Grammar::size` counts what that comes to.
// A clause is evaluated by the one template below, on numbers and on formulas.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/symbolic/vocabulary.h"

namespace fencepost::checker {

/// Which elements a clause is about. Requests and entries are in use, or not, if `unused`.
struct Scope {
  enum class Relation : std::uint8_t { kFree, kAdjacent, kOrdered };
  Over first = Over::kNothing;
  Over second = Over::kNothing;
  Relation relation = Relation::kFree;
  bool unused = false;
};

/// The elements that the variables of a scope stand for; 0 where there is no variable.
struct Binding {
  int element[2] = {0, 0};
};

struct Term {
  enum class Kind : std::uint8_t { kField, kElement, kSum, kLookup, kStands };
  static constexpr int kScalar = -1;
  static constexpr int kFirst = -2;

  Kind kind = Kind::kField;
  int a = 0;            ///< field, sum or standing
  int b = 0;            ///< kLookup: the field that names the message; kStands: a term of the scope
  int place = kScalar;  ///< variable of the scope, or one of the constants; kStands: the offset
  Sort sort = Sort::kNumber;
};

struct Atom {
  enum class Kind : std::uint8_t { kAtMostTerm, kEqualTerm, kEqual, kAtMost };
  Kind kind = Kind::kEqual;
  int x = 0;
  int y = 0;  ///< a term, or the constant
  int c = 0;  ///< x + c <= y, x + c = y
};

struct Literal {
  int atom = 0;
  bool positive = true;
  /// Plain enough to stand beside two others in a clause: no offset, no sum.
  bool plain = true;
  unsigned variables = 0;  ///< of the scope, that it is about: bit 0 and bit 1
};

/// A scope with everything that can be said in it.
struct Language {
  Scope scope;
  std::vector<Term> terms;
  std::vector<Atom> atoms;
  std::vector<Literal> literals;
  std::vector<Binding> bindings;  ///< all, in use or not
  unsigned variables = 0;         ///< that the scope has; a clause is about all of them
};

/// What no state may satisfy, for any partition and elements of the scope: one to three literals.
struct Candidate {
  int language = 0;           ///< number of the grammar's
  std::vector<int> literals;  ///< ascending

  bool operator==(const Candidate&) const = default;
};

class Grammar {
 public:
  explicit Grammar(Vocabulary vocabulary);

  [[nodiscard]] const Vocabulary& vocabulary() const { return vocabulary_; }
  [[nodiscard]] const std::vector<Language>& languages() const { return languages_; }
  /// How many clauses of so many literals there are, 1 to 3. Of three, two are plain.
  [[nodiscard]] double size(int literals) const;

  /// "stage[i] = OUT_OF_ORDER => log_message[j] + 2 <= message[i]".
  [[nodiscard]] std::string formula(const Candidate& candidate) const;
  /// The same as a sentence.
  [[nodiscard]] std::string sentence(const Candidate& candidate) const;

 private:
  void add(const Scope& scope);
  Vocabulary vocabulary_;
  std::vector<Language> languages_;
};

/// A state, over numbers or formulas, read in the words of one partition.
template <class D>
class Reading {
 public:
  using Num = typename D::Num;
  using Bool = typename D::Bool;

  /// Requires: all outlive this; one value a cell.
  Reading(const Vocabulary& vocabulary, const std::vector<Num>& cells, int partition)
      : v_(vocabulary), cells_(cells), partition_(partition) {}

  [[nodiscard]] Num cell(int field, int element) const {
    const Field& f = v_.fields[static_cast<std::size_t>(field)];
    return f.max == 0 ? Num(0) : cells_[f.cell(partition_, element)];
  }

  [[nodiscard]] Bool used(Over over, int element) const {
    const Elements& e = v_.of(over);
    if (!e.used) return Bool(true);
    const auto field = static_cast<int>(*e.used);
    if (v_.fields[*e.used].over == Over::kNothing) return Num(element) < cell(field, 0);
    return cell(field, element) != Num(0);
  }

  /// The elements bound are such as the scope is about.
  [[nodiscard]] Bool in_scope(const Scope& scope, const Binding& binding) const {
    Bool all(true);
    for (int k = 0; k < 2; ++k) {
      const Over over = k == 0 ? scope.first : scope.second;
      if (over == Over::kNothing || over == Over::kMessage) continue;
      // Of neighbours the later one counts: that the one before is in use, too, may be a lemma.
      if (scope.relation == Scope::Relation::kAdjacent && k == 0) continue;
      const Bool is = used(over, binding.element[k]);
      all = all && (scope.unused ? !is : is);
    }
    return all;
  }

  [[nodiscard]] Num value(const Language& language, const Term& term,
                          const Binding& binding) const {
    switch (term.kind) {
      case Term::Kind::kField:
        return cell(term.a, element(term, binding));
      case Term::Kind::kElement:
        return Num(element(term, binding));
      case Term::Kind::kSum: {
        const Sum& sum = v_.sums[static_cast<std::size_t>(term.a)];
        return operand(sum.a, term, binding) + operand(sum.b, term, binding);
      }
      case Term::Kind::kLookup:
        return at(term.a, cell(term.b, element(term, binding)));
      case Term::Kind::kStands:
        break;
    }
    const Term& of = language.terms[static_cast<std::size_t>(term.b)];
    return D::pick(stands(v_.standings[static_cast<std::size_t>(term.a)],
                          value(language, of, binding), term.place),
                   Num(1), Num(0));
  }

  /// The atom over the values of its two terms; `y` is not read where it is a constant.
  [[nodiscard]] static Bool holds(const Atom& atom, const Num& x, const Num& y) {
    switch (atom.kind) {
      case Atom::Kind::kAtMostTerm:
        return x + Num(atom.c) <= y;
      case Atom::Kind::kEqualTerm:
        return x + Num(atom.c) == y;
      case Atom::Kind::kEqual:
        return x == Num(atom.y);
      case Atom::Kind::kAtMost:
        break;
    }
    return x <= Num(atom.y);
  }

  [[nodiscard]] Bool holds(const Language& language, const Literal& literal,
                           const Binding& binding) const {
    const Atom& atom = language.atoms[static_cast<std::size_t>(literal.atom)];
    const auto term = [&](int t) {
      return value(language, language.terms[static_cast<std::size_t>(t)], binding);
    };
    const bool terms = atom.kind == Atom::Kind::kAtMostTerm || atom.kind == Atom::Kind::kEqualTerm;
    const Bool is = holds(atom, term(atom.x), terms ? term(atom.y) : Num(0));
    return literal.positive ? is : !is;
  }

  /// The candidate is true of the state, in this partition.
  [[nodiscard]] Bool holds(const Grammar& grammar, const Candidate& candidate) const {
    const Language& language = grammar.languages()[static_cast<std::size_t>(candidate.language)];
    Bool all(true);
    for (const Binding& binding : language.bindings) {
      Bool forbidden = in_scope(language.scope, binding);
      for (const int l : candidate.literals) {
        forbidden =
            forbidden && holds(language, language.literals[static_cast<std::size_t>(l)], binding);
      }
      all = all && !forbidden;
    }
    return all;
  }

 private:
  [[nodiscard]] static int element(const Term& term, const Binding& binding) {
    return term.place < 0 ? 0 : binding.element[term.place];
  }
  [[nodiscard]] Num operand(int field, const Term& term, const Binding& binding) const {
    if (field == Sum::kMessageItself) return Num(element(term, binding));
    const bool scalar = v_.fields[static_cast<std::size_t>(field)].over == Over::kNothing;
    return cell(field, scalar ? 0 : element(term, binding));
  }
  [[nodiscard]] Num at(int field, const Num& message) const {
    Num result = cell(field, 0);
    for (int m = 1; m < v_.of(Over::kMessage).count; ++m) {
      result = D::pick(message == Num(m), cell(field, m), result);
    }
    return result;
  }
  /// Some element carries the message that is so many before.
  [[nodiscard]] Bool stands(const Standing& standing, const Num& message, int before) const {
    const auto field = static_cast<int>(standing.field);
    const Over over = v_.fields[standing.field].over;
    Bool any(false);
    for (int k = 0; k < v_.of(over).count; ++k) {
      Bool here = cell(field, k) + Num(before) == message && used(over, k);
      if (standing.end) here = here && Num(k) < cell(static_cast<int>(*standing.end), 0);
      any = any || here;
    }
    return any;
  }

  const Vocabulary& v_;
  const std::vector<Num>& cells_;
  int partition_;
};

}  // namespace fencepost::checker
