#include "checker/gate/concretize.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "checker/symbolic/bounded.h"
#include "checker/symbolic/spec_system.h"
#include "spec/base.h"
#include "spec/model/model.h"

namespace fencepost::gate {
namespace {

using spec::Model;
using spec::Property;

/// How long the abstraction is searched, how deep, and how long and far two partitions are.
constexpr double kAbstractSeconds = 20;
constexpr std::uint32_t kAbstractDepth = 20;
constexpr double kGuidedSeconds = 10;
constexpr std::size_t kGuidedStates = 2'000'000;
/// The other partition needs faults of its own to ask for a bump.
constexpr int kMoreFaults = 2;

/// One step of the abstract run: an action of the one partition, or none: the environment's.
using AbstractStep = std::optional<spec::Action>;

/// Searches two partitions, breadth first, along a run of one of them.
class Guided {
 public:
  Guided(const Model& model, const std::vector<AbstractStep>& run, int partition, Property property)
      : model_(model), run_(run), partition_(partition), property_(property) {}

  /// The path of a run that follows the abstract one to its end and violates there; none if there
  /// is none, or after the limits.
  std::optional<checker::ActionPath> search(const Limits& limits) {
    const auto start = std::chrono::steady_clock::now();
    add(model_.initial(), 0, 0, 0);
    for (std::size_t n = 0; n < nodes_.size() && nodes_.size() < kGuidedStates; ++n) {
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      if (taken.count() > kGuidedSeconds || (limits.stop != nullptr && limits.stop->load())) break;
      if (nodes_[n].done == run_.size()) {
        if (model_.violated_partition(nodes_[n].state, property_) == partition_) return path(n);
        continue;
      }
      for (std::size_t a = 0; a < model_.action_count(); ++a) expand(n, a);
    }
    return std::nullopt;
  }

 private:
  struct Node {
    Model::State state;
    std::size_t done;  ///< steps of the abstract run that are taken
    std::size_t parent;
    checker::ActionIndex action;
  };

  /// The node's next abstract step is this action.
  [[nodiscard]] bool is_next(const Node& node, const spec::Action& action) const {
    const AbstractStep& next = run_[node.done];
    if (!next || next->kind != action.kind || next->a != action.a || next->b != action.b) {
      return false;
    }
    return action.partition == (next->partition < 0 ? -1 : partition_);
  }

  void expand(std::size_t n, std::size_t a) {
    const spec::Action& action = model_.action(a);
    const bool next = is_next(nodes_[n], action);
    const bool other = action.partition >= 0 && action.partition != partition_;
    if ((!next && !other) || !model_.guard(a, nodes_[n].state)) return;
    Model::State state = nodes_[n].state;
    if (model_.effect(a, state).bounds != 0) return;
    std::size_t done = nodes_[n].done;
    if (next) {
      ++done;
    } else if (state.mode.v != nodes_[n].state.mode.v) {
      // The other partition changes the producer only where the environment did.
      if (run_[done] || state.mode.v != static_cast<int>(spec::Mode::kDraining)) return;
      ++done;
    }
    add(state, done, n, static_cast<checker::ActionIndex>(a));
  }

  void add(const Model::State& state, std::size_t done, std::size_t parent,
           checker::ActionIndex action) {
    std::string key(sizeof state, '\0');
    std::memcpy(key.data(), &state, sizeof state);
    key += static_cast<char>(done);
    if (!known_.emplace(std::move(key), nodes_.size()).second) return;
    nodes_.push_back({state, done, parent, action});
  }

  [[nodiscard]] checker::ActionPath path(std::size_t n) const {
    checker::ActionPath actions;
    for (; n != 0; n = nodes_[n].parent) actions.push_back(nodes_[n].action);
    std::reverse(actions.begin(), actions.end());
    return actions;
  }

  const Model& model_;
  const std::vector<AbstractStep>& run_;
  int partition_;
  Property property_;
  std::vector<Node> nodes_;
  std::unordered_map<std::string, std::size_t> known_;
};

/// A run of the abstraction into a violation of the property; none if none was found.
std::optional<std::vector<AbstractStep>> abstract_run(const Task& task, Property property) {
  spec::Instance one = task.instance;
  one.partitions = 1;
  const checker::SpecSystem system(task.behaviour, one, {bit(property), false, true});
  checker::BoundedOptions options;
  options.max_depth = kAbstractDepth;
  options.seconds = std::min(kAbstractSeconds, task.limits.seconds);
  options.limits.stop = task.limits.stop;
  const checker::BoundedResult found = checker::check_bounded(system, {0}, options);
  if (!found.path) return std::nullopt;
  const std::vector<spec::Action> actions = spec::actions(system.rules());
  std::vector<AbstractStep> run;
  for (const std::uint32_t a : *found.path) {
    run.push_back(a < actions.size() ? AbstractStep(actions[a]) : std::nullopt);
  }
  return run;
}

}  // namespace

AbstractRefutation refute_any_partitions(const Task& task) {
  AbstractRefutation result;
  result.instance = task.instance;
  result.instance.partitions = 2;
  spec::Faults& faults = result.instance.faults;
  faults.budget = std::min(faults.budget + kMoreFaults, 15);
  faults.partition_cap.fill(spec::Faults::kNoCap);
  for (int k = 0; k < spec::kSafetyProperties; ++k) {
    const auto property = static_cast<Property>(k);
    if (!task.asks(property)) continue;
    const auto run = abstract_run(task, property);
    if (!run) continue;
    const Model model(task.behaviour, result.instance, bit(property));
    // Partitions start with different leaders, so the run may be that of either.
    for (int partition = 0; partition < 2 && !result.finding; ++partition) {
      const auto path = Guided(model, *run, partition, property).search(task.limits);
      if (path) result.finding = Finding{property, partition, *path, {}};
    }
    if (result.finding) return result;
    if (!result.inconclusive.empty()) continue;
    result.inconclusive = fmt::format(
        "inconclusive: a run of {} steps breaks {} if other partitions may ask for a bump at any "
        "time, and two partitions were not found to have such a run",
        run->size(), spec::properties()[static_cast<std::size_t>(k)].name);
  }
  return result;
}

}  // namespace fencepost::gate
