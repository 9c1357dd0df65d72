// JSON as a tree of values that know their line, for files that people write: variants and claims.
// Every complaint names file and line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fencepost::spec {

struct LocatedMember;

/// One JSON value. `items` is filled for lists, `members` for objects, in the file's order.
struct LocatedJson {
  enum class Kind : std::uint8_t { kNull, kBool, kNumber, kText, kList, kObject };

  Kind kind = Kind::kNull;
  int line = 0;        ///< 1-based line on which the value starts
  bool truth = false;  ///< kBool
  double number = 0;   ///< kNumber
  std::string text;    ///< kText
  std::vector<LocatedJson> items;
  std::vector<LocatedMember> members;

  /// The member of that name, or null. Requires nothing: other kinds have no members.
  [[nodiscard]] const LocatedJson* find(std::string_view key) const;
};

/// A key of an object with its value.
struct LocatedMember {
  std::string key;
  LocatedJson value;
};

/// A parsed file and the readers that complain in its name. All `*_of` functions throw
/// Error(kBadInput) "FILE:LINE: ..." when the value is not what was asked for; `what` names the
/// value in that sentence.
class JsonFile {
 public:
  static constexpr std::size_t kMaxBytes = 1U << 20;
  static constexpr int kMaxDepth = 32;

  /// Throws Error(kBadInput), with file and (where there is one) line, if the file is missing,
  /// not a regular file, unreadable, empty, larger than kMaxBytes, not UTF-8 text, or not JSON;
  /// and for a key that stands twice in an object and for nesting deeper than kMaxDepth.
  static JsonFile read(const std::filesystem::path& path);
  /// The same for text already in memory; `name` stands for the file in complaints.
  static JsonFile parse(std::string_view text, std::string name);

  // Readers keep pointers into the tree: moving keeps them good, copying would not.
  JsonFile(JsonFile&&) noexcept = default;
  JsonFile& operator=(JsonFile&&) noexcept = default;

  [[nodiscard]] const LocatedJson& root() const { return root_; }
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Throws Error(kBadInput) "FILE:LINE: sentence".
  [[noreturn]] void fail(int line, const std::string& sentence) const;

  /// The member of an object. Throws if there is none.
  [[nodiscard]] const LocatedJson& member(const LocatedJson& object, std::string_view key) const;
  /// Not empty. Throws otherwise.
  [[nodiscard]] const std::string& text_of(const LocatedJson& value, std::string_view what) const;
  [[nodiscard]] bool bool_of(const LocatedJson& value, std::string_view what) const;
  /// A whole number in low..high. Throws otherwise.
  [[nodiscard]] int int_of(const LocatedJson& value, std::string_view what, int low,
                           int high) const;
  /// Throws unless the value is an object with no keys but these.
  void object_with(const LocatedJson& value, std::string_view what,
                   std::initializer_list<std::string_view> keys) const;

 private:
  JsonFile(std::string name, LocatedJson root) : name_(std::move(name)), root_(std::move(root)) {}

  std::string name_;
  LocatedJson root_;
};

/// "; did you mean \"x\"?" for the closest of `known` if it is close, else "; known: a, b, c" if
/// they are few, else nothing.
std::string suggestion(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace fencepost::spec
