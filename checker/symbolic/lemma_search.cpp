#include "checker/symbolic/lemma_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <utility>

#include "checker/symbolic/step_solvers.h"
#include "spec/base.h"

namespace fencepost::checker {
namespace {

using Clock = std::chrono::steady_clock;

class Search {
 public:
  Search(const FormulaSystem& system, const Grammar& grammar, Proposer& proposer,
         const std::vector<std::vector<std::size_t>>& targets, const LemmaSearchOptions& options)
      : system_(system),
        grammar_(grammar),
        proposer_(proposer),
        targets_(targets),
        options_(options),
        limits_(options.limits),
        solvers_(system, options.stated_bounds, limits_) {
    for (const auto& facts : targets) {
      add_item([&system, facts](const Values& state) {
        Parts parts;
        for (const std::size_t f : facts) parts.push_back(system.holds(f, state));
        return parts;
      });
    }
    bounds_ = items_.size();
    items_.push_back(Item{system.action_count()});
    solvers_.add([](const Values&) { return Parts{Symbolic::Bool(true)}; });
    result_.failures.resize(targets.size());
  }

  LemmaSearchResult run() {
    while (result_.unknown.empty()) {
      const std::optional<Obligation> next = next_obligation();
      if (!next) break;
      show(*next);
    }
    conclude();
    result_.queries = solvers_.queries();
    result_.progress = progress();
    result_.seconds = seconds();
    return result_;
  }

 private:
  /// Something that is assumed before a step: a target, the bounds, or a lemma.
  struct Item {
    explicit Item(std::size_t actions) : shown(actions, false), cores(actions) {}
    bool alive = true;
    Candidate candidate;
    std::vector<bool> shown;                      ///< by action: it keeps the item
    std::vector<std::vector<std::size_t>> cores;  ///< by action: what that rests on
  };
  struct Obligation {
    std::size_t item;
    std::size_t action;
  };

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }
  void add_item(const PartsOf& parts) {
    items_.emplace_back(system_.action_count());
    solvers_.add(parts);
  }
  void add_lemma(const Candidate& candidate) {
    const Vocabulary& v = grammar_.vocabulary();
    const Grammar& grammar = grammar_;
    add_item([&v, &grammar, candidate](const Values& state) {
      Parts parts;
      for (int p = 0; p < v.partitions; ++p) {
        parts.push_back(Reading<Symbolic>(v, state, p).holds(grammar, candidate));
      }
      return parts;
    });
    items_.back().candidate = candidate;
  }
  [[nodiscard]] bool is_lemma(std::size_t item) const { return item > bounds_; }

  /// The targets that are not given up and all that they rest on, as far as it is shown, in the
  /// order in which it is met.
  [[nodiscard]] std::vector<std::size_t> needed() const {
    std::vector<std::size_t> list;
    std::vector<bool> met(items_.size(), false);
    const auto meet = [&](std::size_t i) {
      if (!met[i] && items_[i].alive) list.push_back(i);
      met[i] = true;
    };
    for (std::size_t i = 0; i <= bounds_; ++i) meet(i);
    for (std::size_t k = 0; k < list.size(); ++k) {
      for (const auto& core : items_[list[k]].cores) {
        for (const std::size_t i : core) meet(i);
      }
    }
    return list;
  }

  [[nodiscard]] std::optional<Obligation> next_obligation() const {
    for (const std::size_t i : needed()) {
      for (std::size_t a = 0; a < system_.action_count(); ++a) {
        if (!items_[i].shown[a]) return Obligation{i, a};
      }
    }
    return std::nullopt;
  }

  Sat ask(const Obligation& o, const std::vector<std::size_t>& assumed) {
    limits_.seconds = options_.limits.seconds;
    if (options_.seconds > 0) {
      const double left = options_.seconds - seconds();
      if (left <= 0) {
        result_.unknown = "the time is over";
        return Sat::kUnknown;
      }
      limits_.seconds = limits_.seconds > 0 ? std::min(limits_.seconds, left) : left;
    }
    const Sat sat = o.item == bounds_ ? solvers_.leaves_bounds(o.action, assumed)
                                      : solvers_.breaks(o.action, o.item, assumed);
    if (sat == Sat::kUnknown) {
      const bool late = options_.seconds > 0 && seconds() >= options_.seconds;
      result_.unknown = late ? "the time is over" : solvers_.reason();
    }
    return sat;
  }

  void shown(const Obligation& o, std::vector<std::size_t> core) {
    items_[o.item].shown[o.action] = true;
    items_[o.item].cores[o.action] = std::move(core);
  }

  /// First with what is needed anyway, so that no lemma is asked for that can be done without.
  void show(const Obligation& o) {
    if (options_.on_progress) options_.on_progress(progress());
    const std::vector<std::size_t> few = needed();
    const Sat with_few = ask(o, few);
    if (with_few == Sat::kUnsat) return shown(o, solvers_.core());
    if (with_few == Sat::kUnknown) return;
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (items_[i].alive) all.push_back(i);
    }
    const Sat with_all = all.size() == few.size() ? with_few : ask(o, all);
    if (with_all == Sat::kUnknown) return;
    if (with_all == Sat::kSat) return exclude(o);
    std::vector<std::size_t> core = solvers_.core();
    const std::set<std::size_t> free(few.begin(), few.end());
    for (std::size_t k = core.size(); k-- > 0;) {
      if (free.contains(core[k])) continue;
      // Those that are needed anyway cost nothing, so all of them may help to do without one.
      std::vector<std::size_t> fewer = few;
      for (const std::size_t i : core) {
        if (i != core[k] && !free.contains(i)) fewer.push_back(i);
      }
      const Sat without = ask(o, fewer);
      if (without == Sat::kUnknown) return;
      if (without != Sat::kUnsat) continue;
      core = solvers_.core();
      k = std::min(k, core.size());
    }
    shown(o, std::move(core));
  }

  /// A state from which the step breaks the item is excluded by a new lemma, or taken for
  /// reachable.
  void exclude(const Obligation& o) {
    const CellValues state = solvers_.state();
    const std::vector<bool> all(state.size(), true);
    std::optional<Candidate> found = proposer_.propose(state, solvers_.cells_that_matter());
    if (!found) found = proposer_.propose(state, all);
    if (options_.limits.stop != nullptr && options_.limits.stop->load()) {
      result_.unknown = "interrupted";
      return;
    }
    if (!found) return give_up(o, state);
    proposer_.spoil(state);
    add_lemma(*found);
    ++excluded_;
  }

  void give_up(const Obligation& o, const CellValues& state) {
    if (o.item == bounds_) {
      // Beyond a bound nothing is known, so without this nothing else would be proved.
      items_[bounds_].alive = false;
      result_.unknown = fmt::format(
          "the grammar has no clauses that keep \"{}\" within the bounds of the instance",
          system_.action_text(o.action));
      return;
    }
    const FormulaStep step = system_.step(o.action, constant_state(state));
    CellValues next;
    for (const Symbolic::Num& cell : step.next) next.push_back(cell.value());
    proposer_.observe(state);
    proposer_.observe(next);
    const Values after = constant_state(next);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (!items_[i].alive || i == bounds_) continue;
      if (is_lemma(i)) {
        items_[i].alive = proposer_.holds(items_[i].candidate, next);
        continue;
      }
      CounterexampleToInduction failure{state, o.action, next, {}, {}};
      for (const std::size_t f : targets_[i]) {
        if (!system_.holds(f, after).is(true)) failure.broken.push_back(f);
      }
      if (failure.broken.empty()) continue;
      items_[i].alive = false;
      result_.failures[i] = std::move(failure);
    }
    FP_ASSERT(!items_[o.item].alive);
    given_up_ = 0;
    for (const Item& item : items_) given_up_ += item.alive ? 0 : 1;
    reopen();
  }

  /// What rested on something that was given up has to be shown anew.
  void reopen() {
    for (Item& item : items_) {
      for (std::size_t a = 0; a < item.shown.size(); ++a) {
        const auto& core = item.cores[a];
        if (std::all_of(core.begin(), core.end(),
                        [this](std::size_t i) { return items_[i].alive; })) {
          continue;
        }
        item.shown[a] = false;
        item.cores[a].clear();
      }
    }
  }

  [[nodiscard]] LemmaSearchProgress progress() const {
    LemmaSearchProgress p;
    for (std::size_t i = bounds_ + 1; i < items_.size(); ++i) p.lemmas += items_[i].alive ? 1 : 0;
    for (const std::size_t i : needed()) {
      for (const bool shown : items_[i].shown) p.open += shown ? 0 : 1;
    }
    p.excluded = excluded_;
    p.given_up = given_up_;
    return p;
  }

  void conclude() {
    const bool done = result_.unknown.empty();
    result_.bounded = done && items_[bounds_].alive;
    for (std::size_t i = 0; i < bounds_; ++i) {
      result_.closed.push_back(result_.bounded && items_[i].alive);
    }
    for (const std::size_t i : needed()) {
      if (is_lemma(i)) result_.lemmas.push_back(items_[i].candidate);
    }
    if (done) minimise();
  }

  /// Leaves out one lemma after another, the last found first, as long as all stays inductive.
  void minimise() {
    std::vector<std::size_t> closed;
    for (std::size_t i = 0; i < bounds_; ++i) {
      if (result_.closed[i]) closed.insert(closed.end(), targets_[i].begin(), targets_[i].end());
    }
    if (closed.empty()) return;
    InductionOptions how;
    how.stated_bounds = options_.stated_bounds;
    for (std::size_t k = result_.lemmas.size(); k-- > 0;) {
      std::vector<Candidate> fewer = result_.lemmas;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      const WithCandidates system(system_, grammar_, fewer);
      std::vector<std::size_t> facts = closed;
      for (std::size_t f = system_.facts().size(); f < system.facts().size(); ++f) {
        facts.push_back(f);
      }
      how.limits = options_.limits;
      const InductionResult proof = prove(system, facts, how);
      result_.unknown = proof.unknown;
      if (options_.seconds > 0 && seconds() > options_.seconds)
        result_.unknown = "the time is over";
      if (!result_.unknown.empty()) return;
      if (proof.proved) result_.lemmas = std::move(fewer);
    }
    result_.minimal = true;
  }

  const FormulaSystem& system_;
  const Grammar& grammar_;
  Proposer& proposer_;
  const std::vector<std::vector<std::size_t>>& targets_;
  const LemmaSearchOptions& options_;
  SolverLimits limits_;
  StepSolvers solvers_;
  std::vector<Item> items_;
  std::size_t bounds_ = 0;
  const Clock::time_point start_ = Clock::now();
  std::uint64_t excluded_ = 0;
  std::uint64_t given_up_ = 0;
  LemmaSearchResult result_;
};

}  // namespace

LemmaSearchResult search_lemmas(const FormulaSystem& system, const Grammar& grammar,
                                Proposer& proposer,
                                const std::vector<std::vector<std::size_t>>& targets,
                                const LemmaSearchOptions& options) {
  return Search(system, grammar, proposer, targets, options).run();
}

}  // namespace fencepost::checker
