#include "checker/symbolic/spec_vocabulary.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "spec/base.h"

namespace fencepost::checker {
namespace {

using spec::Concrete;

struct Row {
  std::string_view cell;  ///< spec::CellPlace::field
  Field field;
};

const std::vector<std::string>& flag() {
  static const std::vector<std::string> kFlag{"no", "yes"};
  return kFlag;
}

std::vector<Row> producer_rows() {
  const std::vector<std::string> modes{"assigned", "draining", "fatal", "fatal and excused"};
  return {
      {"producer", {"producer", "the producer{}", Over::kNothing, Sort::kChoice, 0, modes}},
      {"producer epoch",
       {"producer_epoch", "the producer's epoch{}", Over::kNothing, Sort::kEpoch}},
  };
}

std::vector<Row> client_rows() {
  const std::vector<std::string> statuses{"unsent",    "in flight", "to be retried",
                                          "delivered", "failed",    "failed falsely"};
  const auto number = [](const char* name, const char* says, bool message = false) {
    return Field{name, says, Over::kNothing, Sort::kNumber, 0, {}, message};
  };
  return {
      {"status", {"status", "the status of {}", Over::kMessage, Sort::kChoice, 0, statuses}},
      {"possibly persisted",
       {"possibly", "whether {} is possibly persisted", Over::kMessage, Sort::kChoice, 0, flag()}},
      {"sequence", {"given", "the sequence given to {}", Over::kMessage}},
      {"partition epoch", {"epoch", "the partition's epoch{}", Over::kNothing, Sort::kEpoch}},
      {"base message", number("base", "the base message{}", true)},
      {"next expected acknowledgement", number("next_ack", "the next expected acknowledgement{}")},
      {"next sequence", number("next_sequence", "the next sequence{}")},
      {"sequence behind the last error",
       number("next_error", "the sequence behind the last error{}")},
      {"sequence behind one expired in doubt",
       number("expired_next", "the sequence behind one expired in doubt{}")},
      {"asked for the bump",
       {"asked", "whether the partition asked for the bump{}", Over::kNothing, Sort::kChoice, 0,
        flag()}},
      {"partition drain",
       {"drains", "whether the partition drains{}", Over::kNothing, Sort::kChoice, 0, flag()}},
      {"leader known to the client",
       {"view", "the leader known to the client{}", Over::kNothing, Sort::kBroker, 0, {"nobody"}}},
  };
}

std::vector<Row> network_rows() {
  const std::vector<std::string> stages{"not taken",
                                        "waiting",
                                        "OK",
                                        "NOT_LEADER",
                                        "NOT_LEADER with an offset",
                                        "REQUEST_TIMED_OUT",
                                        "NOT_ENOUGH_REPLICAS",
                                        "NOT_ENOUGH_REPLICAS_AFTER_APPEND",
                                        "a permanent error",
                                        "OUT_OF_ORDER",
                                        "INVALID_EPOCH",
                                        "DUPLICATE_SEQUENCE",
                                        "UNKNOWN_PRODUCER_ID"};
  return {
      {"broker in flight",
       {"target", "the broker in flight{}", Over::kNothing, Sort::kBroker, 0, {"nobody"}}},
      {"in flight", {"in_flight", "the number of requests in flight{}"}},
      {"request message",
       {"message", "the message of {}", Over::kRequest, Sort::kNumber, 0, {}, true}},
      {"request epoch", {"request_epoch", "the epoch of {}", Over::kRequest, Sort::kEpoch}},
      {"request sequence", {"sequence", "the sequence of {}", Over::kRequest}},
      {"request stage", {"stage", "the stage of {}", Over::kRequest, Sort::kChoice, 0, stages}},
  };
}

std::vector<Row> broker_rows() {
  return {
      {"leader", {"leader", "the leader{}", Over::kNothing, Sort::kBroker, 0, {"nobody"}}},
      {"leader knows",
       {"aware", "whether the leader knows{}", Over::kNothing, Sort::kChoice, 0, flag()}},
      {"log end", {"log_end", "the log's end{}"}},
      {"high watermark", {"watermark", "the high watermark{}"}},
      {"log message", {"log", "the message of {}", Over::kEntry, Sort::kNumber, 0, {}, true}},
      {"log epoch", {"log_epoch", "the epoch of {}", Over::kEntry, Sort::kEpoch}},
      {"log sequence", {"log_sequence", "the sequence of {}", Over::kEntry}},
  };
}

std::vector<Row> rows() {
  std::vector<Row> all;
  for (const auto& part : {producer_rows(), client_rows(), network_rows(), broker_rows()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

/// Puts each cell into its field, for every partition.
void add_cells(const spec::Rules& rules, const std::vector<Row>& rows, Vocabulary& v) {
  std::map<std::string_view, std::size_t> field_of;
  const auto partitions = static_cast<std::size_t>(rules.instance.partitions);
  for (std::size_t f = 0; f < rows.size(); ++f) {
    field_of[rows[f].cell] = f;
    v.fields.push_back(rows[f].field);
    v.fields[f].cells.resize(partitions);
  }
  std::size_t cell = 0;
  spec::State<Concrete> s{};
  spec::visit_cells(s, rules, [&](const Concrete::Cell&, const spec::CellPlace& place) {
    const auto found = field_of.find(place.field);
    if (found != field_of.end()) {
      Field& field = v.fields[found->second];
      field.max = static_cast<unsigned>(place.max);
      for (std::size_t p = 0; p < partitions; ++p) {
        if (place.partition >= 0 && place.partition != static_cast<int>(p)) continue;
        field.cells[p].push_back(cell);
      }
    }
    ++cell;
  });
}

}  // namespace

Vocabulary spec_vocabulary(const spec::Rules& rules) {
  const std::vector<Row> all = rows();
  Vocabulary v;
  v.partitions = rules.instance.partitions;
  add_cells(rules, all, v);
  const auto field = [&](std::string_view cell) {
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const Row& r) { return r.cell == cell; });
    FP_ASSERT(at != all.end());
    return static_cast<std::size_t>(at - all.begin());
  };
  v.elements[1] = {rules.messages(), {}, "message"};
  v.elements[2] = {rules.instance.in_flight, field("in flight"), "request"};
  v.elements[3] = {rules.instance.log, field("log end"), "log entry"};
  const auto base = static_cast<int>(field("base message"));
  for (const char* distance :
       {"next expected acknowledgement", "request sequence", "log sequence"}) {
    v.sums.push_back({base, static_cast<int>(field(distance)), true});
  }
  v.standings = {
      {"sent", "carried by a request in flight", field("request message"), {}},
      {"in_log", "in the log", field("log message"), {}},
      {"committed", "committed", field("log message"), field("high watermark")},
  };
  return v;
}

std::vector<std::string> cells_without_words(const spec::Rules& rules) {
  FP_ASSERT(rules.instance.faults.unlimited);
  const std::vector<Row> all = rows();
  std::vector<std::string> names;
  spec::State<Concrete> s{};
  spec::visit_cells(s, rules, [&](const Concrete::Cell&, const spec::CellPlace& place) {
    const bool has_words = std::any_of(all.begin(), all.end(),
                                       [&](const Row& row) { return row.cell == place.field; });
    if (has_words || place.max == 0) return;
    if (std::find(names.begin(), names.end(), place.field) == names.end()) {
      names.emplace_back(place.field);
    }
  });
  return names;
}

CellValues cell_values(const spec::State<Concrete>& state, const spec::Rules& rules) {
  CellValues values;
  spec::visit_cells(state, rules, [&](const Concrete::Cell& cell, const spec::CellPlace&) {
    values.push_back(cell.v);
  });
  return values;
}

}  // namespace fencepost::checker
