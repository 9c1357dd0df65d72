#include "tests/support/transaction_cases.h"

#include <ostream>

#include "checker/explicit/explicit_search.h"
#include "checker/transactions/shape.h"
#include "spec/base.h"
#include "spec/transactions/variant.h"

namespace fencepost::testing::transactions {

void PrintTo(const Refuted& refuted, std::ostream* out) { *out << refuted.name; }

std::string data_folder() { return FENCEPOST_SOURCE_DIR "/spec/transactions"; }

model::Behaviour behaviour(const std::string& client, const std::string& coordinator,
                           const std::string& broker) {
  const std::string data = data_folder();
  return model::combine(model::load_variant(model::VariantKind::kClient, client, data),
                        model::load_variant(model::VariantKind::kCoordinator, coordinator, data),
                        model::load_variant(model::VariantKind::kBroker, broker, data));
}

model::Instance instance(std::string_view shape, std::string_view faults, int budget) {
  model::Instance made;
  fencepost::transactions::apply_shape(shape, made);
  made.faults = model::parse_faults(faults, budget);
  FP_ASSERT(model::instance_fault(made).empty());
  return made;
}

checker::SearchResult run(const model::Behaviour& behaviour, const model::Instance& instance) {
  checker::SearchOptions options;
  options.properties = (1U << model::kSafetyProperties) - 1;
  options.progress = true;
  return checker::search(model::Model(behaviour, instance), options);
}

int depth_of(const checker::SearchResult& result, model::Property property) {
  if (property == model::Property::kProgress) {
    if (result.deadlock) return static_cast<int>(result.deadlock->size());
    if (result.lasso)
      return static_cast<int>(result.lasso->stem.size() + result.lasso->loop.size());
    return -1;
  }
  for (const checker::Violation& violation : result.violations) {
    if (violation.property == static_cast<int>(property)) return static_cast<int>(violation.depth);
  }
  return -1;
}

model::Model::State random_state(const model::Rules& rules, std::mt19937& random) {
  model::Model::State state{};
  model::visit_cells(state, rules, [&](spec::Concrete::Cell& cell, const model::CellPlace& place) {
    cell.v = static_cast<std::uint8_t>(random() % static_cast<unsigned>(place.max + 1));
  });
  return state;
}

}  // namespace fencepost::testing::transactions
