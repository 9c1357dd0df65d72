#include "checker/symbolic/grammar.h"

#include <algorithm>
#include <utility>

#include "spec/base.h"

namespace fencepost::checker {
namespace {

using Relation = Scope::Relation;

constexpr Scope kScopes[] = {
    {},
    {Over::kMessage},
    {Over::kMessage, Over::kMessage, Relation::kOrdered},
    {Over::kRequest},
    {Over::kRequest, Over::kRequest, Relation::kAdjacent},
    {Over::kEntry},
    {Over::kEntry, Over::kEntry, Relation::kAdjacent},
    {Over::kMessage, Over::kRequest},
    {Over::kMessage, Over::kEntry},
    {Over::kRequest, Over::kEntry},
    {Over::kRequest, Over::kNothing, Relation::kFree, true},
    {Over::kEntry, Over::kNothing, Relation::kFree, true},
};

std::vector<Binding> bindings_of(const Vocabulary& v, const Scope& scope) {
  std::vector<Binding> list;
  const int firsts = scope.first == Over::kNothing ? 1 : v.of(scope.first).count;
  const int seconds = scope.second == Over::kNothing ? 1 : v.of(scope.second).count;
  for (int a = 0; a < firsts; ++a) {
    for (int b = 0; b < seconds; ++b) {
      if (scope.relation == Relation::kAdjacent && b != a + 1) continue;
      if (scope.relation == Relation::kOrdered && b <= a) continue;
      list.push_back({{a, b}});
    }
  }
  return list;
}

/// The terms of a scope, then what can be said of them.
class Builder {
 public:
  Builder(const Vocabulary& vocabulary, const Scope& scope) : v_(vocabulary) {
    l_.scope = scope;
    l_.bindings = bindings_of(v_, scope);
    if (scope.first != Over::kNothing) l_.variables |= 1U;
    if (scope.second != Over::kNothing) l_.variables |= 2U;
  }

  Language build() {
    if (l_.scope.unused) {
      fields(l_.scope.first, 0);
      for (int t = 0; t < count(); ++t) say(Atom::Kind::kEqual, t, 0);
      return std::move(l_);
    }
    scalars();
    for (int place = 0; place < 2; ++place) {
      const Over over = place == 0 ? l_.scope.first : l_.scope.second;
      if (over != Over::kNothing) about(over, place);
    }
    standings();
    for (int t = 0; t < count(); ++t) constants(t);
    for (int x = 0; x < count(); ++x) {
      for (int y = 0; y < count(); ++y) pairs(x, y);
    }
    return std::move(l_);
  }

 private:
  [[nodiscard]] int count() const { return static_cast<int>(l_.terms.size()); }
  [[nodiscard]] const Term& term(int t) const { return l_.terms[static_cast<std::size_t>(t)]; }
  [[nodiscard]] const Field& field(int f) const { return v_.fields[static_cast<std::size_t>(f)]; }
  [[nodiscard]] bool constant_field(int f) const { return f >= 0 && field(f).max == 0; }

  void add(Term::Kind kind, int a, int b, int place, Sort sort) {
    l_.terms.push_back({kind, a, b, place, sort});
  }
  void fields(Over over, int place) {
    for (int f = 0; f < static_cast<int>(v_.fields.size()); ++f) {
      if (field(f).over != over || constant_field(f)) continue;
      add(Term::Kind::kField, f, 0, place, field(f).sort);
    }
  }
  [[nodiscard]] Over over_of(int operand) const {
    return operand == Sum::kMessageItself ? Over::kMessage : field(operand).over;
  }
  void sums(Over over, int place) {
    for (int s = 0; s < static_cast<int>(v_.sums.size()); ++s) {
      const Sum& sum = v_.sums[static_cast<std::size_t>(s)];
      if (constant_field(sum.a) || constant_field(sum.b)) continue;
      const Over a = over_of(sum.a);
      const Over b = over_of(sum.b);
      if ((a == Over::kNothing ? b : a) != over) continue;
      add(Term::Kind::kSum, s, 0, place, Sort::kNumber);
    }
  }
  void scalars() {
    fields(Over::kNothing, Term::kScalar);
    sums(Over::kNothing, Term::kScalar);
    if (l_.scope.first != Over::kNothing) return;
    fields(Over::kMessage, Term::kFirst);
    fields(Over::kEntry, Term::kFirst);
  }
  void about(Over over, int place) {
    if (over == Over::kMessage || over == Over::kEntry) {
      add(Term::Kind::kElement, 0, 0, place, Sort::kNumber);
    }
    fields(over, place);
    sums(over, place);
    for (int names = 0; names < static_cast<int>(v_.fields.size()); ++names) {
      if (field(names).over != over || !field(names).names_message) continue;
      for (int f = 0; f < static_cast<int>(v_.fields.size()); ++f) {
        if (field(f).over != Over::kMessage || constant_field(f)) continue;
        add(Term::Kind::kLookup, f, names, place, field(f).sort);
      }
    }
  }
  /// Whether the term is a message.
  [[nodiscard]] bool is_message(const Term& t) const {
    switch (t.kind) {
      case Term::Kind::kField:
        return field(t.a).names_message;
      case Term::Kind::kElement:
        return (t.place == 0 ? l_.scope.first : l_.scope.second) == Over::kMessage;
      case Term::Kind::kSum:
        return v_.sums[static_cast<std::size_t>(t.a)].names_message;
      default:
        return false;
    }
  }
  // Of scalars it is said in the scope of nothing, of one element in the scope of that element.
  void standings() {
    const int terms = count();
    for (int t = 0; t < terms; ++t) {
      const bool scalar = term(t).place < 0;
      if (!is_message(term(t)) || (scalar && l_.scope.first != Over::kNothing)) continue;
      for (int s = 0; s < static_cast<int>(v_.standings.size()); ++s) {
        for (int before = 0; before < 2; ++before) {
          add(Term::Kind::kStands, s, t, before, Sort::kChoice);
        }
      }
    }
  }

  [[nodiscard]] unsigned variables(int t) const {
    const Term& x = term(t).kind == Term::Kind::kStands ? term(term(t).b) : term(t);
    return x.place < 0 ? 0U : 1U << static_cast<unsigned>(x.place);
  }
  [[nodiscard]] bool plain(int t) const { return term(t).kind != Term::Kind::kSum; }

  void say(Atom::Kind kind, int x, int y, int c = 0, bool opposite = true) {
    const bool terms = kind == Atom::Kind::kAtMostTerm || kind == Atom::Kind::kEqualTerm;
    const int atom = static_cast<int>(l_.atoms.size());
    l_.atoms.push_back({kind, x, y, c});
    // x + 1 <= y is the opposite of y <= x, and as plain.
    const bool order = kind == Atom::Kind::kAtMostTerm && c == 1;
    const bool is_plain = plain(x) && (!terms || (plain(y) && (c == 0 || order)));
    const unsigned about = variables(x) | (terms ? variables(y) : 0U);
    l_.literals.push_back({atom, true, is_plain, about});
    if (opposite) l_.literals.push_back({atom, false, is_plain, about});
  }

  void constants(int t) {
    const Term& x = term(t);
    if (x.kind == Term::Kind::kStands) return say(Atom::Kind::kEqual, t, 1);
    if (x.kind == Term::Kind::kElement) return;
    if (x.sort == Sort::kNumber || x.sort == Sort::kEpoch) {
      say(Atom::Kind::kEqual, t, 0);
      if (x.sort == Sort::kNumber) say(Atom::Kind::kAtMost, t, 1);
      return;
    }
    const Field& f = field(x.a);
    const auto choices = static_cast<int>(f.choices.size());
    if (choices == 2) return say(Atom::Kind::kEqual, t, 1);
    for (int k = 0; k < choices; ++k) {
      say(Atom::Kind::kEqual, t, k);
      if (f.sort == Sort::kChoice && k > 0 && k + 2 < choices) say(Atom::Kind::kAtMost, t, k);
    }
  }

  /// Orders and equalities of two terms. Choices of the same field are compared, too.
  void pairs(int x, int y) {
    if (x == y || term(x).sort != term(y).sort) return;
    const Sort sort = term(x).sort;
    if (sort == Sort::kChoice && (term(x).kind == Term::Kind::kStands ||
                                  term(y).kind == Term::Kind::kStands || term(x).a != term(y).a)) {
      return;
    }
    if (x < y) say(Atom::Kind::kEqualTerm, x, y);
    if (sort == Sort::kBroker || sort == Sort::kChoice) return;
    say(Atom::Kind::kAtMostTerm, x, y, 0, false);
    say(Atom::Kind::kAtMostTerm, x, y, 1, false);
    const bool scalars = (variables(x) | variables(y)) == 0;
    if (scalars && l_.scope.first != Over::kNothing) return;
    say(Atom::Kind::kEqualTerm, x, y, 1);
    if (sort == Sort::kNumber) say(Atom::Kind::kAtMostTerm, x, y, 2);
  }

  const Vocabulary& v_;
  Language l_;
};

}  // namespace

Grammar::Grammar(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {
  for (const Scope& scope : kScopes) add(scope);
}

void Grammar::add(const Scope& scope) {
  for (const Over over : {scope.first, scope.second}) {
    if (over != Over::kNothing && vocabulary_.of(over).count == 0) return;
  }
  Language language = Builder(vocabulary_, scope).build();
  if (!language.bindings.empty()) languages_.push_back(std::move(language));
}

double Grammar::size(int literals) const {
  FP_ASSERT(literals >= 1 && literals <= 3);
  double all = 0;
  for (const Language& language : languages_) {
    const auto n = static_cast<double>(language.literals.size());
    const auto plain =
        static_cast<double>(std::count_if(language.literals.begin(), language.literals.end(),
                                          [](const Literal& l) { return l.plain; }));
    const double pairs = plain * (plain - 1) / 2;
    if (literals == 1) all += n;
    if (literals == 2) all += n * (n - 1) / 2;
    // Three plain ones, or two and another.
    if (literals == 3) all += pairs * (plain - 2) / 3 + pairs * (n - plain);
  }
  return all;
}

}  // namespace fencepost::checker
