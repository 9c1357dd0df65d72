// The Explained domain: plain numbers that remember where they came from, so that a guard which is
// false can say which of its conjuncts is, in the names and values of the fields it read. Guards
// only: it has no assignment. Slow; nothing but explanations uses it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace fencepost::spec {

class Explained {
 public:
  /// A truth value and how it came about.
  class Bool {
   public:
    enum class Kind : std::uint8_t { kConstant, kComparison, kAnd, kOr, kNot };
    explicit Bool(bool v) : fact_(std::make_shared<Fact>(Fact{Kind::kConstant, v, {}, {}})) {}
    Bool(Kind kind, bool v, std::string text, std::vector<Bool> parts)
        : fact_(std::make_shared<Fact>(Fact{kind, v, std::move(text), std::move(parts)})) {}
    [[nodiscard]] bool value() const { return fact_->value; }
    [[nodiscard]] Kind kind() const { return fact_->kind; }
    /// A comparison, as it reads where it is true, and what was picked to make up its sides.
    [[nodiscard]] const std::string& text() const { return fact_->text; }
    /// Operands; of a comparison the conditions by which its sides were picked.
    [[nodiscard]] const std::vector<Bool>& parts() const { return fact_->parts; }

   private:
    struct Fact {
      Kind kind;
      bool value;
      std::string text;
      std::vector<Bool> parts;
    };
    std::shared_ptr<const Fact> fact_;
  };

  /// A value, the field it was read from or the sum it is, and the conditions it was picked by.
  class Num {
   public:
    /// The name of a value, where it is of an enumeration that has names.
    using Namer = std::string_view (*)(unsigned);

    Num(int v) : value_(static_cast<unsigned>(v)) {}  // NOLINT: constants read as numbers
    template <class E>
    requires std::is_enum_v<E> Num(E v) : value_(static_cast<unsigned>(v)) {  // NOLINT
      if constexpr (requires { name_of_value(v); }) {
        namer_ = [](unsigned value) { return name_of_value(static_cast<E>(value)); };
      }
    }
    /// `sum`: `from` is an expression that shows its values already.
    Num(unsigned v, std::string from, std::vector<Bool> because, bool sum = false)
        : value_(v), from_(std::move(from)), sum_(sum), because_(std::move(because)) {}
    [[nodiscard]] unsigned value() const { return value_; }
    [[nodiscard]] const std::string& from() const { return from_; }
    [[nodiscard]] Namer namer() const { return namer_; }
    [[nodiscard]] const std::vector<Bool>& because() const { return because_; }
    void add_reason(const Bool& reason) { because_.push_back(reason); }
    /// "high watermark of partition 0 (2)", or "2", the value by name where `by` is given.
    [[nodiscard]] std::string text(Namer by = nullptr) const;

   private:
    unsigned value_;
    std::string from_;
    bool sum_ = false;
    Namer namer_ = nullptr;
    std::vector<Bool> because_;
  };

  /// Requires: `place` is set before use, where the field is one that the instance uses.
  struct Cell {
    unsigned v = 0;
    std::string place;
    operator Num() const { return {v, place, {}}; }  // NOLINT
  };

  [[nodiscard]] static Num pick(const Bool& c, const Num& a, const Num& b) {
    Num chosen = c.value() ? a : b;
    chosen.add_reason(c.value() ? c : !c);
    return chosen;
  }
  [[nodiscard]] static int upto(const Num& num, int limit) {
    const int n = static_cast<int>(num.value());
    return n < limit ? n : limit;
  }
  template <class T>
  [[nodiscard]] static Num at(const T* array, int /*count*/, const Num& index) {
    return array[index.value()];
  }
  template <class T>
  [[nodiscard]] static Num at(const T* array, int /*count*/, const Num& index, Cell T::*member) {
    return array[index.value()].*member;
  }

  friend Bool operator!(const Bool& a) { return {Bool::Kind::kNot, !a.value(), {}, {a}}; }
};

inline Explained::Bool operator&&(const Explained::Bool& a, const Explained::Bool& b) {
  return {Explained::Bool::Kind::kAnd, a.value() && b.value(), {}, {a, b}};
}
inline Explained::Bool operator||(const Explained::Bool& a, const Explained::Bool& b) {
  return {Explained::Bool::Kind::kOr, a.value() || b.value(), {}, {a, b}};
}

namespace detail {

Explained::Bool compared(bool holds, const Explained::Num& a, const char* how,
                         const Explained::Num& b);
Explained::Num combined(unsigned v, const Explained::Num& a, const char* how,
                        const Explained::Num& b);

}  // namespace detail

inline Explained::Bool operator==(const Explained::Num& a, const Explained::Num& b) {
  return detail::compared(a.value() == b.value(), a, "=", b);
}
inline Explained::Bool operator!=(const Explained::Num& a, const Explained::Num& b) {
  return detail::compared(a.value() != b.value(), a, "!=", b);
}
inline Explained::Bool operator<(const Explained::Num& a, const Explained::Num& b) {
  return detail::compared(a.value() < b.value(), a, "<", b);
}
inline Explained::Bool operator<=(const Explained::Num& a, const Explained::Num& b) {
  return detail::compared(a.value() <= b.value(), a, "<=", b);
}
inline Explained::Bool operator>(const Explained::Num& a, const Explained::Num& b) {
  return detail::compared(a.value() > b.value(), a, ">", b);
}
inline Explained::Bool operator>=(const Explained::Num& a, const Explained::Num& b) {
  return detail::compared(a.value() >= b.value(), a, ">=", b);
}
inline Explained::Num operator+(const Explained::Num& a, const Explained::Num& b) {
  return detail::combined(a.value() + b.value(), a, "+", b);
}
inline Explained::Num operator-(const Explained::Num& a, const Explained::Num& b) {
  return detail::combined(a.value() - b.value(), a, "-", b);
}

/// What a false truth value would have needed: its false conjuncts, each in words, in the order in
/// which the guard has them. Requires: `guard` is false.
std::vector<std::string> false_conjuncts(const Explained::Bool& guard);

}  // namespace fencepost::spec
