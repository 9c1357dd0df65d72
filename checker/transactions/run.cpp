#include "checker/transactions/run.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <new>

#include "checker/core/parallel.h"
#include "checker/gate/judge.h"
#include "spec/base.h"

namespace fencepost::transactions {
namespace {

/// One row of the table to be answered.
struct Wanted {
  std::size_t row;  ///< index into GateResult::rows
  Property property;
  std::uint64_t witnesses;
};

/// One search and the rows it answers.
struct Group {
  Question question;
  std::vector<Wanted> wanted;
};

Property property_of(const Question& question) {
  for (int p = 0; p < spec::transactions::kProperties; ++p) {
    if (question.asks(static_cast<Property>(p))) return static_cast<Property>(p);
  }
  FP_ASSERT(false);
  return {};
}

const Claim& claim_like(const std::vector<Claim>& claims, const gate::Claim& like) {
  const auto found = std::find_if(claims.begin(), claims.end(), [&](const Claim& claim) {
    return claim.claim.id == like.id && claim.claim.of_base == like.of_base;
  });
  FP_ASSERT(found != claims.end());
  return *found;
}

std::vector<Group> plan(const std::vector<Claim>& claims,
                        const std::vector<const gate::Claim*>& selected, gate::GateResult& result) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> known;
  for (const gate::Claim* claim : selected) {
    const std::vector<Question>& questions = claim_like(claims, *claim).questions;
    for (std::size_t r = 0; r < claim->rows.size(); ++r) {
      const Question& question = questions[r];
      const auto [found, fresh] = known.try_emplace(question.key(), groups.size());
      if (fresh) groups.push_back({question, {}});
      Group& group = groups[found->second];
      group.question.properties |= question.properties;
      group.wanted.push_back({result.rows.size(), property_of(question), claim->witnesses});
      gate::RowResult row;
      row.claim = claim;
      row.row = &claim->rows[r];
      result.rows.push_back(std::move(row));
    }
  }
  return groups;
}

/// What a search throws is a failed check of our own, unless it is that memory is used up.
Found search_group(const Group& group, const Searcher& searcher, const gate::Limits& limits) {
  Found found;
  if (limits.stop != nullptr && limits.stop->load()) {
    found.facts.end = checker::SearchEnd::kInterrupted;
    return found;
  }
  try {
    return searcher(group.question, limits);
  } catch (const std::bad_alloc&) {
    found.facts.end = checker::SearchEnd::kMemory;
    found.facts.memory_refused = true;
  } catch (const std::exception& error) {
    found.facts.error = error.what();
  }
  return found;
}

/// Runs the searches, each on one of a few threads, and judges their rows.
class Runner {
 public:
  Runner(const std::vector<Group>& groups, const Searcher& searcher,
         const Confirmation& confirmation, const gate::GateOptions& options,
         gate::GateResult& result)
      : groups_(groups),
        searcher_(searcher),
        confirmation_(confirmation),
        options_(options),
        result_(result) {
    progress_.searches = groups.size();
  }

  /// Throws std::bad_alloc if memory ran out where no search was under way.
  void run() {
    checker::for_each_piece(groups_.size(), options_.parallel, [this](std::size_t g) { work(g); });
  }

 private:
  void work(std::size_t g) {
    const Found found = search_group(groups_[g], searcher_, options_.limits);
    judge_rows(groups_[g], found);
    if (confirmation_.refuted && !stopped()) confirm_refuted(groups_[g]);
    if (confirmation_.exhausted && !stopped()) confirm_exhausted(groups_[g]);
    const std::lock_guard lock(mutex_);
    ++progress_.searches_done;
    progress_.states += found.facts.stats.distinct;
    if (options_.on_search) options_.on_search(progress_);
  }

  [[nodiscard]] bool stopped() const {
    return options_.limits.stop != nullptr && options_.limits.stop->load();
  }

  /// Every safety property of the group that is refuted as claimed, once.
  void confirm_refuted(const Group& group) {
    std::map<Property, std::vector<gate::RowResult*>> rows;
    for (const Wanted& wanted : group.wanted) {
      gate::RowResult& row = result_.rows[wanted.row];
      if (wanted.property == Property::kProgress) continue;
      if (row.claim->expect != gate::Expect::kRefuted) continue;
      if (row.answer.verdict == checker::Verdict::kRefuted) rows[wanted.property].push_back(&row);
    }
    for (const auto& [property, same] : rows) {
      gate::confirm(same, [&, p = property, depth = same.front()->answer.depth] {
        return confirmation_.refuted(group.question, p, depth, options_.limits);
      });
    }
  }

  /// All safety properties of the group that are exhausted, together.
  void confirm_exhausted(const Group& group) {
    Question question = group.question;
    question.properties = 0;
    std::vector<gate::RowResult*> rows;
    for (const Wanted& wanted : group.wanted) {
      gate::RowResult& row = result_.rows[wanted.row];
      if (wanted.property == Property::kProgress) continue;
      if (row.answer.verdict != checker::Verdict::kExhausted) continue;
      question.properties |= bit(wanted.property);
      rows.push_back(&row);
    }
    if (rows.empty()) return;
    gate::confirm(rows, [&] {
      return confirmation_.exhausted(question, rows.front()->answer.states, options_.limits);
    });
  }

  /// No two groups share a row.
  void judge_rows(const Group& group, const Found& found) {
    for (const Wanted& wanted : group.wanted) {
      gate::RowResult& row = result_.rows[wanted.row];
      row.answer = judge(group.question, found, options_.limits, wanted.property, wanted.witnesses);
      const std::string missing = missing_witnesses(found, row.claim->hoped);
      if (checker::holds(row.answer.verdict) && !missing.empty()) row.answer.remark = missing;
      row.status = gate::status_of(row.claim->expect, row.answer.verdict);
      row.interrupted =
          row.answer.verdict == checker::Verdict::kUnknown && gate::interrupted(found.facts);
    }
  }

  const std::vector<Group>& groups_;
  const Searcher& searcher_;
  const Confirmation& confirmation_;
  const gate::GateOptions& options_;
  gate::GateResult& result_;
  std::mutex mutex_;
  gate::GateProgress progress_;
};

}  // namespace

void run_claims(const std::vector<Claim>& claims, const std::vector<const gate::Claim*>& selected,
                const gate::GateOptions& options, gate::GateResult& result,
                const Searcher& searcher, const Confirmation& confirmation) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Group> groups = plan(claims, selected, result);
  Runner(groups, searcher, confirmation, options, result).run();
  result.searches += groups.size();
  result.interrupted = options.limits.stop != nullptr && options.limits.stop->load();
  result.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace fencepost::transactions
