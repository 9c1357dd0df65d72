#include "checker/gate/beside.h"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <string>

namespace fencepost::gate {
namespace {

/// What the reduction to the implementation's size leaves as it is.
std::string key_of(const RowResult& r) {
  const spec::Instance& i = r.row->instance;
  const int messages = i.partitions > 1 ? 0 : i.messages;
  return fmt::format("{}|{}|{}|{}|{}|{} {} {} {}", r.claim->id, r.row->variant, r.row->broker,
                     r.row->faults, r.answer.property, i.partitions, i.in_flight, i.warm, messages);
}

std::string sentence(const RowResult& r) {
  const checker::Answer& a = r.answer;
  if (a.verdict == checker::Verdict::kError) return "implementation: a check of our own failed";
  const bool refuted = a.verdict == checker::Verdict::kRefuted;
  std::string text = fmt::format(
      "implementation: {}{}, {} states, every step compared; budget {}", name_of(a.verdict),
      refuted ? fmt::format(" at depth {}", a.depth) : "", a.states, r.row->instance.faults.budget);
  if (r.row->model.empty() && r.row->instance.partitions > 1) {
    text += fmt::format(", {} new messages", r.row->instance.messages);
  }
  if (!a.reason.empty()) text += ": " + a.reason;
  if (r.status == RowStatus::kNotMet) text += " (NOT as claimed)";
  return text;
}

}  // namespace

std::size_t put_beside(GateResult& result, const GateResult& impl) {
  std::map<std::string, std::deque<const RowResult*>> answers;
  for (const RowResult& row : impl.rows) answers[key_of(row)].push_back(&row);
  std::size_t put = 0;
  for (RowResult& row : result.rows) {
    const auto found = answers.find(key_of(row));
    if (found == answers.end() || found->second.empty()) continue;
    const RowResult& answer = *found->second.front();
    found->second.pop_front();
    row.beside = sentence(answer);
    if (answer.answer.verdict == checker::Verdict::kError) {
      row.answer.verdict = checker::Verdict::kError;
      row.answer.reason = "on the implementation: " + answer.answer.reason;
    }
    if (answer.status == RowStatus::kNotMet) row.status = RowStatus::kNotMet;
    if (answer.status == RowStatus::kUndecided && row.status == RowStatus::kAsClaimed) {
      row.status = RowStatus::kUndecided;
    }
    ++put;
  }
  result.searches += impl.searches;
  result.seconds += impl.seconds;
  result.interrupted = result.interrupted || impl.interrupted;
  return put;
}

}  // namespace fencepost::gate
