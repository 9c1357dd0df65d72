#include "checker/explain/history.h"

#include <fmt/format.h>

#include <charconv>
#include <tuple>

#include "traces/error_names.h"

namespace fencepost::explain {
namespace {

using traces::Batch;
using traces::Event;
using traces::ProduceAnswer;
using traces::ProducerEpoch;
using traces::ProduceRequest;
using traces::Stamp;

// Where an attempt stands: batch, attempt.
using Place = std::pair<std::size_t, std::size_t>;

std::string place_key(const std::string& topic, std::int64_t partition) {
  return fmt::format("{}/{}", topic, partition);
}

std::string content_key(const std::string& topic, std::int64_t partition, const Batch& batch) {
  std::string key = place_key(topic, partition);
  for (const traces::Record& record : batch.records) {
    key += fmt::format("|{},{},{}", record.time_ms, record.key.value_or("-"),
                       record.value.value_or("-"));
  }
  return key;
}

class Builder {
 public:
  explicit Builder(const traces::Trace& trace) : trace_(trace) {}

  History build() {
    learn_nodes();
    for (std::size_t i = 0; i < trace_.events.size(); ++i) {
      const Event& event = trace_.events[i];
      const auto* request = std::get_if<ProduceRequest>(&event.payload);
      if (request != nullptr && !request->batch.message_id) take_wire_request(event, *request, i);
    }
    recover_stamps();
    for (std::size_t i = 0; i < trace_.events.size(); ++i) take(trace_.events[i], i);
    return std::move(history_);
  }

 private:
  void learn_nodes() {
    for (const Event& event : trace_.events) {
      if (const auto* seen = std::get_if<traces::BrokerSeen>(&event.payload)) {
        history_.node_of[seen->endpoint] = seen->node;
      }
    }
  }

  void take(const Event& event, std::size_t order) {
    if (const auto* request = std::get_if<ProduceRequest>(&event.payload)) {
      if (request->batch.message_id) take_log_request(event, *request, order);
    } else if (const auto* answer = std::get_if<ProduceAnswer>(&event.payload)) {
      if (answer->message_id) {
        take_log_answer(event, *answer, order);
      } else {
        take_wire_answer(event, *answer, order);
      }
    } else if (const auto* renumbered = std::get_if<traces::Renumbered>(&event.payload)) {
      take_renumbered(event, *renumbered);
    } else if (const auto* state = std::get_if<traces::ProducerState>(&event.payload)) {
      if (state->from == "Init") ++run_[event.actor];
    } else if (const auto* timed_out = std::get_if<traces::MessagesTimedOut>(&event.payload)) {
      take_timeout(event, *timed_out);
    }
  }

  // One log may hold several runs of a client, each counting its messages from 1.
  std::string log_key(const std::string& client, const std::string& topic, std::int64_t partition) {
    return fmt::format("{}#{}/{}", client, run_[client], place_key(topic, partition));
  }

  // The first id of a partition that has batches already: the line that began this run is lost.
  void take_renumbered(const Event& event, const traces::Renumbered& renumbered) {
    const bool first = !renumbered.from && renumbered.message_id == 1;
    const std::string key = log_key(event.actor, renumbered.topic, renumbered.partition);
    if (first && by_message_id_.contains(key)) ++run_[event.actor];
    numbering_[log_key(event.actor, renumbered.topic, renumbered.partition)] = renumbered.to;
  }

  std::size_t add_batch(const std::string& client, const std::string& topic, std::int64_t partition,
                        const Batch& batch) {
    BatchHistory added;
    added.from_log = batch.message_id.has_value();
    added.client = client;
    added.topic = topic;
    added.partition = partition;
    added.count = batch.count.value_or(static_cast<std::int64_t>(batch.records.size()));
    added.message_id = batch.message_id;
    added.batch = batch;
    history_.batches.push_back(std::move(added));
    return history_.batches.size() - 1;
  }

  // The batch that a request on the wire carries: by CRC (it covers stamp and records), else by
  // the records alone, which is how the same batch under another stamp is known.
  std::size_t find_wire_batch(const Event& event, const ProduceRequest& request) {
    const Batch& batch = request.batch;
    const std::string place = place_key(request.topic, request.partition);
    const bool whole = !batch.records.empty() &&
                       batch.count.value_or(0) == static_cast<std::int64_t>(batch.records.size());
    std::optional<std::size_t> found;
    if (batch.crc) {
      const auto by_crc = by_crc_.find(place + "#" + *batch.crc);
      if (by_crc != by_crc_.end()) found = by_crc->second;
    }
    const std::string content = content_key(request.topic, request.partition, batch);
    if (!found && whole) {
      const auto by_content = by_content_.find(content);
      if (by_content != by_content_.end()) found = by_content->second;
    }
    if (!found) found = add_batch(event.actor, request.topic, request.partition, batch);
    BatchHistory& history = history_.batches[*found];
    if (whole) {
      by_content_.emplace(content, *found);
      if (history.batch.records.size() < batch.records.size()) history.batch = batch;
    }
    if (batch.crc) by_crc_.emplace(place + "#" + *batch.crc, *found);
    return *found;
  }

  void take_wire_request(const Event& event, const ProduceRequest& request, std::size_t order) {
    const std::size_t index = find_wire_batch(event, request);
    BatchHistory& history = history_.batches[index];
    Attempt attempt;
    attempt.stamp = stamp_of(request.batch);
    attempt.crc = request.batch.crc;
    attempt.broker = request.broker;
    attempt.connection = request.connection;
    attempt.sent = event.evidence;
    attempt.order = order;
    history.attempts.push_back(std::move(attempt));
    if (!request.correlation) return;
    const Place place(index, history.attempts.size() - 1);
    const std::string where = place_key(request.topic, request.partition);
    const std::int64_t input = event.evidence.input;
    if (!request.connection.empty() && !request.broker.empty()) {
      by_connection_[{input, request.connection + ">" + request.broker, *request.correlation,
                      where}] = place;
    }
    if (event.evidence.frame) {
      by_frame_[{input, *event.evidence.frame, *request.correlation, where}] = place;
    }
  }

  std::optional<Place> find_request(const Event& event, const ProduceAnswer& answer) const {
    if (!answer.correlation) return std::nullopt;
    const std::string where = place_key(answer.topic, answer.partition);
    const std::int64_t input = event.evidence.input;
    if (answer.request_frame) {
      const auto found = by_frame_.find({input, *answer.request_frame, *answer.correlation, where});
      if (found != by_frame_.end()) return found->second;
    }
    const auto found = by_connection_.find(
        {input, answer.connection + ">" + answer.broker, *answer.correlation, where});
    return found == by_connection_.end() ? std::nullopt : std::optional(found->second);
  }

  void take_wire_answer(const Event& event, const ProduceAnswer& answer, std::size_t order) {
    std::optional<Place> place = find_request(event, answer);
    if (!place || history_.batches[place->first].attempts[place->second].answer) {
      const std::size_t index = add_batch("", answer.topic, answer.partition, {});
      history_.batches[index].attempts.emplace_back().broker = answer.broker;
      place = Place(index, 0);
    }
    set_answer(*place, event, answer, order);
  }

  void set_answer(const Place& place, const Event& event, const ProduceAnswer& answer,
                  std::size_t order) {
    history_.batches[place.first].attempts[place.second].answer =
        Answer{answer.error, answer.offset, answer.hint, answer.broker, event.evidence, order};
  }

  std::size_t find_log_batch(const Event& event, const std::string& topic, std::int64_t partition,
                             const Batch& batch) {
    auto& ids = by_message_id_[log_key(event.actor, topic, partition)];
    const auto found = ids.find(*batch.message_id);
    if (found != ids.end()) return found->second;
    const std::size_t index = add_batch(event.actor, topic, partition, batch);
    ids.emplace(*batch.message_id, index);
    return index;
  }

  void take_log_request(const Event& event, const ProduceRequest& request, std::size_t order) {
    const std::size_t index =
        find_log_batch(event, request.topic, request.partition, request.batch);
    Attempt attempt;
    attempt.stamp = request.batch.stamp;
    attempt.broker = request.broker;
    attempt.sent = event.evidence;
    attempt.order = order;
    history_.batches[index].attempts.push_back(std::move(attempt));
  }

  // The log names no epoch with an answer: the oldest unanswered attempt with this sequence is
  // meant. Without one, the request line is missing and the partition's numbering gives the epoch.
  void take_log_answer(const Event& event, const ProduceAnswer& answer, std::size_t order) {
    Batch batch;
    batch.message_id = answer.message_id;
    batch.count = answer.count;
    const std::size_t index = find_log_batch(event, answer.topic, answer.partition, batch);
    std::vector<Attempt>& attempts = history_.batches[index].attempts;
    const std::int64_t sequence = answer.sequence.value_or(0);
    std::size_t at = first_open_[index];
    while (at < attempts.size() && attempts[at].answer) ++at;
    first_open_[index] = at;
    while (
        at < attempts.size() &&
        (attempts[at].answer || (attempts[at].stamp && attempts[at].stamp->sequence != sequence))) {
      ++at;
    }
    if (at == attempts.size()) {
      Attempt attempt;
      attempt.broker = answer.broker;
      attempt.order = order;
      const auto pid = numbering_.find(log_key(event.actor, answer.topic, answer.partition));
      if (pid != numbering_.end()) {
        attempt.stamp = Stamp{pid->second.id, pid->second.epoch, sequence};
      }
      attempts.push_back(std::move(attempt));
    }
    set_answer(Place(index, at), event, answer, order);
  }

  void take_timeout(const Event& event, const traces::MessagesTimedOut& timed_out) {
    const auto ids =
        by_message_id_.find(log_key(event.actor, timed_out.topic, timed_out.partition));
    if (ids == by_message_id_.end()) return;
    for (auto id = ids->second.lower_bound(timed_out.first);
         id != ids->second.end() && id->first <= timed_out.last; ++id) {
      history_.batches[id->second].timed_out = event.evidence;
    }
  }

  // A stamp that a damaged line lost stands in another attempt with the same CRC.
  void recover_stamps() {
    for (BatchHistory& history : history_.batches) {
      std::map<std::string, Stamp> stamps;
      for (const Attempt& attempt : history.attempts) {
        if (attempt.crc && attempt.stamp) stamps.emplace(*attempt.crc, *attempt.stamp);
      }
      for (Attempt& attempt : history.attempts) {
        if (attempt.stamp || !attempt.crc) continue;
        const auto found = stamps.find(*attempt.crc);
        if (found != stamps.end()) attempt.stamp = found->second;
      }
    }
  }

  const traces::Trace& trace_;
  History history_;
  std::map<std::string, std::size_t> by_crc_, by_content_;
  std::map<std::tuple<std::int64_t, std::string, std::int64_t, std::string>, Place> by_connection_;
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::string>, Place> by_frame_;
  std::map<std::string, std::map<std::int64_t, std::size_t>> by_message_id_;
  std::map<std::string, ProducerEpoch> numbering_;
  std::map<std::string, std::int64_t> run_;        // of a client
  std::map<std::size_t, std::size_t> first_open_;  // batch to its first unanswered attempt
};

}  // namespace

std::optional<Stamp> stamp_of(const Batch& batch) {
  return batch.stamp && batch.stamp->producer_id >= 0 ? batch.stamp : std::nullopt;
}

History build_history(const traces::Trace& trace) { return Builder(trace).build(); }

bool is_success(const Answer& answer) {
  return answer.error == traces::kNoError ||
         answer.error == traces::error::kDuplicateSequenceNumber;
}

std::optional<std::int64_t> valid_offset(const Answer& answer) {
  return answer.offset && *answer.offset >= 0 ? answer.offset : std::nullopt;
}

bool is_append_then_error(const Answer& answer) {
  return valid_offset(answer) && traces::may_follow_append(answer.error);
}

std::optional<std::int64_t> node_of(const History& history, const std::string& broker) {
  const auto found = history.node_of.find(broker);
  if (found != history.node_of.end()) return found->second;
  const std::size_t slash = broker.rfind('/');
  if (slash == std::string::npos) return std::nullopt;
  std::int64_t node = 0;
  const char* end = broker.data() + broker.size();
  const auto [stop, error] = std::from_chars(broker.data() + slash + 1, end, node);
  return error == std::errc() && stop == end ? std::optional(node) : std::nullopt;
}

}  // namespace fencepost::explain
