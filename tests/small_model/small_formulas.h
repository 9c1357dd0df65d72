// The small model as formulas, for the symbolic engines. Its lemmas are enough to prove variant B,
// in which a message that may have been persisted is never renumbered.
#pragma once

#include <string>
#include <vector>

#include "checker/symbolic/formula_system.h"
#include "tests/small_model/small_model.h"

namespace fencepost::small_model {

class SmallFormulas : public checker::FormulaSystem {
 public:
  /// `lemmas`: the lemmas are among the facts.
  explicit SmallFormulas(const Parameters& parameters, bool lemmas = false);

  [[nodiscard]] const std::vector<checker::CellInfo>& cells() const override { return cells_; }
  [[nodiscard]] std::vector<unsigned> initial() const override;
  [[nodiscard]] std::size_t action_count() const override;
  [[nodiscard]] std::string action_text(std::size_t a) const override;
  [[nodiscard]] int action_partition(std::size_t a) const override;
  [[nodiscard]] checker::FormulaStep step(std::size_t a,
                                          const checker::Values& state) const override;
  [[nodiscard]] const std::vector<checker::Fact>& facts() const override { return facts_; }
  [[nodiscard]] checker::Symbolic::Bool holds(std::size_t fact,
                                              const checker::Values& state) const override;
  [[nodiscard]] std::vector<std::string> bound_names() const override { return {"log"}; }
  /// All facts, by index.
  [[nodiscard]] std::vector<std::size_t> all() const;

 private:
  Parameters p_;
  Model<checker::Symbolic> model_;
  std::vector<checker::CellInfo> cells_;
  std::vector<checker::Fact> facts_;
};

}  // namespace fencepost::small_model
