// The catalogue of known defects: every row of what went wrong in clients, brokers and
// coordinators, and how this program finds it. The format of the files is described in README.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "checker/gate/task.h"

namespace fencepost::catalogue {

/// What a search for a row's violation came to.
struct Found {
  int depth = -1;         ///< steps to the shortest violation of the property asked for, or -1
  bool complete = false;  ///< every reachable state was visited and no bound was met
  std::uint64_t states = 0;
  double seconds = 0;
  std::string error;  ///< a check of our own that failed; then nothing else counts
};

/// Searches the defective protocol, or (`sound`) the same without the defect.
using Ask = std::function<Found(bool sound, const gate::Limits& limits)>;

/// How a defect is shown: what is searched, and what has to break.
struct Question {
  std::string model;   ///< what is searched: "spec", "impl", "transactions" or "impl-transactions"
  std::string where;   ///< client, broker, instance and faults, in one line
  std::string change;  ///< "entry=value", joined by commas, or empty: the variant has the defect
  std::string property;  ///< what breaks
  int depth = 0;         ///< at which depth, as the catalogue states it
  Ask ask;

  /// Whether there is something to compare with: the same without the change.
  [[nodiscard]] bool has_sound() const { return !change.empty(); }
};

/// A row: a defect of the field. Either it has questions, or it says why it is outside the model.
struct Row {
  std::string id;      ///< unique, "K41" or "L-2.3.0-a"
  std::string defect;  ///< component, reference and what is wrong, in one sentence
  std::string shape;   ///< the interleaving
  std::string breaks;  ///< what it was reported to break
  std::vector<Question> questions;
  std::string outside;  ///< why no model here can show it; empty if there are questions
  int line = 0;
};

/// Reads every `*.json` of the folder, in the order of their names. `data` holds the variants.
///
/// Throws Error(kBadInput), naming file and line, for bad JSON, an unknown key, variant, broker,
/// entry, value, mutant, fault or property, a row that stands twice, and a row that has neither
/// questions nor a reason, or both.
std::vector<Row> read_catalogue(const std::filesystem::path& folder,
                                const std::filesystem::path& data);

enum class Outcome : std::uint8_t {
  kKilled,     ///< refuted by the property and at the depth stated; holds without the defect
  kOutside,    ///< no model here can show it, and the row says why
  kSurvived,   ///< the property holds in spite of the defect: a property or the row is wrong
  kMoved,      ///< refuted, at another depth than the row states
  kNotShown,   ///< refuted without the defect as well: the instance shows nothing
  kUndecided,  ///< a limit ended the search
  kError,
};
std::string_view name_of(Outcome outcome);

struct RowAnswer {
  const Row* row = nullptr;
  Outcome outcome = Outcome::kOutside;
  std::vector<Found> found;  ///< one per question
  std::string reason;        ///< why it is not killed or outside
};

/// Asks all questions of a row; the first that is not killed decides.
RowAnswer check_row(const Row& row, const gate::Limits& limits);

}  // namespace fencepost::catalogue
