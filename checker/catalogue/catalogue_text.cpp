#include "checker/catalogue/catalogue_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "checker/core/verdict.h"

namespace fencepost::catalogue {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kDefectWidth = 100;

std::string found_text(const Question& question, const Found& found) {
  return found.depth < 0 ? fmt::format("{} holds", question.property)
                         : fmt::format("{} at {}", question.property, found.depth);
}

/// By what the row was killed: the first question, and how many more there are.
std::string by_text(const RowAnswer& answer) {
  if (answer.found.empty()) return "-";
  std::string first = found_text(answer.row->questions[0], answer.found[0]);
  if (answer.found.size() == 1) return first;
  return fmt::format("{} (+{})", first, answer.found.size() - 1);
}

/// Breaks a text at spaces; lines after the first are indented.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  const std::string margin(indent, ' ');
  std::string out;
  std::string line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      out += fmt::format("{}\n{}", line, margin);
      line.clear();
    }
    line += fmt::format("{}{}", line.empty() ? "" : " ", word);
  }
  return out + line;
}

std::string details_text(const RowAnswer& answer, std::size_t indent) {
  const std::string margin(indent, ' ');
  const auto line = [&](const std::string& text) {
    return margin + wrapped(text, kDefectWidth, indent + 2) + "\n";
  };
  std::string text = line("breaks: " + answer.row->breaks) + line("shape: " + answer.row->shape);
  if (!answer.row->outside.empty()) text += line("outside: " + answer.row->outside);
  for (std::size_t i = 0; i < answer.found.size(); ++i) {
    const Question& q = answer.row->questions[i];
    text += line(fmt::format("{} on {}: {}{}", found_text(q, answer.found[i]), q.model, q.where,
                             q.change.empty() ? std::string() : "; with " + q.change));
    text +=
        line(fmt::format("{} states, {:.2f} s", answer.found[i].states, answer.found[i].seconds));
  }
  return text;
}

}  // namespace

std::size_t count(const std::vector<RowAnswer>& answers, Outcome outcome) {
  return static_cast<std::size_t>(std::count_if(
      answers.begin(), answers.end(), [&](const RowAnswer& a) { return a.outcome == outcome; }));
}

std::string catalogue_text(const std::vector<RowAnswer>& answers, bool details) {
  std::size_t id_width = 3;
  std::size_t by_width = 2;
  for (const RowAnswer& answer : answers) {
    id_width = std::max(id_width, answer.row->id.size());
    by_width = std::max(by_width, by_text(answer).size());
  }
  const std::size_t indent = id_width + 2 + 9 + 2 + by_width + 2;
  std::string text = fmt::format("{:<{}}  {:<9}  {:<{}}  {}\n", "row", id_width, "outcome", "by",
                                 by_width, "defect");
  for (const RowAnswer& answer : answers) {
    text += fmt::format("{:<{}}  {:<9}  {:<{}}  {}\n", answer.row->id, id_width,
                        name_of(answer.outcome), by_text(answer), by_width,
                        wrapped(answer.row->defect, kDefectWidth, indent));
    if (!answer.reason.empty()) text += std::string(indent, ' ') + answer.reason + "\n";
    if (details) text += details_text(answer, indent);
  }
  text += fmt::format("\n{} rows:", answers.size());
  for (int o = 0; o <= static_cast<int>(Outcome::kError); ++o) {
    const auto outcome = static_cast<Outcome>(o);
    const std::size_t rows = count(answers, outcome);
    if (rows == 0 && outcome > Outcome::kSurvived) continue;
    text += fmt::format("{} {} {}", o == 0 ? "" : ",", rows, name_of(outcome));
  }
  return text + "\n";
}

std::string catalogue_json(const std::vector<RowAnswer>& answers) {
  Json rows = Json::array();
  for (const RowAnswer& answer : answers) {
    Json shown = Json::array();
    for (std::size_t i = 0; i < answer.found.size(); ++i) {
      const Question& q = answer.row->questions[i];
      const Found& f = answer.found[i];
      shown.push_back({{"model", q.model},
                       {"where", q.where},
                       {"change", q.change},
                       {"property", q.property},
                       {"depth", f.depth < 0 ? Json(nullptr) : Json(f.depth)},
                       {"states", f.states},
                       {"seconds", f.seconds}});
    }
    rows.push_back({{"row", answer.row->id},
                    {"defect", answer.row->defect},
                    {"shape", answer.row->shape},
                    {"breaks", answer.row->breaks},
                    {"outcome", name_of(answer.outcome)},
                    {"reason", answer.reason},
                    {"outside", answer.row->outside},
                    {"shown", shown}});
  }
  const Json document = {{"version", checker::version()}, {"rows", rows}};
  return document.dump(2) + "\n";
}

}  // namespace fencepost::catalogue
