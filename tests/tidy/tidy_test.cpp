// The rules, on the tree as it is.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "checker/cli/options.h"
#include "checker/core/verdict.h"
#include "tests/tidy/rules.h"
#include "tests/tidy/source_text.h"

namespace fencepost::tidy {
namespace {

const std::filesystem::path kRoot = FENCEPOST_SOURCE_DIR;

const std::vector<SourceFile>& tree() {
  static const std::vector<SourceFile> kTree = read_tree(kRoot);
  return kTree;
}

std::string read_document(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(kRoot / path).rdbuf();
  return text.str();
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

TEST(Documentation, LinksToWhatIsThere) {
  const std::vector<SourceFile> documents = read_documents(kRoot);
  EXPECT_GT(documents.size(), 10U);
  std::vector<std::string> all;
  for (const SourceFile& document : documents) {
    for (const std::string& complaint : check_links(document, kRoot)) all.push_back(complaint);
  }
  EXPECT_TRUE(all.empty()) << fmt::format("{}", fmt::join(all, "\n"));
}

/// "Suite" or "Suite.Case" is a test of this source.
bool has_test(const std::string& source, const std::string& name) {
  const auto dot = name.find('.');
  const std::string of_suite = fmt::format("({},", name.substr(0, dot));
  if (dot == std::string::npos) return source.find(of_suite) != std::string::npos;
  const std::string of_case = fmt::format("{} {})", of_suite, name.substr(dot + 1));
  return source.find(of_case) != std::string::npos;
}

TEST(Documentation, NamesTestsThatExist) {
  const std::string text = read_document("tests/README.md");
  std::size_t named = 0;
  const std::string mark = "`-R ";
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
    const std::string name =
        text.substr(at + mark.size(), text.find('`', at + 1) - at - mark.size());
    ++named;
    EXPECT_TRUE(std::any_of(tree().begin(), tree().end(),
                            [&](const SourceFile& file) {
                              return file.path.starts_with("tests/") && has_test(file.text, name);
                            }))
        << "tests/README.md names " << name;
  }
  EXPECT_GT(named, 40U);
}

TEST(Documentation, ExplainsEveryVerdictAndExitCode) {
  const std::string text = read_document("README.md");
  for (const checker::VerdictInfo& verdict : checker::verdicts()) {
    EXPECT_NE(text.find(fmt::format("| *{}* |", verdict.name)), std::string::npos) << verdict.name;
  }
  for (const Exit code : {Exit::kOk, Exit::kDeadlock, Exit::kSafetyRefuted, Exit::kLivenessRefuted,
                          Exit::kInconclusive, Exit::kUsage, Exit::kBadInput, Exit::kInternal}) {
    EXPECT_NE(text.find(fmt::format("| {} |", static_cast<int>(code))), std::string::npos)
        << static_cast<int>(code);
  }
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
  const std::string text = read_document("checker/cli/README.md");
  for (const std::string& option : cli::option_names()) {
    const auto dashes = option.find("--");
    const std::string command = option.substr(0, dashes == 0 ? 0 : dashes - 1);
    EXPECT_NE(section(text, command).find(fmt::format("`{}", option.substr(dashes))),
              std::string::npos)
        << "checker/cli/README.md does not name the option " << option;
  }
}

}  // namespace
}  // namespace fencepost::tidy
