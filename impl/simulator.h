// Runs the cluster under a scheduler, checks the properties on the fly, and shrinks what breaks
// one.
#pragma once

#include "impl/monitor.h"
#include "impl/scheduler.h"

namespace fencepost::impl {

/// Looks on while a simulation runs.
class Companion {
 public:
  virtual ~Companion() = default;
  /// Before `choice` is taken.
  virtual void before(const Choice& choice, const ClusterState<Large>& state) = 0;
  /// After it was; false ends the run.
  [[nodiscard]] virtual bool after(const ClusterState<Large>& state) = 0;
};

struct SimulateOptions {
  spec::Behaviour behaviour;
  std::uint64_t seed = 1;
  std::uint64_t steps = 100'000;  ///< choices taken at most
  int partitions = 4;             ///< 1 .. Large::kPartitions
  int messages = 1'000;           ///< per partition
  int brokers = 3;                ///< 1 .. Large::kBrokers
  int in_flight = 5;              ///< messages in flight per partition
  int batch = 1;                  ///< messages a batch at most
  spec::Faults faults;            ///< kinds that may happen, with their caps
  int faults_per_mille = 5;
  Grain grain{true, true, true, true, true, true};
  Mutant mutant = Mutant::kNone;
  /// Partitions number from their first message on, sent or not, as the spec's do; else from the
  /// first that they send.
  bool numbered_at_start = false;
};

struct SimulateResult {
  std::uint64_t steps = 0;
  std::optional<Broken> broken;
  bool quiet = false;  ///< nothing was left to do but faults
  RunCounts counts;
  std::vector<Choice> schedule;  ///< what was chosen, if it was asked for
};

/// Throws Error(kUsage) with one sentence for sizes that the simulator does not have, and
/// for behaviour and faults that nothing implements.
void require_simulable(const SimulateOptions& options);

/// One run. Stops at the first broken property. `keep`: keep the schedule. The same options and
/// scheduler give the same run, trace bytes included. Requires: `require_simulable` passes.
SimulateResult simulate(const SimulateOptions& options, Scheduler& scheduler, fp_tracer* tracer,
                        bool keep, Companion* companion = nullptr);

/// The schedule with as much left out as keeps the same property broken: removes ever smaller
/// pieces (delta debugging, Zeller and Hildebrandt 2002) until none can go or the work limit is
/// reached. Requires: the schedule breaks `property` when replayed.
std::vector<Choice> shrink(const SimulateOptions& options, std::vector<Choice> schedule,
                           spec::Property property);

}  // namespace fencepost::impl
