#include "checker/gate/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

namespace fencepost::gate {
namespace {

using checker::Answer;
using checker::Verdict;

/// The questions of one claim that were not asked before, put to `name`.
Claim question_of(const Claim& claim, const std::string& name,
                  std::set<std::pair<SearchKey, spec::Property>>& seen) {
  Claim question = claim;
  question.says = claim.asks;
  question.expect = Expect::kOpen;
  question.hoped = claim.witnesses;  // of another variant they may be too much to ask
  question.witnesses = 0;
  const std::string first = claim.rows.empty() ? std::string() : claim.rows.front().variant;
  std::erase_if(question.rows, [&](const ClaimRow& row) { return row.variant != first; });
  for (ClaimRow& row : question.rows) row.variant = name;
  std::erase_if(question.rows, [&](const ClaimRow& row) {
    return !seen.insert({search_key(row), row.property}).second;
  });
  return question;
}

Change change_of(const Answer& was, const Answer& is) {
  const auto decided = [](const Answer& answer) {
    return answer.verdict == Verdict::kRefuted || checker::holds(answer.verdict);
  };
  if (!decided(was) || !decided(is)) return Change::kNoAnswer;
  const bool held = checker::holds(was.verdict);
  if (held == checker::holds(is.verdict)) return Change::kSame;
  return held ? Change::kWorse : Change::kBetter;
}

std::string rows_text(std::size_t count) {
  return fmt::format("{} row{}", count, count == 1 ? "" : "s");
}

/// Names of the rows' properties: those of the model in spec/model in its order, then others.
std::vector<std::string> property_names(const GateResult& result) {
  std::vector<std::string> names;
  for (const spec::PropertyInfo& info : spec::properties()) names.emplace_back(info.name);
  for (const RowResult& row : result.rows) {
    if (std::find(names.begin(), names.end(), row.answer.property) == names.end()) {
      names.push_back(row.answer.property);
    }
  }
  return names;
}

/// A line a property with the claims whose rows changed in this way.
void add_changed(const GateResult& result, Change change, const std::string& head,
                 std::vector<std::string>& lines) {
  if (result.count(change) == 0) return;
  lines.push_back(head);
  for (const std::string& property : property_names(result)) {
    std::vector<std::pair<std::string, std::size_t>> claims;
    for (const RowResult& row : result.rows) {
      if (row.change != change || row.answer.property != property) continue;
      if (claims.empty() || claims.back().first != row.claim->id) {
        claims.emplace_back(row.claim->id, 0);
      }
      ++claims.back().second;
    }
    if (claims.empty()) continue;
    std::vector<std::string> names;
    for (const auto& [id, rows] : claims) {
      names.push_back(rows == 1 ? id : fmt::format("{} ({})", id, rows_text(rows)));
    }
    lines.push_back(fmt::format("  {}: {}", property, fmt::join(names, ", ")));
  }
}

std::string counts_sentence(const GateResult& result) {
  const Comparison& c = result.comparison;
  std::string text = fmt::format("{} compared with {}, {}: {} better, {} worse, {} the same",
                                 rows_text(result.rows.size() - result.not_checked()), c.base,
                                 c.why, result.count(Change::kBetter), result.count(Change::kWorse),
                                 result.count(Change::kSame));
  if (const std::size_t none = result.count(Change::kNoAnswer); none > 0) {
    text += fmt::format(", {} without an answer", none);
  }
  return text + ".";
}

/// What became of safety and of progress, of the rows that have an answer.
std::string verdict_sentence(const GateResult& result) {
  std::set<std::string> worse;
  bool progress = false;
  for (const RowResult& row : result.rows) {
    if (row.change != Change::kWorse) continue;
    if (row.answer.kind == checker::PropertyKind::kSafety) {
      worse.insert(row.answer.property);
    } else {
      progress = true;
    }
  }
  std::vector<std::string> safety;
  for (const std::string& property : property_names(result)) {
    if (worse.contains(property)) safety.push_back(property);
  }
  const bool all = result.count(Change::kNoAnswer) + result.not_checked() == 0;
  const std::string where = all ? "" : "Of the rows with an answer: ";
  if (!safety.empty()) {
    return fmt::format("{}Safety got worse: {}{}.", where, fmt::join(safety, ", "),
                       progress ? "; and progress did" : "");
  }
  if (progress) return where + "No safety property got worse; progress did.";
  if (result.count(Change::kBetter) > 0) return where + "Nothing got worse.";
  return where + "Nothing changed.";
}

}  // namespace

Base base_of(const spec::Variant& variant, const std::filesystem::path& folder,
             const std::string& usual) {
  if (!variant.base_file.empty()) {
    return {spec::load_variant(variant.base_file.string(), folder),
            fmt::format("from which {} starts", variant.name)};
  }
  const std::string nothing = fmt::format("{} starts from nothing", variant.name);
  if (variant.name == usual) return {std::nullopt, nothing + ", so it is compared with nothing"};
  spec::Variant other = spec::load_variant(usual, folder);
  if (other.behaviour == variant.behaviour) {
    return {std::nullopt,
            fmt::format("{} and has the entries of {}, so there is nothing to compare", nothing,
                        usual)};
  }
  return {std::move(other), fmt::format("the client of the field, as {}", nothing)};
}

Claims ask_of(const Claims& claims, const spec::Variant& variant, const Base& base) {
  Claims asked;
  asked.clients = claims.clients;
  asked.brokers = claims.brokers;
  asked.comparison = {variant.name, base.variant ? base.variant->name : "", base.why};
  if (base.variant) asked.clients.insert_or_assign(base.variant->name, *base.variant);
  asked.clients.insert_or_assign(variant.name, variant);
  std::set<std::pair<SearchKey, spec::Property>> seen;
  for (const Claim& claim : claims.list) {
    Claim question = question_of(claim, variant.name, seen);
    if (question.rows.empty()) continue;
    asked.list.push_back(question);
    if (!base.variant) continue;
    question.of_base = true;
    for (ClaimRow& row : question.rows) row.variant = base.variant->name;
    asked.list.push_back(std::move(question));
  }
  return asked;
}

void compare_rows(GateResult& result) {
  std::vector<RowResult> kept;
  for (std::size_t at = 0; at < result.rows.size();) {
    const std::size_t count = result.rows[at].claim->rows.size();
    FP_ASSERT(at + 2 * count <= result.rows.size());
    for (std::size_t i = at; i < at + count; ++i) {
      RowResult row = std::move(result.rows[i]);
      RowResult& base = result.rows[i + count];
      FP_ASSERT(!row.claim->of_base && base.claim->of_base && row.claim->id == base.claim->id);
      if (!row.interrupted) row.change = change_of(base.answer, row.answer);
      row.base = std::move(base.answer);
      kept.push_back(std::move(row));
    }
    at += 2 * count;
  }
  result.rows = std::move(kept);
}

std::vector<std::string> comparison_lines(const GateResult& result) {
  FP_ASSERT(!result.comparison.base.empty());
  std::vector<std::string> lines{counts_sentence(result)};
  add_changed(result, Change::kBetter, "better: was refuted, now holds", lines);
  add_changed(result, Change::kWorse, "worse: held, is now refuted", lines);
  add_changed(result, Change::kNoAnswer, "without an answer, so not compared", lines);
  lines.push_back(verdict_sentence(result));
  return lines;
}

std::string comparison_sentence(const GateResult& result) {
  return fmt::format("{} {}", counts_sentence(result), verdict_sentence(result));
}

}  // namespace fencepost::gate
