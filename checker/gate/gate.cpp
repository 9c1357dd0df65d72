#include "checker/gate/gate.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <new>

#include "checker/core/parallel.h"
#include "checker/gate/compare.h"
#include "checker/gate/judge.h"
#include "spec/instance_text.h"
#include "spec/lemmas.h"
#include "spec/located_json.h"

namespace fencepost::gate {
namespace {

using checker::Verdict;

/// One search and the rows it answers.
struct Group {
  Task task;
  std::vector<std::size_t> rows;  ///< indices into GateResult::rows
};

/// Groups the rows, in the order in which their groups first appear.
std::vector<Group> plan(const Claims& claims, const GateResult& result,
                        const GateOptions& options) {
  std::vector<Group> groups;
  std::map<SearchKey, std::size_t> known;
  for (std::size_t r = 0; r < result.rows.size(); ++r) {
    const ClaimRow& row = *result.rows[r].row;
    const auto [found, fresh] = known.try_emplace(search_key(row), groups.size());
    if (fresh) {
      Group group;
      group.task.behaviour =
          spec::combine(claims.clients.at(row.variant), claims.brokers.at(row.broker));
      group.task.instance = row.instance;
      group.task.limits = options.limits;
      group.task.on = options.on;
      groups.push_back(std::move(group));
    }
    Group& group = groups[found->second];
    group.task.properties |= bit(row.property);
    group.rows.push_back(r);
  }
  return groups;
}

void fill_names(RowResult& result) {
  result.answer.variant = result.row->variant;
  result.answer.broker = result.row->broker;
  result.answer.faults = result.row->faults;
}

void judge_group(const Group& group, const TaskResult& found, GateResult& result) {
  for (const std::size_t r : group.rows) {
    RowResult& row = result.rows[r];
    row.answer = judge(group.task, found, row.row->property, row.claim->witnesses);
    if (checker::holds(row.answer.verdict)) {
      const std::string missing = missing_witnesses(found, row.claim->hoped);
      if (!row.answer.remark.empty() && !missing.empty()) row.answer.remark += "; ";
      row.answer.remark += missing;
    }
    row.status = status_of(row.claim->expect, row.answer.verdict);
    row.interrupted = row.answer.verdict == Verdict::kUnknown && interrupted(found);
    fill_names(row);
  }
}

/// A search that was never started because the run was stopped before.
TaskResult not_started() {
  TaskResult result;
  result.end = checker::SearchEnd::kInterrupted;
  return result;
}

/// Runs the searches, each on one of a few threads, and judges their rows.
class Runner {
 public:
  Runner(const std::vector<Group>& groups, const Checker& checker, const GateOptions& options,
         GateResult& result)
      : groups_(groups), checker_(checker), options_(options), result_(result) {}

  /// All searches, and then what other engines say of them, the longest first: so no thread is left
  /// with a long one when the others have run out of work. Throws std::bad_alloc if memory ran out
  /// where no search was under way.
  void run() {
    const bool confirms = options_.prover || options_.refuter;
    progress_.searches = groups_.size() * (confirms ? 2 : 1);
    checker::for_each_piece(groups_.size(), options_.parallel, [this](std::size_t g) {
      const TaskResult found = stopped() ? not_started() : search(groups_[g].task);
      judge_group(groups_[g], found, result_);  // no two groups share a row
      report(found.stats.distinct);
    });
    if (!confirms) return;
    const std::vector<std::size_t> order = deepest_first();
    checker::for_each_piece(order.size(), options_.parallel, [&](std::size_t i) {
      if (options_.prover && !stopped()) prove(groups_[order[i]]);
      if (options_.refuter && !stopped()) refute(groups_[order[i]]);
      report(0);
    });
  }

 private:
  [[nodiscard]] bool stopped() const {
    return options_.limits.stop != nullptr && options_.limits.stop->load();
  }

  /// A refutation takes the longer the deeper it is, and longer than a proof.
  [[nodiscard]] std::vector<std::size_t> deepest_first() const {
    std::vector<std::uint32_t> depth(groups_.size(), 0);
    std::vector<std::size_t> order(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      order[g] = g;
      for (const std::size_t r : groups_[g].rows) {
        const RowResult& row = result_.rows[r];
        if (refutable(row)) depth[g] = std::max(depth[g], row.answer.depth);
      }
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return depth[a] > depth[b]; });
    return order;
  }

  void report(std::uint64_t states) {
    const std::lock_guard lock(mutex_);
    ++progress_.searches_done;
    progress_.states += states;
    if (options_.on_search) options_.on_search(progress_);
  }

  /// All safety properties of the group that hold and can be proved, together.
  void prove(const Group& group) {
    Task task = group.task;
    const std::uint32_t provable = spec::provable_properties({task.behaviour, task.instance});
    task.properties = 0;
    std::vector<RowResult*> rows;
    for (const std::size_t r : group.rows) {
      RowResult& row = result_.rows[r];
      const std::uint32_t property = bit(row.row->property);
      if ((provable & property) == 0 || row.claim->of_base) continue;
      if (row.answer.verdict != Verdict::kExhausted) continue;
      task.properties |= property;
      rows.push_back(&row);
    }
    if (rows.empty()) return;
    confirm(rows, [&] { return options_.prover(task); });
  }

  /// A safety property refuted as claimed.
  static bool refutable(const RowResult& row) {
    return row.row->property != spec::Property::kProgress &&
           row.claim->expect == Expect::kRefuted && row.answer.verdict == Verdict::kRefuted;
  }

  /// Every such property of the group, once.
  void refute(const Group& group) {
    std::map<spec::Property, std::vector<RowResult*>> rows;
    for (const std::size_t r : group.rows) {
      RowResult& row = result_.rows[r];
      if (refutable(row)) rows[row.row->property].push_back(&row);
    }
    for (const auto& [property, same] : rows) {
      Task task = group.task;
      task.properties = bit(property);
      const std::uint32_t depth = same.front()->answer.depth;
      confirm(same, [&, p = property] { return options_.refuter(task, p, depth); });
    }
  }

  TaskResult search(const Task& task) const {
    try {
      return checker_(task);
    } catch (const std::bad_alloc&) {
      TaskResult result;
      result.end = checker::SearchEnd::kMemory;
      result.memory_refused = true;
      return result;
    } catch (const std::exception& error) {
      TaskResult result;
      result.error = error.what();
      return result;
    }
  }

  const std::vector<Group>& groups_;
  const Checker& checker_;
  const GateOptions& options_;
  GateResult& result_;
  std::mutex mutex_;
  GateProgress progress_;
};

bool matches(const std::string& pattern, const std::string& id) {
  return ::fnmatch(pattern.c_str(), id.c_str(), 0) == 0;
}

}  // namespace

RowStatus status_of(Expect expect, Verdict verdict) {
  if (verdict == Verdict::kError) return RowStatus::kNotMet;
  if (expect == Expect::kOpen) return RowStatus::kOpen;
  const bool refuted = verdict == Verdict::kRefuted;
  const bool decided = refuted || checker::holds(verdict) || verdict == Verdict::kVacuous;
  if (!decided) return RowStatus::kUndecided;
  const bool met = expect == Expect::kRefuted ? refuted : checker::holds(verdict);
  return met ? RowStatus::kAsClaimed : RowStatus::kNotMet;
}

std::size_t GateResult::count(RowStatus status) const {
  return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [&](const RowResult& r) {
    return r.status == status && !r.interrupted;
  }));
}

std::size_t GateResult::count(Change change) const {
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [&](const RowResult& row) { return row.change == change; }));
}

std::size_t GateResult::not_checked() const {
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [](const RowResult& row) { return row.interrupted; }));
}

std::string GateResult::summary() const {
  const std::size_t checked = rows.size() - not_checked();
  std::string text = fmt::format("{} claim{}: {} as claimed, {} open, {} not met", checked,
                                 checked == 1 ? "" : "s", count(RowStatus::kAsClaimed),
                                 count(RowStatus::kOpen), count(RowStatus::kNotMet));
  if (const std::size_t undecided = count(RowStatus::kUndecided); undecided > 0) {
    text += fmt::format(", {} undecided", undecided);
  }
  return text;
}

std::string GateResult::interruption() const {
  const std::size_t missing = not_checked();
  if (missing == 0) return "interrupted when all was checked";
  return fmt::format("interrupted: {} of {} claims {} not checked, and {} verdict is unknown",
                     missing, rows.size(), missing == 1 ? "was" : "were",
                     missing == 1 ? "its" : "their");
}

Exit GateResult::exit_code() const {
  const bool open_end = interrupted || not_checked() + count(RowStatus::kUndecided) > 0;
  Exit code = open_end ? Exit::kInconclusive : Exit::kOk;
  if (count(Change::kNoAnswer) > 0) code = checker::worse(code, Exit::kInconclusive);
  if (count(RowStatus::kNotMet) > 0) code = checker::worse(code, Exit::kSafetyRefuted);
  for (const RowResult& row : rows) {
    const bool base_failed = row.base && row.base->verdict == Verdict::kError;
    if (row.answer.verdict == Verdict::kError || base_failed) {
      code = checker::worse(code, Exit::kInternal);
    }
    if (row.change == Change::kWorse) {
      code = checker::worse(code, checker::exit_code(row.answer.verdict, row.answer.kind));
    }
  }
  return code;
}

std::vector<const Claim*> select(const Claims& claims, const std::vector<std::string>& patterns,
                                 bool all) {
  for (const std::string& pattern : patterns) {
    const auto named = [&](const Claim& claim) { return matches(pattern, claim.id); };
    if (std::any_of(claims.list.begin(), claims.list.end(), named)) continue;
    std::vector<std::string_view> ids;
    for (const Claim& claim : claims.list) ids.push_back(claim.id);
    throw Error(Exit::kUsage,
                fmt::format("no claim matches \"{}\"{}", pattern, spec::suggestion(pattern, ids)));
  }
  std::vector<const Claim*> selected;
  for (const Claim& claim : claims.list) {
    const auto names = [&](const std::string& pattern) { return matches(pattern, claim.id); };
    const bool take = patterns.empty() ? all || !claim.slow
                                       : std::any_of(patterns.begin(), patterns.end(), names);
    if (take) selected.push_back(&claim);
  }
  return selected;
}

void confirm(const std::vector<RowResult*>& rows, const std::function<std::string()>& other) {
  try {
    const std::string says = other();
    for (RowResult* row : rows) row->proof = says;
  } catch (const std::bad_alloc&) {
    for (RowResult* row : rows) row->proof = "not confirmed: the system gave no more memory";
  } catch (const std::exception& error) {
    for (RowResult* row : rows) {
      row->answer.verdict = Verdict::kError;
      row->answer.reason = error.what();
      row->status = status_of(row->claim->expect, Verdict::kError);
    }
  }
}

GateResult run_gate(const Claims& claims, const std::vector<const Claim*>& selected,
                    const Checker& checker, const GateOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  GateResult result;
  for (const Claim* claim : selected) {
    for (const ClaimRow& row : claim->rows) {
      result.rows.push_back({claim, &row, {}, RowStatus::kUndecided});
    }
  }
  const std::vector<Group> groups = plan(claims, result, options);
  result.searches = groups.size();
  Runner(groups, checker, options, result).run();
  result.interrupted = options.limits.stop != nullptr && options.limits.stop->load();
  result.comparison = claims.comparison;
  if (!result.comparison.base.empty()) compare_rows(result);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

SearchKey search_key(const ClaimRow& row) {
  const spec::Instance& i = row.instance;
  return {row.variant, row.broker,
          fmt::format("{} {} {} {} {} {} {} {} {} {}", i.partitions, i.messages, i.warm,
                      i.in_flight, i.brokers, i.epochs, i.max_epoch, i.log, i.faults.budget,
                      spec::faults_text(i.faults))};
}

}  // namespace fencepost::gate
