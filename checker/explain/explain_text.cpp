#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "checker/explain/render.h"
#include "checker/explain/words.h"
#include "traces/error_names.h"

namespace fencepost::explain {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kMostEvidence = 6;
constexpr std::size_t kMostBatches = 40;
constexpr std::size_t kMostProblems = 20;

// As precise as the source: trailing zeros of the fraction are not printed.
std::string time_words(std::int64_t micros) {
  const std::int64_t of_day = micros % (std::int64_t{86'400} * 1'000'000);
  if (of_day < 0) return {};
  const std::int64_t seconds = of_day / 1'000'000;
  const std::int64_t fraction = of_day % 1'000'000;
  std::string words =
      fmt::format("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (fraction != 0) {
    words += fraction % 1000 == 0 ? fmt::format(".{:03}", fraction / 1000)
                                  : fmt::format(".{:06}", fraction);
  }
  return words;
}

// What an input is called beside evidence: nothing when there is one, else its kind, numbered
// where there are several of a kind.
std::vector<std::string> input_words(const std::vector<traces::Input>& inputs) {
  std::vector<std::string> words(inputs.size());
  if (inputs.size() < 2) return words;
  std::map<std::string, int> all;
  std::map<std::string, int> met;
  for (const traces::Input& input : inputs) ++all[input.format];
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string& format = inputs[i].format;
    words[i] = format == "librdkafka-log" ? "log" : "capture";
    if (all[format] > 1) words[i] += fmt::format(" {}", ++met[format]);
  }
  return words;
}

class Text {
 public:
  explicit Text(const Report& report) : report_(report), input_words_(input_words(report.inputs)) {}

  std::string write() {
    out_ = answer_line(report_) + "\n";  // unwrapped: the answer is the first line
    bool first = true;
    for (const Finding& finding : report_.findings) {
      if (!first) {
        out_ += "\n";
        out_ += fmt::format("{}: {}\n", kind_words(finding), finding.headline);
      }
      statements(first ? "Why" : "why", finding.why);
      statements(first ? "Evidence" : "shown", finding.shown);
      first = false;
    }
    write_batches();
    write_end();
    // Damaged input may hold what a terminal would take as a command.
    std::replace_if(
        out_.begin(), out_.end(),
        [](char c) { return (c >= 0 && c < ' ' && c != '\n') || c == '\x7f'; }, '?');
    return std::move(out_);
  }

 private:
  // Wraps at blanks; what follows the first line is indented two more.
  void line(std::size_t indent, const std::string& text) {
    std::string_view rest = text;
    bool first = true;
    while (!rest.empty()) {
      const std::size_t margin = indent + (first ? 0 : 2);
      const std::size_t room = kWidth - margin;
      std::size_t end = rest.size();
      if (end > room) {
        end = rest.rfind(' ', room);
        if (end == std::string_view::npos || end == 0) end = std::min(rest.find(' '), rest.size());
      }
      out_ += std::string(margin, ' ') + std::string(rest.substr(0, end)) + "\n";
      rest.remove_prefix(std::min(end + 1, rest.size()));
      first = false;
    }
  }

  [[nodiscard]] std::string where(const traces::Evidence& evidence) const {
    std::string words;
    const auto input = static_cast<std::size_t>(evidence.input);
    if (input < input_words_.size() && !input_words_[input].empty()) {
      words = input_words_[input] + " ";
    }
    if (evidence.frame) words += fmt::format("frame {} ", *evidence.frame);
    if (evidence.time_us) words += time_words(*evidence.time_us) + " ";
    return words + fmt::format("line {}", evidence.line);
  }

  void statement(std::size_t indent, const std::string& bullet, const Statement& statement) {
    line(indent, bullet + statement.text);
    const std::size_t shown = std::min(statement.evidence.size(), kMostEvidence);
    std::string list;
    for (std::size_t i = 0; i < shown; ++i) {
      list += (i == 0 ? "[" : "; ") + where(statement.evidence[i]);
    }
    if (shown == 0) return;
    if (shown < statement.evidence.size()) {
      list += fmt::format("; and {} more", statement.evidence.size() - shown);
    }
    line(indent + bullet.size(), list + "]");
  }

  void statements(const std::string& title, const std::vector<Statement>& list) {
    if (list.empty()) return;
    line(2, title + ":");
    for (const Statement& one : list) statement(4, "- ", one);
  }

  // A batch that was sent once and acknowledged has no story.
  static bool has_story(const BatchHistory& batch) {
    return batch.attempts.size() != 1 || batch.timed_out || !batch.attempts.front().answer ||
           !is_success(*batch.attempts.front().answer) || !batch.attempts.front().sent;
  }

  void write_batches() {
    std::size_t told = 0;
    std::size_t left = 0;
    std::size_t plain = 0;
    for (const BatchHistory& batch : report_.history.batches) {
      if (!has_story(batch)) {
        ++plain;
      } else if (told == kMostBatches) {
        ++left;
      } else {
        if (told++ == 0) out_ += "\nBatches and their attempts:\n";
        write_batch(batch);
      }
    }
    if (left != 0) line(2, fmt::format("and {} more batches with more than one attempt", left));
    if (plain != 0) {
      if (told == 0) out_ += "\nBatches and their attempts:\n";
      line(2, fmt::format("{} batch{} acknowledged at the first attempt", plain,
                          plain == 1 ? " was" : "es were"));
    }
  }

  void write_batch(const BatchHistory& batch) {
    line(2,
         fmt::format("{}: {}{}", partition_words(batch.topic, batch.partition), batch_words(batch),
                     batch.count > 1 ? fmt::format(", {} records", batch.count) : ""));
    std::size_t number = 0;
    for (std::size_t i = 0; i < batch.attempts.size();) {
      // In a long run of equal attempts the first and the last two are told.
      std::size_t same = i + 1;
      while (same < batch.attempts.size() && equal(batch.attempts[i], batch.attempts[same])) ++same;
      for (; i < same; ++i) {
        ++number;
        if (same - i > 2 && number > 1 && i + 2 < same && run_position(batch, i) >= 1) {
          line(4, fmt::format("{}-{}. {} more, answered the same", number, number + same - i - 2,
                              same - i - 1));
          number += same - i - 2;
          i = same - 2;
          continue;
        }
        write_attempt(number, batch.attempts[i]);
      }
    }
    if (batch.timed_out) line(4, fmt::format("timed out [{}]", where(*batch.timed_out)));
  }

  // How many attempts before `i` are equal to it.
  static std::size_t run_position(const BatchHistory& batch, std::size_t i) {
    std::size_t position = 0;
    while (position < i && equal(batch.attempts[i], batch.attempts[i - position - 1])) ++position;
    return position;
  }

  static bool equal(const Attempt& a, const Attempt& b) {
    if (a.stamp != b.stamp || a.broker != b.broker || !a.answer || !b.answer) return false;
    return a.answer->error == b.answer->error && a.answer->offset == b.answer->offset &&
           a.answer->hint == b.answer->hint;
  }

  void write_attempt(std::size_t number, const Attempt& attempt) {
    const std::string stamp =
        attempt.stamp ? stamp_words(*attempt.stamp, true) : std::string("stamp not shown");
    line(4, fmt::format("{}. {} to {} [{}]", number, stamp,
                        broker_words(report_.history, attempt.broker),
                        attempt.sent ? where(*attempt.sent) : "request not in this input"));
    if (!attempt.answer) {
      line(7, "no answer in this input");
      return;
    }
    const Answer& answer = *attempt.answer;
    std::string words =
        fmt::format("{} {}", traces::is_client_error(answer.error) ? "failed with" : "answered",
                    error_words(answer.error));
    if (valid_offset(answer)) {
      words += is_success(answer) ? fmt::format(", offset {}", *answer.offset)
                                  : fmt::format(" WITH VALID OFFSET {}", *answer.offset);
      if (is_append_then_error(answer)) words += " (appended there, fate unknown)";
    }
    if (answer.hint) {
      words += fmt::format(", hint: leader {}, leader epoch {}", answer.hint->leader,
                           answer.hint->leader_epoch);
    }
    line(7, fmt::format("{} [{}]", words, where(answer.seen)));
  }

  void write_end() {
    if (report_.inputs.size() > 1) out_ += "\nInputs:\n";
    for (std::size_t i = 0; report_.inputs.size() > 1 && i < report_.inputs.size(); ++i) {
      line(2, fmt::format("{}: {} ({})", input_words_[i], report_.inputs[i].file,
                          report_.inputs[i].format));
    }
    if (!report_.notes.empty()) out_ += "\nNotes:\n";
    for (const Statement& note : report_.notes) statement(2, "- ", note);
    if (!report_.problems.empty()) out_ += "\nLines not understood, or only in part:\n";
    std::size_t shown = 0;
    for (const traces::Problem& problem : report_.problems) {
      if (shown++ == kMostProblems) {
        line(2, fmt::format("and {} more", report_.problems.size() - kMostProblems));
        break;
      }
      const auto input = static_cast<std::size_t>(problem.where.input);
      const std::string file =
          input < report_.inputs.size() ? report_.inputs[input].file : std::string();
      line(2, fmt::format("{}:{}: {}", file, problem.where.line, problem.what));
    }
  }

  const Report& report_;
  std::vector<std::string> input_words_;
  std::string out_;
};

}  // namespace

std::string kind_words(const Finding& finding) {
  switch (finding.kind) {
    case Kind::kDuplicate:
      return finding.certainty == Certainty::kConfirmed ? "DUPLICATE confirmed"
                                                        : "DUPLICATE suspected";
    case Kind::kNoProgress:
      return "NO PROGRESS";
    case Kind::kGap:
      return "GAP";
    case Kind::kEpochBump:
      return "EPOCH BUMP";
    case Kind::kLeaderHints:
      return "LEADER HINTS";
    case Kind::kConsumerReport:
      return "CONSUMER";
  }
  return {};
}

std::string answer_line(const Report& report) {
  if (report.findings.empty()) {
    return "NOTHING FOUND: no duplicate, no batch without progress and no new epoch in this input";
  }
  const Finding& first = report.findings.front();
  return fmt::format("{}: {}", kind_words(first), first.headline);
}

std::string explain_text(const Report& report) { return Text(report).write(); }

}  // namespace fencepost::explain
