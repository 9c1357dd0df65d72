#include "tests/small_model/small_vocabulary.h"

#include <fmt/format.h>

#include <map>

namespace fencepost::small_model {
namespace {

using checker::Field;
using checker::Over;
using checker::Sort;

/// The fields of a partition by the names of the cells, then those of the client.
std::vector<std::pair<std::string, Field>> table() {
  const std::vector<std::string> statuses{"queued", "in flight", "acknowledged"};
  const std::vector<std::string> stages{"empty",        "a request",  "OK",
                                        "OUT_OF_ORDER", "NOT_LEADER", "INVALID_EPOCH"};
  const std::vector<std::string> flag{"no", "yes"};
  return {
      {"status", {"status", "the status of {}", Over::kMessage, Sort::kChoice, 0, statuses}},
      {"possibly",
       {"possibly", "whether {} is possibly persisted", Over::kMessage, Sort::kChoice, 0, flag}},
      {"sequence", {"sequence", "the sequence of {}", Over::kMessage}},
      {"message", {"message", "the message of {}", Over::kRequest, Sort::kNumber, 0, {}, true}},
      {"stage", {"stage", "the stage of {}", Over::kRequest, Sort::kChoice, 0, stages}},
      {"epoch", {"leader_epoch", "the leader's epoch{}", Over::kNothing, Sort::kEpoch}},
      {"next", {"next", "the leader's next sequence{}"}},
      {"length", {"log_end", "the log's end{}"}},
      {"log", {"log", "the message of {}", Over::kEntry, Sort::kNumber, 0, {}, true}},
      {"e", {"epoch", "the client's epoch{}", Over::kNothing, Sort::kEpoch}},
      {"drain", {"drain", "whether the client drains{}", Over::kNothing, Sort::kChoice, 0, flag}},
      {"fatal", {"fatal", "whether the client gave up{}", Over::kNothing, Sort::kChoice, 0, flag}},
  };
}

}  // namespace

checker::Vocabulary vocabulary(const Parameters& parameters) {
  const SmallFormulas formulas(parameters);
  std::map<std::string, std::size_t> cells;
  for (std::size_t i = 0; i < formulas.cells().size(); ++i) cells[formulas.cells()[i].name] = i;
  checker::Vocabulary v;
  v.partitions = parameters.partitions;
  v.elements[1] = {parameters.messages, {}, "message"};
  v.elements[2] = {parameters.in_flight, 4, "request in flight"};
  v.elements[3] = {parameters.messages + 1, 7, "log entry"};
  for (auto& [name, field] : table()) {
    const bool client = name == "e" || name == "drain" || name == "fatal";
    const int count = field.over == Over::kNothing ? 1 : v.of(field.over).count;
    for (int p = 0; p < parameters.partitions; ++p) {
      field.cells.emplace_back();
      for (int k = 0; k < count; ++k) {
        const std::string cell = name == "e" ? "epoch"
                                 : client    ? name
                                             : fmt::format("p{}_{}_{}", p, name, k);
        field.cells.back().push_back(cells.at(cell));
      }
    }
    field.max = formulas.cells()[field.cells[0][0]].max;
    v.fields.push_back(field);
  }
  constexpr int kSequence = 2;
  constexpr int kNext = 6;
  constexpr int kLength = 7;
  v.sums = {{kLength, kSequence}, {kNext, checker::Sum::kMessageItself}};
  v.standings = {{"sent", "carried by a request in flight", 3, {}},
                 {"in_log", "in the log", 8, {}}};
  return v;
}

checker::CellValues cells_of(const SmallSystem::State& s, const Parameters& p) {
  checker::CellValues values;
  for (int i = 0; i < p.partitions; ++i) {
    const auto& part = s.partition[i];
    for (int m = 0; m < p.messages; ++m) {
      values.insert(values.end(), {part.status[m].v, part.possibly[m].v, part.sequence[m].v});
    }
    for (int k = 0; k < p.in_flight; ++k) {
      values.insert(values.end(), {part.message[k].v, part.stage[k].v});
    }
    values.insert(values.end(), {part.epoch.v, part.next.v, part.length.v});
    for (int k = 0; k <= p.messages; ++k) values.push_back(part.log[k].v);
  }
  values.insert(values.end(), {s.epoch.v, s.drain.v, s.changes.v, s.fatal.v});
  return values;
}

}  // namespace fencepost::small_model
