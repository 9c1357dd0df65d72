#include "tests/tidy/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string_view>

#include "tests/tidy/source_text.h"

namespace fencepost::tidy {
namespace {

namespace fs = std::filesystem;
using Complaints = std::vector<std::string>;

constexpr std::array<std::string_view, 5> kFolders{"checker", "impl", "spec", "tests", "traces"};

bool is_header(const std::string& path) { return path.ends_with(".h"); }
bool is_source(const std::string& path) { return path.ends_with(".cpp"); }

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// The folder that layering speaks of: "spec", "traces", "checker/gate", ...
std::string layer_of(std::string_view path) {
  const bool checker = path.starts_with("checker/");
  const auto first = path.find('/');
  if (first == std::string_view::npos) return std::string(path);
  const auto end = checker ? path.find('/', first + 1) : first;
  return std::string(path.substr(0, end));
}

/// What each folder may include of ours, besides itself. Tests may include anything.
struct Layer {
  std::string_view name;
  std::vector<std::string_view> may;
};

const std::vector<Layer>& layers() {
  static const std::vector<Layer> kLayers{
      {"spec", {}},
      {"traces", {"spec"}},
      {"impl", {"spec", "traces"}},
      {"checker/core", {"spec"}},
      {"checker/explicit", {"spec", "checker/core"}},
      {"checker/symbolic", {"spec", "checker/core"}},
      {"checker/conformance", {"spec", "traces", "checker/core", "checker/explicit"}},
      {"checker/counterexample", {"spec", "traces", "checker/core", "checker/explicit"}},
      {"checker/explain", {"spec", "traces", "checker/core"}},
      {"checker/report", {"spec", "traces", "checker/core", "checker/counterexample"}},
      {"checker/gate",
       {"spec", "checker/core", "checker/explicit", "checker/symbolic", "checker/counterexample",
        "checker/report"}},
      {"checker/refinement",
       {"spec", "impl", "checker/core", "checker/explicit", "checker/counterexample",
        "checker/gate", "checker/transactions"}},
      {"checker/transactions",
       {"spec", "checker/core", "checker/explicit", "checker/symbolic", "checker/counterexample",
        "checker/gate"}},
      {"checker/catalogue",
       {"spec", "impl", "checker/core", "checker/explicit", "checker/gate", "checker/refinement",
        "checker/transactions"}},
      {"checker/cli", {"spec", "traces", "impl", "checker"}},
  };
  return kLayers;
}

/// Who may include a library: prefixes of paths.
struct Library {
  std::string_view header;
  std::vector<std::string_view> where;
};

const std::vector<Library>& libraries() {
  static const std::vector<Library> kLibraries{
      {"<boost/",
       {"checker/explicit/liveness", "checker/counterexample/causality", "checker/explain/caus"}},
      {"<z3", {"checker/symbolic/"}},
      {"<cadical", {"checker/symbolic/sat_solver.cpp"}},
      {"<nlohmann/",
       {"traces/", "spec/located_json.", "checker/counterexample/recording", "checker/report/",
        "checker/gate/gate_json.", "checker/catalogue/catalogue_text.",
        "checker/explain/explain_json.", "checker/cli/", "tests/"}},
      {"<CLI/", {"checker/cli/options.cpp", "checker/cli/usage."}},
      {"<gtest/", {"tests/"}},
  };
  return kLibraries;
}

bool may_include(const std::string& layer, std::string_view header) {
  if (header.starts_with(layer + "/")) return true;
  for (const Layer& known : layers()) {
    if (known.name != layer) continue;
    return std::any_of(known.may.begin(), known.may.end(), [&](std::string_view allowed) {
      return header == allowed || header.starts_with(std::string(allowed) + "/");
    });
  }
  return false;
}

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '/' || c == '.';
}

/// Whether the name stands in the text as a word of its own.
bool names(const std::string& text, const std::string& name) {
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const bool left = at == 0 || !is_word_character(text[at - 1]);
    const auto end = at + name.size();
    if (left && (end == text.size() || !is_word_character(text[end]))) return true;
  }
  return false;
}

template <class Ours>
std::vector<SourceFile> read_folders(const fs::path& root, const Ours& ours) {
  std::vector<SourceFile> files;
  for (const std::string_view folder : kFolders) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& item : fs::recursive_directory_iterator(root / folder)) {
      const std::string path = fs::relative(item.path(), root).generic_string();
      if (item.is_regular_file() && ours(path)) files.push_back({path, read(item.path())});
    }
  }
  return files;
}

void sort_by_path(std::vector<SourceFile>& files) {
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
}

/// The targets of "[text](target)" in a line, what stands between backticks left out.
std::vector<std::string> links_of(std::string_view line) {
  std::string plain;
  bool code = false;
  for (const char c : line) {
    if (c == '`') code = !code;
    plain += code ? ' ' : c;
  }
  std::vector<std::string> targets;
  for (auto at = plain.find("]("); at != std::string::npos; at = plain.find("](", at + 2)) {
    const auto end = plain.find(')', at);
    if (end == std::string::npos) break;
    targets.push_back(plain.substr(at + 2, end - at - 2));
  }
  return targets;
}

}  // namespace

std::vector<SourceFile> read_tree(const fs::path& root) {
  const auto ours = [](const std::string& path) {
    return is_header(path) || is_source(path) || path.ends_with("CMakeLists.txt");
  };
  std::vector<SourceFile> tree = read_folders(root, ours);
  tree.push_back({"CMakeLists.txt", read(root / "CMakeLists.txt")});
  sort_by_path(tree);
  return tree;
}

std::vector<SourceFile> read_documents(const fs::path& root) {
  const auto is_document = [](const std::string& path) { return path.ends_with(".md"); };
  std::vector<SourceFile> documents = read_folders(root, is_document);
  for (const auto& item : fs::directory_iterator(root)) {
    const std::string name = item.path().filename().string();
    if (item.is_regular_file() && is_document(name)) documents.push_back({name, read(item.path())});
  }
  sort_by_path(documents);
  return documents;
}

Complaints check_shape(const SourceFile& file) {
  // Written apart, so that this file passes its own rule.
  static const std::array<std::string, 2> kMarks{std::string("TO") + "DO",
                                                 std::string("FIX") + "ME"};
  Complaints complaints;
  const std::vector<std::string_view> all = lines(file.text);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto say = [&](std::string_view what) {
      complaints.push_back(fmt::format("{}:{}: {}", file.path, i + 1, what));
    };
    if (all[i].size() > kMaxColumns) say("longer than 100 columns");
    if (all[i].find('\t') != std::string_view::npos) say("a tab");
    if (all[i].ends_with(' ')) say("blanks at the end");
    for (const std::string& mark : kMarks) {
      if (all[i].find(mark) != std::string_view::npos) say(mark);
    }
  }
  if (all.size() > kMaxFileLines) {
    complaints.push_back(fmt::format("{}:1: {} lines, more than 500", file.path, all.size()));
  }
  if (!is_header(file.path) && !is_source(file.path)) return complaints;
  for (const FunctionSpan& span : functions(file.text)) {
    if (span.lines() <= kMaxFunctionLines) continue;
    complaints.push_back(fmt::format("{}:{}: a function of {} lines, more than 60", file.path,
                                     span.first_line, span.lines()));
  }
  return complaints;
}

Complaints check_header_rules(const SourceFile& file, const std::vector<SourceFile>& tree) {
  if (is_header(file.path)) {
    // The tracer is C as well, where "#pragma once" is no standard; its guard is a macro.
    if (file.path == "impl/tracer/fencepost_tracer.h") return {};
    for (const std::string_view line : lines(file.text)) {
      if (line.empty() || line.starts_with("//")) continue;
      if (line == "#pragma once") return {};
      break;
    }
    return {file.path + ":1: \"#pragma once\" is not the first thing in the header"};
  }
  if (!is_source(file.path)) return {};
  const std::string own = file.path.substr(0, file.path.size() - 4) + ".h";
  const bool has_own = std::any_of(tree.begin(), tree.end(),
                                   [&](const SourceFile& other) { return other.path == own; });
  if (!has_own) return {};
  const std::vector<std::string> included = includes(file.text);
  if (!included.empty() && included.front() == "\"" + own + "\"") return {};
  return {fmt::format("{}:1: its own header is not included first", file.path)};
}

Complaints check_includes(const SourceFile& file) {
  if (!is_header(file.path) && !is_source(file.path)) return {};
  Complaints complaints;
  for (const std::string& included : includes(file.text)) {
    for (const Library& library : libraries()) {
      if (!included.starts_with(library.header)) continue;
      const bool allowed =
          std::any_of(library.where.begin(), library.where.end(),
                      [&](std::string_view prefix) { return file.path.starts_with(prefix); });
      if (!allowed) complaints.push_back(fmt::format("{}:1: includes {}", file.path, included));
    }
    if (!included.starts_with('"') || file.path.starts_with("tests/")) continue;
    const std::string header = included.substr(1, included.size() - 2);
    if (may_include(layer_of(file.path), header)) continue;
    complaints.push_back(fmt::format("{}:1: includes {}, which {} must not know", file.path,
                                     included, layer_of(file.path)));
  }
  return complaints;
}

Complaints check_is_built(const SourceFile& file, const std::vector<SourceFile>& tree) {
  if (!is_source(file.path)) return {};
  for (const SourceFile& cmake : tree) {
    if (!cmake.path.ends_with("CMakeLists.txt")) continue;
    const std::string folder = cmake.path.substr(0, cmake.path.size() - 14);
    if (!file.path.starts_with(folder)) continue;
    if (names(cmake.text, file.path.substr(folder.size()))) return {};
  }
  return {fmt::format("{}:1: named in no CMakeLists.txt", file.path)};
}

Complaints check_links(const SourceFile& document, const fs::path& root) {
  Complaints complaints;
  const fs::path folder = (root / document.path).parent_path();
  const std::vector<std::string_view> all = lines(document.text);
  bool code = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto first = all[i].find_first_not_of(' ');
    if (first != std::string_view::npos && all[i].substr(first).starts_with("```")) code = !code;
    if (code) continue;
    for (const std::string& link : links_of(all[i])) {
      const std::string target = link.substr(0, link.find('#'));
      if (target.empty() || target.find("://") != std::string::npos) continue;
      if (fs::exists(folder / target)) continue;
      complaints.push_back(
          fmt::format("{}:{}: links to {}, which is not there", document.path, i + 1, target));
    }
  }
  return complaints;
}

}  // namespace fencepost::tidy
