// Candidates as formulas and as sentences.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "checker/symbolic/grammar.h"
#include "spec/base.h"

namespace fencepost::checker {
namespace {

/// Writes one candidate, as a formula or in words.
class Writer {
 public:
  Writer(const Vocabulary& v, const Language& l, bool words) : v_(v), l_(l), words_(words) {}

  [[nodiscard]] std::string text(const Candidate& candidate) const {
    std::vector<std::string> ifs;
    const std::size_t last = head(candidate);
    for (std::size_t k = 0; k < candidate.literals.size(); ++k) {
      if (k != last) ifs.push_back(literal(candidate.literals[k], true));
    }
    const std::string then = literal(candidate.literals[last], false);
    if (!words_) {
      return ifs.empty() ? then : fmt::format("{} => {}", fmt::join(ifs, " & "), then);
    }
    const std::string all = scope();
    if (ifs.empty()) return fmt::format("{}{}", all, then);
    return fmt::format("{}if {}, then {}", all, fmt::join(ifs, " and "), then);
  }

 private:
  /// The literal that is turned round: a comparison reads better as a conclusion than a choice.
  [[nodiscard]] std::size_t head(const Candidate& candidate) const {
    const auto weight = [&](int l) {
      const Literal& literal = l_.literals[static_cast<std::size_t>(l)];
      const Atom& atom = l_.atoms[static_cast<std::size_t>(literal.atom)];
      const bool terms =
          atom.kind == Atom::Kind::kAtMostTerm || atom.kind == Atom::Kind::kEqualTerm;
      return 2 * static_cast<int>(terms) + static_cast<int>(!literal.positive);
    };
    const auto& all = candidate.literals;
    const auto best = std::max_element(all.begin(), all.end(),
                                       [&](int a, int b) { return weight(a) < weight(b); });
    return static_cast<std::size_t>(best - all.begin());
  }

  [[nodiscard]] std::string variable(int place) const {
    const Over over = place == 0 ? l_.scope.first : l_.scope.second;
    const bool two = l_.scope.first == l_.scope.second;
    const bool before = two && place == 0;
    const char* letter = over == Over::kMessage ? "m" : over == Over::kRequest ? "i" : "j";
    if (two && l_.scope.relation == Scope::Relation::kOrdered && place == 1) letter = "n";
    const bool adjacent = before && l_.scope.relation == Scope::Relation::kAdjacent;
    const std::string name = fmt::format("{}{}", letter, adjacent ? "-1" : "");
    if (!words_) return name;
    return fmt::format("{} {}", v_.of(over).says, name);
  }

  [[nodiscard]] std::string scope() const {
    if (l_.scope.first == Over::kNothing) return {};
    std::string text = fmt::format("for every {}", variable(0));
    if (l_.scope.relation == Scope::Relation::kAdjacent) {
      text = fmt::format("for every {} and the one before", variable(1));
    } else if (l_.scope.second != Over::kNothing) {
      text += fmt::format(" and {}", variable(1));
    }
    if (l_.scope.relation == Scope::Relation::kOrdered) text += " behind it";
    if (l_.scope.unused) text += " not in use";
    return text + ": ";
  }

  [[nodiscard]] std::string element(const Field& f, const std::string& of) const {
    if (words_) return fmt::format(fmt::runtime(f.says), of);
    return of.empty() ? f.name : fmt::format("{}[{}]", f.name, of);
  }
  [[nodiscard]] std::string field(int number, int place) const {
    const Field& f = v_.fields[static_cast<std::size_t>(number)];
    if (f.over == Over::kNothing) return element(f, "");
    if (place == Term::kFirst) {
      return element(f, words_ ? fmt::format("the first {}", v_.of(f.over).says) : "0");
    }
    return element(f, variable(place));
  }
  [[nodiscard]] std::string operand(int number, int place) const {
    return number == Sum::kMessageItself ? variable(place) : field(number, place);
  }
  [[nodiscard]] std::string term(int t) const {
    const Term& x = l_.terms[static_cast<std::size_t>(t)];
    switch (x.kind) {
      case Term::Kind::kField:
        return field(x.a, x.place);
      case Term::Kind::kElement:
        return variable(x.place);
      case Term::Kind::kSum: {
        const Sum& sum = v_.sums[static_cast<std::size_t>(x.a)];
        return fmt::format("{} + {}", operand(sum.a, x.place), operand(sum.b, x.place));
      }
      case Term::Kind::kLookup:
        return element(v_.fields[static_cast<std::size_t>(x.a)], field(x.b, x.place));
      case Term::Kind::kStands:
        break;
    }
    const Standing& s = v_.standings[static_cast<std::size_t>(x.a)];
    if (!words_) return fmt::format("{}({}{})", s.name, term(x.b), x.place == 0 ? "" : " - 1");
    return fmt::format("{}{}", x.place == 0 ? "" : "the message before ", term(x.b));
  }

  /// The name of a constant that the term is compared with.
  [[nodiscard]] std::string constant(const Term& x, int value) const {
    if (x.kind == Term::Kind::kField || x.kind == Term::Kind::kLookup) {
      const auto& choices = v_.fields[static_cast<std::size_t>(x.a)].choices;
      const auto at = static_cast<std::size_t>(value);
      if (at < choices.size()) return choices[at];
    }
    return fmt::format("{}", value);
  }

  /// "whether ..." that is yes or no.
  [[nodiscard]] bool is_flag(const Term& x) const {
    return x.sort == Sort::kChoice && v_.fields[static_cast<std::size_t>(x.a)].choices.size() == 2;
  }
  static std::string flag(const std::string& whether, bool yes) {
    constexpr std::string_view kWhether = "whether ";
    FP_ASSERT(whether.starts_with(kWhether));
    return fmt::format("{}{}", yes ? "" : "it is false that ", whether.substr(kWhether.size()));
  }

  /// The literal, or with `as_is` false its opposite.
  [[nodiscard]] std::string literal(int number, bool as_is) const {
    const Literal& l = l_.literals[static_cast<std::size_t>(number)];
    const Atom& atom = l_.atoms[static_cast<std::size_t>(l.atom)];
    const bool is = l.positive == as_is;
    const Term& x = l_.terms[static_cast<std::size_t>(atom.x)];
    if (x.kind == Term::Kind::kStands) return standing(atom.x, is);
    switch (atom.kind) {
      case Atom::Kind::kAtMostTerm:
        // Not x + c <= y: y + (1 - c) <= x.
        return is ? order(term(atom.x), atom.c, term(atom.y))
                  : order(term(atom.y), 1 - atom.c, term(atom.x));
      case Atom::Kind::kEqualTerm: {
        const std::string left = fmt::format("{}{}", term(atom.x), atom.c == 0 ? "" : " + 1");
        return fmt::format("{} {} {}", left, words_ ? (is ? "is" : "is not") : (is ? "=" : "!="),
                           term(atom.y));
      }
      case Atom::Kind::kEqual:
        if (words_ && is_flag(x)) return flag(term(atom.x), is);
        return fmt::format("{} {} {}", term(atom.x),
                           words_ ? (is ? "is" : "is not") : (is ? "=" : "!="),
                           constant(x, atom.y));
      case Atom::Kind::kAtMost:
        break;
    }
    if (words_ && x.sort == Sort::kChoice) return choice(atom, is);
    return fmt::format("{} {} {}", term(atom.x),
                       words_ ? (is ? "is at most" : "is above") : (is ? "<=" : ">"),
                       constant(x, atom.y));
  }

  /// The order of choices means little in words, so they are named: those it is, or is not,
  /// whichever are fewer.
  [[nodiscard]] std::string choice(const Atom& atom, bool at_most) const {
    const Term& x = l_.terms[static_cast<std::size_t>(atom.x)];
    const auto& choices = v_.fields[static_cast<std::size_t>(x.a)].choices;
    const auto cut = choices.begin() + atom.y + 1;
    const bool few = cut - choices.begin() <= choices.end() - cut;
    const std::vector<std::string> named(few ? choices.begin() : cut, few ? cut : choices.end());
    const bool is = few == at_most;
    return fmt::format("{} is {}{}", term(atom.x), is ? "" : "neither ",
                       fmt::join(named, is ? " or " : " nor "));
  }

  [[nodiscard]] std::string standing(int t, bool is) const {
    const Term& x = l_.terms[static_cast<std::size_t>(t)];
    if (!words_) return fmt::format("{}{}", is ? "" : "!", term(t));
    const Standing& s = v_.standings[static_cast<std::size_t>(x.a)];
    return fmt::format("{} is {}{}", term(t), is ? "" : "not ", s.says);
  }

  /// x + c <= y, c from -1 to 2.
  [[nodiscard]] std::string order(const std::string& x, int c, const std::string& y) const {
    if (!words_) {
      if (c == 1) return fmt::format("{} < {}", x, y);
      if (c < 0) return fmt::format("{} <= {} + {}", x, y, -c);
      return c == 0 ? fmt::format("{} <= {}", x, y) : fmt::format("{} + {} <= {}", x, c, y);
    }
    if (c == 1) return fmt::format("{} is below {}", x, y);
    if (c < 0) return fmt::format("{} is at most one above {}", x, y);
    return c == 0 ? fmt::format("{} is at most {}", x, y)
                  : fmt::format("{} is at least {} below {}", x, c, y);
  }

  const Vocabulary& v_;
  const Language& l_;
  bool words_;
};

}  // namespace

std::string Grammar::formula(const Candidate& candidate) const {
  const Language& l = languages_[static_cast<std::size_t>(candidate.language)];
  return Writer(vocabulary_, l, false).text(candidate);
}

std::string Grammar::sentence(const Candidate& candidate) const {
  const Language& l = languages_[static_cast<std::size_t>(candidate.language)];
  return Writer(vocabulary_, l, true).text(candidate);
}

}  // namespace fencepost::checker
