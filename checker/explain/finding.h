// What `explain` found, as plain values: a kind, how sure it is, and sentences that each name the
// lines they rest on. Text and JSON are made from these alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checker/explain/history.h"
#include "traces/event_json.h"

namespace fencepost::explain {

/// A sentence and the lines that show it (none: it says what is not shown).
struct Statement {
  std::string text;
  std::vector<traces::Evidence> evidence;
};

/// In the order in which findings are reported; the first is the answer.
enum class Kind {
  kDuplicate,
  kNoProgress,
  kGap,
  kEpochBump,
  kLeaderHints,
  kConsumerReport,
};

enum class Certainty {
  kConfirmed,  ///< the input itself shows it
  kSuspected   ///< the input shows how it may have come about, not that it did
};

/// One copy of records in a partition's log.
struct Copy {
  std::int64_t first_offset = 0;
  std::int64_t last_offset = 0;
  std::optional<std::int64_t> leader_epoch;
  std::optional<traces::Stamp> stamp;
  std::optional<std::string> crc;
  traces::Evidence seen;
};

struct Finding {
  Kind kind = Kind::kDuplicate;
  Certainty certainty = Certainty::kConfirmed;
  std::string topic;
  std::int64_t partition = 0;
  std::string headline;                               ///< one line, without kind and certainty
  std::vector<Statement> why;                         ///< how it came about, in order
  std::vector<Statement> shown;                       ///< what else the input shows of it
  std::vector<Copy> copies;                           ///< kDuplicate: the copies seen
  std::optional<traces::Stamp> old_stamp, new_stamp;  ///< kDuplicate: of the re-sent batch
  std::int64_t times = 0;  ///< kNoProgress: equal answers; kEpochBump: partitions renumbered
};

/// Everything `explain` has to say about its inputs.
struct Report {
  std::vector<traces::Input> inputs;
  std::vector<traces::Problem> problems;
  std::vector<Statement> notes;
  std::vector<Finding> findings;  ///< ordered: the first is the answer
  History history;
};

/// Analyses a trace. Deterministic; never throws on what a trace may hold.
Report analyse(const traces::Trace& trace);

}  // namespace fencepost::explain
