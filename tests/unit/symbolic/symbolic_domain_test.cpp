// The Symbolic domain by hand: folding, ranges, conditionals, bounds.
#include <gtest/gtest.h>

#include "checker/symbolic/symbolic.h"

namespace fencepost::checker {
namespace {

using Bool = Symbolic::Bool;
using Cell = Symbolic::Cell;
using Num = Symbolic::Num;

class SymbolicDomain : public testing::Test {
 protected:
  z3::context c_;
  Num variable(const char* name, unsigned width, unsigned max) {
    return {c_.bv_const(name, width), max};
  }
  bool valid(const Bool& b) {
    z3::solver solver(c_, "QF_FD");
    solver.add(!b.in(c_));
    return solver.check() == z3::unsat;
  }
};

TEST_F(SymbolicDomain, ConstantsNeedNoContext) {
  EXPECT_TRUE((Num(3) + Num(4) == Num(7)).is(true));
  EXPECT_TRUE((Num(3) < Num(3)).is(false));
  EXPECT_EQ(Symbolic::pick(Bool(true), Num(1), Num(2)).value(), 1U);
}

TEST_F(SymbolicDomain, RangesDecideComparisons) {
  const Num x = variable("x", 3, 5);
  EXPECT_TRUE((x < Num(6)).is(true));
  EXPECT_TRUE((x == Num(6)).is(false));
  EXPECT_TRUE((x >= Num(0)).is(true));
  EXPECT_FALSE((x < Num(5)).is_constant());
}

TEST_F(SymbolicDomain, MixedWidthsAreUnsignedAndNeverWrap) {
  const Num x = variable("x", 3, 7);
  const Num y = variable("y", 1, 1);
  EXPECT_EQ((x + y).max(), 8U);
  EXPECT_TRUE(valid(x + y >= x));
  EXPECT_TRUE(valid(!(y == Num(1)) || x < x + y));
  EXPECT_FALSE(valid(x + y < Num(8)));
  EXPECT_TRUE(valid(!(x >= y) || (x - y) + y == x));
}

TEST_F(SymbolicDomain, AssignmentsAreUnderThePathCondition) {
  Symbolic d;
  const Num x = variable("x", 2, 3);
  Cell cell{variable("cell", 2, 3), 3};
  const Num before = cell;
  d.when(
      x == Num(2), [&] { d.set(cell, 1); }, [&] { d.when(x == Num(3), [&] { d.set(cell, 0); }); });
  EXPECT_TRUE(valid(!(x == Num(2)) || cell == Num(1)));
  EXPECT_TRUE(valid(!(x == Num(3)) || cell == Num(0)));
  EXPECT_TRUE(valid(!(x < Num(2)) || cell == before));
  EXPECT_TRUE(d.overflow().is(false));
}

TEST_F(SymbolicDomain, AnIndexIsAMultiplexer) {
  Symbolic d;
  const Num x = variable("x", 2, 3);
  Cell cells[3] = {{0, 3}, {0, 3}, {0, 3}};
  d.put(cells, 3, x, Num(3));
  EXPECT_TRUE(valid(x > Num(2) || Symbolic::at(cells, 3, x) == Num(3)));
  EXPECT_TRUE(valid(!(x == Num(1)) || cells[0] == Num(0)));
}

TEST_F(SymbolicDomain, BoundsAreCountedAndNothingSaturatesSilently) {
  Symbolic d;
  const Num x = variable("x", 2, 3);
  Cell cell{x, 3};
  d.increment(cell, 2, 1);
  EXPECT_TRUE(d.bound_hit(0).is(false));
  EXPECT_TRUE(valid(!(d.bound_hit(1)) || x >= Num(2)));
  EXPECT_TRUE(valid(!(x >= Num(2)) || d.bound_hit(1)));
  EXPECT_TRUE(valid(!(x < Num(2)) || cell == x + Num(1)));
}

TEST_F(SymbolicDomain, WritingBeyondACellIsAnOverflow) {
  Symbolic d;
  const Num x = variable("x", 2, 3);
  Cell cell{0, 1};
  d.set(cell, x);
  EXPECT_TRUE(valid(!(x > Num(1)) || d.overflow()));
  EXPECT_TRUE(valid(!(x <= Num(1)) || !d.overflow()));
  Cell unused;
  Symbolic e;
  e.set(unused, Num(1));
  EXPECT_TRUE(e.overflow().is(true));
}

}  // namespace
}  // namespace fencepost::checker
