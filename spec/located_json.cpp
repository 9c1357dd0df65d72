// The reader is nlohmann's event parser over an iterator that counts lines. Events fire as soon as
// their token is complete, so the count is the token's line; only a number needs one character of
// look-ahead, which may be the line's end.
#include "spec/located_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "spec/base.h"

namespace fencepost::spec {
namespace {

[[noreturn]] void fail_at(const std::string& name, int line, const std::string& sentence) {
  throw Error(Exit::kBadInput, fmt::format("{}:{}: {}", name, line, sentence));
}

struct Position {
  int line = 1;
  char last = '\0';
};

/// Walks over the text and keeps the position outside, where the event handler sees it.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, Position* position) : at_(at), position_(position) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    position_->last = *at_;
    if (*at_ == '\n') ++position_->line;
    ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  Position* position_;
};

/// "syntax error while parsing value - unexpected end of input; expected ..." without its head.
std::string reason_of(std::string_view message) {
  if (const auto dash = message.find(" - "); dash != std::string_view::npos) {
    message.remove_prefix(dash + 3);
  }
  if (const auto read = message.find("; last read"); read != std::string_view::npos) {
    message = message.substr(0, read);
  }
  return std::string(message);
}

/// Builds the tree from the parser's events.
class TreeBuilder {
 public:
  using Kind = LocatedJson::Kind;

  TreeBuilder(const std::string& name, const Position* position)
      : name_(name), position_(position) {}

  LocatedJson take() { return std::move(root_); }

  bool null() { return scalar({}); }
  bool boolean(bool truth) {
    LocatedJson value;
    value.kind = Kind::kBool;
    value.truth = truth;
    return scalar(std::move(value));
  }
  bool number_integer(std::int64_t number) { return this->number(static_cast<double>(number)); }
  bool number_unsigned(std::uint64_t number) { return this->number(static_cast<double>(number)); }
  bool number_float(double number, const std::string&) { return this->number(number); }
  bool string(std::string& text) {
    LocatedJson value;
    value.kind = Kind::kText;
    value.text = std::move(text);
    return scalar(std::move(value));
  }
  bool binary(std::vector<std::uint8_t>&) { return false; }
  bool start_object(std::size_t) { return open(Kind::kObject); }
  bool start_array(std::size_t) { return open(Kind::kList); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    if (open_.back()->find(name) != nullptr) {
      fail_at(name_, position_->line, fmt::format("\"{}\" stands twice in one object", name));
    }
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) {
    fail_at(name_, line_of_token(), fmt::format("not JSON: {}", reason_of(error.what())));
  }

 private:
  [[nodiscard]] int line_of_token() const {
    return position_->last == '\n' ? position_->line - 1 : position_->line;
  }

  bool number(double number) {
    LocatedJson value;
    value.kind = Kind::kNumber;
    value.number = number;
    value.line = line_of_token();
    place(std::move(value));
    return true;
  }
  bool scalar(LocatedJson value) {
    value.line = position_->line;
    place(std::move(value));
    return true;
  }
  bool open(Kind kind) {
    if (static_cast<int>(open_.size()) >= JsonFile::kMaxDepth) {
      fail_at(name_, position_->line,
              fmt::format("nested more than {} levels deep", JsonFile::kMaxDepth));
    }
    LocatedJson value;
    value.kind = kind;
    value.line = position_->line;
    open_.push_back(&place(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }
  /// Parents do not grow while a child is open, so the pointers in `open_` stay good.
  LocatedJson& place(LocatedJson value) {
    if (open_.empty()) return root_ = std::move(value);
    LocatedJson& parent = *open_.back();
    if (parent.kind == Kind::kList) return parent.items.emplace_back(std::move(value));
    parent.members.push_back({std::move(key_), std::move(value)});
    return parent.members.back().value;
  }

  const std::string& name_;
  const Position* position_;
  LocatedJson root_;
  std::vector<LocatedJson*> open_;
  std::string key_;
};

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

const LocatedJson* LocatedJson::find(std::string_view key) const {
  for (const auto& [name, value] : members) {
    if (name == key) return &value;
  }
  return nullptr;
}

JsonFile JsonFile::read(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::string name = path.string();
  if (!std::filesystem::exists(path, ignored)) {
    throw Error(Exit::kBadInput, fmt::format("{}: there is no such file", name));
  }
  if (!std::filesystem::is_regular_file(path, ignored)) {
    throw Error(Exit::kBadInput, fmt::format("{}: this is not a file", name));
  }
  std::ifstream in(path, std::ios::binary);
  std::string text(kMaxBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!in.is_open() || in.bad()) {
    throw Error(Exit::kBadInput, fmt::format("{}: the file cannot be read", name));
  }
  text.resize(static_cast<std::size_t>(in.gcount()));
  return parse(text, name);
}

JsonFile JsonFile::parse(std::string_view text, std::string name) {
  if (text.size() > kMaxBytes) fail_at(name, 1, "the file is larger than 1 MB");
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    fail_at(name, 1, "the file is empty");
  }
  if (const auto zero = text.find('\0'); zero != std::string_view::npos) {
    const auto lines = std::count(text.begin(), text.begin() + static_cast<long>(zero), '\n');
    fail_at(name, static_cast<int>(lines) + 1, "the file is binary, not JSON text");
  }
  Position position;
  TreeBuilder builder(name, &position);
  const char* begin = text.data();
  nlohmann::json::sax_parse(CountingIterator(begin, &position),
                            CountingIterator(begin + text.size(), &position), &builder);
  return {std::move(name), builder.take()};
}

void JsonFile::fail(int line, const std::string& sentence) const { fail_at(name_, line, sentence); }

const LocatedJson& JsonFile::member(const LocatedJson& object, std::string_view key) const {
  const LocatedJson* value = object.find(key);
  if (value == nullptr) fail(object.line, fmt::format("\"{}\" is missing", key));
  return *value;
}

const std::string& JsonFile::text_of(const LocatedJson& value, std::string_view what) const {
  if (value.kind != LocatedJson::Kind::kText)
    fail(value.line, fmt::format("{} must be text", what));
  if (value.text.find_first_not_of(" \t\r\n") == std::string::npos) {
    fail(value.line, fmt::format("{} must not be empty", what));
  }
  return value.text;
}

bool JsonFile::bool_of(const LocatedJson& value, std::string_view what) const {
  if (value.kind != LocatedJson::Kind::kBool) {
    fail(value.line, fmt::format("{} must be true or false", what));
  }
  return value.truth;
}

int JsonFile::int_of(const LocatedJson& value, std::string_view what, int low, int high) const {
  const double number = value.number;
  if (value.kind != LocatedJson::Kind::kNumber || number != std::floor(number) || number < low ||
      number > high) {
    fail(value.line, fmt::format("{} must be a whole number from {} to {}", what, low, high));
  }
  return static_cast<int>(number);
}

void JsonFile::object_with(const LocatedJson& value, std::string_view what,
                           std::initializer_list<std::string_view> keys) const {
  if (value.kind != LocatedJson::Kind::kObject) {
    fail(value.line, fmt::format("{} must be an object {{...}}", what));
  }
  const std::vector<std::string_view> known(keys);
  for (const auto& [key, member] : value.members) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    fail(member.line, fmt::format("unknown key \"{}\" in {}{}", key, what, suggestion(key, known)));
  }
}

std::string suggestion(std::string_view word, const std::vector<std::string_view>& known) {
  static constexpr std::size_t kFew = 16;
  std::optional<std::string_view> closest;
  std::size_t distance = std::min(word.size() / 2, 2 + word.size() / 8);
  for (const std::string_view candidate : known) {
    const std::size_t d = edit_distance(word, candidate);
    if (d <= distance && (!closest || d < distance)) {
      closest = candidate;
      distance = d;
    }
  }
  if (closest) return fmt::format("; did you mean \"{}\"?", *closest);
  if (known.empty() || known.size() > kFew) return {};
  return fmt::format("; known: {}", fmt::join(known, ", "));
}

}  // namespace fencepost::spec
