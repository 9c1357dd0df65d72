#include "checker/transactions/confirm.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "checker/core/path.h"
#include "checker/explicit/each_state.h"
#include "checker/symbolic/bounded.h"
#include "checker/symbolic/closure.h"
#include "checker/symbolic/transactions/transaction_system.h"
#include "spec/base.h"

namespace fencepost::transactions {
namespace {

namespace model = spec::transactions;
using checker::BoundedAnswer;
using checker::Sat;
using checker::TransactionSystem;
using model::Model;

/// A state counts once for each number of steps within which it can be reached.
constexpr std::size_t kMostCounted = 60000;
/// How far runs are asked about where the states are too many.
constexpr std::uint32_t kShortRun = 10;

checker::SolverLimits solver_limits(const gate::Limits& limits, double seconds) {
  checker::SolverLimits solver;
  solver.stop = limits.stop;
  const bool none = seconds <= 0 && limits.seconds >= 1e9;
  solver.seconds = none ? 0 : seconds <= 0 ? limits.seconds : std::min(limits.seconds, seconds);
  return solver;
}

std::string_view name_of(Property property) {
  return model::properties()[static_cast<std::size_t>(property)].name;
}

[[noreturn]] void disagree(const std::string& search, const std::string& other) {
  throw Error(Exit::kInternal,
              fmt::format("the engines disagree: the explicit search {}, but {}", search, other));
}

/// Why the solver's run does not show what it should, or empty.
std::string objection(const Question& question, Property property,
                      const std::vector<std::uint32_t>& path) {
  const Model system(question.behaviour, question.instance, bit(property));
  const std::optional<Model::State> end = checker::end_of(system, path);
  if (!end) return "the solver's counterexample is no run of the spec";
  return system.violations(*end) != 0 ? "" : "the solver's counterexample violates nothing";
}

constexpr std::string_view kForgets =
    "the search alone vouches for it: the formulas do not forget what an endless instance forgets";

/// The states that the search visits down to a depth, as values of the system's cells, by depth:
/// with symmetry every permutation of its representatives. No levels if it did not get there.
struct Visited {
  std::vector<std::vector<std::vector<unsigned>>> levels;
  std::uint64_t counted = 0;  ///< as the search counts states
};

void add_orbit(const Model& system, const Model::State& state, int permutations,
               const TransactionSystem& cells, std::vector<std::vector<unsigned>>& level) {
  std::set<std::vector<unsigned>> orbit;
  for (int permutation = 0; permutation < permutations; ++permutation) {
    Model::State other = state;
    system.permute(permutation, other);
    orbit.insert(cells.values(other));
  }
  level.insert(level.end(), orbit.begin(), orbit.end());
}

Visited visited(const Question& question, const gate::Limits& limits, std::uint32_t depth,
                const TransactionSystem& cells) {
  checker::SearchOptions options = options_of(question, limits);
  options.properties = 0;  // whatever is violated, all is visited
  options.progress = false;
  options.stop_when_decided = false;
  options.max_depth = std::min(limits.max_depth, depth);
  options.on_level = nullptr;
  const Model system(question.behaviour, question.instance, 0);
  const int permutations = options.symmetry ? system.permutations().count() : 1;
  Visited all;
  const auto add = [&](const Model::State& state, std::size_t at) {
    if (at > depth) return;
    all.levels.resize(at + 1);
    add_orbit(system, state, permutations, cells, all.levels.back());
    ++all.counted;
  };
  const checker::SearchEnd end = checker::each_state(system, options, add).end;
  if (end != checker::SearchEnd::kExhausted && end != checker::SearchEnd::kDepth) return {};
  return all;
}

/// Whether no run of at most `steps` steps violates the system's facts: the states visited, each
/// with every number of steps within which it is reached, are closed. None: no answer.
/// Requires: at least one step.
std::optional<bool> none_within(const Question& question, std::uint32_t steps,
                                const TransactionSystem& system,
                                const checker::SolverLimits& solver, const gate::Limits& limits) {
  std::vector<std::vector<unsigned>> counted;
  const Visited all = visited(question, limits, steps, system);
  for (std::uint32_t depth = 0; depth < all.levels.size(); ++depth) {
    for (const std::vector<unsigned>& state : all.levels[depth]) {
      if (counted.size() + steps > kMostCounted) return std::nullopt;
      for (unsigned taken = depth; taken <= steps; ++taken) {
        counted.push_back(state);
        counted.back().push_back(taken);
      }
    }
  }
  if (counted.empty()) return std::nullopt;
  const checker::ClosureResult result = checker::check_closed(checker::CountedSteps(system, steps),
                                                              checker::StateSet(std::move(counted)),
                                                              checker::AtBound::kDisables, solver);
  if (!result.unknown.empty()) return std::nullopt;
  return result.closed;
}

std::string too_many(const Question& question, std::uint64_t states, const gate::Limits& limits,
                     const SolverSeconds& seconds) {
  const std::uint32_t safety = question.properties & kSafetyMask;
  const TransactionSystem system(question.behaviour, question.instance, safety,
                                 TransactionSystem::Facts::kTogether);
  const BoundedAnswer answer = checker::violation_within(system, {0}, kShortRun, kShortRun,
                                                         solver_limits(limits, seconds.short_run));
  const std::string engine = checker::bounded_engine_name();
  if (answer.sat == Sat::kSat) {
    disagree("finds no violation",
             fmt::format("{} finds one in {} steps", engine, answer.path.size()));
  }
  if (answer.sat == Sat::kUnknown) {
    return fmt::format(
        "the search alone vouches: {} states are too many to ask Z3 of; {} has no "
        "answer for runs of {} steps: {}",
        states, engine, kShortRun, answer.reason);
  }
  return fmt::format(
      "bounded by {}: no violation within {} steps; of longer runs the search alone "
      "vouches, its {} states are too many to ask Z3 of",
      engine, kShortRun, states);
}

}  // namespace

std::optional<bool> none_shorter(const Question& question, Property property, std::uint32_t depth,
                                 const gate::Limits& limits, const SolverSeconds& seconds) {
  if (depth == 0) return true;
  if (depth == 1) {
    const Model system(question.behaviour, question.instance, bit(property));
    return system.violations(system.initial()) == 0;
  }
  const TransactionSystem system(question.behaviour, question.instance, bit(property));
  return none_within(question, depth - 1, system, solver_limits(limits, seconds.shorter), limits);
}

std::string refutation_sentence(const Question& question, Property property, std::uint32_t depth,
                                const gate::Limits& limits, const SolverSeconds& seconds) {
  if (question.instance.endless) return std::string(kForgets);
  const TransactionSystem system(question.behaviour, question.instance, bit(property));
  const std::string engine = checker::bounded_engine_name();
  const std::string search = fmt::format("refutes {} in {} steps", name_of(property), depth);
  const BoundedAnswer found =
      checker::violation_within(system, {0}, depth, depth, solver_limits(limits, seconds.refute));
  if (found.sat == Sat::kUnknown) {
    return fmt::format("the search alone vouches for it; {} has no answer: {}", engine,
                       found.reason);
  }
  if (found.sat == Sat::kUnsat) disagree(search, engine + " finds no such run");
  const std::string objects = objection(question, property, found.path);
  if (!objects.empty()) disagree(search, objects);
  if (found.path.size() < depth) {
    disagree(search, fmt::format("{} finds {} steps enough", engine, found.path.size()));
  }
  const std::optional<bool> none = none_shorter(question, property, depth, limits, seconds);
  if (none == false) disagree(search, "fewer steps are enough");
  return fmt::format(
      "refuted by {} in {} steps, too; {}", engine, depth,
      none ? "fewer are not enough" : "for fewer not being enough the search vouches");
}

std::string exhaustion_sentence(const Question& question, std::uint64_t states,
                                const gate::Limits& limits, const SolverSeconds& seconds) {
  if (question.instance.endless) return std::string(kForgets);
  if (states > kMostStates) return too_many(question, states, limits, seconds);
  const std::uint32_t safety = question.properties & kSafetyMask;
  const TransactionSystem system(question.behaviour, question.instance, safety,
                                 TransactionSystem::Facts::kTogether);
  const Visited all = visited(question, limits, limits.max_depth, system);
  std::vector<std::vector<unsigned>> found;
  for (const auto& level : all.levels) {
    found.insert(found.end(), level.begin(), level.end());
  }
  if (found.empty()) return "the search alone vouches: visiting its states again was ended";
  if (all.counted != states) {
    disagree(fmt::format("visited {} states", states),
             fmt::format("{} when it visits them again", all.counted));
  }
  const std::size_t size = found.size();
  const checker::ClosureResult result =
      checker::check_closed(system, checker::StateSet(std::move(found)), checker::AtBound::kFails,
                            solver_limits(limits, seconds.closed));
  const std::string engine = fmt::format("Z3 {}", checker::z3_version());
  if (!result.unknown.empty()) {
    return fmt::format("the search alone vouches for it; {} has no answer: {}", engine,
                       result.unknown);
  }
  if (!result.closed) {
    disagree(fmt::format("visited {} states and found no violation", states),
             fmt::format("{} finds {} that leads elsewhere, to a violation or a bound", engine,
                         result.action ? "the step \"" + system.action_text(*result.action) + "\""
                                       : "an initial state"));
  }
  return fmt::format(
      "confirmed by {}: every step from the {} states visited leads to one of them, "
      "and none violates it or meets a bound",
      engine, size);
}

Confirmation solvers() {
  return {[](const Question& question, Property property, std::uint32_t depth,
             const gate::Limits& limits) {
            return refutation_sentence(question, property, depth, limits);
          },
          [](const Question& question, std::uint64_t states, const gate::Limits& limits) {
            return exhaustion_sentence(question, states, limits);
          }};
}

}  // namespace fencepost::transactions
