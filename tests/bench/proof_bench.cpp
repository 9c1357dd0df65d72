// fencepost_proof_bench [quick]: how the time of a proof grows with partitions, messages, requests
// in flight and epochs, from W on; and what bounded checking takes to refute and to show that fewer
// steps are not enough. Processor time, of one thread each, so that other load does not matter
// much. Not a test: numbers depend on the machine.
#include <fmt/format.h>

#include <ctime>
#include <string>
#include <string_view>

#include "checker/symbolic/bounded.h"
#include "checker/symbolic/induction.h"
#include "checker/symbolic/spec_system.h"
#include "tests/support/spec_cases.h"

namespace {

using namespace fencepost;

constexpr std::uint32_t kProved = (1U << spec::kSafetyProperties) - 1 -
                                  (1U << static_cast<unsigned>(spec::Property::kHonestStatus));
constexpr unsigned kConflicts = 300000;  // of a query of bounded checking: about a minute

double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

std::vector<std::size_t> every_fact(const checker::SpecSystem& system) {
  std::vector<std::size_t> facts(system.facts().size());
  for (std::size_t f = 0; f < facts.size(); ++f) facts[f] = f;
  return facts;
}

/// One proof, in seconds, or why there is none.
std::string proof(const std::string& variant, spec::Instance instance, bool environment) {
  instance.faults.unlimited = true;
  instance.log = instance.total_messages();
  if (environment) instance.partitions = 1;
  const checker::SpecSystem system(testing::behaviour(variant), instance,
                                   {kProved, true, environment});
  checker::InductionOptions options;
  options.stated_bounds = 1U << static_cast<unsigned>(spec::Bound::kEpochs);
  const double start = processor_seconds();
  const bool proved = checker::prove(system, every_fact(system), options).proved;
  return proved ? fmt::format("{:.1f}", processor_seconds() - start) : "not proved";
}

struct Size {
  int partitions, messages, in_flight, epochs;
};

void proof_row(const Size& size) {
  const auto at = [&](const char* faults) {
    spec::Instance i = testing::instance(size.partitions, size.messages, size.in_flight, faults, 1);
    i.epochs = size.epochs;
    return i;
  };
  const spec::Instance field = at("leader-lost,stale-view,disconnect");
  const spec::Instance all = at("all-but:late-request,cache-shrink,expiry");
  fmt::print("| {} | {} | {} | {} | {} | {} | {} |\n", size.partitions, size.messages,
             size.in_flight, size.epochs, proof("librdkafka-pr-4972", field, false),
             proof("librdkafka-deferred", all, false), proof("librdkafka-deferred", all, true));
  std::fflush(stdout);
}

void refutation_row(const char* variant, const char* faults, std::uint32_t depth) {
  const checker::SpecSystem system(testing::behaviour(variant), testing::instance_w(faults, 2),
                                   {1U, false, false});
  checker::SolverLimits limits;
  limits.conflicts = kConflicts;
  const auto ask = [&](std::uint32_t k, std::uint32_t frames) {
    const double start = processor_seconds();
    const auto answer =
        checker::violation_within(system, checker::facts_to_ask(system), k, frames, limits);
    const char* what = answer.sat == checker::Sat::kSat     ? "yes"
                       : answer.sat == checker::Sat::kUnsat ? "no"
                                                            : "no answer";
    return fmt::format("{}, {:.1f}", what, processor_seconds() - start);
  };
  fmt::print("| {} | {} | {} | {} | {} |\n", variant, faults, depth,
             ask(depth, (depth * 17 + 19) / 20), ask(depth - 1, depth - 1));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::string_view(argv[1]) == "quick";
  fmt::print("Z3 {}; seconds of processor time\n\n", checker::z3_version());
  fmt::print("| P | M | F | E | pr-4972 | deferred | deferred, any P |\n");
  fmt::print("| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const Size& size : {Size{2, 3, 2, 3}, Size{1, 3, 2, 3}, Size{2, 1, 2, 3}}) proof_row(size);
  if (!quick) {
    for (const Size& size : {Size{3, 3, 2, 3}, Size{4, 3, 2, 3}, Size{2, 2, 2, 3}, Size{2, 4, 2, 3},
                             Size{2, 5, 2, 3}, Size{2, 3, 1, 3}, Size{2, 3, 3, 3}, Size{2, 3, 2, 1},
                             Size{2, 3, 2, 7}, Size{2, 3, 2, 15}, Size{4, 4, 3, 3}}) {
      proof_row(size);
    }
  }
  fmt::print("\n| variant | faults | steps | a run of at most so many | one step fewer |\n");
  fmt::print("| --- | --- | --- | --- | --- |\n");
  refutation_row("librdkafka-2.15", "disconnect,message-timeout", 8);
  refutation_row("librdkafka-2.15", "disconnect,permanent-error", 10);
  if (!quick) {
    refutation_row("librdkafka-pr-4972", "leader-lost,permanent-error", 13);
    refutation_row("librdkafka-deferred", "late-request,permanent-error", 15);
    refutation_row("librdkafka-2.15", "leader-lost,stale-view", 18);
  }
  return 0;
}
