// The rules, on the tree as it is.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "checker/cli/options.h"
#include "tests/tidy/rules.h"
#include "tests/tidy/source_text.h"

namespace fencepost::tidy {
namespace {

const std::filesystem::path kRoot = FENCEPOST_SOURCE_DIR;

const std::vector<SourceFile>& tree() {
  static const std::vector<SourceFile> kTree = read_tree(kRoot);
  return kTree;
}

template <class Rule>
void expect_no_complaint(const Rule& rule) {
  std::vector<std::string> all;
  for (const SourceFile& file : tree()) {
    for (const std::string& complaint : rule(file)) all.push_back(complaint);
  }
  EXPECT_TRUE(all.empty()) << fmt::format("{}", fmt::join(all, "\n"));
}

TEST(Tree, IsReadWhole) { EXPECT_GT(tree().size(), 50U); }

TEST(Tree, KeepsItsShape) { expect_no_complaint(check_shape); }

TEST(Tree, HeadersAreGuardedAndComeFirst) {
  expect_no_complaint([](const SourceFile& file) { return check_header_rules(file, tree()); });
}

TEST(Tree, FoldersIncludeOnlyWhatTheyMay) { expect_no_complaint(check_includes); }

TEST(Tree, EverySourceIsBuilt) {
  expect_no_complaint([](const SourceFile& file) { return check_is_built(file, tree()); });
}

/// The section of the command, or "" if the document has none.
std::string section(const std::string& document, const std::string& command) {
  std::string found;
  bool inside = false;
  for (const std::string_view line : lines(document)) {
    if (line.starts_with("## ")) {
      inside = command.empty() ? line == "## For every command"
                               : line.find(command) != std::string_view::npos;
    }
    if (inside) found.append(line).append(1, '\n');
  }
  return found;
}

TEST(Documentation, NamesEveryOptionInTheSectionOfItsCommand) {
  std::ostringstream text;
  text << std::ifstream(kRoot / "checker/cli/README.md").rdbuf();
  for (const std::string& option : cli::option_names()) {
    const auto dashes = option.find("--");
    const std::string command = option.substr(0, dashes == 0 ? 0 : dashes - 1);
    EXPECT_NE(section(text.str(), command).find(fmt::format("`{}", option.substr(dashes))),
              std::string::npos)
        << "checker/cli/README.md does not name the option " << option;
  }
}

}  // namespace
}  // namespace fencepost::tidy
