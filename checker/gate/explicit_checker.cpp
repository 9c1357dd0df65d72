#include "checker/explicit/explicit_search.h"
#include "checker/gate/explicit_task.h"

namespace fencepost::gate {

using spec::Model;
using spec::Property;

TaskResult check_explicitly(const Task& task) {
  const checker::SearchOptions options = options_of(task);
  const Model model(task.behaviour, task.instance, options.properties);
  const checker::SearchResult found = checker::search(model, options);
  TaskResult result = result_of(found);
  for (const checker::Violation& violation : found.violations) {
    const auto property = static_cast<Property>(violation.property);
    add_confirmed(model, task, {property, -1, violation.path, {}}, result);
  }
  if (found.lasso) {
    add_confirmed(model, task, {Property::kProgress, -1, found.lasso->stem, found.lasso->loop},
                  result);
  } else if (found.deadlock) {
    add_confirmed(model, task, {Property::kProgress, -1, *found.deadlock, {}}, result);
  }
  return result;
}

}  // namespace fencepost::gate
