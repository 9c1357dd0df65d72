#include "checker/gate/gate_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "checker/gate/compare.h"

namespace fencepost::gate {
namespace {

using checker::Verdict;

constexpr std::size_t kFoldAbove = 4;
constexpr std::size_t kStatusWidth = 8;
constexpr std::array<std::string_view, 4> kStatusNames{"ok", "open", "NOT MET", "unknown"};
constexpr std::array<std::string_view, 6> kChangeNames{"",      "same",  "better",
                                                       "worse", "mixed", "unknown"};
constexpr std::string_view kGreen = "\x1b[32m";
constexpr std::string_view kYellow = "\x1b[33m";
constexpr std::string_view kRed = "\x1b[31m";
constexpr std::string_view kPlain = "\x1b[0m";
constexpr std::array kStatusColours{kGreen, kYellow, kRed, kRed};
constexpr std::array kChangeColours{kPlain, kPlain, kGreen, kRed, kYellow, kRed};

/// The columns. Of a comparison the variant, the same in each row, gives way to what was before.
enum Column : std::size_t {
  kVariant,
  kFaults,
  kProperty,
  kPartition,
  kWas,
  kVerdict,
  kEngine,
  kDepth,
  kStates,
  kSeconds,
  kColumns
};
using Cells = std::array<std::string, kColumns>;
constexpr std::array<std::string_view, kColumns> kHeads{
    "variant", "faults; budget", "property", "part.",  "was",
    "verdict", "engine",         "depth",    "states", "seconds"};

constexpr std::string_view kOfRepresentatives =
    "states n/k: n representatives, each of up to k states that differ only in the numbers of "
    "partitions (--symmetry off visits them all).";

/// One line of the table before it is laid out, with the remarks below it.
struct Line {
  const RowResult* first = nullptr;
  RowStatus status = RowStatus::kOpen;
  Change change = Change::kNone;
  Cells cells;
  std::vector<std::string> remarks;
  bool interrupted = false;  ///< not printed: it would say nothing
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
  Line line{&r, r.status, r.change, {}, {}, r.interrupted};
  line.cells = {a.variant,
                fmt::format("{}; {}", r.row->faults, r.row->instance.faults.budget),
                a.property,
                partition_text(a),
                std::string(r.base ? name_of(r.base->verdict) : ""),
                std::string(name_of(a.verdict)),
                checker::engine_text(a),
                fmt::format("{}", a.depth),
                checker::states_text(a),
                fmt::format("{:.2f}", a.seconds)};
  for (const std::string& remark : {a.reason, a.remark, r.proof, r.beside}) {
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

using ByVerdict = std::map<Verdict, std::vector<const RowResult*>>;

/// What rows say together: a failed check of our own first, then one refutation, and otherwise no
/// more than the weakest of them. Verdicts are ordered from strong to weak behind "refuted".
Verdict verdict_of_all(const ByVerdict& by_verdict) {
  if (by_verdict.contains(Verdict::kError)) return Verdict::kError;
  if (by_verdict.contains(Verdict::kRefuted)) return Verdict::kRefuted;
  return by_verdict.rbegin()->first;
}

/// How rows changed together, with the sets of each change unless all changed alike.
Change change_of_all(const std::vector<const RowResult*>& rows, const std::string& shared,
                     std::vector<std::string>& remarks) {
  std::map<Change, std::vector<const RowResult*>> by_change;
  for (const RowResult* row : rows) by_change[row->change].push_back(row);
  for (const Change change : {Change::kBetter, Change::kWorse, Change::kNoAnswer}) {
    const auto with = by_change.find(change);
    if (with == by_change.end() || with->second.size() == rows.size()) continue;
    remarks.push_back(fmt::format("{} in {}: {}", kChangeNames[static_cast<std::size_t>(change)],
                                  with->second.size(), sets_text(with->second, shared)));
  }
  if (by_change.contains(Change::kBetter) && by_change.contains(Change::kWorse)) {
    return Change::kMixed;
  }
  return by_change.rbegin()->first;
}

/// The answers of rows as one: the verdict of all, its depth, the sum of their work.
checker::Answer sum_of(const std::vector<const RowResult*>& rows, const ByVerdict& by_verdict) {
  checker::Answer sum = rows.front()->answer;
  sum.states = 0;
  sum.seconds = 0;
  for (const RowResult* row : rows) {
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
  return sum;
}

/// One line for rows that differ only in their faults; `left_out` more were interrupted.
Line folded_line(const std::vector<const RowResult*>& rows, std::size_t left_out) {
  const RowResult& r = *rows.front();
  ByVerdict by_verdict;
  ByVerdict by_base_verdict;
  std::map<std::string, std::size_t> remarks;
  for (const RowResult* row : rows) {
    if (!row->answer.remark.empty()) ++remarks[row->answer.remark];
    by_verdict[row->answer.verdict].push_back(row);
    if (row->base) by_base_verdict[row->base->verdict].push_back(row);
  }
  RowResult folded{r.claim, r.row, sum_of(rows, by_verdict), r.status};
  Line line = plain_line(folded);
  line.first = &r;
  const std::string& shared = r.claim->shared_fault;
  line.cells[kFaults] =
      fmt::format("{} sets{}{}; {}", rows.size(), shared.empty() ? "" : " with " + shared,
                  left_out == 0 ? "" : fmt::format(" ({} not checked)", left_out),
                  r.row->instance.faults.budget);
  if (r.base) {
    line.cells[kWas] = name_of(verdict_of_all(by_base_verdict));
    line.change = change_of_all(rows, shared, line.remarks);
  }
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
    std::size_t left_out = 0;
    for (std::size_t j = i; j < result.rows.size(); ++j) {
      if (result.rows[j].claim != r.claim) break;
      if (!same_but_faults(r, result.rows[j])) continue;
      done[j] = true;
      if (result.rows[j].interrupted) {
        ++left_out;
      } else {
        rows.push_back(&result.rows[j]);
      }
    }
    if (!rows.empty()) lines.push_back(folded_line(rows, left_out));
  }
  return lines;
}

bool same_question_but_property(const Line& a, const Line& b) {
  const ClaimRow& x = *a.first->row;
  const ClaimRow& y = *b.first->row;
  return a.first->claim == b.first->claim && x.variant == y.variant && x.broker == y.broker &&
         x.instance == y.instance && a.cells[kFaults] == b.cells[kFaults];
}

bool holds_plainly(const Line& line) {
  return line.status == RowStatus::kOpen && line.cells[kVerdict] == name_of(Verdict::kExhausted);
}

/// Of an open claim's lines that differ only in their property, those that hold become one.
std::vector<Line> merge_properties(const std::vector<Line>& lines) {
  std::vector<Line> merged;
  for (std::size_t begin = 0, end = 0; begin < lines.size(); begin = end) {
    while (end < lines.size() && same_question_but_property(lines[begin], lines[end])) ++end;
    const auto first = lines.begin() + static_cast<long>(begin);
    const auto last = lines.begin() + static_cast<long>(end);
    const auto like = [](const Line& line, const Line& other) {
      return holds_plainly(line) && line.remarks == other.remarks && line.change == other.change &&
             line.cells[kWas] == other.cells[kWas];
    };
    auto model = first;
    std::size_t holding = 0;
    for (auto line = first; line != last; ++line) {
      const auto alike = static_cast<std::size_t>(
          std::count_if(first, last, [&](const Line& other) { return like(other, *line); }));
      if (!holds_plainly(*line) || alike <= holding) continue;
      model = line;
      holding = alike;
    }
    if (holding < 2) {
      merged.insert(merged.end(), first, last);
      continue;
    }
    std::copy_if(first, last, std::back_inserter(merged),
                 [&](const Line& line) { return !like(line, *model); });
    Line rest = *model;
    rest.cells[kProperty] =
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
  Layout(const std::vector<Line>& lines, bool compares, const TableStyle& style) : style_(style) {
    hidden_ = compares ? kVariant : kWas;
    std::size_t taken = kStatusWidth;
    for (std::size_t c = 0; c < widths_.size(); ++c) {
      if (c == hidden_) continue;
      widths_[c] = kHeads[c].size();
      for (const Line& line : lines) widths_[c] = std::max(widths_[c], line.cells[c].size());
      if (c != kFaults) taken += widths_[c] + 1;
    }
    const std::size_t room = style.width > taken + 1 ? style.width - taken - 1 : 0;
    widths_[kFaults] = std::min(widths_[kFaults], std::max<std::size_t>(room, 24));
  }

  std::string head() const {
    Cells cells;
    std::copy(kHeads.begin(), kHeads.end(), cells.begin());
    return padded("", cells);
  }

  std::string text(const Line& line) const {
    const bool compared = line.change != Change::kNone;
    const auto at = static_cast<std::size_t>(compared ? static_cast<std::uint8_t>(line.change)
                                                      : static_cast<std::uint8_t>(line.status));
    const std::string_view mark = compared ? kChangeNames[at] : kStatusNames[at];
    const std::vector<std::string> faults = wrap(line.cells[kFaults], widths_[kFaults]);
    Cells cells = line.cells;
    cells[kFaults] = faults.front();
    std::string text = padded(mark, cells);
    if (style_.colour) {
      text = fmt::format("{}{}{}{}", compared ? kChangeColours[at] : kStatusColours[at],
                         text.substr(0, kStatusWidth), kPlain, text.substr(kStatusWidth));
    }
    const std::size_t indent = hidden_ == kVariant ? 0 : widths_[kVariant] + 1;
    for (std::size_t i = 1; i < faults.size(); ++i) {
      text += fmt::format("{:{}}{}\n", "", kStatusWidth + 1 + indent, faults[i]);
    }
    for (const std::string& remark : line.remarks) {
      for (const std::string& piece : wrap(remark, style_.width - kStatusWidth - 3)) {
        text += fmt::format("{:{}}{}\n", "", kStatusWidth + 3, piece);
      }
    }
    return text;
  }

 private:
  std::string padded(std::string_view status, const Cells& cells) const {
    std::string text = fmt::format("{:{}}", status, kStatusWidth);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (c == hidden_) continue;
      text += c >= kDepth ? fmt::format(" {:>{}}", cells[c], widths_[c])
                          : fmt::format(" {:<{}}", cells[c], widths_[c]);
    }
    while (text.ends_with(' ')) text.pop_back();
    return text + "\n";
  }

  TableStyle style_;
  std::size_t hidden_ = kWas;
  std::array<std::size_t, kColumns> widths_{};
};

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0) {
  std::string lines;
  for (const std::string& piece : wrap(text, width - indent)) {
    lines += fmt::format("{:{}}{}\n", "", lines.empty() ? 0 : indent, piece);
  }
  return lines;
}

/// The sentences below the table.
std::string closing(const GateResult& result, const TableStyle& style) {
  std::string text;
  const Comparison& c = result.comparison;
  if (!c.base.empty()) {
    for (const std::string& line : comparison_lines(result)) {
      text += wrapped(line, style.width, line.starts_with(' ') ? 4 : 0);
    }
  } else {
    text += result.summary() + "\n";
    if (!c.variant.empty()) text += wrapped(c.why + ".", style.width);
  }
  const auto reduced = [](const RowResult& row) { return row.answer.permutations > 1; };
  if (std::any_of(result.rows.begin(), result.rows.end(), reduced)) {
    text += wrapped(kOfRepresentatives, style.width);
  }
  if (result.interrupted) text += result.interruption() + "\n";
  return text;
}

}  // namespace

std::string gate_table(const GateResult& result, const TableStyle& style) {
  std::vector<Line> lines = merge_properties(lines_of(result));
  std::erase_if(lines, [](const Line& line) { return line.interrupted; });
  const Layout layout(lines, !result.comparison.base.empty(), style);
  std::string text = lines.empty() ? std::string() : layout.head();
  std::string heading;
  for (const Line& line : lines) {
    if (std::string next = heading_of(*line.first); next != heading) {
      heading = std::move(next);
      text += "\n" + wrapped(heading, style.width);
    }
    text += layout.text(line);
  }
  return text + "\n" + closing(result, style);
}

}  // namespace fencepost::gate
