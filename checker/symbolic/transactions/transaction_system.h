// The transactional model as formulas. No action counts as one of a partition: nearly all of them
// touch the coordinator, so frames (frames.h) with a slot for each gain nothing (measured).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/symbolic/formula_system.h"
#include "spec/domain/concrete.h"
#include "spec/transactions/actions.h"
#include "spec/transactions/property_formulas.h"

namespace fencepost::checker {

class TransactionSystem : public FormulaSystem {
 public:
  using State = spec::transactions::State<spec::Concrete>;

  /// Properties as facts of their own, or all of them as one fact, the last.
  enum class Facts : std::uint8_t { kEach, kTogether };

  /// `properties`: the safety properties among the facts, bit = spec::transactions::Property.
  /// Requires: the instance can be checked.
  TransactionSystem(const spec::transactions::Behaviour& behaviour,
                    const spec::transactions::Instance& instance, std::uint32_t properties,
                    Facts facts = Facts::kEach);

  [[nodiscard]] const spec::transactions::Rules& rules() const { return rules_; }
  [[nodiscard]] const std::vector<CellInfo>& cells() const override { return cells_; }
  [[nodiscard]] std::vector<unsigned> initial() const override;
  [[nodiscard]] std::size_t action_count() const override { return actions_.size(); }
  [[nodiscard]] std::string action_text(std::size_t a) const override;
  [[nodiscard]] int action_partition(std::size_t /*a*/) const override { return -1; }
  [[nodiscard]] FormulaStep step(std::size_t a, const Values& state) const override;
  [[nodiscard]] const std::vector<Fact>& facts() const override { return facts_; }
  [[nodiscard]] Symbolic::Bool holds(std::size_t fact, const Values& state) const override;
  [[nodiscard]] std::vector<std::string> bound_names() const override;
  /// The values of a concrete state's cells.
  [[nodiscard]] std::vector<unsigned> values(const State& state) const;
  /// The concrete state with these values. Requires: one value per cell.
  [[nodiscard]] State concrete(const std::vector<unsigned>& values) const;

 private:
  spec::transactions::Rules rules_;
  std::vector<spec::transactions::Action> actions_;
  std::vector<CellInfo> cells_;
  std::uint32_t properties_;
  std::vector<Fact> facts_;
};

}  // namespace fencepost::checker
