#include "checker/symbolic/z3_session.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "spec/base.h"

namespace fencepost::checker {
namespace {

using Clock = std::chrono::steady_clock;

/// Interrupts a context when asked to stop or late, until it goes out of scope. Z3's own timeout
/// is not used: it does not reach into every preprocessing step.
class Watch {
 public:
  Watch(z3::context& context, const SolverLimits& limits) {
    if (limits.stop == nullptr && limits.seconds <= 0) return;
    thread_ = std::thread([this, &context, limits] { run(context, limits); });
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
  }
  [[nodiscard]] bool late() const { return late_; }
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  void run(z3::context& context, const SolverLimits& limits) {
    const auto start = Clock::now();
    std::unique_lock lock(mutex_);
    while (!done_) {
      wake_.wait_for(lock, std::chrono::milliseconds(20));
      const std::chrono::duration<double> taken = Clock::now() - start;
      if (limits.stop != nullptr && limits.stop->load()) stopped_ = true;
      if (limits.seconds > 0 && taken.count() > limits.seconds) late_ = true;
      // Again and again: an interrupt that comes between two phases of a query is lost.
      if (!done_ && (stopped_ || late_)) context.interrupt();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
  bool done_ = false;
  std::atomic<bool> late_ = false;
  std::atomic<bool> stopped_ = false;
};

/// Takes over the clauses of a goal: disjunctions of constants and negated constants.
class ClauseReader {
 public:
  void read(const z3::expr& clause) {
    if (clause.is_or()) {
      for (unsigned i = 0; i < clause.num_args(); ++i) add(clause.arg(i));
    } else if (!clause.is_false()) {
      add(clause);
    }
    clauses_.literals.push_back(0);  // what is false has become the empty clause
  }
  [[nodiscard]] Clauses take() { return std::move(clauses_); }

 private:
  void add(const z3::expr& literal) {
    const bool negated = literal.is_not();
    const z3::expr constant = negated ? literal.arg(0) : literal;
    FP_ASSERT(constant.is_const());
    int& variable = numbers_[Z3_get_ast_id(constant.ctx(), constant)];
    if (variable == 0) {
      variable = ++clauses_.variables;
      clauses_.named.emplace(constant.decl().name().str(), variable);
    }
    clauses_.literals.push_back(negated ? -variable : variable);
  }

  Clauses clauses_;
  std::unordered_map<unsigned, int> numbers_;  ///< by Z3's number of the constant
};

}  // namespace

z3::solver Z3Session::make_solver(const SolverLimits& limits) {
  z3::solver solver(context_, "QF_FD");
  z3::params params(context_);
  params.set("random_seed", limits.seed);
  if (limits.resource_limit != 0) params.set("rlimit", limits.resource_limit);
  if (limits.memory_mib != 0) params.set("max_memory", limits.memory_mib);
  solver.set(params);
  return solver;
}

z3::solver Z3Session::make_solver(const z3::expr_vector& formulas, const SolverLimits& limits) {
  z3::solver solver = make_solver(limits);
  for (const z3::expr& formula : formulas) solver.add(formula);
  return solver;
}

Sat Z3Session::check(z3::solver& solver, const z3::expr_vector& assumptions,
                     const SolverLimits& limits) {
  reason_.clear();
  if (limits.stop != nullptr && limits.stop->load()) {
    reason_ = "interrupted";
    return Sat::kUnknown;
  }
  const Watch watch(context_, limits);
  try {
    const z3::check_result result = solver.check(assumptions);
    if (result == z3::sat) return Sat::kSat;
    if (result == z3::unsat) return Sat::kUnsat;
    reason_ = solver.reason_unknown();
  } catch (const z3::exception& e) {
    reason_ = e.msg();
  }
  if (watch.stopped()) {
    reason_ = "interrupted";
  } else if (watch.late()) {
    reason_ = fmt::format("the time of {:g} s for one query is over", limits.seconds);
  } else if (reason_.find("memory") != std::string::npos) {
    reason_ = "the solver ran out of memory";
  } else {
    reason_ = fmt::format("the solver gave up: {}", reason_);
  }
  return Sat::kUnknown;
}

// No tactic that eliminates constants is among these, so that a model of the clauses can be read
// by their names.
std::optional<Clauses> Z3Session::clauses(const z3::expr_vector& formulas,
                                          const SolverLimits& limits) {
  reason_.clear();
  const Watch watch(context_, limits);
  try {
    z3::goal goal(context_);
    for (const z3::expr& formula : formulas) goal.add(formula);
    const auto tactic = [this](const char* name) { return z3::tactic(context_, name); };
    const z3::tactic chain =
        tactic("simplify") & tactic("bit-blast") & tactic("simplify") & tactic("tseitin-cnf");
    const z3::apply_result result = chain(goal);
    FP_ASSERT(result.size() == 1);
    const z3::goal cnf = result[0];
    ClauseReader reader;
    for (unsigned i = 0; i < cnf.size(); ++i) reader.read(cnf[static_cast<int>(i)]);
    return reader.take();
  } catch (const z3::exception& e) {
    reason_ = watch.stopped() ? "interrupted"
              : watch.late()
                  ? fmt::format("the time of {:g} s for one query is over", limits.seconds)
                  : fmt::format("the solver gave up: {}", e.msg());
  }
  return std::nullopt;
}

std::string smt2(const z3::expr_vector& formulas) {
  std::vector<Z3_ast> all(formulas.size());
  for (unsigned i = 0; i < formulas.size(); ++i) all[i] = formulas[static_cast<int>(i)];
  FP_ASSERT(!all.empty());
  const Z3_ast last = all.back();
  all.pop_back();
  return Z3_benchmark_to_smtlib_string(formulas.ctx(), "", "", "unknown", "",
                                       static_cast<unsigned>(all.size()), all.data(), last);
}

std::string z3_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned build = 0;
  unsigned revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return fmt::format("{}.{}.{}", major, minor, build);
}

}  // namespace fencepost::checker
