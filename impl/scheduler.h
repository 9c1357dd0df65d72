// Who chooses. A simulation asks its scheduler before every step, and nothing else decides
// anything.
#pragma once

#include <optional>
#include <vector>

#include "impl/cluster.h"
#include "impl/random.h"

namespace fencepost::impl {

/// What a scheduler sees.
class View {
 public:
  virtual ~View() = default;
  [[nodiscard]] virtual bool enabled(const Choice& choice) const = 0;
  [[nodiscard]] virtual const ClusterState<Large>& state() const = 0;
  [[nodiscard]] virtual const ClusterRules& rules() const = 0;
};

class Scheduler {
 public:
  virtual ~Scheduler() = default;
  /// An enabled choice, or nothing to end the run.
  virtual std::optional<Choice> next(const View& view) = 0;
};

/// Chooses at random, faults at a given rate.
class RandomScheduler : public Scheduler {
 public:
  RandomScheduler(std::uint64_t seed, int faults_per_mille)
      : random_(seed), faults_per_mille_(faults_per_mille) {}
  std::optional<Choice> next(const View& view) override;

 private:
  [[nodiscard]] Choice free_choice(const ClusterRules& rules);
  [[nodiscard]] std::optional<Choice> fault(const View& view);
  [[nodiscard]] int some_queued(const ClusterState<Large>& state, int p);
  [[nodiscard]] std::optional<Choice> any_free(const View& view);
  [[nodiscard]] static bool wanted(const View& view, const Choice& choice);

  Random random_;
  int faults_per_mille_;
};

/// Takes the choices of a list in order and passes over those that are not enabled.
class ListScheduler : public Scheduler {
 public:
  explicit ListScheduler(const std::vector<Choice>& list) : list_(list) {}
  std::optional<Choice> next(const View& view) override;

 private:
  const std::vector<Choice>& list_;
  std::size_t at_ = 0;
};

}  // namespace fencepost::impl
