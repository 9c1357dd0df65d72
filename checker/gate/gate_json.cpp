#include "checker/gate/gate_json.h"

#include <array>

#include "checker/gate/compare.h"

namespace fencepost::gate {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kStatusNames{"as claimed", "open", "not met",
                                                       "undecided"};

constexpr std::array<std::string_view, 6> kChangeNames{"none",  "same",  "better",
                                                       "worse", "mixed", "no answer"};

Json instance_json(const spec::Instance& i) {
  return {{"partitions", i.partitions}, {"messages", i.messages},
          {"cold", i.warm == 0},        {"in-flight", i.in_flight},
          {"brokers", i.brokers},       {"epochs", i.epochs},
          {"max-epoch", i.max_epoch},   {"log", i.log}};
}

Json row_json(const RowResult& result) {
  Json row = {{"claim", result.claim->id},
              {"source", result.claim->source},
              {"expect", name_of(result.claim->expect)},
              {"status", kStatusNames[static_cast<std::size_t>(result.status)]},
              {"budget", result.row->instance.faults.budget},
              {"model", result.row->model.empty() ? "idempotent" : result.row->model}};
  if (result.row->model.empty()) row["bounds"] = instance_json(result.row->instance);
  row.update(answer_json(result.answer));
  row["proof"] = result.proof;
  row["implementation"] = result.beside;
  if (result.base) {
    row["base"] = {{"variant", result.base->variant},
                   {"verdict", name_of(result.base->verdict)},
                   {"depth", result.base->depth},
                   {"reason", result.base->reason}};
    row["change"] = kChangeNames[static_cast<std::size_t>(result.change)];
  }
  return row;
}

}  // namespace

Json answer_json(const checker::Answer& a) {
  return {{"variant", a.variant},
          {"broker", a.broker},
          {"instance", a.instance},
          {"faults", a.faults},
          {"property", a.property},
          {"partition", a.partition ? Json(*a.partition) : Json(nullptr)},
          {"verdict", name_of(a.verdict)},
          {"reason", a.reason},
          {"remark", a.remark},
          {"not-covered", a.not_covered},
          {"engine", a.engine},
          {"on", a.on},
          {"depth", a.depth},
          {"states", a.states},
          {"states-stand-for", a.permutations},
          {"transitions", a.transitions},
          {"seconds", a.seconds},
          {"version", a.version}};
}

std::string gate_json(const GateResult& result) {
  Json rows = Json::array();
  for (const RowResult& row : result.rows) rows.push_back(row_json(row));
  Json document = {{"version", checker::version()},
                   {"claims", rows},
                   {"summary",
                    {{"claims", result.rows.size()},
                     {"as-claimed", result.count(RowStatus::kAsClaimed)},
                     {"open", result.count(RowStatus::kOpen)},
                     {"not-met", result.count(RowStatus::kNotMet)},
                     {"undecided", result.count(RowStatus::kUndecided)},
                     {"not-checked", result.not_checked()}}},
                   {"searches", result.searches},
                   {"seconds", result.seconds},
                   {"interrupted", result.interrupted}};
  if (const Comparison& c = result.comparison; !c.variant.empty()) {
    Json& comparison = document["comparison"];
    comparison = {{"variant", c.variant},
                  {"base", c.base.empty() ? Json(nullptr) : Json(c.base)},
                  {"better", result.count(Change::kBetter)},
                  {"worse", result.count(Change::kWorse)},
                  {"same", result.count(Change::kSame)},
                  {"no-answer", result.count(Change::kNoAnswer)},
                  {"says", c.base.empty() ? c.why : comparison_sentence(result)}};
  }
  return document.dump(2) + "\n";
}

}  // namespace fencepost::gate
