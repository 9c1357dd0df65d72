#include "checker/symbolic/proposer.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "spec/base.h"
#include "spec/domain/concrete.h"

namespace fencepost::checker {
namespace {

using spec::Concrete;
using Numbers = std::vector<Concrete::Num>;

constexpr std::size_t kSamples = 1024;
constexpr std::size_t kSpoiled = 4096;
constexpr unsigned kSeed = 20240817;

Numbers numbers(const CellValues& state) {
  Numbers list;
  list.reserve(state.size());
  for (const unsigned v : state) list.emplace_back(static_cast<int>(v));
  return list;
}

std::vector<std::uint8_t> row_of(const Language& language, const Reading<Concrete>& reading,
                                 const Binding& binding) {
  std::vector<std::uint8_t> row;
  row.reserve(language.terms.size());
  for (const Term& term : language.terms) {
    row.push_back(static_cast<std::uint8_t>(reading.value(language, term, binding).value()));
  }
  return row;
}

bool is_true(const Language& language, const Literal& literal,
             const std::vector<std::uint8_t>& row) {
  const Atom& atom = language.atoms[static_cast<std::size_t>(literal.atom)];
  const bool terms = atom.kind == Atom::Kind::kAtMostTerm || atom.kind == Atom::Kind::kEqualTerm;
  const Concrete::Num x(row[static_cast<std::size_t>(atom.x)]);
  const Concrete::Num y(terms ? row[static_cast<std::size_t>(atom.y)] : 0);
  return Reading<Concrete>::holds(atom, x, y).value() == literal.positive;
}

/// The cells that a view of one partition consists of.
std::vector<std::size_t> cells_of(const Vocabulary& v, int partition) {
  std::vector<std::size_t> cells;
  for (const Field& f : v.fields) {
    if (f.max == 0) continue;
    const auto& mine = f.cells[static_cast<std::size_t>(partition)];
    cells.insert(cells.end(), mine.begin(), mine.end());
  }
  return cells;
}

}  // namespace

Proposer::Proposer(const Grammar& grammar, const std::atomic<bool>* stop)
    : grammar_(grammar),
      stop_(stop),
      good_(grammar.languages().size()),
      bad_(grammar.languages().size()) {
  const Vocabulary& v = grammar.vocabulary();
  for (int p = 0; p < v.partitions; ++p) cells_of_.push_back(cells_of(v, p));
  for (std::vector<Rows>* rows : {&good_, &bad_}) {
    for (std::size_t l = 0; l < rows->size(); ++l) {
      (*rows)[l].of.resize(grammar.languages()[l].literals.size());
    }
  }
}

std::string Proposer::view(const CellValues& state, int partition) const {
  std::string bytes;
  for (const std::size_t cell : cells_of_[static_cast<std::size_t>(partition)]) {
    bytes.push_back(static_cast<char>(state[cell]));
  }
  return bytes;
}

void Proposer::add(Rows& rows, const Language& language, const Row& row) const {
  const std::string_view bytes(reinterpret_cast<const char*>(row.data()), row.size());
  if (rows.known.contains(bytes)) return;
  rows.known.emplace(bytes);
  const std::size_t word = rows.count / 64;
  const std::uint64_t bit = std::uint64_t{1} << (rows.count % 64);
  ++rows.count;
  for (std::size_t l = 0; l < language.literals.size(); ++l) {
    if (rows.of[l].size() <= word) rows.of[l].resize(std::max(word + 1, 2 * word));
    if (is_true(language, language.literals[l], row)) rows.of[l][word] |= bit;
  }
}

void Proposer::add(std::vector<Rows>& rows, const CellValues& state, int partition) const {
  const Numbers values = numbers(state);
  const Reading<Concrete> reading(grammar_.vocabulary(), values, partition);
  for (std::size_t l = 0; l < rows.size(); ++l) {
    const Language& language = grammar_.languages()[l];
    for (const Binding& binding : language.bindings) {
      if (!reading.in_scope(language.scope, binding).value()) continue;
      add(rows[l], language, row_of(language, reading, binding));
    }
  }
}

void Proposer::observe(const CellValues& state) {
  for (int p = 0; p < grammar_.vocabulary().partitions; ++p) {
    if (!views_.insert(view(state, p)).second) continue;
    add(good_, state, p);
    // An even spread over what is observed: thinned out by half when there are too many.
    const std::size_t step = std::max<std::size_t>(1, views_.size() / kSamples);
    if (views_.size() % std::bit_floor(step) == 0) samples_.push_back(state);
  }
}

void Proposer::spoil(const CellValues& state) {
  for (int p = 0; p < grammar_.vocabulary().partitions; ++p) add(bad_, state, p);
}

void Proposer::spoil_observed(const std::vector<unsigned>& maxima) {
  std::mt19937 random(kSeed);
  if (samples_.empty()) return;
  for (std::size_t n = 0; n < kSpoiled; ++n) {
    CellValues state = samples_[random() % samples_.size()];
    const auto& cells = cells_of_[random() % cells_of_.size()];
    const std::size_t cell = cells[random() % cells.size()];
    state[cell] = static_cast<unsigned>(random() % (maxima[cell] + 1));
    spoil(state);
  }
}

bool Proposer::holds(const Candidate& candidate, const CellValues& state) const {
  const Numbers values = numbers(state);
  for (int p = 0; p < grammar_.vocabulary().partitions; ++p) {
    const Reading<Concrete> reading(grammar_.vocabulary(), values, p);
    if (!reading.holds(grammar_, candidate).value()) return false;
  }
  return true;
}

/// Whether the cells that may be read decide the value of each term.
std::vector<bool> Proposer::known_terms(const Language& language, int partition,
                                        const Binding& binding, const CellValues& state,
                                        const std::vector<bool>& cells) const {
  const Vocabulary& v = grammar_.vocabulary();
  const auto cell_known = [&](int field, int element) {
    if (field == Sum::kMessageItself) return true;
    const Field& f = v.fields[static_cast<std::size_t>(field)];
    return f.max == 0 || cells[f.cell(partition, f.over == Over::kNothing ? 0 : element)];
  };
  const auto used_known = [&](Over over, int element) {
    const auto& used = v.of(over).used;
    return !used || cell_known(static_cast<int>(*used), element);
  };
  std::vector<bool> known;
  for (const Term& term : language.terms) {
    const int element =
        term.place < 0 || term.kind == Term::Kind::kStands ? 0 : binding.element[term.place];
    bool is = true;
    if (term.kind == Term::Kind::kField) is = cell_known(term.a, element);
    if (term.kind == Term::Kind::kSum) {
      const Sum& sum = v.sums[static_cast<std::size_t>(term.a)];
      is = cell_known(sum.a, element) && cell_known(sum.b, element);
    }
    if (term.kind == Term::Kind::kLookup) {
      const Field& names = v.fields[static_cast<std::size_t>(term.b)];
      const auto message = static_cast<int>(state[names.cell(partition, element)]);
      is = cell_known(term.b, element) && cell_known(term.a, message);
    }
    if (term.kind == Term::Kind::kStands) {
      const Standing& s = v.standings[static_cast<std::size_t>(term.a)];
      const Over over = v.fields[s.field].over;
      is = known[static_cast<std::size_t>(term.b)];
      if (s.end) is = is && cell_known(static_cast<int>(*s.end), 0);
      for (int k = 0; k < v.of(over).count; ++k) {
        is = is && cell_known(static_cast<int>(s.field), k) && used_known(over, k);
      }
    }
    known.push_back(is);
  }
  return known;
}

/// The clauses of one row: literals that are true in it and in no good row together.
class Proposer::Cubes {
 public:
  Cubes(const Rows& good, const Rows& bad, const Language& language, int number)
      : good_(good), bad_(bad), language_(language) {
    choice_.candidate.language = number;
  }

  /// The best clause of that length over these literals.
  std::optional<Choice> best(const std::vector<int>& literals, int length,
                             const std::atomic<bool>* stop) {
    found_ = false;
    const std::size_t words = (good_.count + 63) / 64;
    Bits both(words);
    for (std::size_t i = 0; i < literals.size(); ++i) {
      if (stop != nullptr && stop->load()) break;
      const Bits& a = good_.of[index(literals[i])];
      if (length == 1) {
        if (std::all_of(a.begin(), a.end(), [](std::uint64_t w) { return w == 0; })) {
          offer({literals[i]});
        }
        continue;
      }
      for (std::size_t j = i + 1; j < literals.size(); ++j) {
        const Bits& b = good_.of[index(literals[j])];
        if (length == 2) {
          if (apart(a, b, words)) offer({literals[i], literals[j]});
          continue;
        }
        if (!plain(literals[i]) || !plain(literals[j]) || !narrows(a, b, both)) continue;
        third(literals, i, j, both);
      }
    }
    return found_ ? std::optional(choice_) : std::nullopt;
  }

 private:
  static std::size_t index(int literal) { return static_cast<std::size_t>(literal); }
  [[nodiscard]] bool plain(int literal) const { return language_.literals[index(literal)].plain; }
  static bool apart(const Bits& a, const Bits& b, std::size_t words) {
    for (std::size_t w = 0; w < words; ++w) {
      if ((a[w] & b[w]) != 0) return false;
    }
    return true;
  }
  /// Leaves in `both` what the two have in common. False if that is all of one of them: then the
  /// other adds nothing to a clause.
  static bool narrows(const Bits& a, const Bits& b, Bits& both) {
    bool less_a = false;
    bool less_b = false;
    for (std::size_t w = 0; w < both.size(); ++w) {
      both[w] = a[w] & b[w];
      less_a = less_a || both[w] != a[w];
      less_b = less_b || both[w] != b[w];
    }
    return less_a && less_b;
  }
  void third(const std::vector<int>& literals, std::size_t i, std::size_t j, const Bits& both) {
    for (std::size_t k = 0; k < literals.size(); ++k) {
      // Three plain ones are met three times, of which one counts.
      if (k == i || k == j || (k < j && plain(literals[k]))) continue;
      if (!apart(both, good_.of[index(literals[k])], both.size())) continue;
      std::vector<int> cube{literals[i], literals[j], literals[k]};
      std::sort(cube.begin(), cube.end());
      offer(cube);
    }
  }
  void offer(const std::vector<int>& cube) {
    unsigned about = 0;
    for (const int l : cube) about |= language_.literals[index(l)].variables;
    if (about != language_.variables) return;
    const std::size_t words = (bad_.count + 63) / 64;
    std::uint64_t spoiled = 0;
    for (std::size_t w = 0; w < words; ++w) {
      std::uint64_t all = ~std::uint64_t{0};
      for (const int l : cube) all &= bad_.of[index(l)][w];
      spoiled += static_cast<std::uint64_t>(std::popcount(all));
    }
    if (found_ && spoiled <= choice_.spoiled) return;
    found_ = true;
    choice_.spoiled = spoiled;
    choice_.candidate.literals = cube;
  }

  const Rows& good_;
  const Rows& bad_;
  const Language& language_;
  Choice choice_;
  bool found_ = false;
};

std::optional<Candidate> Proposer::propose(const CellValues& state,
                                           const std::vector<bool>& cells) const {
  const Numbers values = numbers(state);
  const Vocabulary& v = grammar_.vocabulary();
  /// Literals that are true of the state, by language, for each way to bind its variables.
  std::map<std::size_t, std::set<std::vector<int>>> said;
  for (int p = 0; p < v.partitions; ++p) {
    const Reading<Concrete> reading(v, values, p);
    for (std::size_t l = 0; l < good_.size(); ++l) {
      const Language& language = grammar_.languages()[l];
      for (const Binding& binding : language.bindings) {
        if (!reading.in_scope(language.scope, binding).value()) continue;
        const std::vector<bool> known = known_terms(language, p, binding, state, cells);
        const Row row = row_of(language, reading, binding);
        std::vector<int> literals;
        for (std::size_t i = 0; i < language.literals.size(); ++i) {
          const Literal& literal = language.literals[i];
          const Atom& atom = language.atoms[static_cast<std::size_t>(literal.atom)];
          const bool terms =
              atom.kind == Atom::Kind::kAtMostTerm || atom.kind == Atom::Kind::kEqualTerm;
          if (!known[static_cast<std::size_t>(atom.x)]) continue;
          if (terms && !known[static_cast<std::size_t>(atom.y)]) continue;
          if (is_true(language, literal, row)) literals.push_back(static_cast<int>(i));
        }
        if (!literals.empty()) said[l].insert(std::move(literals));
      }
    }
  }
  for (int length = 1; length <= 3; ++length) {
    std::optional<Choice> best;
    for (const auto& [l, rows] : said) {
      Cubes cubes(good_[l], bad_[l], grammar_.languages()[l], static_cast<int>(l));
      for (const std::vector<int>& literals : rows) {
        const auto one = cubes.best(literals, length, stop_);
        if (one && (!best || one->spoiled > best->spoiled)) best = one;
      }
    }
    if (best) return best->candidate;
  }
  return std::nullopt;
}

}  // namespace fencepost::checker
