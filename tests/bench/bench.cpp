// fencepost_bench [quick]: speed and memory of the explicit engine on the spec's instance W and on
// the small model. A plain program: what it times are whole searches of seconds, not loops of
// nanoseconds, so a micro-benchmark library would only be in the way. Not a test: numbers depend on
// the machine.
#include <sys/resource.h>

#include <string_view>

#include "tests/bench/measure.h"
#include "tests/small_model/small_rows.h"
#include "tests/support/spec_cases.h"

namespace {

using namespace fencepost;

// Every row gets what it needs at this many bytes a state, so that the figure is not a claim.
constexpr double kBytesPerState = 48;
constexpr double kStatesOfW = 1'175'785;

void rows(const small_model::HoldingRow& row, int repeats) {
  checker::SearchOptions options = small_model::options();
  options.memory_bytes =
      static_cast<std::size_t>(kBytesPerState * static_cast<double>(row.distinct));
  bench::measure_search(small_model::name_of(row.parameters),
                        small_model::SmallSystem(row.parameters), options, {1, 2}, repeats);
}

/// The claims that hold on W with the field's faults, as the gate asks them: all safety properties.
spec::Model instance_w() {
  return {fencepost::testing::behaviour("librdkafka-pr-4972"),
          fencepost::testing::instance_w("leader-lost,stale-view,disconnect", 2)};
}

void spec_rows(const spec::Model& model, int repeats) {
  checker::SearchOptions options;
  options.memory_bytes = static_cast<std::size_t>(kBytesPerState * kStatesOfW);
  bench::measure_search("W, unchecked", model, options, {1, 2}, repeats);
  options.properties = 1U << static_cast<unsigned>(spec::Property::kNoDuplicate);
  const spec::Model one(model.rules().behaviour, model.rules().instance, options.properties);
  bench::measure_search("W, one", one, options, {1, 2}, repeats);
  options.properties = fencepost::testing::kAllSafety;
  bench::measure_search("W, all safety", model, options, {1, 2}, repeats);
  options.progress = true;
  options.memory_bytes = std::size_t{1} << 30;  // the graph comes on top
  bench::measure_search("W, progress", model, options, {1}, repeats);
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::string_view(argv[1]) == "quick";
  const spec::Model w = instance_w();
  bench::print_search_header();
  spec_rows(w, quick ? 1 : 3);
  for (const auto& row : small_model::kQuickRows) rows(row, 3);
  if (!quick) {
    for (const auto& row : small_model::kSlowRows) rows(row, 2);
  }
  fmt::print("\nparts of a step, W:\n");
  bench::Parts(w).print();
  fmt::print("\nparts of a step, {}:\n",
             small_model::name_of(small_model::kSlowRows[0].parameters));
  bench::Parts(small_model::SmallSystem(small_model::kSlowRows[0].parameters)).print();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("\nlargest resident size {} MiB\n", usage.ru_maxrss / 1024);
  return 0;
}
