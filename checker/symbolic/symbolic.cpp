#include "checker/symbolic/symbolic.h"

#include <algorithm>
#include <bit>

namespace fencepost::checker {
namespace {

using Bool = Symbolic::Bool;
using Num = Symbolic::Num;

unsigned width_of(unsigned max) { return static_cast<unsigned>(std::bit_width(max)); }
unsigned largest(unsigned width) { return (1U << width) - 1; }

z3::context& context_of(const Num& a, const Num& b) {
  FP_ASSERT(!a.is_constant() || !b.is_constant());
  return a.is_constant() ? b.expr().ctx() : a.expr().ctx();
}

/// The same value in another number of bits: zeros are added or high bits dropped.
z3::expr resized(const z3::expr& e, unsigned width) {
  const unsigned now = e.get_sort().bv_size();
  if (now < width) return z3::zext(e, width - now);
  if (now > width) return e.extract(width - 1, 0);
  return e;
}

}  // namespace

Bool::Bool(const z3::expr& e) {
  if (e.is_true() || e.is_false()) {
    v_ = e.is_true();
  } else {
    e_ = e;
  }
}

bool Bool::same(const Bool& other) const {
  if (is_constant() != other.is_constant()) return false;
  return is_constant() ? v_ == other.v_ : z3::eq(*e_, *other.e_);
}

Num::Num(const z3::expr& e, unsigned max) : max_(max), e_(e) {
  FP_ASSERT(max > 0 && e.get_sort().bv_size() == width_of(max));
}

z3::expr Num::bits(z3::context& c, unsigned width) const {
  if (is_constant()) return c.bv_val(v_, width);
  return resized(*e_, width);
}

bool Num::same(const Num& other) const {
  if (is_constant() != other.is_constant()) return false;
  if (is_constant()) return v_ == other.v_;
  return max_ == other.max_ && z3::eq(*e_, *other.e_);
}

Bool Symbolic::both(const Bool& a, const Bool& b) {
  if (a.is(false) || b.is(true)) return a;
  if (b.is(false) || a.is(true) || a.same(b)) return b;
  return Bool(a.expr() && b.expr());
}

Bool Symbolic::either(const Bool& a, const Bool& b) {
  if (a.is(true) || b.is(false)) return a;
  if (b.is(true) || a.is(false) || a.same(b)) return b;
  return Bool(a.expr() || b.expr());
}

Bool Symbolic::no(const Bool& a) {
  if (a.is_constant()) return Bool(!a.value());
  if (a.expr().is_not()) return Bool(a.expr().arg(0));
  return Bool(!a.expr());
}

Bool Symbolic::equal(const Num& a, const Num& b) {
  if (a.same(b)) return Bool(true);
  if (a.is_constant() && b.is_constant()) return Bool(a.value() == b.value());
  if ((a.is_constant() && a.value() > b.max()) || (b.is_constant() && b.value() > a.max())) {
    return Bool(false);
  }
  const unsigned width = width_of(std::max(a.max(), b.max()));
  z3::context& c = context_of(a, b);
  return Bool(a.bits(c, width) == b.bits(c, width));
}

Bool Symbolic::less(const Num& a, const Num& b) {
  if (a.is_constant() && b.is_constant()) return Bool(a.value() < b.value());
  if (a.same(b) || (a.is_constant() && a.value() >= b.max())) return Bool(false);
  if (b.is_constant() && b.value() == 0) return Bool(false);
  if (b.is_constant() && a.max() < b.value()) return Bool(true);
  const unsigned width = width_of(std::max(a.max(), b.max()));
  z3::context& c = context_of(a, b);
  return Bool(z3::ult(a.bits(c, width), b.bits(c, width)));
}

Num Symbolic::sum(const Num& a, const Num& b) {
  if (a.is_constant() && b.is_constant()) return {static_cast<int>(a.value() + b.value())};
  if (a.is_constant() && a.value() == 0) return b;
  if (b.is_constant() && b.value() == 0) return a;
  const unsigned max = a.max() + b.max();
  const unsigned width = width_of(max);
  z3::context& c = context_of(a, b);
  return {a.bits(c, width) + b.bits(c, width), max};
}

// `b` exceeds `a` only where the caller's condition is false, and then any value will do; so the
// range is that of the bits, not of `a`.
Num Symbolic::difference(const Num& a, const Num& b) {
  if (a.is_constant() && b.is_constant()) {
    return {static_cast<int>(a.value() < b.value() ? 0 : a.value() - b.value())};
  }
  if (b.is_constant() && b.value() == 0) return a;
  if (a.same(b)) return {0};
  const unsigned width = width_of(std::max(a.max(), b.max()));
  z3::context& c = context_of(a, b);
  const z3::expr wide = a.bits(c, width) - b.bits(c, width);
  const unsigned kept = std::max(1U, width_of(a.max()));
  return {resized(wide, kept), largest(kept)};
}

Num Symbolic::pick(const Bool& c, const Num& a, const Num& b) {
  if (c.is_constant()) return c.value() ? a : b;
  if (a.same(b)) return a;
  const unsigned max = std::max(a.max(), b.max());
  const unsigned width = width_of(max);
  z3::context& context = c.expr().ctx();
  return {z3::ite(c.expr(), a.bits(context, width), b.bits(context, width)), max};
}

void Symbolic::set(Cell& cell, const Num& value) {
  if (value.max() <= cell.max) {
    cell.value = pick(path_, value, cell.value);
    return;
  }
  const Num limit(static_cast<int>(cell.max));
  overflow_ = either(overflow_, both(path_, less(limit, value)));
  if (cell.max == 0 || value.is_constant()) return;
  // What is above the cell's range counts as overflow, so the value that is stored then is free.
  const z3::expr bits = resized(value.expr(), width_of(cell.max));
  cell.value = pick(path_, Num(bits, cell.max), cell.value);
}

void Symbolic::increment_cell(Cell& cell, unsigned limit, std::size_t bound) {
  FP_ASSERT(bound < kBounds);
  const Bool full = no(less(cell.value, Num(static_cast<int>(limit))));
  bounds_[bound] = either(bounds_[bound], both(path_, full));
  when(no(full), [&] { set(cell, sum(cell.value, Num(1))); });
}

}  // namespace fencepost::checker
