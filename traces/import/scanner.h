// Reads a line piece by piece. A piece that is not there makes the scanner fail and stay failed, so
// that a parser is a straight list of pieces with one test at its end.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace fencepost::traces {

/// Numbers beyond this are taken as damage, so that sums and differences of a few never overflow.
inline constexpr std::int64_t kLargestNumber = std::int64_t{1} << 60;

inline bool is_sane(std::int64_t value) {
  return value >= -kLargestNumber && value <= kLargestNumber;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::string_view rest() const { return rest_; }

  /// Takes `text` if the rest begins with it; says whether it did. Never fails.
  bool maybe(std::string_view text) {
    if (!ok_ || !rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  /// Takes `text`, which must be there.
  Scanner& expect(std::string_view text) {
    if (!maybe(text)) ok_ = false;
    return *this;
  }

  /// Takes a decimal number of at most kLargestNumber.
  std::int64_t number() {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || !is_sane(value)) ok_ = false;
    if (ok_) rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return ok_ ? value : 0;
  }

  /// Takes everything before `stop` and `stop` itself, which must be there.
  std::string_view until(std::string_view stop) {
    const std::size_t at = ok_ ? rest_.find(stop) : std::string_view::npos;
    if (at == std::string_view::npos) {
      ok_ = false;
      return {};
    }
    const std::string_view taken = rest_.substr(0, at);
    rest_.remove_prefix(at + stop.size());
    return taken;
  }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

/// The whole of `text` as a decimal number, or false.
inline bool parse_number(std::string_view text, std::int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && is_sane(value);
}

}  // namespace fencepost::traces
