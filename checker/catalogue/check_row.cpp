#include <fmt/format.h>

#include <array>

#include "checker/catalogue/catalogue.h"

namespace fencepost::catalogue {
namespace {

constexpr std::array<std::string_view, 7> kNames{"killed",    "outside",   "survived", "moved",
                                                 "not shown", "undecided", "error"};

struct Judged {
  Outcome outcome = Outcome::kKilled;
  std::string reason;
};

Judged judge_sound(const Question& question, const gate::Limits& limits) {
  const Found sound = question.ask(true, limits);
  if (!sound.error.empty()) return {Outcome::kError, sound.error};
  if (sound.depth >= 0) {
    return {Outcome::kNotShown,
            fmt::format("{} breaks at {} without the defect, too", question.property, sound.depth)};
  }
  if (!sound.complete) {
    return {Outcome::kUndecided, "a limit or bound ended the search without the defect"};
  }
  return {};
}

Judged judge(const Question& question, const Found& found, const gate::Limits& limits) {
  if (!found.error.empty()) return {Outcome::kError, found.error};
  if (found.depth < 0 && found.complete) {
    return {Outcome::kSurvived, fmt::format("{} holds ({})", question.property, question.where)};
  }
  if (found.depth < 0) return {Outcome::kUndecided, "a limit or bound ended the search"};
  if (found.depth != question.depth) {
    return {Outcome::kMoved, fmt::format("{} breaks at {}, not at {}", question.property,
                                         found.depth, question.depth)};
  }
  return question.has_sound() ? judge_sound(question, limits) : Judged{};
}

}  // namespace

std::string_view name_of(Outcome outcome) { return kNames[static_cast<std::size_t>(outcome)]; }

RowAnswer check_row(const Row& row, const gate::Limits& limits) {
  RowAnswer answer{&row, row.questions.empty() ? Outcome::kOutside : Outcome::kKilled, {}, {}};
  for (const Question& question : row.questions) {
    answer.found.push_back(question.ask(false, limits));
    const Judged judged = judge(question, answer.found.back(), limits);
    if (judged.outcome == Outcome::kKilled) continue;
    answer.outcome = judged.outcome;
    answer.reason = judged.reason;
    break;
  }
  return answer;
}

}  // namespace fencepost::catalogue
