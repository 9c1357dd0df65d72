// The rules of the source tree. Each returns complaints "path:line: what is wrong".
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fencepost::tidy {

inline constexpr std::size_t kMaxColumns = 100;
inline constexpr int kMaxFunctionLines = 60;
inline constexpr std::size_t kMaxFileLines = 500;

struct SourceFile {
  std::string path;  ///< from the root of the tree, with slashes
  std::string text;
};

/// Every .h and .cpp, and every CMakeLists.txt, of the tree's folders, sorted by path.
std::vector<SourceFile> read_tree(const std::filesystem::path& root);

/// Every .md of the tree's folders and of its root, sorted by path.
std::vector<SourceFile> read_documents(const std::filesystem::path& root);

/// Length of lines, functions and the file; tabs; blanks at line ends; unfinished-work marks.
std::vector<std::string> check_shape(const SourceFile& file);
/// `#pragma once`, and the own header first.
std::vector<std::string> check_header_rules(const SourceFile& file,
                                            const std::vector<SourceFile>& tree);
/// Which folder may include what.
std::vector<std::string> check_includes(const SourceFile& file);
/// Whether a .cpp is named in a CMakeLists.txt of its folder or one above.
std::vector<std::string> check_is_built(const SourceFile& file,
                                        const std::vector<SourceFile>& tree);

/// Whether what a document links to in the tree is there. Links to the web, links within the
/// document and what stands in code are left alone.
std::vector<std::string> check_links(const SourceFile& document, const std::filesystem::path& root);

}  // namespace fencepost::tidy
