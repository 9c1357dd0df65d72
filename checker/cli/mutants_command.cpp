#include <fmt/format.h>
#include <fnmatch.h>

#include "checker/catalogue/catalogue.h"
#include "checker/catalogue/catalogue_text.h"
#include "checker/cli/commands.h"
#include "checker/cli/terminal.h"
#include "spec/base.h"

namespace fencepost::cli {
namespace {

using catalogue::Outcome;

Exit exit_code(const std::vector<catalogue::RowAnswer>& answers) {
  if (count(answers, Outcome::kError) > 0) return Exit::kInternal;
  for (const Outcome wrong : {Outcome::kSurvived, Outcome::kMoved, Outcome::kNotShown}) {
    if (count(answers, wrong) > 0) return Exit::kSafetyRefuted;
  }
  return count(answers, Outcome::kUndecided) > 0 ? Exit::kInconclusive : Exit::kOk;
}

}  // namespace

Exit run_mutants(const Arguments& arguments) {
  const std::filesystem::path folder = arguments.mutants.catalogue.empty()
                                           ? std::filesystem::path(FENCEPOST_CATALOGUE_DIR)
                                           : std::filesystem::path(arguments.mutants.catalogue);
  const auto rows = catalogue::read_catalogue(folder, spec_folder(arguments));
  std::vector<catalogue::RowAnswer> answers;
  {
    ProgressLine line;
    for (const catalogue::Row& row : rows) {
      const std::string& only = arguments.mutants.only;
      if (!only.empty() && ::fnmatch(only.c_str(), row.id.c_str(), 0) != 0) continue;
      line.show(fmt::format("row {}, {} of {}", row.id, answers.size() + 1, rows.size()));
      answers.push_back(catalogue::check_row(row, limits_of(arguments, threads_of(arguments))));
    }
  }
  if (answers.empty()) throw Error(Exit::kUsage, "no row of the catalogue has such an id");
  print(arguments.format == Format::kJson
            ? catalogue::catalogue_json(answers)
            : catalogue::catalogue_text(answers, arguments.mutants.details));
  return exit_code(answers);
}

}  // namespace fencepost::cli
