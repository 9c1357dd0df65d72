#include "checker/explain/bump.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "checker/explain/words.h"
#include "traces/error_names.h"

namespace fencepost::explain {
namespace {

using traces::ProducerEpoch;

// The errors that make a client start a new epoch: those that leave a gap in its numbering. The
// retriable ones (librdkafka's rd_kafka_err_action, Kafka's RetriableException) are not.
bool asks_for_bump(const Answer& answer) {
  static const std::set<std::string_view> kHarmless = {traces::error::kNone,
                                                       traces::error::kDuplicateSequenceNumber,
                                                       traces::error::kNotLeaderOrFollower,
                                                       traces::error::kLeaderNotAvailable,
                                                       traces::error::kBrokerNotAvailable,
                                                       traces::error::kReplicaNotAvailable,
                                                       traces::error::kUnknownTopicOrPartition,
                                                       traces::error::kKafkaStorageError,
                                                       traces::error::kNotEnoughReplicas,
                                                       traces::error::kNotEnoughReplicasAfterAppend,
                                                       traces::error::kRequestTimedOut,
                                                       traces::error::kCorruptMessage,
                                                       traces::error::kNetworkException,
                                                       traces::error::kCoordinatorLoadInProgress,
                                                       traces::error::kThrottlingQuotaExceeded,
                                                       traces::error::kLocalTransport,
                                                       traces::error::kLocalTimedOut,
                                                       traces::error::kLocalTimedOutQueue,
                                                       traces::error::kLocalRetry,
                                                       traces::error::kLocalDestroyBroker};
  return !kHarmless.contains(answer.error);
}

bool is_out_of_order(const std::string& error) {
  return error == traces::error::kOutOfOrderSequenceNumber;
}

class Finder {
 public:
  Finder(const traces::Trace& trace, const History& history) : trace_(trace), history_(history) {}

  std::vector<Bump> find() {
    for (std::size_t i = 0; i < trace_.events.size(); ++i) take_log_event(trace_.events[i], i);
    find_on_wire();
    infer_causes();
    std::stable_sort(bumps_.begin(), bumps_.end(),
                     [](const Bump& a, const Bump& b) { return a.to < b.to; });
    return std::move(bumps_);
  }

 private:
  // What a client said last that may be a cause; per client.
  struct Last {
    std::optional<std::size_t> sequence_error, permanent, timeout;
    std::optional<Cause> pending;
  };

  void take_log_event(const traces::Event& event, std::size_t order) {
    Last& last = last_[event.actor];
    if (std::holds_alternative<traces::SequenceError>(event.payload)) {
      last.sequence_error = order;
    } else if (const auto* answer = std::get_if<traces::ProduceAnswer>(&event.payload)) {
      if (answer->actions && answer->actions->find("Permanent") != std::string::npos) {
        last.permanent = order;
      }
    } else if (std::holds_alternative<traces::MessagesTimedOut>(event.payload)) {
      last.timeout = order;
    } else if (const auto* drain = std::get_if<traces::DrainBegun>(&event.payload)) {
      if (!last.pending) last.pending = cause_of_drain(*drain, event, last);
    } else if (const auto* bumped = std::get_if<traces::EpochBumped>(&event.payload)) {
      Bump& bump = bump_to(event.actor, bumped->producer, event.evidence, order);
      bump.from = {bumped->producer.id, bumped->producer.epoch - 1};
      bump.cause = std::exchange(last.pending, std::nullopt);
      last = Last{};
    } else if (const auto* renumbered = std::get_if<traces::Renumbered>(&event.payload)) {
      take_renumbered(*renumbered, event, order, last);
    } else if (const auto* moved = std::get_if<traces::BaseMoved>(&event.payload)) {
      take_base(*moved);
    }
  }

  void take_renumbered(const traces::Renumbered& renumbered, const traces::Event& event,
                       std::size_t order, Last& last) {
    if (!renumbered.from) return;
    const bool known = std::any_of(bumps_.begin(), bumps_.end(),
                                   [&](const Bump& bump) { return bump.to == renumbered.to; });
    Bump& bump = bump_to(event.actor, renumbered.to, event.evidence, order);
    if (!known) {
      bump.from = *renumbered.from;
      bump.cause = std::exchange(last.pending, std::nullopt);
      if (!bump.cause && last.sequence_error) bump.cause = cause_of(*last.sequence_error);
      last = Last{};
    }
    bump.partitions.push_back(
        {renumbered.topic, renumbered.partition, renumbered.message_id, {}, event.evidence});
  }

  // RESETSEQ follows NEWPID and names the message that was sequence 0 until now.
  void take_base(const traces::BaseMoved& moved) {
    for (auto bump = bumps_.rbegin(); bump != bumps_.rend(); ++bump) {
      if (bump->partitions.empty()) continue;
      NewNumbering& last = bump->partitions.back();
      if (last.topic == moved.topic && last.partition == moved.partition &&
          last.message_id == moved.to && moved.from > 0) {
        last.old_sequence = moved.to - moved.from;
      }
    }
  }

  Bump& bump_to(const std::string& client, const ProducerEpoch& to, const traces::Evidence& seen,
                std::size_t order) {
    for (Bump& bump : bumps_) {
      if (bump.to == to) return bump;
    }
    Bump bump;
    bump.client = client;
    bump.to = to;
    bump.seen = seen;
    bump.order = order;
    bumps_.push_back(std::move(bump));
    return bumps_.back();
  }

  std::optional<Cause> cause_of_drain(const traces::DrainBegun& drain, const traces::Event& event,
                                      const Last& last) {
    std::optional<std::size_t> at;
    if (drain.reason.find("timed out") != std::string::npos) {
      at = last.timeout;
    } else if (drain.reason.find("message sequence gap") != std::string::npos) {
      at = last.permanent;
    } else if (drain.reason.find("sequence") != std::string::npos) {
      at = last.sequence_error;
    }
    std::optional<Cause> cause = at ? cause_of(*at) : std::nullopt;
    if (!cause) {
      cause.emplace();
      cause->trigger.text = fmt::format("the client began it for this reason: {}", drain.reason);
    }
    cause->stated = true;
    cause->trigger.evidence.push_back(event.evidence);
    return cause;
  }

  std::optional<Cause> cause_of(std::size_t order) {
    const traces::Event& event = trace_.events[order];
    Cause cause;
    cause.trigger.evidence.push_back(event.evidence);
    if (const auto* error = std::get_if<traces::SequenceError>(&event.payload)) {
      describe(*error, order, cause);
    } else if (const auto* timeout = std::get_if<traces::MessagesTimedOut>(&event.payload)) {
      cause.topic = timeout->topic;
      cause.partition = timeout->partition;
      cause.error = "timeout";
      cause.trigger.text =
          fmt::format("{} of {} timed out (message.timeout.ms)",
                      timeout->first == timeout->last
                          ? fmt::format("message {}", timeout->first)
                          : fmt::format("messages {}", range_words(timeout->first, timeout->last)),
                      partition_words(timeout->topic, timeout->partition));
    } else if (const auto* answer = std::get_if<traces::ProduceAnswer>(&event.payload)) {
      cause.topic = answer->topic;
      cause.partition = answer->partition;
      cause.error = answer->error;
      cause.trigger.text = fmt::format(
          "{} answered message {} (sequence {}) of {} with {}, a permanent error",
          broker_words(history_, answer->broker), answer->message_id.value_or(-1),
          answer->sequence.value_or(-1), partition_words(answer->topic, answer->partition),
          error_words(answer->error));
      cause.origin.push_back(
          {"the message is given up, which leaves a gap in the numbering of its "
           "partition; the client closes it with a new epoch for every "
           "partition",
           {event.evidence}});
    }
    return cause;
  }

  void describe(const traces::SequenceError& error, std::size_t order, Cause& cause) {
    cause.topic = error.topic;
    cause.partition = error.partition;
    cause.error = traces::error::kOutOfOrderSequenceNumber;
    cause.trigger.text = fmt::format(
        "{} answered sequence {} of {} with OUT_OF_ORDER_SEQUENCE_NUMBER: the client next expected "
        "{} to be acknowledged",
        broker_words(history_, error.broker), error.sequence,
        partition_words(error.topic, error.partition), error.next_sequence);
    if (error.earlier_error && error.earlier_first) {
      Statement said;
      said.text = fmt::format(
          "as its cause the client names the request before it: sequence {} (message {}), answered "
          "{} {} ms earlier",
          range_words(*error.earlier_first, error.earlier_last.value_or(*error.earlier_first)),
          error.earlier_message_id.value_or(-1), error_words(*error.earlier_error),
          error.earlier_age_ms.value_or(-1));
      said.evidence.push_back(trace_.events[order].evidence);
      cause.origin.push_back(std::move(said));
    }
    for (Statement& why : why_sequence_missing(trace_, history_, error.topic, error.partition,
                                               error.producer, error.next_sequence, order)) {
      cause.origin.push_back(std::move(why));
    }
  }

  // A new epoch on the wire: the first request under it, for each producer id.
  void find_on_wire() {
    struct Seen {
      std::size_t order;
      const BatchHistory* batch;
      const Attempt* attempt;
    };
    std::map<std::int64_t, std::map<std::int64_t, Seen>> first;  // id, epoch
    for (const BatchHistory& batch : history_.batches) {
      if (batch.from_log) continue;
      for (const Attempt& attempt : batch.attempts) {
        if (!attempt.stamp || !attempt.sent) continue;
        const auto [at, added] = first[attempt.stamp->producer_id].emplace(
            attempt.stamp->epoch, Seen{attempt.order, &batch, &attempt});
        if (!added && attempt.order < at->second.order) {
          at->second = Seen{attempt.order, &batch, &attempt};
        }
      }
    }
    for (const auto& [id, epochs] : first) {
      for (auto now = epochs.begin(); now != epochs.end(); ++now) {
        if (now == epochs.begin()) continue;
        const std::int64_t before = std::prev(now)->first;
        Bump& bump = bump_to(now->second.batch->client, {id, now->first},
                             *now->second.attempt->sent, now->second.order);
        if (bump.from == ProducerEpoch{}) bump.from = {id, before};
        if (bump.partitions.empty()) number_on_wire(bump);
      }
    }
  }

  // Where no log states the cause: the last answer before that leaves a gap in the numbering.
  void infer_causes() {
    for (const BatchHistory& batch : history_.batches) {
      for (const Attempt& attempt : batch.attempts) {
        if (attempt.stamp && attempt.answer && asks_for_bump(*attempt.answer)) {
          asking_.emplace_back(&batch, &attempt);
        }
      }
    }
    for (Bump& bump : bumps_) {
      if (!bump.cause) bump.cause = inferred_cause(bump);
    }
  }

  std::optional<Cause> inferred_cause(const Bump& bump) {
    const ProducerEpoch& from = bump.from;
    const BatchHistory* batch = nullptr;
    const Attempt* found = nullptr;
    for (const auto& [candidate, attempt] : asking_) {
      // Only the events of one input have an order.
      const bool comparable = attempt->answer->seen.input == bump.seen.input;
      if (comparable && attempt->answer->order > bump.order) continue;
      if (attempt->stamp->producer_id != from.id || attempt->stamp->epoch != from.epoch) continue;
      if (found != nullptr && found->answer->order > attempt->answer->order) continue;
      batch = candidate;
      found = attempt;
    }
    if (found == nullptr) return std::nullopt;
    Cause cause;
    cause.topic = batch->topic;
    cause.partition = batch->partition;
    cause.error = found->answer->error;
    cause.trigger.text = fmt::format("{} answered sequence {} of {} ({}) with {}",
                                     broker_words(history_, found->broker), found->stamp->sequence,
                                     partition_words(batch->topic, batch->partition),
                                     batch_words(*batch), error_words(found->answer->error));
    cause.trigger.evidence.push_back(found->answer->seen);
    if (is_out_of_order(found->answer->error)) {
      cause.origin = why_sequence_missing(trace_, history_, batch->topic, batch->partition, from,
                                          found->stamp->sequence - 1, found->answer->order);
    }
    return cause;
  }

  void number_on_wire(Bump& bump) {
    for (const BatchHistory& batch : history_.batches) {
      for (const Attempt& attempt : batch.attempts) {
        if (!attempt.stamp || !attempt.sent || attempt.stamp->sequence != 0) continue;
        if (attempt.stamp->producer_id != bump.to.id || attempt.stamp->epoch != bump.to.epoch) {
          continue;
        }
        bump.partitions.push_back({batch.topic, batch.partition, {}, {}, *attempt.sent});
        break;
      }
    }
  }

  const traces::Trace& trace_;
  const History& history_;
  std::vector<Bump> bumps_;
  std::map<std::string, Last> last_;
  std::vector<std::pair<const BatchHistory*, const Attempt*>> asking_;  // for a bump
};

}  // namespace

std::vector<Bump> find_bumps(const traces::Trace& trace, const History& history) {
  return Finder(trace, history).find();
}

std::vector<Statement> why_sequence_missing(const traces::Trace& trace, const History& history,
                                            const std::string& topic, std::int64_t partition,
                                            const ProducerEpoch& producer, std::int64_t next,
                                            std::size_t before) {
  for (const BatchHistory& batch : history.batches) {
    if (batch.topic != topic || batch.partition != partition) continue;
    const Attempt* last = nullptr;
    std::int64_t refused = 0;
    for (const Attempt& attempt : batch.attempts) {
      if (!attempt.stamp || !attempt.answer || attempt.answer->order >= before) continue;
      const traces::Stamp& stamp = *attempt.stamp;
      const bool covers =
          stamp.sequence <= next && next < stamp.sequence + std::max<std::int64_t>(batch.count, 1);
      if (stamp.producer_id != producer.id || stamp.epoch != producer.epoch || !covers) continue;
      if (is_success(*attempt.answer)) continue;
      last = &attempt;
      ++refused;
    }
    if (last == nullptr) continue;
    std::vector<Statement> why;
    why.push_back({fmt::format("sequence {} of {} ({}) had been answered {}{}", next,
                               partition_words(topic, partition), batch_words(batch),
                               error_words(last->answer->error),
                               refused > 1 ? fmt::format(", {} times", refused) : ""),
                   {last->answer->seen}});
    if (batch.timed_out) {
      bool leaderless = false;
      for (const traces::Event& event : trace.events) {
        const auto* timeout = std::get_if<traces::MessagesTimedOut>(&event.payload);
        if (timeout != nullptr && event.evidence == *batch.timed_out) {
          leaderless = timeout->broker.find("internal") != std::string::npos;
        }
      }
      why.push_back({fmt::format("{} then timed out{}, so sequence {} was never sent again and "
                                 "every later one is out of order",
                                 batch_words(batch),
                                 leaderless ? " while the partition had no leader" : "", next),
                     {*batch.timed_out}});
    }
    return why;
  }
  return {{fmt::format("the request with sequence {} of {} is not in this input", next,
                       partition_words(topic, partition)),
           {}}};
}

Finding bump_finding(const Bump& bump) {
  Finding finding;
  finding.kind = Kind::kEpochBump;
  finding.times = static_cast<std::int64_t>(bump.partitions.size());
  const bool new_id = bump.from.id != bump.to.id;
  finding.headline = new_id ? fmt::format("producer id {} epoch {} -> producer id {} epoch {}",
                                          bump.from.id, bump.from.epoch, bump.to.id, bump.to.epoch)
                            : fmt::format("producer {}: epoch {} -> {}", bump.from.id,
                                          bump.from.epoch, bump.to.epoch);
  finding.headline += fmt::format(", {} partition{} seen numbered anew", finding.times,
                                  finding.times == 1 ? "" : "s");
  if (bump.cause) {
    finding.topic = bump.cause->topic;
    finding.partition = bump.cause->partition;
    Statement trigger = bump.cause->trigger;
    trigger.text = (bump.cause->stated ? "trigger: "
                                       : "likely trigger (the client's own reason would tell): ") +
                   trigger.text;
    finding.why.push_back(std::move(trigger));
    for (const Statement& origin : bump.cause->origin) finding.why.push_back(origin);
  } else {
    finding.why.push_back({"what triggered it is outside this input", {}});
  }
  // Partitions with the same new first message stand in one line.
  std::map<std::string, Statement> groups;
  std::map<std::string, std::set<std::int64_t>> members;
  for (const NewNumbering& one : bump.partitions) {
    std::string restart = "sequence 0";
    if (one.message_id) restart = fmt::format("message {}", *one.message_id);
    if (one.old_sequence) restart += fmt::format(", until then sequence {}", *one.old_sequence);
    const std::string key = fmt::format("{}\n{}", one.topic, restart);
    members[key].insert(one.partition);
    groups[key].evidence.push_back(one.seen);
  }
  for (auto& [key, statement] : groups) {
    std::string list;
    for (const std::int64_t partition : members[key]) {
      list += fmt::format("{}{}", list.empty() ? "" : ", ", partition);
    }
    const std::size_t split = key.find('\n');
    statement.text =
        fmt::format("{} [{}] from {}", key.substr(0, split), list, key.substr(split + 1));
    std::sort(statement.evidence.begin(), statement.evidence.end());
    finding.shown.push_back(std::move(statement));
  }
  return finding;
}

}  // namespace fencepost::explain
