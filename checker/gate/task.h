// One search, as the gate and `fencepost check` ask for it, and what comes back. Engines are bound
// by a function, so that the gate can be tested without one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "checker/core/search.h"
#include "spec/behaviour.h"
#include "spec/instance.h"
#include "spec/properties.h"

namespace fencepost::gate {

struct Limits {
  std::size_t memory_bytes = std::size_t{2} << 30;
  double seconds = std::numeric_limits<double>::infinity();
  unsigned threads = 1;
  bool symmetry = true;  ///< of models that have one (checker::SearchOptions::symmetry)
  std::uint32_t max_depth = std::numeric_limits<std::uint32_t>::max();
  const std::atomic<bool>* stop = nullptr;  ///< ends the search when true; may be null
  std::function<void(const checker::Statistics&)> on_level;
};

struct Task {
  spec::Behaviour behaviour;
  spec::Instance instance;
  std::uint32_t properties = 0;  ///< bit = spec::Property, progress included
  std::string on = "spec";       ///< what is searched, for the answer: "spec" or "impl"
  Limits limits;

  [[nodiscard]] bool asks(spec::Property property) const {
    return ((properties >> static_cast<unsigned>(property)) & 1U) != 0;
  }
};

constexpr std::uint32_t bit(spec::Property property) {
  return 1U << static_cast<unsigned>(property);
}

/// A counterexample, replayed on the spec. For progress `loop` is what repeats for ever; it is
/// empty if the run ends in a state in which nothing can happen any more.
struct Finding {
  spec::Property property{};
  int partition = -1;  ///< where it is violated, or -1
  checker::ActionPath stem;
  checker::ActionPath loop;
  std::string note = {};  ///< what is not known of it, e.g. that none is shorter; or empty

  [[nodiscard]] std::uint32_t depth() const {
    return static_cast<std::uint32_t>(stem.size() + loop.size());
  }
};

struct TaskResult {
  std::string engine = "explicit";
  std::string stopped;  ///< why the engine stopped, where `end` does not say enough
  checker::SearchEnd end = checker::SearchEnd::kExhausted;
  checker::Statistics stats;
  int permutations = 1;           ///< above 1: states are representatives of up to so many
  std::uint64_t notes = 0;        ///< bit = spec::Note
  bool progress_checked = false;  ///< the graph was complete and progress was asked
  /// Why progress was not checked although every state was visited.
  checker::SearchEnd progress_end = checker::SearchEnd::kExhausted;
  bool memory_refused = false;    ///< what ended for memory did so for the system, not the budget
  std::vector<Finding> findings;  ///< at most one per property
  std::string error;              ///< a check of our own that failed; then nothing else counts
};

using Checker = std::function<TaskResult(const Task&)>;

/// The explicit engine on the spec. Every counterexample is replayed; one that does not replay, or
/// does not violate what it should, comes back as `error`.
TaskResult check_explicitly(const Task& task);

/// How deep bounded model checking goes where no depth is asked for.
inline constexpr std::uint32_t kBoundedDepth = 40;

/// Bounded model checking of each safety property asked for, up to the task's depth. Every
/// counterexample is replayed on the spec. Progress is out of its scope: requires that it is not
/// asked.
TaskResult check_bounded_depth(const Task& task);

/// The gate's refuter: refutes what the explicit engine refuted in `depth` steps once more, by
/// bounded model checking at that depth, and says so in one sentence, also whether a shorter run
/// was excluded or there was no time for it. The task's seconds, if set, bound each query. Throws
/// Error(kInternal) if the engines disagree: no run of so many steps, a shorter one, or one that
/// the spec does not confirm.
std::string refutation_sentence(const Task& task, spec::Property property, std::uint32_t depth);

}  // namespace fencepost::gate
