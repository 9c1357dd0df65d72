#include "checker/transactions/confirm.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/explicit/breadth_first.h"
#include "checker/symbolic/bounded.h"
#include "checker/symbolic/induction.h"
#include "checker/symbolic/transactions/transaction_system.h"
#include "checker/symbolic/visited_states.h"
#include "spec/base.h"

namespace fencepost::transactions {
namespace {

namespace model = spec::transactions;
using checker::BoundedAnswer;
using checker::Sat;
using checker::TransactionSystem;
using model::Model;

/// How long a refutation may take to be repeated, and shorter runs to be excluded.
constexpr double kRefuteSeconds = 30;
constexpr double kShorterSeconds = 5;
/// Of one query about one action.
constexpr double kClosedSeconds = 20;
/// How far runs are asked about where the states are too many, and for how long.
constexpr std::uint32_t kShortRun = 10;
constexpr double kShortRunSeconds = 20;

checker::SolverLimits solver_limits(const gate::Limits& limits, double seconds) {
  checker::SolverLimits solver;
  solver.stop = limits.stop;
  solver.seconds = std::min(limits.seconds, seconds);
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
  Model::State state = system.initial();
  for (const std::uint32_t a : path) {
    if (a >= system.action_count() || !system.guard(a, state) ||
        system.effect(a, state).bounds != 0) {
      return "the solver's counterexample is no run of the spec";
    }
  }
  return system.violations(state) != 0 ? "" : "the solver's counterexample violates nothing";
}

/// The states that the search visits, as values of the system's cells. Empty if it did not end.
std::vector<std::vector<unsigned>> visited(const Question& question, const gate::Limits& limits,
                                           const TransactionSystem& cells) {
  checker::SearchOptions options = options_of(question, limits);
  options.properties = 0;  // whatever is violated, all is visited
  options.progress = false;
  options.stop_when_decided = false;
  options.on_level = nullptr;
  const Model system(question.behaviour, question.instance, 0);
  checker::BreadthFirst<Model> search(system, options);
  std::vector<std::vector<unsigned>> states;
  if (search.run().end != checker::SearchEnd::kExhausted) return states;
  const checker::Explored& explored = search.explored();
  for (const std::vector<checker::StateRange>& level : explored.levels) {
    for (const checker::StateRange& range : level) {
      for (auto at = range.begin; at < range.end; ++at) {
        Model::State state{};
        explored.packing.unpack(explored.store.state(at), reinterpret_cast<unsigned char*>(&state));
        states.push_back(cells.values(state));
      }
    }
  }
  return states;
}

std::string too_many(const Question& question, std::uint64_t states, const gate::Limits& limits) {
  const std::uint32_t safety = question.properties & kSafetyMask;
  const TransactionSystem system(question.behaviour, question.instance, safety,
                                 TransactionSystem::Facts::kTogether);
  const BoundedAnswer answer = checker::violation_within(system, {0}, kShortRun, kShortRun,
                                                         solver_limits(limits, kShortRunSeconds));
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

std::string refutation_sentence(const Question& question, Property property, std::uint32_t depth,
                                const gate::Limits& limits) {
  const TransactionSystem system(question.behaviour, question.instance, bit(property));
  const std::string engine = checker::bounded_engine_name();
  const std::string search = fmt::format("refutes {} in {} steps", name_of(property), depth);
  const BoundedAnswer found =
      checker::violation_within(system, {0}, depth, depth, solver_limits(limits, kRefuteSeconds));
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
  const BoundedAnswer shorter = checker::violation_within(system, {0}, depth - 1, depth - 1,
                                                          solver_limits(limits, kShorterSeconds));
  if (shorter.sat == Sat::kSat) {
    disagree(search, fmt::format("{} finds {} steps enough", engine, shorter.path.size()));
  }
  return fmt::format("refuted by {} in {} steps, too; {}", engine, depth,
                     shorter.sat == Sat::kUnsat ? "fewer are not enough"
                                                : "for fewer not being enough the search vouches");
}

std::string exhaustion_sentence(const Question& question, std::uint64_t states,
                                const gate::Limits& limits) {
  if (states > kMostStates) return too_many(question, states, limits);
  const std::uint32_t safety = question.properties & kSafetyMask;
  const TransactionSystem system(question.behaviour, question.instance, safety,
                                 TransactionSystem::Facts::kTogether);
  std::vector<std::vector<unsigned>> found = visited(question, limits, system);
  if (found.empty()) return "the search alone vouches: visiting its states again was ended";
  if (found.size() != states) {
    disagree(fmt::format("visited {} states", states),
             fmt::format("{} when it visits them again", found.size()));
  }
  const checker::VisitedStates invariant(system, std::move(found));
  checker::InductionOptions options;
  options.limits = solver_limits(limits, kClosedSeconds);
  const checker::InductionResult result = checker::prove(invariant, {0, 1}, options);
  const std::string engine = fmt::format("Z3 {}", checker::z3_version());
  if (!result.failures.empty()) {
    const checker::CounterexampleToInduction& failure = result.failures.front();
    disagree(fmt::format("visited {} states and found no violation", states),
             fmt::format("{} finds {} that leads elsewhere, or to a violation", engine,
                         failure.action ? "the step \"" + system.action_text(*failure.action) + "\""
                                        : "an initial state"));
  }
  if (!result.proved) {
    return fmt::format("the search alone vouches for it; {} has no answer: {}", engine,
                       result.unknown);
  }
  return fmt::format(
      "confirmed by {}: every step from the {} states visited leads to one of them, "
      "and none violates it or meets a bound",
      engine, states);
}

}  // namespace fencepost::transactions
