#include "traces/tracer_trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "spec/base.h"

namespace fencepost::traces {
namespace {

using Kind = TracerField::Kind;

[[noreturn]] void bad(const std::string& name, std::size_t line, const std::string& what) {
  throw Error(Exit::kBadInput, fmt::format("{}:{}: {}", name, line, what));
}

const TracerEventInfo& info_of(const RawEvent& event, const std::string& name, std::size_t line) {
  const auto& all = tracer_events();
  const auto found = std::find_if(all.begin(), all.end(), [&](const TracerEventInfo& info) {
    return info.name == event.event;
  });
  if (found == all.end()) bad(name, line, fmt::format("unknown event \"{}\"", event.event));
  return *found;
}

bool is_a(const nlohmann::ordered_json& value, Kind kind) {
  if (kind == Kind::kInteger) return value.is_number_integer();
  return kind == Kind::kText ? value.is_string() : value.is_boolean();
}

std::string_view kind_name(Kind kind) {
  if (kind == Kind::kInteger) return "an integer";
  return kind == Kind::kText ? "a text" : "true or false";
}

/// Takes a field out of the body.
bool take(nlohmann::ordered_json& body, const TracerField& field, const std::string& name,
          std::size_t line) {
  const auto found = body.find(std::string(field.name));
  if (found == body.end()) return false;
  if (!is_a(*found, field.kind)) {
    bad(name, line, fmt::format("\"{}\" must be {}", field.name, kind_name(field.kind)));
  }
  body.erase(found);
  return true;
}

/// "after" and "after_n": an event of another actor that stands above.
void check_after(nlohmann::ordered_json& body, const RawEvent& event, const TracerSummary& summary,
                 const std::string& name, std::size_t line) {
  const auto after = body.find("after");
  const auto number = body.find("after_n");
  if (after == body.end() && number == body.end()) return;
  if (after == body.end() || number == body.end() || !after->is_string() ||
      !number->is_number_unsigned()) {
    bad(name, line, "\"after\" (a text) and \"after_n\" (a number) come together or not at all");
  }
  const auto actor = after->get<std::string>();
  const auto found = summary.actors.find(actor);
  if (actor == event.actor || found == summary.actors.end() ||
      number->get<std::size_t>() >= found->second) {
    bad(name, line,
        fmt::format("event {} of \"{}\", which this one comes after, does not stand above it",
                    number->get<std::size_t>(), actor));
  }
  body.erase("after");
  body.erase("after_n");
}

void check_event(const RawEvent& event, TracerSummary& summary, const std::string& name,
                 std::size_t line) {
  nlohmann::ordered_json body = event.body;
  const TracerEventInfo& info = info_of(event, name, line);
  std::size_t& count = summary.actors[event.actor];
  const auto n = body.find("n");
  if (n == body.end() || !n->is_number_integer() || *n != count) {
    bad(name, line, fmt::format("\"n\" is not {}, the next one of \"{}\"", count, event.actor));
  }
  body.erase("n");
  check_after(body, event, summary, name, line);
  const bool cut = take(body, {"cut", Kind::kBoolean, false}, name, line);
  for (const TracerField& field : info.fields) {
    if (!take(body, field, name, line) && field.required && !cut) {
      bad(name, line, fmt::format("\"{}\" needs the field \"{}\"", event.event, field.name));
    }
  }
  if (!body.empty()) {
    bad(name, line, fmt::format("\"{}\" has no field \"{}\"", event.event, body.begin().key()));
  }
  ++count;
}

}  // namespace

const std::vector<TracerEventInfo>& tracer_events() {
  static const TracerField kPartition{"partition"};
  static const TracerField kBroker{"broker"};
  static const TracerField kId{"message_id"};
  static const TracerField kError{"error", Kind::kText};
  static const TracerField kOffsetValid{"offset_valid", Kind::kBoolean};
  static const TracerField kLate{"late", Kind::kBoolean, false};
  static const std::vector<TracerField> kBatch{{"count"}, {"epoch"}, {"sequence"}};
  static const auto with_batch = [](std::vector<TracerField> fields) {
    fields.insert(fields.end(), kBatch.begin(), kBatch.end());
    return fields;
  };
  static const std::vector<TracerEventInfo> kEvents{
      {"produce", "the application handed over a message", {kPartition, kId}},
      {"send", "a batch went onto a connection", with_batch({kPartition, kBroker, kId})},
      {"receive",
       "an answer was taken off a connection",
       {kPartition, kBroker, kError, kOffsetValid}},
      {"delivered",
       "a message was reported delivered",
       {kPartition, kId, {"implicit", Kind::kBoolean, false}}},
      {"failed",
       "a message was reported failed",
       {kPartition, kId, kError, {"possibly_persisted", Kind::kBoolean}}},
      {"partition-drain", "a partition waits for what is in flight", {kPartition}},
      {"drain", "all partitions wait, for a bump", {kPartition, {"epoch"}}},
      {"bump", "the producer's epoch grew", {{"producer_id"}, {"epoch"}}},
      {"renumber",
       "a partition numbers in a new epoch; the message is its sequence 0",
       {kPartition, {"epoch"}, kId}},
      {"leader",
       "the client learnt who leads; broker -1: nobody",
       {kPartition, kBroker, {"leader_epoch"}}},
      {"fatal", "the producer gave up", {kPartition}},
      {"appended", "a leader appended a batch", with_batch({kPartition, {"offset"}, kId, kLate})},
      {"recognised", "a leader recognised a batch that it has",
       with_batch({kPartition, {"offset"}, kId, kLate})},
      {"answer", "a broker answered a request", {kPartition, kError, kOffsetValid}},
      {"replicated", "a follower's log grew", {kPartition, {"end"}}},
      {"truncated", "a follower's log was cut", {kPartition, {"end"}}},
      {"watermark", "a leader moved its high watermark", {kPartition, {"offset"}}},
      {"leads", "a broker learnt that it leads", {kPartition}},
      {"stale", "a leader believes for a while that it does not lead", {kPartition}},
      {"leader-lost", "the controller took a leadership away", {kPartition, kBroker}},
      {"elect",
       "the controller elected a leader",
       {kPartition, kBroker, {"leader_epoch"}, {"lost"}}},
      {"records-lost",
       "an unclean election: the next leader's log ends below what was committed",
       {kPartition, kBroker, {"end"}}},
      {"reloaded", "producer state was reloaded from a snapshot", {kPartition}},
      {"expired", "producer state expired", {kPartition}},
      {"connection-closed", "a connection closed", {kBroker, {"late", Kind::kBoolean}}},
  };
  return kEvents;
}

TracerSummary check_tracer_trace(const RawTrace& trace, const std::string& name) {
  if (trace.source != kTracerSource) {
    bad(name, 1, fmt::format("this trace is of \"{}\", not of the tracer", trace.source));
  }
  TracerSummary summary;
  const auto by = trace.header.find("by");
  if (by == trace.header.end() || !by->is_string()) {
    bad(name, 1, "the header needs the field \"by\" (a text)");
  }
  summary.by = by->get<std::string>();
  summary.events = trace.events.size();
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    check_event(trace.events[i], summary, name, i + 2);
  }
  return summary;
}

}  // namespace fencepost::traces
