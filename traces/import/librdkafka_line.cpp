#include "traces/import/librdkafka_line.h"

#include <array>

#include "traces/error_names.h"
#include "traces/import/scanner.h"
#include "traces/import/wireshark_fields.h"

namespace fencepost::traces {
namespace {

using Parse = LogReading (*)(std::string_view text, Payload& payload);

// "topic [7]"
bool take_partition(Scanner& scan, std::string& topic, std::int64_t& partition) {
  topic = scan.until(" [");
  partition = scan.number();
  scan.expect("]");
  return scan.ok() && !topic.empty();
}

// "PID{Id:7,Epoch:0}" or, giving nothing, "PID{Invalid}"
std::optional<ProducerEpoch> take_pid(Scanner& scan) {
  if (scan.maybe("PID{Invalid}")) return std::nullopt;
  ProducerEpoch pid;
  scan.expect("PID{Id:");
  pid.id = scan.number();
  scan.expect(",Epoch:");
  pid.epoch = scan.number();
  scan.expect("}");
  return pid;
}

// "host:port/id: ", the broker that most lines begin with; a topic cannot hold ": ".
std::string take_broker(Scanner& scan) {
  const std::size_t at = scan.rest().find(": ");
  if (at == std::string_view::npos) return {};
  const std::string_view broker = scan.rest().substr(0, at);
  if (broker.find('/') == std::string_view::npos || broker.find(' ') != std::string_view::npos) {
    return {};
  }
  return std::string(scan.until(": "));
}

LogReading done(bool read) { return read ? LogReading::kEvent : LogReading::kUnreadable; }

LogReading parse_produce(std::string_view text, Payload& payload) {
  if (text.find(": No more space") != std::string_view::npos ||
      text.find(": Reconstructed MessageSet") != std::string_view::npos) {
    return LogReading::kNothing;
  }
  ProduceRequest request;
  Scanner scan(text);
  request.broker = take_broker(scan);
  take_partition(scan, request.topic, request.partition);
  scan.expect(": Produce MessageSet with ");
  request.batch.count = scan.number();
  scan.until("MsgId ");
  request.batch.message_id = scan.number();
  scan.expect(", BaseSeq ");
  Stamp stamp;
  stamp.sequence = scan.number();
  scan.expect(", ");
  const std::optional<ProducerEpoch> pid = take_pid(scan);
  if (pid) request.batch.stamp = Stamp{pid->id, pid->epoch, stamp.sequence};
  payload = std::move(request);
  return done(scan.ok());
}

LogReading parse_msgset(std::string_view text, Payload& payload) {
  ProduceAnswer answer;
  Scanner scan(text);
  answer.broker = take_broker(scan);
  take_partition(scan, answer.topic, answer.partition);
  scan.expect(": MessageSet with ");
  answer.count = scan.number();
  scan.expect(" message(s) (MsgId ");
  answer.message_id = scan.number();
  scan.expect(", BaseSeq ");
  answer.sequence = scan.number();
  scan.expect(") ");
  if (scan.maybe("delivered")) {
    answer.error = kNoError;
  } else {
    scan.expect("encountered error: ");
    answer.error = error_name_of_text(scan.until(" (actions "));
    answer.actions = std::string(scan.until(")"));
  }
  payload = std::move(answer);
  return done(scan.ok());
}

LogReading parse_sequence_error(std::string_view text, Payload& payload) {
  SequenceError error;
  Scanner scan(text);
  error.broker = take_broker(scan);
  scan.expect("ProduceRequest for ");
  take_partition(scan, error.topic, error.partition);
  scan.expect(" with ");
  error.count = scan.number();
  scan.until("(PID");
  Scanner fields(scan.rest());
  fields.expect("{Id:");
  error.producer.id = fields.number();
  fields.expect(",Epoch:");
  error.producer.epoch = fields.number();
  fields.expect("}, base seq ");
  error.sequence = fields.number();
  fields.until(" next seq ");
  error.next_sequence = fields.number();
  const bool readable = scan.ok() && fields.ok();
  fields.until("caused by previous failed request (");
  if (fields.ok()) {
    error.earlier_error = error_name_of_text(fields.until(", actions "));
    error.earlier_actions = std::string(fields.until(", base seq "));
    error.earlier_first = fields.number();
    fields.expect("..");
    error.earlier_last = fields.number();
    fields.expect(", base msgid ");
    error.earlier_message_id = fields.number();
    fields.expect(", ");
    error.earlier_age_ms = fields.number();
    if (!fields.ok()) {  // used as far as it goes
      error.earlier_error.reset();
      error.earlier_actions.reset();
      error.earlier_first.reset();
      error.earlier_last.reset();
      error.earlier_message_id.reset();
      error.earlier_age_ms.reset();
    }
  }
  payload = std::move(error);
  return done(readable);
}

LogReading parse_drain(std::string_view text, Payload& payload) {
  Scanner scan(text);
  take_broker(scan);
  if (scan.maybe("Beginning partition drain in state ")) {
    DrainBegun drain;
    drain.state = scan.until(" for ");
    drain.producer = take_pid(scan).value_or(ProducerEpoch{});
    scan.expect(" ");
    drain.purpose = scan.until(" for ");
    drain.in_flight_partitions = scan.number();
    scan.until("requests: ");
    drain.reason = scan.rest();
    payload = std::move(drain);
    return done(scan.ok());
  }
  if (scan.maybe("All partitions drained")) {
    if (!scan.maybe(", bumped epoch to ")) return LogReading::kNothing;
    const std::optional<ProducerEpoch> pid = take_pid(scan);
    payload = EpochBumped{pid.value_or(ProducerEpoch{})};
    return done(scan.ok() && pid);
  }
  PartitionDrain drain;
  take_partition(scan, drain.topic, drain.partition);
  scan.expect(" beginning partition drain: ");
  drain.reason = scan.rest();
  payload = std::move(drain);
  return done(scan.ok());
}

LogReading parse_newpid(std::string_view text, Payload& payload) {
  Renumbered renumbered;
  Scanner scan(text);
  renumbered.broker = take_broker(scan);
  take_partition(scan, renumbered.topic, renumbered.partition);
  if (scan.maybe(" will not change")) return LogReading::kNothing;
  scan.expect(" changed ");
  renumbered.from = take_pid(scan);
  scan.expect(" -> ");
  const std::optional<ProducerEpoch> to = take_pid(scan);
  renumbered.to = to.value_or(ProducerEpoch{});
  scan.expect(" with base MsgId ");
  renumbered.message_id = scan.number();
  payload = std::move(renumbered);
  return done(scan.ok() && to);
}

LogReading parse_resetseq(std::string_view text, Payload& payload) {
  BaseMoved moved;
  Scanner scan(text);
  take_broker(scan);
  take_partition(scan, moved.topic, moved.partition);
  scan.expect(" resetting epoch base seq from ");
  moved.from = scan.number();
  scan.expect(" to ");
  moved.to = scan.number();
  payload = std::move(moved);
  return done(scan.ok());
}

LogReading parse_timeout(std::string_view text, Payload& payload) {
  MessagesTimedOut timed_out;
  Scanner scan(text);
  timed_out.broker = take_broker(scan);
  take_partition(scan, timed_out.topic, timed_out.partition);
  scan.expect(": timed out ");
  scan.until("(MsgId ");
  timed_out.first = scan.number();
  scan.expect("..");
  timed_out.last = scan.number();
  payload = std::move(timed_out);
  return done(scan.ok());
}

LogReading parse_idempstate(std::string_view text, Payload& payload) {
  Scanner scan(text);
  if (text.starts_with("Denying")) return LogReading::kNothing;
  scan.until("state change ");
  ProducerState state;
  state.from = scan.until(" -> ");
  state.to = scan.rest();
  payload = std::move(state);
  return done(scan.ok());
}

LogReading parse_getpid(std::string_view text, Payload& payload) {
  Scanner scan(text);
  take_broker(scan);
  if (!scan.maybe("Acquired ")) return LogReading::kNothing;
  const std::optional<ProducerEpoch> pid = take_pid(scan);
  payload = ProducerIdAcquired{pid.value_or(ProducerEpoch{})};
  return done(scan.ok() && pid);
}

// "t [0]: leader 1 epoch 1 -> leader -1 epoch 2"; other lines of this facility are about brokers.
LogReading parse_leader(std::string_view text, Payload& payload) {
  LeaderSeen seen;
  Scanner scan(text);
  if (text.find("]: leader ") == std::string_view::npos) return LogReading::kNothing;
  take_partition(scan, seen.topic, seen.partition);
  scan.until(" -> leader ");
  seen.leader = scan.number();
  scan.expect(" epoch ");
  seen.leader_epoch = scan.number();
  payload = std::move(seen);
  return done(scan.ok());
}

// An application's consumer that checks values: "Unexpected message value, topic/k [p]=t/12 [12],
// Offset=15167/15168, LeaderEpoch=79/80,  previous value=77, messageValue=77!"
LogReading parse_application(std::string_view text, Payload& payload) {
  Scanner scan(text);
  if (!scan.maybe("Unexpected message value")) return LogReading::kNothing;
  ConsumerReport report;
  scan.until("[p]=");
  report.topic = scan.until("/");
  scan.until("[");
  report.partition = scan.number();
  scan.until("Offset=");
  report.previous_offset = scan.number();
  scan.expect("/");
  report.offset = scan.number();
  scan.until("LeaderEpoch=");
  report.previous_leader_epoch = scan.number();
  scan.expect("/");
  report.leader_epoch = scan.number();
  scan.until("previous value=");
  report.previous_value = scan.number();
  scan.until("messageValue=");
  report.value = scan.number();
  payload = std::move(report);
  return done(scan.ok());
}

LogReading parse_note(std::string_view text, std::string_view facility, Payload& payload) {
  payload = ClientNote{std::string(facility), std::string(text)};
  return LogReading::kEvent;
}

struct Facility {
  std::string_view name;
  Parse parse;
};

constexpr std::array kFacilities = {
    Facility{"PRODUCE", parse_produce},       Facility{"MSGSET", parse_msgset},
    Facility{"ERRSEQ", parse_sequence_error}, Facility{"DRAIN", parse_drain},
    Facility{"NEWPID", parse_newpid},         Facility{"RESETSEQ", parse_resetseq},
    Facility{"TIMEOUT", parse_timeout},       Facility{"IDEMPSTATE", parse_idempstate},
    Facility{"GETPID", parse_getpid},         Facility{"BROKER", parse_leader},
};

constexpr std::array<std::string_view, 7> kNotes = {"DUPSEQ", "UNKPID",  "ERRPID", "IMPLICITACK",
                                                    "FATAL",  "ADVBASE", "PURGE"};

// "%7|1764432000.001|FACILITY|client| [thrd:x]: text"
std::optional<LogLine> parse_own_prefix(std::string_view line) {
  LogLine parsed;
  Scanner scan(line);
  scan.expect("%").number();
  scan.expect("|");
  const std::int64_t seconds = scan.number();
  scan.expect(".");
  const std::int64_t millis = scan.number();
  scan.expect("|");
  parsed.facility = scan.until("|");
  parsed.client = scan.until("| ");
  if (!scan.ok() || seconds < 0 || seconds > 1'000'000'000'000 || millis < 0 || millis > 999) {
    return std::nullopt;
  }
  parsed.time_us = (seconds * 1000 + millis) * 1000;
  parsed.unix_clock = true;
  parsed.text = scan.rest();
  return parsed;
}

// "12:33:45 info: Name:[0] kafka-log Facility:F, Message[thrd:x]: text", or without "kafka-log" a
// line of the application itself.
std::optional<LogLine> parse_callback_prefix(std::string_view line) {
  LogLine parsed;
  Scanner scan(line);
  parsed.time_us = parse_clock_time(scan.until(" "));
  scan.until(": ");
  if (!parsed.time_us || !scan.ok()) return std::nullopt;
  parsed.text = scan.rest();
  parsed.client = scan.until(" ");
  if (!scan.ok()) return parsed;
  parsed.text = scan.rest();
  if (!scan.maybe("kafka-log Facility:")) return parsed;
  parsed.facility = scan.until(", Message");
  if (!scan.ok()) return std::nullopt;
  parsed.text = scan.rest();
  return parsed;
}

}  // namespace

std::optional<LogLine> parse_log_prefix(std::string_view line) {
  while (line.ends_with('\r')) line.remove_suffix(1);
  std::optional<LogLine> parsed =
      line.starts_with("%") ? parse_own_prefix(line) : parse_callback_prefix(line);
  if (!parsed || parsed->facility.empty()) return parsed;
  Scanner scan(parsed->text);
  if (scan.maybe("[thrd:")) {
    scan.until("]: ");
    if (scan.ok()) parsed->text = scan.rest();
  }
  return parsed;
}

LogReading parse_log_text(const LogLine& line, Payload& payload) {
  if (line.facility.empty()) return parse_application(line.text, payload);
  for (const Facility& facility : kFacilities) {
    if (facility.name == line.facility) return facility.parse(line.text, payload);
  }
  for (const std::string_view note : kNotes) {
    if (note == line.facility) return parse_note(line.text, note, payload);
  }
  return LogReading::kNothing;
}

}  // namespace fencepost::traces
