// The Symbolic domain: values are formulas of Z3 over bit-vectors, and an assignment inside a
// conditional becomes `ite(path condition, new, old)`. spec/domain/README.md explains the
// operations; the spec is instantiated over this domain unchanged.
//
// Constants carry no expression at all, so an `int` needs no Z3 context, and whatever is computed
// from constants is folded before Z3 sees it. Every value carries the greatest number it can be,
// and has exactly the bits that this number needs: operations extend with zeros, never wrap, and
// comparisons that the ranges decide are folded as well.
#pragma once

#include <z3++.h>

#include <array>
#include <optional>
#include <type_traits>
#include <vector>

#include "spec/base.h"

namespace fencepost::checker {

class Symbolic {
 public:
  /// A truth value: a constant, or a formula.
  class Bool {
   public:
    explicit Bool(bool v) : v_(v) {}
    explicit Bool(const z3::expr& e);
    [[nodiscard]] bool is_constant() const { return !e_.has_value(); }
    [[nodiscard]] bool is(bool v) const { return is_constant() && v_ == v; }
    [[nodiscard]] bool value() const { return v_; }
    [[nodiscard]] const z3::expr& expr() const { return *e_; }
    /// The formula, also of a constant.
    [[nodiscard]] z3::expr in(z3::context& c) const { return e_ ? *e_ : c.bool_val(v_); }
    /// Structurally the same.
    [[nodiscard]] bool same(const Bool& other) const;

   private:
    bool v_ = false;
    std::optional<z3::expr> e_;
  };

  /// An unsigned value in 0..max(): a constant, or a bit-vector with as many bits as max() needs.
  class Num {
   public:
    Num(int v) : v_(static_cast<unsigned>(v)), max_(v_) {}  // NOLINT: constants read as numbers
    template <class E>
    requires std::is_enum_v<E> Num(E v) : Num(static_cast<int>(v)) {}  // NOLINT
    /// Requires: `e` has exactly the bits that `max` needs, and `max` is not 0.
    Num(const z3::expr& e, unsigned max);
    [[nodiscard]] bool is_constant() const { return !e_.has_value(); }
    [[nodiscard]] unsigned value() const { return v_; }
    [[nodiscard]] unsigned max() const { return max_; }
    [[nodiscard]] const z3::expr& expr() const { return *e_; }
    /// The value with that many bits. Requires: it fits.
    [[nodiscard]] z3::expr bits(z3::context& c, unsigned width) const;
    [[nodiscard]] bool same(const Num& other) const;

   private:
    unsigned v_ = 0;
    unsigned max_ = 0;
    std::optional<z3::expr> e_;
  };

  /// One stored field. A cell whose `max` is 0 is not in use: it is always zero.
  struct Cell {
    Num value = 0;
    unsigned max = 0;
    operator const Num&() const { return value; }  // NOLINT
  };

  void set(Cell& cell, const Num& value);

  template <class B>
  void increment(Cell& cell, int limit, B bound) {
    increment_cell(cell, static_cast<unsigned>(limit), static_cast<std::size_t>(bound));
  }

  template <class Then>
  void when(const Bool& c, Then&& then) {
    const Bool outer = path_;
    path_ = both(outer, c);
    if (!path_.is(false)) then();
    path_ = outer;
  }
  template <class Then, class Otherwise>
  void when(const Bool& c, Then&& then, Otherwise&& otherwise) {
    when(c, then);
    when(no(c), otherwise);
  }

  [[nodiscard]] static Num pick(const Bool& c, const Num& a, const Num& b);

  [[nodiscard]] static int upto(const Num& /*num*/, int limit) { return limit; }

  template <class F>
  void cases(const Num& num, int count, F&& f) {
    for (int k = 0; k < count; ++k) {
      when(equal(num, Num(k)), [&] { f(k); });
    }
  }

  template <class T>
  [[nodiscard]] static Num at(const T* array, int count, const Num& index) {
    Num result = array[count - 1];
    for (int i = count - 2; i >= 0; --i) result = pick(equal(index, Num(i)), array[i], result);
    return result;
  }
  template <class T>
  [[nodiscard]] static Num at(const T* array, int count, const Num& index, Cell T::*member) {
    Num result = array[count - 1].*member;
    for (int i = count - 2; i >= 0; --i) {
      result = pick(equal(index, Num(i)), array[i].*member, result);
    }
    return result;
  }
  void put(Cell* array, int count, const Num& index, const Num& value) {
    for (int i = 0; i < count; ++i) {
      when(equal(index, Num(i)), [&] { set(array[i], value); });
    }
  }
  template <class T>
  void put(T* array, int count, const Num& index, Cell T::*member, const Num& value) {
    for (int i = 0; i < count; ++i) {
      when(equal(index, Num(i)), [&] { set(array[i].*member, value); });
    }
  }

  /// Notes are for readers of a run; a path that Z3 finds is replayed, which says them again.
  template <class N>
  void note(N /*n*/) {}

  /// When the effect would have exceeded the bound; then the step is disabled.
  [[nodiscard]] const Bool& bound_hit(std::size_t bound) const { return bounds_[bound]; }
  /// When the effect wrote a value that its cell cannot hold: a mistake of the spec. Proofs show
  /// that it never happens.
  [[nodiscard]] const Bool& overflow() const { return overflow_; }

  static constexpr std::size_t kBounds = 4;

  [[nodiscard]] static Bool both(const Bool& a, const Bool& b);
  [[nodiscard]] static Bool either(const Bool& a, const Bool& b);
  [[nodiscard]] static Bool no(const Bool& a);
  [[nodiscard]] static Bool equal(const Num& a, const Num& b);
  [[nodiscard]] static Bool less(const Num& a, const Num& b);
  [[nodiscard]] static Num sum(const Num& a, const Num& b);
  [[nodiscard]] static Num difference(const Num& a, const Num& b);

 private:
  void increment_cell(Cell& cell, unsigned limit, std::size_t bound);

  Bool path_ = Bool(true);
  Bool overflow_ = Bool(false);
  std::array<Bool, kBounds> bounds_{Bool(false), Bool(false), Bool(false), Bool(false)};
};

inline Symbolic::Bool operator&&(const Symbolic::Bool& a, const Symbolic::Bool& b) {
  return Symbolic::both(a, b);
}
inline Symbolic::Bool operator||(const Symbolic::Bool& a, const Symbolic::Bool& b) {
  return Symbolic::either(a, b);
}
inline Symbolic::Bool operator!(const Symbolic::Bool& a) { return Symbolic::no(a); }
inline Symbolic::Bool operator==(const Symbolic::Num& a, const Symbolic::Num& b) {
  return Symbolic::equal(a, b);
}
inline Symbolic::Bool operator!=(const Symbolic::Num& a, const Symbolic::Num& b) {
  return !(a == b);
}
inline Symbolic::Bool operator<(const Symbolic::Num& a, const Symbolic::Num& b) {
  return Symbolic::less(a, b);
}
inline Symbolic::Bool operator>(const Symbolic::Num& a, const Symbolic::Num& b) { return b < a; }
inline Symbolic::Bool operator<=(const Symbolic::Num& a, const Symbolic::Num& b) {
  return !(b < a);
}
inline Symbolic::Bool operator>=(const Symbolic::Num& a, const Symbolic::Num& b) {
  return !(a < b);
}
inline Symbolic::Num operator+(const Symbolic::Num& a, const Symbolic::Num& b) {
  return Symbolic::sum(a, b);
}
inline Symbolic::Num operator-(const Symbolic::Num& a, const Symbolic::Num& b) {
  return Symbolic::difference(a, b);
}

}  // namespace fencepost::checker
