#include <nlohmann/json.hpp>

#include "checker/explain/render.h"
#include "checker/explain/words.h"

namespace fencepost::explain {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Report& report, const traces::Evidence& evidence) {
  Json json;
  const auto input = static_cast<std::size_t>(evidence.input);
  if (input < report.inputs.size()) json["file"] = report.inputs[input].file;
  json["line"] = evidence.line;
  if (evidence.frame) json["frame"] = *evidence.frame;
  if (evidence.time_us) json["time_us"] = *evidence.time_us;
  return json;
}

Json json_of(const traces::Stamp& stamp) {
  return {{"producer_id", stamp.producer_id}, {"epoch", stamp.epoch}, {"sequence", stamp.sequence}};
}

Json json_of(const Report& report, const std::vector<Statement>& statements) {
  Json list = Json::array();
  for (const Statement& statement : statements) {
    Json evidence = Json::array();
    for (const traces::Evidence& one : statement.evidence) {
      evidence.push_back(json_of(report, one));
    }
    list.push_back({{"text", statement.text}, {"evidence", evidence}});
  }
  return list;
}

std::string kind_name(Kind kind) {
  switch (kind) {
    case Kind::kDuplicate:
      return "duplicate";
    case Kind::kNoProgress:
      return "no-progress";
    case Kind::kGap:
      return "gap";
    case Kind::kEpochBump:
      return "epoch-bump";
    case Kind::kLeaderHints:
      return "leader-hints";
    case Kind::kConsumerReport:
      return "consumer-report";
  }
  return {};
}

Json json_of(const Report& report, const Copy& copy) {
  Json json = {{"first_offset", copy.first_offset}, {"last_offset", copy.last_offset}};
  if (copy.leader_epoch) json["leader_epoch"] = *copy.leader_epoch;
  if (copy.stamp) json["stamp"] = json_of(*copy.stamp);
  if (copy.crc) json["crc"] = *copy.crc;
  json["evidence"] = json_of(report, copy.seen);
  return json;
}

Json json_of(const Report& report, const Finding& finding) {
  Json json = {
      {"kind", kind_name(finding.kind)},
      {"certainty", finding.certainty == Certainty::kConfirmed ? "confirmed" : "suspected"},
      {"headline", finding.headline}};
  if (!finding.topic.empty()) {
    json["topic"] = finding.topic;
    json["partition"] = finding.partition;
  }
  if (finding.times != 0) json["times"] = finding.times;
  if (finding.old_stamp) json["old_stamp"] = json_of(*finding.old_stamp);
  if (finding.new_stamp) json["new_stamp"] = json_of(*finding.new_stamp);
  if (!finding.copies.empty()) json["copies"] = Json::array();
  for (const Copy& copy : finding.copies) json["copies"].push_back(json_of(report, copy));
  json["why"] = json_of(report, finding.why);
  json["shown"] = json_of(report, finding.shown);
  return json;
}

Json json_of(const Report& report, const Attempt& attempt) {
  Json json = {{"broker", attempt.broker}};
  if (attempt.stamp) json["stamp"] = json_of(*attempt.stamp);
  if (attempt.crc) json["crc"] = *attempt.crc;
  if (attempt.sent) json["sent"] = json_of(report, *attempt.sent);
  if (!attempt.answer) return json;
  const Answer& answer = *attempt.answer;
  Json given = {{"error", answer.error}};
  if (answer.offset) given["offset"] = *answer.offset;
  if (is_append_then_error(answer)) given["appended_then_refused"] = true;
  if (answer.hint) {
    given["hint"] = {{"leader", answer.hint->leader}, {"leader_epoch", answer.hint->leader_epoch}};
  }
  given["evidence"] = json_of(report, answer.seen);
  json["answer"] = given;
  return json;
}

Json json_of(const Report& report, const BatchHistory& batch) {
  Json json = {{"topic", batch.topic},
               {"partition", batch.partition},
               {"batch", batch_words(batch)},
               {"records", batch.count}};
  json["attempts"] = Json::array();
  for (const Attempt& attempt : batch.attempts) {
    json["attempts"].push_back(json_of(report, attempt));
  }
  if (batch.timed_out) json["timed_out"] = json_of(report, *batch.timed_out);
  return json;
}

}  // namespace

std::string explain_json(const Report& report) {
  Json json = {{"answer", answer_line(report)}};
  json["findings"] = Json::array();
  for (const Finding& finding : report.findings) {
    json["findings"].push_back(json_of(report, finding));
  }
  json["batches"] = Json::array();
  for (const BatchHistory& batch : report.history.batches) {
    json["batches"].push_back(json_of(report, batch));
  }
  json["notes"] = json_of(report, report.notes);
  json["problems"] = Json::array();
  for (const traces::Problem& problem : report.problems) {
    json["problems"].push_back({{"where", json_of(report, problem.where)}, {"what", problem.what}});
  }
  json["inputs"] = Json::array();
  for (const traces::Input& input : report.inputs) {
    json["inputs"].push_back({{"file", input.file}, {"format", input.format}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fencepost::explain
