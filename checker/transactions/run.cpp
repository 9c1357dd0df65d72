#include "checker/transactions/run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>

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

const Claim& claim_with(const std::vector<Claim>& claims, const std::string& id) {
  const auto found = std::find_if(claims.begin(), claims.end(),
                                  [&](const Claim& claim) { return claim.claim.id == id; });
  FP_ASSERT(found != claims.end());
  return *found;
}

std::vector<Group> plan(const std::vector<Claim>& claims,
                        const std::vector<const gate::Claim*>& selected, gate::GateResult& result) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> known;
  for (const gate::Claim* claim : selected) {
    const std::vector<Question>& questions = claim_with(claims, claim->id).questions;
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

/// As gate::search does: what a search throws is a failed check of our own.
Found search_group(const Group& group, const Searcher& searcher, const gate::Limits& limits) {
  Found found;
  if (limits.stop != nullptr && limits.stop->load()) {
    found.facts.end = checker::SearchEnd::kInterrupted;
    return found;
  }
  try {
    return searcher(group.question, limits);
  } catch (const std::exception& error) {
    found.facts.error = error.what();
    return found;
  }
}

}  // namespace

void run_claims(const std::vector<Claim>& claims, const std::vector<const gate::Claim*>& selected,
                const gate::GateOptions& options, gate::GateResult& result,
                const Searcher& searcher) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Group> groups = plan(claims, selected, result);
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  gate::GateProgress progress;
  progress.searches = groups.size();
  const auto work = [&] {
    for (std::size_t g = next++; g < groups.size(); g = next++) {
      const Found found = search_group(groups[g], searcher, options.limits);
      for (const Wanted& wanted : groups[g].wanted) {  // no two groups share a row
        gate::RowResult& row = result.rows[wanted.row];
        row.answer =
            judge(groups[g].question, found, options.limits, wanted.property, wanted.witnesses);
        row.status = gate::status_of(row.claim->expect, row.answer.verdict);
      }
      const std::lock_guard lock(mutex);
      ++progress.searches_done;
      progress.states += found.facts.stats.distinct;
      if (options.on_search) options.on_search(progress);
    }
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t count = std::min<std::size_t>(options.parallel, groups.size());
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back(work);
    work();
  }
  result.searches += groups.size();
  result.interrupted = options.limits.stop != nullptr && options.limits.stop->load();
  result.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace fencepost::transactions
