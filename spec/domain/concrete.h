// The Concrete domain: plain small integers, the conditional is a real branch. It is the explicit
// engine's successor function and the replayer. README.md in this folder explains the operations.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace fencepost::spec {

class Concrete {
 public:
  class Bool {
   public:
    explicit constexpr Bool(bool v) : v_(v) {}
    [[nodiscard]] constexpr bool value() const { return v_; }

   private:
    bool v_;
  };

  /// A value in 0..255. Arithmetic that would leave the range is a mistake of the spec.
  class Num {
   public:
    constexpr Num(int v) : v_(static_cast<unsigned>(v)) {}  // NOLINT: constants read as numbers
    template <class E>
    requires std::is_enum_v<E>
    constexpr Num(E v) : v_(static_cast<unsigned>(v)) {}  // NOLINT
    [[nodiscard]] constexpr unsigned value() const { return v_; }

   private:
    unsigned v_;
  };

  /// One stored field, one byte. States are made of cells only, so equal states are equal bytes.
  struct Cell {
    std::uint8_t v = 0;
    constexpr operator Num() const { return {static_cast<int>(v)}; }  // NOLINT
  };

  void set(Cell& cell, Num value) { cell.v = static_cast<std::uint8_t>(value.value()); }

  template <class B>
  void increment(Cell& cell, int limit, B bound) {
    if (cell.v >= limit) {
      bounds_hit_ |= 1U << static_cast<unsigned>(bound);
    } else {
      ++cell.v;
    }
  }

  template <class Then>
  void when(Bool c, Then&& then) {
    if (c.value()) then();
  }
  template <class Then, class Otherwise>
  void when(Bool c, Then&& then, Otherwise&& otherwise) {
    if (c.value()) {
      then();
    } else {
      otherwise();
    }
  }

  [[nodiscard]] static Num pick(Bool c, Num a, Num b) { return c.value() ? a : b; }

  /// A loop bound: elements at or beyond `num` are known to make no difference. At most `limit`.
  [[nodiscard]] static int upto(Num num, int limit) {
    const int n = static_cast<int>(num.value());
    return n < limit ? n : limit;
  }

  template <class F>
  void cases(Num num, int count, F&& f) {
    const int k = static_cast<int>(num.value());
    if (k < count) f(k);
  }

  template <class T>
  [[nodiscard]] static Num at(const T* array, int /*count*/, Num index) {
    return array[index.value()];
  }
  template <class T>
  [[nodiscard]] static Num at(const T* array, int /*count*/, Num index, Cell T::*member) {
    return array[index.value()].*member;
  }
  void put(Cell* array, int /*count*/, Num index, Num value) { set(array[index.value()], value); }
  template <class T>
  void put(T* array, int /*count*/, Num index, Cell T::*member, Num value) {
    set(array[index.value()].*member, value);
  }

  template <class N>
  void note(N n) {
    notes_ |= std::uint64_t{1} << static_cast<unsigned>(n);
  }

  /// What the effect said since the domain was made: one bit per note, one per bound that was hit.
  [[nodiscard]] std::uint64_t notes() const { return notes_; }
  [[nodiscard]] std::uint32_t bounds_hit() const { return bounds_hit_; }

 private:
  std::uint64_t notes_ = 0;
  std::uint32_t bounds_hit_ = 0;
};

inline constexpr Concrete::Bool operator&&(Concrete::Bool a, Concrete::Bool b) {
  return Concrete::Bool((static_cast<unsigned>(a.value()) & static_cast<unsigned>(b.value())) != 0);
}
inline constexpr Concrete::Bool operator||(Concrete::Bool a, Concrete::Bool b) {
  return Concrete::Bool((static_cast<unsigned>(a.value()) | static_cast<unsigned>(b.value())) != 0);
}
inline constexpr Concrete::Bool operator!(Concrete::Bool a) { return Concrete::Bool(!a.value()); }

inline constexpr Concrete::Bool operator==(Concrete::Num a, Concrete::Num b) {
  return Concrete::Bool(a.value() == b.value());
}
inline constexpr Concrete::Bool operator!=(Concrete::Num a, Concrete::Num b) {
  return Concrete::Bool(a.value() != b.value());
}
inline constexpr Concrete::Bool operator<(Concrete::Num a, Concrete::Num b) {
  return Concrete::Bool(a.value() < b.value());
}
inline constexpr Concrete::Bool operator<=(Concrete::Num a, Concrete::Num b) {
  return Concrete::Bool(a.value() <= b.value());
}
inline constexpr Concrete::Bool operator>(Concrete::Num a, Concrete::Num b) { return b < a; }
inline constexpr Concrete::Bool operator>=(Concrete::Num a, Concrete::Num b) { return b <= a; }
inline constexpr Concrete::Num operator+(Concrete::Num a, Concrete::Num b) {
  return {static_cast<int>(a.value() + b.value())};
}
inline constexpr Concrete::Num operator-(Concrete::Num a, Concrete::Num b) {
  return {static_cast<int>(a.value() - b.value())};
}

}  // namespace fencepost::spec
