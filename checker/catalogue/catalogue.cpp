#include "checker/catalogue/catalogue.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/catalogue/spec_question.h"
#include "checker/catalogue/transactions_question.h"
#include "spec/base.h"
#include "spec/located_json.h"

namespace fencepost::catalogue {
namespace {

namespace fs = std::filesystem;
using spec::JsonFile;
using spec::LocatedJson;

Question read_question(const JsonFile& file, const LocatedJson& value, const fs::path& data) {
  std::string model = "spec";
  if (const LocatedJson* named = value.find("model")) model = file.text_of(*named, "\"model\"");
  if (model == "spec" || model == "impl") return read_spec_question(file, value, model, data);
  if (model == "transactions" || model == "impl-transactions") {
    return read_transactions_question(file, value, model, data);
  }
  file.fail(value.line, fmt::format("unknown model \"{}\"; known: spec, impl, transactions, "
                                    "impl-transactions",
                                    model));
}

Row read_row(const JsonFile& file, const LocatedJson& value, const fs::path& data) {
  file.object_with(value, "a row", {"row", "defect", "shape", "breaks", "shown", "outside"});
  Row row;
  row.line = value.line;
  row.id = file.text_of(file.member(value, "row"), "\"row\"");
  row.defect = file.text_of(file.member(value, "defect"), "\"defect\"");
  row.shape = file.text_of(file.member(value, "shape"), "\"shape\"");
  row.breaks = file.text_of(file.member(value, "breaks"), "\"breaks\"");
  const LocatedJson* shown = value.find("shown");
  const LocatedJson* outside = value.find("outside");
  if ((shown == nullptr) == (outside == nullptr)) {
    file.fail(value.line,
              fmt::format("row {} needs either \"shown\" or \"outside\": how it is found, or why "
                          "it cannot be",
                          row.id));
  }
  if (outside != nullptr) row.outside = file.text_of(*outside, "\"outside\"");
  if (shown == nullptr) return row;
  if (shown->kind != LocatedJson::Kind::kList || shown->items.empty()) {
    file.fail(shown->line, "\"shown\" must be a list of questions [...]");
  }
  for (const LocatedJson& item : shown->items) {
    row.questions.push_back(read_question(file, item, data));
  }
  return row;
}

std::vector<fs::path> files_of(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> files;
  for (const auto& item : fs::directory_iterator(folder, failed)) {
    if (item.path().extension() == ".json") files.push_back(item.path());
  }
  if (failed || files.empty()) {
    throw Error(Exit::kBadInput,
                fmt::format("{}: there is no catalogue of defects in this folder (it holds no "
                            ".json file)",
                            folder.string()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<Row> read_catalogue(const fs::path& folder, const fs::path& data) {
  std::vector<Row> rows;
  for (const fs::path& path : files_of(folder)) {
    const JsonFile file = JsonFile::read(path);
    file.object_with(file.root(), "a catalogue", {"says", "rows"});
    const LocatedJson& list = file.member(file.root(), "rows");
    if (list.kind != LocatedJson::Kind::kList) {
      file.fail(list.line, "\"rows\" must be a list [...]");
    }
    for (const LocatedJson& value : list.items) {
      Row row = read_row(file, value, data);
      for (const Row& other : rows) {
        if (other.id == row.id) {
          file.fail(row.line, fmt::format("the row {} stands twice", row.id));
        }
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace fencepost::catalogue
