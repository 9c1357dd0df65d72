// The session makes the solver it promises, and a query that cannot be answered says why.
#include "checker/symbolic/z3_session.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace fencepost::checker {
namespace {

// Whether the text has "z3::solver name(", a solver made without the session.
bool constructs_a_solver(const std::string& text) {
  const std::string type = "z3::solver ";
  for (auto at = text.find(type); at != std::string::npos; at = text.find(type, at + 1)) {
    const auto end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at + type.size());
    if (end != std::string::npos && end > at + type.size() && text[end] == '(') return true;
  }
  return false;
}

// The incremental SAT core counts its conflicts under "sat ...", the default solver under its own
// names. A query that both answer at once, so that only the names differ.
TEST(Z3Session, MakesTheSolverOfFiniteDomains) {
  Z3Session session;
  z3::context& c = session.context();
  const auto keys_of = [&](z3::solver solver) {
    const z3::expr x = c.bv_const("x", 8);
    const z3::expr y = c.bv_const("y", 8);
    solver.add(x * y == 143);
    solver.add(z3::ugt(x, c.bv_val(1, 8)) && z3::ult(x, y));
    EXPECT_EQ(solver.check(), z3::sat);
    std::ostringstream text;
    text << solver.statistics();
    return text.str();
  };
  const std::string ours = keys_of(session.make_solver({}));
  const std::string standard = keys_of(z3::solver(c));
  EXPECT_NE(ours.find("sat"), std::string::npos) << ours;
  EXPECT_NE(ours, standard);
  // Quantifiers are beyond it; the default solver takes them.
  const z3::expr x = c.bv_const("x", 4);
  const z3::expr y = c.bv_const("y", 4);
  z3::solver solver = session.make_solver({});
  EXPECT_THROW(
      {
        solver.add(z3::forall(x, z3::exists(y, x * y == y + 1)));  // not folded away
        if (solver.check() == z3::unknown) throw z3::exception("unknown");
      },
      z3::exception);
}

TEST(Z3Session, NoOtherFileNamesASolver) {
  const std::string folder = FENCEPOST_SOURCE_DIR "/checker/symbolic/";
  for (const char* name : {"bounded.cpp", "induction.cpp", "frames.cpp", "spec_system.cpp"}) {
    std::ifstream file(folder + name);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_FALSE(text.str().empty()) << name;
    EXPECT_EQ(text.str().find("QF_"), std::string::npos) << name;
    EXPECT_FALSE(constructs_a_solver(text.str())) << name;
  }
}

// Pigeons: hard enough to be interrupted.
z3::solver hard(Z3Session& session, const SolverLimits& limits) {
  z3::context& c = session.context();
  z3::solver solver = session.make_solver(limits);
  constexpr int kHoles = 11;
  for (int p = 0; p <= kHoles; ++p) {
    z3::expr_vector some(c);
    for (int h = 0; h < kHoles; ++h) {
      some.push_back(c.bool_const((std::to_string(p) + "in" + std::to_string(h)).c_str()));
    }
    solver.add(z3::mk_or(some));
    for (int q = 0; q < p; ++q) {
      for (int h = 0; h < kHoles; ++h) {
        const z3::expr other = c.bool_const((std::to_string(q) + "in" + std::to_string(h)).c_str());
        solver.add(!(some[static_cast<unsigned>(h)] && other));
      }
    }
  }
  return solver;
}

TEST(Z3Session, ALateQueryIsUnknownAndSaysSo) {
  Z3Session session;
  const SolverLimits limits{.seconds = 0.1};
  z3::solver solver = hard(session, limits);
  EXPECT_EQ(session.check(solver, z3::expr_vector(session.context()), limits), Sat::kUnknown);
  EXPECT_EQ(session.reason(), "the time of 0.1 s for one query is over");
}

TEST(Z3Session, AStoppedQueryIsInterrupted) {
  Z3Session session;
  std::atomic<bool> stop = false;
  const SolverLimits limits{.stop = &stop};
  z3::solver solver = hard(session, limits);
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop = true;
  });
  EXPECT_EQ(session.check(solver, z3::expr_vector(session.context()), limits), Sat::kUnknown);
  later.join();
  EXPECT_EQ(session.reason(), "interrupted");
}

TEST(Z3Session, KnowsItsVersion) { EXPECT_GE(z3_version(), "4.8.12"); }

}  // namespace
}  // namespace fencepost::checker
