#include "tests/support/spec_cases.h"

#include <fmt/format.h>

#include "checker/explicit/explicit_search.h"
#include "spec/instance_text.h"
#include "spec/variant.h"

namespace fencepost::testing {

spec::Behaviour behaviour(const std::string& client, const std::string& broker) {
  const std::string root = FENCEPOST_SOURCE_DIR;
  return spec::combine(spec::load_variant(client, root + "/spec/variants"),
                       spec::load_variant(broker, root + "/spec/brokers"));
}

spec::Instance instance(int partitions, int messages, int in_flight, std::string_view faults,
                        int budget) {
  spec::Instance i;
  i.partitions = partitions;
  i.messages = messages;
  i.in_flight = in_flight;
  i.faults = spec::parse_faults(faults, budget);
  return i;
}

spec::Instance instance_w(std::string_view faults, int budget) {
  return instance(2, 3, 2, faults, budget);
}

checker::SearchResult run(const spec::Behaviour& behaviour, const spec::Instance& instance,
                          const Ask& ask) {
  const spec::Model model(behaviour, instance, ask.properties);
  checker::SearchOptions options;
  options.properties = ask.properties;
  options.progress = ask.progress;
  options.stop_when_decided = ask.stop_when_decided;
  options.threads = ask.threads;
  return checker::search(model, options);
}

int depth_of(const checker::SearchResult& result, spec::Property property) {
  for (const checker::Violation& v : result.violations) {
    if (v.property == static_cast<int>(property)) return static_cast<int>(v.depth);
  }
  return -1;
}

std::string fingerprint(const checker::SearchResult& result) {
  std::string text = fmt::format("{} states {} transitions depth {}", result.stats.distinct,
                                 result.stats.transitions, result.stats.depth);
  for (const checker::Violation& v : result.violations) {
    text += fmt::format(" {}@{}", spec::properties()[static_cast<std::size_t>(v.property)].name,
                        v.depth);
  }
  if (result.stats.bounded()) text += " bounded";
  if (result.deadlock) text += " deadlock";
  if (result.lasso) text += " lasso";
  return text;
}

}  // namespace fencepost::testing
