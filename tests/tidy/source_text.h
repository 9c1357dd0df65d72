// C++ source reduced to what the rules look at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fencepost::tidy {

/// The text with comments, string and character literals and preprocessor lines blanked out; line
/// ends stay, so that lines keep their numbers.
std::string code_only(std::string_view source);

struct FunctionSpan {
  int first_line = 0;  ///< 1-based, of the declaration
  int last_line = 0;   ///< of the closing brace
  [[nodiscard]] int lines() const { return last_line - first_line + 1; }
};

/// The function bodies at namespace and class scope; lambdas and local classes count as part of
/// the function they are in. Works by matching braces: good for code formatted like ours, not for
/// any C++.
std::vector<FunctionSpan> functions(std::string_view source);

/// The files included, with their brackets: "<string>", "\"spec/base.h\"".
std::vector<std::string> includes(std::string_view source);

std::vector<std::string_view> lines(std::string_view text);

}  // namespace fencepost::tidy
