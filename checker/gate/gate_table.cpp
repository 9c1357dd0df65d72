#include "checker/gate/gate_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace fencepost::gate {
namespace {

using checker::Verdict;

constexpr std::size_t kFoldAbove = 4;
constexpr std::size_t kStatusWidth = 8;
constexpr std::array<std::string_view, 4> kStatusNames{"ok", "open", "NOT MET", "no answer"};
constexpr std::array<std::string_view, 4> kStatusColours{"\x1b[32m", "\x1b[33m", "\x1b[31m",
                                                         "\x1b[31m"};
constexpr std::string_view kPlain = "\x1b[0m";
constexpr std::array<std::string_view, 9> kHeads{"variant", "faults; budget", "property",
                                                 "part.",   "verdict",        "engine",
                                                 "depth",   "states",         "seconds"};
constexpr std::size_t kFaultsColumn = 1;
constexpr std::size_t kPropertyColumn = 2;
constexpr std::size_t kVerdictColumn = 4;
constexpr std::array<bool, 9> kRightAligned{false, false, false, false, false,
                                            false, true,  true,  true};

/// One line of the table before it is laid out, with the remarks below it.
struct Line {
  const RowResult* first = nullptr;
  RowStatus status = RowStatus::kOpen;
  std::array<std::string, 9> cells;
  std::vector<std::string> remarks;
};

std::string heading_of(const RowResult& r) {
  const ClaimRow& row = *r.row;
  const std::string where = row.instance_name.empty() ? r.answer.instance : row.instance_name;
  return fmt::format("{} ({}, {}): {}", r.claim->id, where, row.broker, r.claim->says);
}

std::string partition_text(const checker::Answer& answer) {
  return answer.partition ? fmt::format("{}", *answer.partition) : std::string("-");
}

Line plain_line(const RowResult& r) {
  const checker::Answer& a = r.answer;
  Line line{&r, r.status, {}, {}};
  line.cells = {a.variant,
                fmt::format("{}; {}", r.row->faults, r.row->instance.faults.budget),
                a.property,
                partition_text(a),
                std::string(name_of(a.verdict)),
                checker::engine_text(a),
                fmt::format("{}", a.depth),
                fmt::format("{}", a.states),
                fmt::format("{:.2f}", a.seconds)};
  for (const std::string& remark : {a.reason, a.remark, r.proof}) {
    if (!remark.empty()) line.remarks.push_back(remark);
  }
  return line;
}

/// The fault sets of these rows: "a with b, c; d with e", the shared fault left out.
std::string sets_text(const std::vector<const RowResult*>& rows, const std::string& shared) {
  std::map<std::string, std::vector<std::string>> by_head;
  std::vector<std::string> heads;
  for (const RowResult* r : rows) {
    std::string text = r->row->faults;
    if (!shared.empty() && text.starts_with(shared + ",")) text.erase(0, shared.size() + 1);
    const auto comma = text.rfind(',');
    const std::string head = comma == std::string::npos ? "" : text.substr(0, comma);
    if (!by_head.contains(head)) heads.push_back(head);
    by_head[head].push_back(comma == std::string::npos ? text : text.substr(comma + 1));
  }
  std::vector<std::string> parts;
  for (const std::string& head : heads) {
    const std::string tail = fmt::format("{}", fmt::join(by_head[head], ", "));
    parts.push_back(head.empty() ? tail : fmt::format("{} with {}", head, tail));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

/// What rows say together: a failed check of our own first, then one refutation, and otherwise no
/// more than the weakest of them. Verdicts are ordered from strong to weak behind "refuted".
Verdict verdict_of_all(const std::map<Verdict, std::vector<const RowResult*>>& by_verdict) {
  if (by_verdict.contains(Verdict::kError)) return Verdict::kError;
  if (by_verdict.contains(Verdict::kRefuted)) return Verdict::kRefuted;
  return by_verdict.rbegin()->first;
}

/// One line for rows that differ only in their faults.
Line folded_line(const std::vector<const RowResult*>& rows) {
  const RowResult& r = *rows.front();
  std::map<Verdict, std::vector<const RowResult*>> by_verdict;
  checker::Answer sum = r.answer;
  sum.states = 0;
  sum.seconds = 0;
  std::map<std::string, std::size_t> remarks;
  for (const RowResult* row : rows) {
    if (!row->answer.remark.empty()) ++remarks[row->answer.remark];
    by_verdict[row->answer.verdict].push_back(row);
    sum.states += row->answer.states;
    sum.seconds += row->answer.seconds;
  }
  sum.verdict = verdict_of_all(by_verdict);
  const std::vector<const RowResult*>& decisive = by_verdict.at(sum.verdict);
  sum.depth = decisive.front()->answer.depth;
  for (const RowResult* row : decisive) {
    const bool shortest = sum.verdict == Verdict::kRefuted;
    sum.depth =
        shortest ? std::min(sum.depth, row->answer.depth) : std::max(sum.depth, row->answer.depth);
  }
  sum.partition.reset();
  sum.reason.clear();
  sum.remark.clear();
  RowResult folded{r.claim, r.row, sum, r.status, {}};
  Line line = plain_line(folded);
  line.first = &r;
  const std::string& shared = r.claim->shared_fault;
  line.cells[kFaultsColumn] =
      fmt::format("{} sets{}; {}", rows.size(), shared.empty() ? "" : " with " + shared,
                  r.row->instance.faults.budget);
  for (const auto& [verdict, with] : by_verdict) {
    if (with.size() == rows.size()) continue;
    if (verdict == Verdict::kExhausted) continue;
    line.remarks.push_back(
        fmt::format("{} in {}: {}", name_of(verdict), with.size(), sets_text(with, shared)));
  }
  for (const auto& [remark, sets] : remarks) {
    line.remarks.push_back(fmt::format("in {}: {}", sets, remark));
  }
  return line;
}

bool same_but_faults(const RowResult& a, const RowResult& b) {
  return a.claim == b.claim && a.row->variant == b.row->variant && a.row->broker == b.row->broker &&
         a.row->instance_name == b.row->instance_name && a.row->property == b.row->property &&
         a.answer.instance == b.answer.instance;
}

std::vector<Line> lines_of(const GateResult& result) {
  std::vector<Line> lines;
  std::vector<bool> done(result.rows.size(), false);
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const RowResult& r = result.rows[i];
    if (done[i]) continue;
    if (r.claim->fault_sets <= kFoldAbove || r.claim->expect != Expect::kOpen) {
      lines.push_back(plain_line(r));
      continue;
    }
    std::vector<const RowResult*> rows;
    for (std::size_t j = i; j < result.rows.size(); ++j) {
      if (result.rows[j].claim != r.claim) break;
      if (!same_but_faults(r, result.rows[j])) continue;
      rows.push_back(&result.rows[j]);
      done[j] = true;
    }
    lines.push_back(folded_line(rows));
  }
  return lines;
}

bool same_question_but_property(const Line& a, const Line& b) {
  const ClaimRow& x = *a.first->row;
  const ClaimRow& y = *b.first->row;
  return a.first->claim == b.first->claim && x.variant == y.variant && x.broker == y.broker &&
         x.instance == y.instance && a.cells[kFaultsColumn] == b.cells[kFaultsColumn];
}

bool holds_plainly(const Line& line) {
  return line.status == RowStatus::kOpen &&
         line.cells[kVerdictColumn] == name_of(Verdict::kExhausted);
}

/// Of an open claim's lines that differ only in their property, those that hold become one.
std::vector<Line> merge_properties(const std::vector<Line>& lines) {
  std::vector<Line> merged;
  for (std::size_t begin = 0, end = 0; begin < lines.size(); begin = end) {
    while (end < lines.size() && same_question_but_property(lines[begin], lines[end])) ++end;
    const auto first = lines.begin() + static_cast<long>(begin);
    const auto last = lines.begin() + static_cast<long>(end);
    const auto model = std::find_if(first, last, holds_plainly);
    const auto like_model = [&](const Line& line) {
      return holds_plainly(line) && line.remarks == model->remarks;
    };
    const auto holding = static_cast<std::size_t>(std::count_if(first, last, like_model));
    if (holding < 2) {
      merged.insert(merged.end(), first, last);
      continue;
    }
    std::copy_if(first, last, std::back_inserter(merged),
                 [&](const Line& line) { return !like_model(line); });
    Line rest = *model;
    rest.cells[kPropertyColumn] =
        fmt::format("{} {}", holding == end - begin ? "all" : "the other", holding);
    merged.push_back(std::move(rest));
  }
  return merged;
}

/// Breaks the text behind commas and spaces so that no piece is longer than `width`, if it can.
std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> pieces;
  while (text.size() > width) {
    std::size_t cut = text.find_last_of(", ", width - 1);
    if (cut == std::string_view::npos || cut == 0) cut = width - 1;
    pieces.emplace_back(text.substr(0, cut + 1));
    text.remove_prefix(cut + 1);
  }
  pieces.emplace_back(text);
  for (std::string& piece : pieces) {
    while (piece.ends_with(' ')) piece.pop_back();
  }
  return pieces;
}

class Layout {
 public:
  Layout(const std::vector<Line>& lines, const TableStyle& style) : style_(style) {
    std::size_t taken = kStatusWidth;
    for (std::size_t c = 0; c < widths_.size(); ++c) {
      widths_[c] = kHeads[c].size();
      for (const Line& line : lines) widths_[c] = std::max(widths_[c], line.cells[c].size());
      if (c != kFaultsColumn) taken += widths_[c] + 1;
    }
    const std::size_t room = style.width > taken + 1 ? style.width - taken - 1 : 0;
    widths_[kFaultsColumn] = std::min(widths_[kFaultsColumn], std::max<std::size_t>(room, 24));
  }

  std::string head() const {
    std::array<std::string, 9> cells;
    std::copy(kHeads.begin(), kHeads.end(), cells.begin());
    return padded("", cells);
  }

  std::string text(const Line& line) const {
    const auto status = static_cast<std::size_t>(line.status);
    const std::vector<std::string> faults = wrap(line.cells[kFaultsColumn], widths_[kFaultsColumn]);
    std::array<std::string, 9> cells = line.cells;
    cells[kFaultsColumn] = faults.front();
    std::string text = padded(kStatusNames[status], cells);
    if (style_.colour) {
      text = fmt::format("{}{}{}{}", kStatusColours[status], text.substr(0, kStatusWidth), kPlain,
                         text.substr(kStatusWidth));
    }
    for (std::size_t i = 1; i < faults.size(); ++i) {
      text += fmt::format("{:{}}{}\n", "", kStatusWidth + 1 + widths_[0] + 1, faults[i]);
    }
    for (const std::string& remark : line.remarks) {
      for (const std::string& piece : wrap(remark, style_.width - kStatusWidth - 3)) {
        text += fmt::format("{:{}}{}\n", "", kStatusWidth + 3, piece);
      }
    }
    return text;
  }

 private:
  std::string padded(std::string_view status, const std::array<std::string, 9>& cells) const {
    std::string text = fmt::format("{:{}}", status, kStatusWidth);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      text += kRightAligned[c] ? fmt::format(" {:>{}}", cells[c], widths_[c])
                               : fmt::format(" {:<{}}", cells[c], widths_[c]);
    }
    while (text.ends_with(' ')) text.pop_back();
    return text + "\n";
  }

  TableStyle style_;
  std::array<std::size_t, 9> widths_{};
};

}  // namespace

std::string gate_table(const GateResult& result, const TableStyle& style) {
  const std::vector<Line> lines = merge_properties(lines_of(result));
  const Layout layout(lines, style);
  std::string text = layout.head();
  std::string heading;
  for (const Line& line : lines) {
    if (std::string next = heading_of(*line.first); next != heading) {
      heading = std::move(next);
      text += "\n";
      for (const std::string& piece : wrap(heading, style.width)) text += piece + "\n";
    }
    text += layout.text(line);
  }
  text += fmt::format("\n{}\n", result.summary());
  if (result.interrupted) text += "interrupted: what was not searched is unknown\n";
  return text;
}

}  // namespace fencepost::gate
