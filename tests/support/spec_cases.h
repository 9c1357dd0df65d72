// What tests of the spec share: variants by name, instances by a short text, one search.
#pragma once

#include <string>
#include <string_view>

#include "checker/core/search.h"
#include "spec/behaviour.h"
#include "spec/instance.h"
#include "spec/model/model.h"

namespace fencepost::testing {

/// The client and broker of those names, from the project's own files.
spec::Behaviour behaviour(const std::string& client,
                          const std::string& broker = "kafka-2.5-to-4.4");

/// Instance W with these faults; the fields can be changed afterwards.
spec::Instance instance_w(std::string_view faults, int budget);

/// A smaller instance, for tests that run many searches.
spec::Instance instance(int partitions, int messages, int in_flight, std::string_view faults,
                        int budget);

inline constexpr std::uint32_t kAllSafety = (1U << spec::kSafetyProperties) - 1;

struct Ask {
  std::uint32_t properties = kAllSafety;  ///< bit = spec::Property
  bool progress = false;
  bool stop_when_decided = false;
  unsigned threads = 1;
};

checker::SearchResult run(const spec::Behaviour& behaviour, const spec::Instance& instance,
                          const Ask& ask = {});

/// The depth at which the property is violated, or -1.
int depth_of(const checker::SearchResult& result, spec::Property property);

/// Everything that a change of behaviour could change, in one line that can be compared:
/// counts, depth, violated properties with depths, progress.
std::string fingerprint(const checker::SearchResult& result);

}  // namespace fencepost::testing
