#include "tests/tidy/source_text.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace fencepost::tidy {
namespace {

/// Copies the source to a text of blanks, character by character.
class Stripper {
 public:
  explicit Stripper(std::string_view source) : source_(source), out_(source.size(), ' ') {}

  std::string run() {
    while (at_ < source_.size()) step();
    return std::move(out_);
  }

 private:
  void step() {
    if (starts("//")) return skip_to("\n", false);
    if (starts("/*")) return skip_to("*/", true);
    if (starts("R\"") && !word_before()) return raw_string();
    if (source_[at_] == '"') return literal('"');
    if (source_[at_] == '\'' && !digit_before()) return literal('\'');
    if (source_[at_] == '#' && line_is_blank_) return preprocessor();
    keep();
  }

  [[nodiscard]] bool starts(std::string_view what) const {
    return source_.substr(at_).starts_with(what);
  }
  [[nodiscard]] bool word_before() const {
    return at_ > 0 && (std::isalnum(static_cast<unsigned char>(source_[at_ - 1])) != 0 ||
                       source_[at_ - 1] == '_');
  }
  [[nodiscard]] bool digit_before() const {
    return at_ > 0 && std::isxdigit(static_cast<unsigned char>(source_[at_ - 1])) != 0;
  }
  void keep() {
    const char c = source_[at_];
    out_[at_] = c;
    if (c == '\n') line_is_blank_ = true;
    if (c != '\n' && c != ' ') line_is_blank_ = false;
    ++at_;
  }
  void blank() {
    if (source_[at_] == '\n') {
      keep();
    } else {
      ++at_;
    }
  }
  void skip_to(std::string_view end, bool and_over) {
    const std::size_t found = std::min(source_.find(end, at_ + 2), source_.size());
    const std::size_t stop = std::min(found + (and_over ? end.size() : 0), source_.size());
    while (at_ < stop) blank();
  }
  void raw_string() {
    const std::size_t open = source_.find('(', at_);
    if (open == std::string_view::npos) return keep();
    std::string end(1, ')');
    end += source_.substr(at_ + 2, open - at_ - 2);
    end += '"';
    // A literal leaves a mark, so that `f("x")` and `f()` stay calls and `= "x"` a value.
    out_[at_] = '0';
    at_ = open;
    skip_to(end, true);
  }
  void literal(char quote) {
    out_[at_] = '0';
    line_is_blank_ = false;
    ++at_;
    while (at_ < source_.size() && source_[at_] != quote && source_[at_] != '\n') {
      at_ += source_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_ + 1, source_.size());
  }
  void preprocessor() {
    while (at_ < source_.size() && source_[at_] != '\n') {
      if (starts("\\\n")) ++at_;
      blank();
    }
  }

  std::string_view source_;
  std::string out_;
  std::size_t at_ = 0;
  bool line_is_blank_ = true;
};

/// Follows braces and tells function bodies from the rest by what stands before them.
class Scanner {
 public:
  explicit Scanner(std::string_view code) : code_(code) {}

  std::vector<FunctionSpan> run() {
    for (const char c : code_) {
      if (c == '\n') ++line_;
      if (c == '{') {
        open();
      } else if (c == '}') {
        close();
      } else if (c == ';' && parens_ == 0) {
        if (!in_function()) clear_head();
      } else {
        add(c);
      }
    }
    return std::move(spans_);
  }

 private:
  enum class Kind { kScope, kFunction, kValue, kMemberInit };
  struct Brace {
    Kind kind;
    int first_line;
  };

  [[nodiscard]] bool in_function() const {
    return std::any_of(braces_.begin(), braces_.end(),
                       [](const Brace& b) { return b.kind != Kind::kScope; });
  }

  void add(char c) {
    if (in_function()) return;
    if (c == ':' && (head_ == "public" || head_ == "private" || head_ == "protected")) {
      return clear_head();
    }
    if (c == '(') ++parens_;
    if (c == ')') --parens_;
    if (head_.empty() && std::isspace(static_cast<unsigned char>(c)) != 0) return;
    if (head_.empty()) head_line_ = line_;
    head_ += c;
  }

  void clear_head() {
    head_.clear();
    parens_ = 0;
  }

  void open() {
    const Kind kind = in_function() ? Kind::kValue : kind_of_head();
    braces_.push_back({kind, head_.empty() ? line_ : head_line_});
    if (kind == Kind::kScope) clear_head();
  }

  [[nodiscard]] Kind kind_of_head() const {
    static const std::regex kScope(
        R"(^(template\s*<[^{}]*>\s*)?(inline\s+)?(namespace|class|struct|union|enum|extern)\b)");
    static const std::regex kConstructor(R"(\)\s*(noexcept\s*)?:[^:])");
    static const std::regex kNoFunction(R"(\bconcept\b|[^=!<>]=\s*$|\boperator\s*$)");
    if (parens_ > 0) return Kind::kMemberInit;  // a default argument: the head goes on
    const bool call = head_.find('(') != std::string::npos;
    if (std::regex_search(head_, kScope) && (!call || is_derived_scope())) return Kind::kScope;
    if (!call || std::regex_search(head_, kNoFunction)) return Kind::kValue;
    const auto last = head_.find_last_not_of(" \n");
    const char before = last == std::string::npos ? ' ' : head_[last];
    const bool name = std::isalnum(static_cast<unsigned char>(before)) != 0 || before == '_';
    if (std::regex_search(head_, kConstructor) && name) return Kind::kMemberInit;
    return Kind::kFunction;
  }

  /// `struct alignas(8) X`: parentheses, but no function.
  [[nodiscard]] bool is_derived_scope() const {
    static const std::regex kReturnsStruct(R"(\)\s*(const)?\s*$)");
    return !std::regex_search(head_, kReturnsStruct);
  }

  void close() {
    if (braces_.empty()) return;
    const Brace brace = braces_.back();
    braces_.pop_back();
    if (brace.kind == Kind::kFunction) spans_.push_back({brace.first_line, line_});
    if (brace.kind == Kind::kMemberInit) head_ += ')';
    if (!in_function() && brace.kind != Kind::kMemberInit) clear_head();
  }

  std::string_view code_;
  std::vector<FunctionSpan> spans_;
  std::vector<Brace> braces_;
  std::string head_;
  int head_line_ = 1;
  int line_ = 1;
  int parens_ = 0;
};

}  // namespace

std::string code_only(std::string_view source) { return Stripper(source).run(); }

std::vector<FunctionSpan> functions(std::string_view source) {
  const std::string code = code_only(source);
  return Scanner(code).run();
}

std::vector<std::string> includes(std::string_view source) {
  std::vector<std::string> found;
  for (const std::string_view line : lines(source)) {
    if (!line.starts_with("#include ")) continue;
    const std::string_view rest = line.substr(9);
    const auto end = rest.find(rest.starts_with('<') ? '>' : '"', 1);
    found.emplace_back(rest.substr(0, end == std::string_view::npos ? rest.size() : end + 1));
  }
  return found;
}

std::vector<std::string_view> lines(std::string_view text) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    found.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return found;
}

}  // namespace fencepost::tidy
