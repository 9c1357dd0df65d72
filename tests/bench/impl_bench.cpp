// fencepost_impl_bench: speed of searching the implementation, with and without the comparison with
// the spec, and of the simulator. Not a test: numbers depend on the machine.
#include "checker/refinement/impl_system.h"
#include "impl/simulator.h"
#include "spec/instance_text.h"
#include "tests/bench/measure.h"
#include "tests/support/spec_cases.h"

namespace {

using namespace fencepost;

void searches(const std::string& name, const spec::Instance& instance, int repeats) {
  checker::SearchOptions options;
  options.memory_bytes = std::size_t{2} << 30U;
  for (const bool compare : {true, false}) {
    const refinement::ImplSystem system(testing::behaviour("librdkafka-2.15"), instance,
                                        testing::kAllSafety, {}, impl::Mutant::kNone, compare);
    bench::measure_search(name + (compare ? "" : " bare"), system, options, {1, 2}, repeats);
  }
}

void simulation(const std::string& name, const std::string& variant, const std::string& faults,
                bool traced) {
  impl::SimulateOptions options;
  options.behaviour = testing::behaviour(variant);
  options.steps = 2'000'000;
  options.messages = 1 << 20U;
  options.partitions = 16;
  options.faults_per_mille = faults == "none" ? 0 : 5;
  if (faults != "none") options.faults = spec::parse_faults(faults, 1);
  options.grain = {};
  std::string text;
  fp_tracer tracer;
  fp_trace_open(
      &tracer,
      [](void* to, const char* line, size_t length) {
        static_cast<std::string*>(to)->append(line, length);
      },
      &text, "bench");
  fp_end(&tracer);
  impl::RandomScheduler random(1, options.faults_per_mille);
  impl::SimulateResult result;
  const double seconds = bench::seconds_of(
      [&] { result = impl::simulate(options, random, traced ? &tracer : nullptr, false); });
  fmt::print("{:<28} {:>9} steps {:>6.2f} s {:>8.2f} M steps/s {:>6} MiB of trace\n", name,
             result.steps, seconds, static_cast<double>(result.steps) / seconds / 1e6,
             text.size() >> 20U);
}

}  // namespace

int main() {
  bench::print_search_header();
  searches("2 2 2 f1", testing::instance(2, 2, 2, "leader-lost,stale-view,disconnect", 1), 3);
  searches("2 2 2 all1", testing::instance(2, 2, 2, "all", 1), 3);
  searches("2 2 2 f2", testing::instance(2, 2, 2, "leader-lost,stale-view,disconnect", 2), 1);
  simulation("no faults", "librdkafka-2.15", "none", false);
  simulation("faults", "librdkafka-deferred", "leader-lost,stale-view,disconnect", false);
  simulation("faults, traced", "librdkafka-deferred", "leader-lost,stale-view,disconnect", true);
  return 0;
}
