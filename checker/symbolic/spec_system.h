// The spec as formulas. With an environment, the one partition stands for each of any number:
// spec/README.md argues why every run of the full system projects onto a run of this one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "checker/symbolic/formula_system.h"
#include "spec/behaviour.h"
#include "spec/domain/concrete.h"
#include "spec/instance.h"
#include "spec/model/actions.h"
#include "spec/properties.h"

namespace fencepost::checker {

struct SpecSystemOptions {
  std::uint32_t properties = 0;  ///< safety properties among the facts, bit = spec::Property
  bool lemmas = false;           ///< the lemmas that apply are among the facts
  /// All partitions but the one of the instance are replaced by their effect on the producer.
  /// Requires: an instance of one partition, and `environment_covers`.
  bool environment = false;
};

/// Whether the environment does all that other partitions can do to the producer. Where a bump
/// waits for nothing it does not: their request bumps at once, with the one partition's requests in
/// flight, and the environment only makes the producer drain.
bool environment_covers(const spec::Behaviour& behaviour);

class SpecSystem : public FormulaSystem {
 public:
  /// Requires: the instance can be checked.
  SpecSystem(const spec::Behaviour& behaviour, const spec::Instance& instance,
             const SpecSystemOptions& options);

  [[nodiscard]] const spec::Rules& rules() const { return rules_; }
  [[nodiscard]] const std::vector<CellInfo>& cells() const override { return cells_; }
  [[nodiscard]] std::vector<unsigned> initial() const override;
  [[nodiscard]] std::vector<std::vector<unsigned>> initials() const override;
  [[nodiscard]] std::size_t action_count() const override;
  [[nodiscard]] std::string action_text(std::size_t a) const override;
  [[nodiscard]] int action_partition(std::size_t a) const override;
  [[nodiscard]] FormulaStep step(std::size_t a, const Values& state) const override;
  [[nodiscard]] const std::vector<Fact>& facts() const override { return facts_; }
  [[nodiscard]] Symbolic::Bool holds(std::size_t fact, const Values& state) const override;
  [[nodiscard]] std::vector<std::string> bound_names() const override;
  /// The concrete state with these values. Requires: one value per cell.
  [[nodiscard]] spec::State<spec::Concrete> concrete(const std::vector<unsigned>& values) const;

 private:
  void environment_step(std::size_t which, Symbolic& d, spec::State<Symbolic>& s,
                        FormulaStep& step) const;

  spec::Rules rules_;
  std::vector<spec::Action> actions_;
  std::vector<CellInfo> cells_;
  std::vector<Fact> facts_;
  std::vector<int> lemma_of_fact_;  ///< number of the lemma, or -1: a property
  bool environment_;
};

/// The facts that a search for violations need look at: of partitions that mirror each other
/// (spec/model/mirror.h) only those of the last.
std::vector<std::size_t> facts_to_ask(const SpecSystem& system);

}  // namespace fencepost::checker
