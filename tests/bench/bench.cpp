// fencepost_bench [quick]: speed and memory of the explicit engine on the small model. A plain
// program: what it times are whole searches of seconds, not loops of nanoseconds, so a
// micro-benchmark library would only be in the way. Not a test: numbers depend on the machine.
#include <sys/resource.h>

#include <string_view>

#include "tests/bench/measure.h"
#include "tests/small_model/small_rows.h"

namespace {

using namespace fencepost;

// Every row gets what it needs at this many bytes a state, so that the figure is not a claim.
constexpr double kBytesPerState = 48;

void rows(const small_model::HoldingRow& row, int repeats) {
  checker::SearchOptions options = small_model::options();
  options.memory_bytes =
      static_cast<std::size_t>(kBytesPerState * static_cast<double>(row.distinct));
  bench::measure_search(small_model::name_of(row.parameters),
                        small_model::SmallSystem(row.parameters), options, {1, 2}, repeats);
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::string_view(argv[1]) == "quick";
  bench::print_search_header();
  for (const auto& row : small_model::kQuickRows) rows(row, 3);
  if (!quick) {
    for (const auto& row : small_model::kSlowRows) rows(row, 2);
  }
  fmt::print("\nparts of a step, {}:\n",
             small_model::name_of(small_model::kSlowRows[0].parameters));
  bench::Parts(small_model::SmallSystem(small_model::kSlowRows[0].parameters)).print();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("\nlargest resident size {} MiB\n", usage.ru_maxrss / 1024);
  return 0;
}
