#include "checker/counterexample/talk.h"

#include <fmt/format.h>

#include "spec/base.h"
#include "spec/model/broker.h"

namespace fencepost::checker {
namespace {

using spec::ActionKind;
using spec::MessageStatus;
using spec::Note;
using spec::Stage;
using Part = spec::Partition<spec::Concrete>;

std::string broker_name(unsigned broker) { return fmt::format("broker {}", broker); }

std::string stamp(unsigned epoch, unsigned sequence) {
  return fmt::format("epoch {} sequence {}", epoch, sequence);
}

std::string_view answer_text(unsigned stage) {
  switch (static_cast<Stage>(stage)) {
    case Stage::kOk:
      return "success";
    case Stage::kNotLeader:
      return "NOT_LEADER (offset -1)";
    case Stage::kNotLeaderAfterAppend:
      return "NOT_LEADER beside a valid offset";
    case Stage::kRequestTimedOut:
      return "REQUEST_TIMED_OUT beside a valid offset";
    case Stage::kNotEnoughReplicas:
      return "NOT_ENOUGH_REPLICAS";
    case Stage::kNotEnoughReplicasAfterAppend:
      return "NOT_ENOUGH_REPLICAS_AFTER_APPEND";
    case Stage::kPermanentError:
      return "a permanent error";
    case Stage::kOutOfOrder:
      return "OUT_OF_ORDER_SEQUENCE_NUMBER";
    case Stage::kInvalidEpoch:
      return "INVALID_PRODUCER_EPOCH";
    case Stage::kDuplicateSequence:
      return "DUPLICATE_SEQUENCE_NUMBER";
    case Stage::kUnknownProducerId:
      return "UNKNOWN_PRODUCER_ID";
    case Stage::kSent:
    case Stage::kWaiting:
      break;
  }
  return "no answer yet";
}

/// The request that the broker takes next, as the spec says it. Requires: there is one.
int next_sent(const Step& x, const Part& q) {
  spec::State<spec::Concrete> state = x.before;
  spec::Concrete domain;
  const spec::Broker<spec::Concrete> broker{domain, state, x.model.rules()};
  const auto slot = static_cast<int>(broker.next_sent(q).value());
  FP_ASSERT(slot < x.model.rules().instance.in_flight);
  return slot;
}

/// The log holds the message under that very stamp.
bool stands(const Part& q, unsigned message, unsigned epoch, unsigned sequence) {
  for (int i = 0; i < q.length.v; ++i) {
    const auto& entry = q.log[i];
    if (entry.message.v == message && entry.epoch.v == epoch && entry.sequence.v == sequence) {
      return true;
    }
  }
  return false;
}

/// What the client now thinks of the message, after an answer or a closed connection.
std::string fate(const Step& x, int p, int m) {
  const auto status = static_cast<MessageStatus>(x.after.partition[p].status[m].v);
  switch (status) {
    case MessageStatus::kDelivered:
      return "delivered";
    case MessageStatus::kRetry:
      return "to be retried";
    case MessageStatus::kUnsent:
      return "proved absent from the log, as good as never sent";
    case MessageStatus::kFailed:
    case MessageStatus::kFailedFalsely:
      return x.after.partition[p].possibly[m].v != 0 ? "failed, reported as possibly persisted"
                                                     : "failed, reported as not persisted";
    case MessageStatus::kInFlight:
      break;
  }
  return "in flight";
}

/// Remarks on what the whole producer does next.
void producer_remarks(const Step& x, TalkedStep& talked) {
  for (int p = 0; p < x.model.rules().instance.partitions; ++p) {
    const unsigned between = x.after.partition[p].between.v;
    if (between == 0 || x.before.partition[p].between.v == between) continue;
    talked.remarks.push_back(fmt::format("{} is out of flight and not yet back in the queue",
                                         message_name(p, static_cast<int>(between) - 1)));
  }
  if (x.noted(Note::kFatal)) talked.remarks.emplace_back("the producer is fatal from here on");
  if (x.noted(Note::kBumpRequested)) {
    talked.remarks.emplace_back((x.before.mode == spec::Mode::kAssigned).value()
                                    ? "the client decides to bump its epoch"
                                    : "a bump is already under way");
  }
  if (x.noted(Note::kGapLeft)) {
    talked.remarks.emplace_back("a sequence number stays unused and the epoch is not bumped");
  }
}

TalkedStep talk_send(const Step& x) {
  const int p = x.action.partition;
  const Part& q = x.after.partition[p];
  const auto& request = q.request[q.in_flight.v - 1];
  const unsigned m = request.message.v;
  const int attempt = x.ghosts_after.attempts[static_cast<std::size_t>(p)][m];
  TalkedStep talked{"producer",
                    fmt::format("sends {} ({}) to {}{}", message_name(p, static_cast<int>(m)),
                                stamp(request.epoch.v, request.sequence.v), broker_name(q.target.v),
                                attempt > 1 ? fmt::format(", attempt {}", attempt) : ""),
                    {}};
  if (x.noted(Note::kOvertakesRequeue)) {
    talked.remarks.push_back(fmt::format("OVERTAKES {}, which is out of flight and not yet queued",
                                         message_name(p, x.before.partition[p].between.v - 1)));
  }
  if (x.noted(Note::kAdopts)) {
    talked.remarks.push_back(fmt::format("partition {} adopts epoch {}: {} is its sequence 0", p,
                                         q.epoch.v, message_name(p, static_cast<int>(m))));
  }
  if (x.noted(Note::kRenumbersUnresolved)) {
    const Part& old = x.before.partition[p];
    const unsigned sequence = m - old.base.v;
    std::string known;
    if (stands(old, m, old.epoch.v, sequence)) {
      known = ": a copy stands in the log under that stamp";
    } else if (x.ghosts_before.ambiguous[static_cast<std::size_t>(p)][m]) {
      known = ": an earlier attempt was appended";
    }
    talked.remarks.push_back(fmt::format("RENUMBERED: {} was {} and is unresolved{}",
                                         message_name(p, static_cast<int>(m)),
                                         stamp(old.epoch.v, sequence), known));
  }
  if (x.noted(Note::kAdoptionDeferred)) {
    talked.remarks.emplace_back("unresolved, so it keeps its old stamp although the epoch moved");
  }
  return talked;
}

/// The messages that have a new stamp, where stamps are given once.
std::string renumbered_text(const Step& x, int p) {
  const Part& old = x.before.partition[p];
  const Part& now = x.after.partition[p];
  std::string text;
  for (int m = 0; m < x.model.rules().messages(); ++m) {
    if (!spec::Numbering<spec::Concrete>::unresolved(now.status[m]).value()) continue;
    if (old.sequence[m].v == now.sequence[m].v && old.epoch.v == now.epoch.v) continue;
    text += fmt::format("{} {} is now {}", text.empty() ? "RENUMBERED:" : ",", message_name(p, m),
                        stamp(now.epoch.v, now.sequence[m].v));
  }
  return text;
}

/// The bump, and what it gives new stamps.
TalkedStep talk_bump(const Step& x) {
  const bool new_id = x.model.rules().behaviour.bump_takes == spec::BumpTakes::kNewProducerId;
  std::string text =
      fmt::format("is drained and bumps its epoch to {}, by itself", x.after.epoch.v);
  if (new_id)
    text = fmt::format("takes a new producer id: stamps of \"epoch\" {}", x.after.epoch.v);
  if (x.noted(Note::kEpochExhausted)) {
    text = fmt::format("finds its epoch exhausted and goes on with {}", x.after.epoch.v);
  }
  TalkedStep talked{"producer", text, {}};
  for (int p = 0; p < x.model.rules().instance.partitions; ++p) {
    if (x.before.partition[p].epoch.v == x.after.partition[p].epoch.v) continue;
    const std::string stamps = renumbered_text(x, p);
    if (!stamps.empty()) talked.remarks.push_back(stamps);
  }
  return talked;
}

TalkedStep talk_receive(const Step& x) {
  const int p = x.action.partition;
  const Part& q = x.before.partition[p];
  const int m = q.request[0].message.v;
  TalkedStep talked{
      "producer",
      fmt::format("is told {} for {} ({}): {}", answer_text(q.request[0].stage.v),
                  message_name(p, m), stamp(q.request[0].epoch.v, q.request[0].sequence.v),
                  fate(x, p, m)),
      {}};
  if (x.action.kind == ActionKind::kReceiveExhausted) {
    talked.remarks.emplace_back("its retries are exhausted");
  }
  if (x.noted(Note::kLaterOutOfOrder)) {
    talked.remarks.push_back(fmt::format("sequence {} is later than the next expected one, {}",
                                         q.request[0].sequence.v, q.next_ack.v));
  }
  if (x.noted(Note::kRenumbersUnresolved) || x.noted(Note::kLaterRenumbered)) {
    talked.remarks.push_back(renumbered_text(x, p));
  }
  for (int i = 0; i < x.model.rules().messages(); ++i) {
    if (i == m || q.status[i].v == x.after.partition[p].status[i].v) continue;
    talked.remarks.push_back(
        fmt::format("IMPLICITLY ACKNOWLEDGED: {} counts as delivered too", message_name(p, i)));
  }
  producer_remarks(x, talked);
  return talked;
}

TalkedStep talk_take(const Step& x) {
  const int p = x.action.partition;
  const Part& old = x.before.partition[p];
  const Part& now = x.after.partition[p];
  const int slot = next_sent(x, old);
  const auto& request = now.request[slot];
  const std::string name = message_name(p, request.message.v);
  TalkedStep talked{broker_name(old.target.v), "", {}};
  if (x.noted(Note::kAppended)) {
    talked.text = fmt::format("appends {} ({}) at offset {} and waits for replication", name,
                              stamp(request.epoch.v, request.sequence.v), old.length.v);
    for (int i = 0; i < old.length.v; ++i) {
      if (old.log[i].message.v != request.message.v) continue;
      talked.remarks.push_back(fmt::format("APPENDED AGAIN: {} stands at offset {} already, as {}",
                                           name, i,
                                           stamp(old.log[i].epoch.v, old.log[i].sequence.v)));
    }
    if (x.noted(Note::kAcceptedWithoutEntry)) {
      talked.remarks.emplace_back("it knows nothing of this producer and accepts any sequence");
    }
  } else if (x.noted(Note::kDeduplicated)) {
    talked.text = fmt::format("recognises {} ({}) as a duplicate and appends nothing{}", name,
                              stamp(request.epoch.v, request.sequence.v),
                              x.noted(Note::kDuplicateWaits) ? "; waits for replication" : "");
  } else {
    talked.text =
        fmt::format("answers {} ({}) with {}", name, stamp(request.epoch.v, request.sequence.v),
                    answer_text(request.stage.v));
    if ((request.stage == Stage::kNotLeader).value() && old.leader.v == old.target.v) {
      talked.remarks.emplace_back("it is the leader and does not know it");
    }
  }
  return talked;
}

TalkedStep talk_take_late(const Step& x) {
  const int p = x.action.partition;
  const auto& late = x.before.partition[p].late[x.action.a];
  TalkedStep talked{
      broker_name(late.broker.v),
      fmt::format("takes the late request {} ({}) of a closed connection and {}",
                  message_name(p, late.message.v), stamp(late.epoch.v, late.sequence.v),
                  x.noted(Note::kLateAppend) ? "appends it" : "appends nothing"),
      {}};
  return talked;
}

TalkedStep talk_disconnect(const Step& x) {
  TalkedStep talked{"network",
                    fmt::format("the connection to {} closes",
                                broker_name(static_cast<unsigned>(x.action.a + 1))),
                    {}};
  for (int p = 0; p < x.model.rules().instance.partitions; ++p) {
    const Part& old = x.before.partition[p];
    if (x.after.partition[p].in_flight.v != 0 || old.in_flight.v == 0) continue;
    for (int i = 0; i < old.in_flight.v; ++i) {
      const int m = old.request[i].message.v;
      const bool appended =
          stands(old, old.request[i].message.v, old.request[i].epoch.v, old.request[i].sequence.v);
      talked.remarks.push_back(fmt::format("{} ({}) has no answer: {}{}", message_name(p, m),
                                           stamp(old.request[i].epoch.v, old.request[i].sequence.v),
                                           fate(x, p, m),
                                           appended ? "; AMBIGUOUS: it stands in the log" : ""));
    }
    const int stay = x.after.partition[p].late_count.v - old.late_count.v;
    if (stay > 0) {
      talked.remarks.push_back(
          fmt::format("{} of partition {} stay behind and may still be taken",
                      stay == 1 ? "one request" : fmt::format("{} requests", stay), p));
    }
  }
  producer_remarks(x, talked);
  return talked;
}

TalkedStep talk_waiting(const Step& x, std::string actor, std::string text) {
  const int p = x.action.partition;
  TalkedStep talked{std::move(actor), std::move(text), {}};
  const Part& old = x.before.partition[p];
  for (int i = 0; i < old.in_flight.v; ++i) {
    if (!(old.request[i].stage == Stage::kWaiting).value()) continue;
    const unsigned answer = x.after.partition[p].request[i].stage.v;
    const bool lost = answer != static_cast<unsigned>(Stage::kOk);
    talked.remarks.push_back(fmt::format(
        "{} ({}), which waited, is answered {}{}", message_name(p, old.request[i].message.v),
        stamp(old.request[i].epoch.v, old.request[i].sequence.v), answer_text(answer),
        lost ? "; AMBIGUOUS: it was appended" : ""));
  }
  return talked;
}

TalkedStep talk_queue(const Step& x, std::string_view why) {
  const int p = x.action.partition;
  std::string names;
  for (int m = 0; m < x.model.rules().messages(); ++m) {
    if (x.before.partition[p].status[m].v == x.after.partition[p].status[m].v) continue;
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", message_name(p, m), fate(x, p, m));
  }
  TalkedStep talked{"producer", fmt::format("{}: {}", why, names), {}};
  producer_remarks(x, talked);
  return talked;
}

TalkedStep talk_refusal(const Step& x) {
  const int p = x.action.partition;
  const Part& old = x.before.partition[p];
  const int slot = next_sent(x, old);
  const auto& request = x.after.partition[p].request[slot];
  return {broker_name(old.target.v),
          fmt::format("refuses {} ({}) with {}", message_name(p, request.message.v),
                      stamp(request.epoch.v, request.sequence.v), answer_text(request.stage.v)),
          {}};
}

/// What an unclean election takes away: each entry, and what the client was told of it.
void unclean_remarks(const Step& x, TalkedStep& talked) {
  const int p = x.action.partition;
  const Part& old = x.before.partition[p];
  talked.remarks.emplace_back("UNCLEAN: it lacks committed records");
  for (int i = x.after.partition[p].length.v; i < old.length.v; ++i) {
    const int m = old.log[i].message.v;
    talked.remarks.push_back(fmt::format(
        "{} ({}) is gone from offset {}, {}: the client has it as {}", message_name(p, m),
        stamp(old.log[i].epoch.v, old.log[i].sequence.v), i,
        i < old.watermark.v ? "COMMITTED" : "never committed", status_text(old.status[m].v)));
  }
}

TalkedStep talk_election(const Step& x) {
  const int p = x.action.partition;
  TalkedStep talked{"controller",
                    fmt::format("elects {} leader of partition {} (leader epoch {}); it does not "
                                "know yet",
                                broker_name(static_cast<unsigned>(x.action.a + 1)), p,
                                x.ghosts_after.leader_epoch[static_cast<std::size_t>(p)]),
                    {}};
  if (x.action.kind == ActionKind::kElectUncleanly) {
    unclean_remarks(x, talked);
  } else if (x.action.b > 0) {
    talked.remarks.push_back(fmt::format("the last {} of its log, never committed, {} gone",
                                         x.action.b == 1 ? "entry" : "entries",
                                         x.action.b == 1 ? "is" : "are"));
  }
  return talked;
}

TalkedStep talk_client(const Step& x) {
  const int p = x.action.partition;
  switch (x.action.kind) {
    case ActionKind::kSend:
      return talk_send(x);
    case ActionKind::kReceive:
    case ActionKind::kReceiveExhausted:
      return talk_receive(x);
    case ActionKind::kCompleteBump:
      return talk_bump(x);
    case ActionKind::kLearnLeader:
      return {"producer",
              x.after.partition[p].view.v == 0
                  ? fmt::format("learns that partition {} has no leader", p)
                  : fmt::format("learns that {} leads partition {}",
                                broker_name(x.after.partition[p].view.v), p),
              {}};
    case ActionKind::kRequeue:
      return {"producer",
              fmt::format("the old leader's thread puts {} back in the queue",
                          message_name(p, x.before.partition[p].between.v - 1)),
              {}};
    case ActionKind::kMessageTimeout:
      return talk_queue(x, "message.timeout.ms has passed");
    case ActionKind::kMessageTimeoutLeaderless:
      return talk_queue(x, "message.timeout.ms has passed, no leader known");
    case ActionKind::kPurge:
      return talk_queue(x, "the application purges the queue");
    case ActionKind::kRestart:
      return {"producer",
              fmt::format("restarts: a new producer id (stamps from epoch {} on), and all that is "
                          "not known to be over is handed over again",
                          x.after.epoch.v),
              {}};
    default:
      return {"network", "", {}};
  }
}

TalkedStep talk_broker(const Step& x) {
  const int p = x.action.partition;
  const std::string leader = broker_name(x.before.partition[p].leader.v);
  switch (x.action.kind) {
    case ActionKind::kTake:
      return talk_take(x);
    case ActionKind::kTakeLate:
      return talk_take_late(x);
    case ActionKind::kCommit:
      return talk_waiting(x, leader,
                          fmt::format("moves the high watermark of partition {} to {}", p,
                                      x.after.partition[p].watermark.v));
    case ActionKind::kElect:
    case ActionKind::kElectUncleanly:
      return talk_election(x);
    case ActionKind::kLearnLeadership:
      return {leader, fmt::format("learns that it leads partition {}", p), {}};
    case ActionKind::kLoseLeader:
      return talk_waiting(x, "controller",
                          fmt::format("takes the leadership of partition {} from {}", p, leader));
    case ActionKind::kGoStale:
      return {
          leader, fmt::format("believes for a while that it does not lead partition {}", p), {}};
    case ActionKind::kRequestTimeout:
    case ActionKind::kTooFewReplicasAfterAppend:
      return talk_waiting(x, leader,
                          fmt::format("gives up waiting for replicas of partition {}", p));
    case ActionKind::kTooFewReplicas:
    case ActionKind::kPermanentError:
      return talk_refusal(x);
    case ActionKind::kCacheShrink:
      return {leader,
              fmt::format("reloads its producer state of partition {}: it knows the last "
                          "batch only",
                          p),
              {}};
    case ActionKind::kExpire:
      return {leader, fmt::format("forgets the producer in partition {}", p), {}};
    case ActionKind::kDeleteRecords:
      return {leader,
              fmt::format("deletes the records of partition {} below offset {}", p, x.action.a),
              {}};
    case ActionKind::kRebuildState:
      return {leader,
              fmt::format("rebuilds its producer state of partition {} from what the log still "
                          "holds",
                          p),
              {}};
    default:
      FP_ASSERT(false);
  }
}

}  // namespace

std::string_view status_text(unsigned status) {
  switch (static_cast<MessageStatus>(status)) {
    case MessageStatus::kUnsent:
      return "unsent";
    case MessageStatus::kInFlight:
      return "in flight";
    case MessageStatus::kRetry:
      return "to be retried";
    case MessageStatus::kDelivered:
      return "delivered";
    case MessageStatus::kFailed:
    case MessageStatus::kFailedFalsely:
      return "failed";
  }
  FP_ASSERT(false);
}

TalkedStep talk(const Step& step) {
  switch (step.action.kind) {
    case ActionKind::kSend:
    case ActionKind::kReceive:
    case ActionKind::kReceiveExhausted:
    case ActionKind::kCompleteBump:
    case ActionKind::kLearnLeader:
    case ActionKind::kRequeue:
    case ActionKind::kMessageTimeout:
    case ActionKind::kMessageTimeoutLeaderless:
    case ActionKind::kPurge:
    case ActionKind::kRestart:
      return talk_client(step);
    case ActionKind::kDisconnect:
    case ActionKind::kDisconnectLate:
    case ActionKind::kDisconnectExhausted:
    case ActionKind::kDisconnectLateExhausted:
      return talk_disconnect(step);  // of a broker: it may have no partition
    default:
      return talk_broker(step);
  }
}

}  // namespace fencepost::checker
