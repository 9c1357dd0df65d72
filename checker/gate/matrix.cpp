#include "checker/gate/matrix.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "checker/gate/gate_json.h"
#include "spec/instance_text.h"

namespace fencepost::gate {
namespace {

using checker::Verdict;
using Json = nlohmann::ordered_json;

Claim claim_of(const MatrixRequest& request, const std::string& client, const std::string& broker) {
  Claim claim;
  claim.id = client + " on " + broker;
  claim.says = "what comes out";
  ClaimRow row{client, broker, "", request.instance, request.faults, {}};
  for (const spec::Property property : request.properties) {
    row.property = property;
    claim.rows.push_back(row);
  }
  return claim;
}

const RowResult* find(const Matrix& matrix, const std::string& client, const std::string& broker,
                      spec::Property property) {
  for (const RowResult& row : matrix.result.rows) {
    if (row.row->variant == client && row.row->broker == broker && row.row->property == property) {
      return &row;
    }
  }
  return nullptr;
}

std::string cell_text(const RowResult* row) {
  if (row == nullptr) return "not searched";
  if (row->answer.verdict != Verdict::kRefuted) {
    return std::string(checker::name_of(row->answer.verdict));
  }
  return fmt::format("refuted {}", row->answer.depth);
}

std::string without_trailing_blanks(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

/// Every row starts with its client and has its cells below the brokers' names.
std::string table_text(const Matrix& matrix, spec::Property property) {
  const std::string_view name = spec::properties()[static_cast<std::size_t>(property)].name;
  std::size_t first = name.size();
  for (const spec::Variant& client : matrix.request.clients) {
    first = std::max(first, client.name.size());
  }
  std::string text = fmt::format("{:{}}", name, first);
  for (const spec::Variant& broker : matrix.request.brokers) {
    text += fmt::format("  {:12}", broker.name);
  }
  text = fmt::format("{}\n", without_trailing_blanks(text));
  for (const spec::Variant& client : matrix.request.clients) {
    std::string line = fmt::format("{:{}}", client.name, first);
    for (const spec::Variant& broker : matrix.request.brokers) {
      const std::size_t width = std::max<std::size_t>(broker.name.size(), 12);
      line += fmt::format("  {:{}}", cell_text(find(matrix, client.name, broker.name, property)),
                          width);
    }
    text += fmt::format("{}\n", without_trailing_blanks(line));
  }
  return text;
}

bool undecided(const checker::Answer& answer) {
  return answer.verdict != Verdict::kRefuted && !checker::holds(answer.verdict);
}

/// The reasons of what has no verdict, the same ones of a pair once.
std::string reasons_text(const Matrix& matrix) {
  std::string text;
  std::string last;
  for (const RowResult& row : matrix.result.rows) {
    if (!undecided(row.answer)) continue;
    const std::string line = fmt::format("{}: {}, {}\n", row.claim->id,
                                         checker::name_of(row.answer.verdict), row.answer.reason);
    if (line != last) text += line;
    last = line;
  }
  for (const RefusedPair& pair : matrix.refused) {
    text += fmt::format("{} on {}: refused, {}\n", pair.client, pair.broker, pair.why);
  }
  return text.empty() ? text : fmt::format("\n{}", text);
}

/// Remarks with more pairs than this say how many they are.
constexpr std::size_t kNamedPairs = 4;

/// What limits the cells that hold: every distinct remark once, with the pairs that it is about.
std::string remarks_text(const Matrix& matrix) {
  std::vector<std::pair<std::string, std::vector<std::string>>> remarks;  // in order of the rows
  for (const RowResult& row : matrix.result.rows) {
    const std::string& remark = row.answer.remark;
    if (!checker::holds(row.answer.verdict) || remark.empty()) continue;
    auto known = std::find_if(remarks.begin(), remarks.end(),
                              [&](const auto& entry) { return entry.first == remark; });
    if (known == remarks.end()) known = remarks.insert(known, {remark, {}});
    std::vector<std::string>& pairs = known->second;
    if (pairs.empty() || pairs.back() != row.claim->id) pairs.push_back(row.claim->id);
  }
  std::string text;
  for (const auto& [remark, pairs] : remarks) {
    const std::string where = pairs.size() <= kNamedPairs
                                  ? fmt::format("{}", fmt::join(pairs, ", "))
                                  : fmt::format("{} pairs", pairs.size());
    text += fmt::format("{}: {}\n", where, remark);
  }
  return text.empty() ? text : fmt::format("\n{}", text);
}

}  // namespace

Matrix run_matrix(MatrixRequest request, const Checker& checker, const GateOptions& options) {
  Matrix matrix{std::move(request), {}, {}, {}};
  const MatrixRequest& r = matrix.request;
  FP_ASSERT(!r.clients.empty() && !r.brokers.empty() && !r.properties.empty());
  for (const spec::Variant& client : r.clients) matrix.claims.clients[client.name] = client;
  for (const spec::Variant& broker : r.brokers) matrix.claims.brokers[broker.name] = broker;
  for (const spec::Variant& client : r.clients) {
    for (const spec::Variant& broker : r.brokers) {
      const std::string why =
          r.refuse ? r.refuse(spec::combine(client, broker), r.instance) : std::string();
      if (why.empty()) {
        matrix.claims.list.push_back(claim_of(r, client.name, broker.name));
      } else {
        matrix.refused.push_back({client.name, broker.name, why});
      }
    }
  }
  std::vector<const Claim*> selected;
  for (const Claim& claim : matrix.claims.list) selected.push_back(&claim);
  matrix.result = run_gate(matrix.claims, selected, checker, options);
  return matrix;
}

std::string matrix_text(const Matrix& matrix) {
  const spec::Instance& i = matrix.request.instance;
  std::string text = fmt::format(
      "{}; faults: {}; budget {}\n\"exhausted\": holds in every reachable state; \"refuted\" with "
      "the steps of the shortest counterexample\n",
      spec::instance_text(i), matrix.request.faults, i.faults.budget);
  for (const spec::Property property : matrix.request.properties) {
    text += fmt::format("\n{}", table_text(matrix, property));
  }
  return text + remarks_text(matrix) + reasons_text(matrix);
}

std::string matrix_json(const Matrix& matrix) {
  Json cells = Json::array();
  for (const RowResult& row : matrix.result.rows) cells.push_back(answer_json(row.answer));
  Json refused = Json::array();
  for (const RefusedPair& pair : matrix.refused) {
    refused.push_back({{"variant", pair.client}, {"broker", pair.broker}, {"reason", pair.why}});
  }
  const spec::Instance& i = matrix.request.instance;
  const Json document = {{"version", checker::version()},
                         {"instance", spec::instance_text(i)},
                         {"faults", matrix.request.faults},
                         {"budget", i.faults.budget},
                         {"cells", cells},
                         {"refused", refused},
                         {"seconds", matrix.result.seconds},
                         {"interrupted", matrix.result.interrupted}};
  return document.dump(2) + "\n";
}

}  // namespace fencepost::gate
