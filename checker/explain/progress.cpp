#include "checker/explain/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "checker/explain/words.h"
#include "traces/error_names.h"

namespace fencepost::explain {
namespace {

using traces::Event;
using traces::Evidence;

// The longest run of equal errors under one stamp.
struct Run {
  const BatchHistory* batch = nullptr;
  std::size_t from = 0;
  std::size_t to = 0;  // one past
  [[nodiscard]] std::int64_t length() const { return static_cast<std::int64_t>(to - from); }
  [[nodiscard]] const Attempt& first() const { return batch->attempts[from]; }
  [[nodiscard]] const Attempt& last() const { return batch->attempts[to - 1]; }
};

Run longest_run(const BatchHistory& batch) {
  Run best{&batch, 0, 0};
  for (std::size_t i = 0; i < batch.attempts.size();) {
    const Attempt& first = batch.attempts[i];
    std::size_t end = i + 1;
    if (first.answer && !is_success(*first.answer)) {
      while (end < batch.attempts.size() && batch.attempts[end].answer &&
             batch.attempts[end].answer->error == first.answer->error &&
             batch.attempts[end].stamp == first.stamp) {
        ++end;
      }
      if (end - i > best.to - best.from) best = {&batch, i, end};
    }
    i = end;
  }
  return best;
}

Evidence start_of(const Run& run) {
  return run.first().sent ? *run.first().sent : run.first().answer->seen;
}

Statement end_of(const Run& run) {
  const BatchHistory& batch = *run.batch;
  const std::string name = batch_words(batch);
  if (run.to < batch.attempts.size()) {
    const Attempt& next = batch.attempts[run.to];
    const Evidence where = next.sent ? *next.sent : next.answer->seen;
    if (next.stamp && run.last().stamp && next.stamp != run.last().stamp) {
      return {fmt::format("{}: the same records were then sent as {}", name,
                          stamp_words(*next.stamp, false)),
              {where}};
    }
    if (next.answer && is_success(*next.answer)) {
      return {fmt::format("{}: the next attempt was acknowledged", name), {next.answer->seen}};
    }
    return {
        fmt::format("{}: the next attempt {}", name,
                    next.answer ? fmt::format("was answered {}", error_words(next.answer->error))
                                : "has no answer in this input"),
        {where}};
  }
  if (batch.timed_out) {
    const std::optional<std::int64_t> after = elapsed(start_of(run), *batch.timed_out);
    return {fmt::format(
                "{} timed out{}, failed", name,
                after ? fmt::format(", {} after its first request", duration_words(*after)) : ""),
            {*batch.timed_out}};
  }
  return {fmt::format("{}: no further attempt in this input", name), {run.last().answer->seen}};
}

bool bumped_between(const std::vector<Bump>& bumps, std::size_t from, std::size_t to) {
  return std::any_of(bumps.begin(), bumps.end(),
                     [&](const Bump& bump) { return from < bump.order && bump.order < to; });
}

// The client gave the message up: it timed out, or met a permanent error.
bool given_up(const traces::Trace& trace, const BatchHistory& batch) {
  if (batch.timed_out) return true;
  return std::any_of(trace.events.begin(), trace.events.end(), [&](const Event& event) {
    const auto* answer = std::get_if<traces::ProduceAnswer>(&event.payload);
    return answer != nullptr && answer->message_id && answer->message_id == batch.message_id &&
           event.actor == batch.client && answer->topic == batch.topic &&
           answer->partition == batch.partition && answer->actions &&
           answer->error != traces::error::kOutOfOrderSequenceNumber &&
           answer->actions->find("Permanent") != std::string::npos;
  });
}

// A lower sequence of the epoch never comes, and the run's stamp was not acknowledged after all.
bool never_accepted(const traces::Trace& trace, const History& history, const Run& run) {
  const traces::Stamp& stamp = *run.first().stamp;
  const auto acknowledged = [](const Attempt& attempt) {
    return attempt.answer && is_success(*attempt.answer);
  };
  for (std::size_t i = run.to; i < run.batch->attempts.size(); ++i) {
    const Attempt& later = run.batch->attempts[i];
    if (later.stamp == stamp && acknowledged(later)) return false;
  }
  return std::any_of(
      history.batches.begin(), history.batches.end(), [&](const BatchHistory& batch) {
        if (batch.topic != run.batch->topic || batch.partition != run.batch->partition ||
            batch.client != run.batch->client) {
          return false;
        }
        const bool lower =
            std::any_of(batch.attempts.begin(), batch.attempts.end(), [&](const Attempt& attempt) {
              return attempt.stamp && attempt.stamp->producer_id == stamp.producer_id &&
                     attempt.stamp->epoch == stamp.epoch &&
                     attempt.stamp->sequence < stamp.sequence;
            });
        return lower && given_up(trace, batch) &&
               std::none_of(batch.attempts.begin(), batch.attempts.end(), acknowledged);
      });
}

Finding loop_finding(const traces::Trace& trace, const History& history,
                     const std::vector<Bump>& bumps, const std::vector<Run>& runs) {
  const Run& longest = *std::max_element(
      runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.length() < b.length(); });
  const BatchHistory& batch = *longest.batch;
  const std::string error = longest.first().answer->error;
  const Evidence begin = start_of(longest);
  const Evidence end = longest.last().answer->seen;
  Finding finding;
  finding.kind = Kind::kNoProgress;
  finding.topic = batch.topic;
  finding.partition = batch.partition;
  finding.times = longest.length();
  const std::optional<std::int64_t> time = elapsed(begin, end);
  finding.headline = fmt::format(
      "{}: {}{} got {} {} in a row{}", partition_words(batch.topic, batch.partition),
      batch_words(batch),
      longest.first().stamp ? fmt::format(" ({})", stamp_words(*longest.first().stamp, false)) : "",
      error_words(error), times_words(longest.length()),
      time ? fmt::format(", over {}", duration_words(*time)) : "");
  if (batch.timed_out && longest.to == batch.attempts.size()) {
    finding.headline += ", then timed out";
  }
  if (error == traces::error::kOutOfOrderSequenceNumber && longest.first().stamp) {
    const traces::Stamp& stamp = *longest.first().stamp;
    for (Statement& origin : why_sequence_missing(
             trace, history, batch.topic, batch.partition, {stamp.producer_id, stamp.epoch},
             stamp.sequence - 1, longest.first().answer->order)) {
      finding.why.push_back(std::move(origin));
    }
    if (!bumped_between(bumps, longest.first().order, longest.last().answer->order)) {
      finding.why.push_back(
          {fmt::format("the client sent it again with the same stamp each time and began no new "
                       "epoch meanwhile{}",
                       never_accepted(trace, history, longest)
                           ? ": with that stamp it can never be accepted"
                           : ""),
           {}});
    }
  }
  for (const Run& run : runs) {
    finding.shown.push_back({fmt::format("{}: {} {}, first and last", batch_words(*run.batch),
                                         error_words(error), times_words(run.length())),
                             {run.first().answer->seen, run.last().answer->seen}});
    finding.shown.push_back(end_of(run));
  }
  return finding;
}

// What followed a timeout in the log of one client.
struct Aftermath {
  std::optional<Evidence> bump_at_once, out_of_order, bump, delivered;
  bool bump_for_gap = false;  // asked for by an out-of-order answer
  std::int64_t out_of_order_times = 0;
};

Aftermath after_timeout(const traces::Trace& trace, std::size_t at) {
  const Event& start = trace.events[at];
  const auto& timeout = std::get<traces::MessagesTimedOut>(start.payload);
  const std::string place = fmt::format("on {} [{}]", timeout.topic, timeout.partition);
  Aftermath after;
  for (std::size_t i = at + 1; i < trace.events.size() && !after.delivered; ++i) {
    const Event& event = trace.events[i];
    if (event.actor != start.actor) continue;
    const auto* state = std::get_if<traces::ProducerState>(&event.payload);
    if (state != nullptr && state->from == "Init") break;  // another run of the client
    if (const auto* drain = std::get_if<traces::DrainBegun>(&event.payload)) {
      if (!after.out_of_order && drain->reason.ends_with(place)) {
        after.bump_at_once = event.evidence;
        return after;
      }
      if (!after.bump) after.bump_for_gap |= drain->reason.find("sequence") != std::string::npos;
    } else if (std::holds_alternative<traces::EpochBumped>(event.payload)) {
      if (!after.bump && after.out_of_order) after.bump = event.evidence;
    } else if (const auto* answer = std::get_if<traces::ProduceAnswer>(&event.payload)) {
      if (answer->topic != timeout.topic || answer->partition != timeout.partition) continue;
      if (answer->error == traces::error::kOutOfOrderSequenceNumber) {
        if (!after.out_of_order) after.out_of_order = event.evidence;
        ++after.out_of_order_times;
      } else if (answer->error == traces::kNoError && answer->message_id > timeout.last) {
        after.delivered = event.evidence;
      }
    }
  }
  return after;
}

Finding gap_finding(const Event& event, const Aftermath& after) {
  const auto& timeout = std::get<traces::MessagesTimedOut>(event.payload);
  const bool leaderless = timeout.broker.find("internal") != std::string::npos;
  const std::string messages = timeout.first == timeout.last
                                   ? fmt::format("message {}", timeout.first)
                                   : fmt::format("messages {}-{}", timeout.first, timeout.last);
  Finding finding;
  finding.kind = Kind::kGap;
  finding.topic = timeout.topic;
  finding.partition = timeout.partition;
  finding.headline = fmt::format("{}: {} timed out without a new epoch",
                                 partition_words(timeout.topic, timeout.partition), messages);
  finding.why.push_back(
      {fmt::format("{} timed out{}; its sequence is never sent again", messages,
                   leaderless ? " on the internal broker, which holds a partition "
                                "without leader and begins no new epoch"
                              : ""),
       {event.evidence}});
  if (!after.out_of_order) {
    finding.headline += "; no later batch met the gap in this input";
    return finding;
  }
  finding.why.push_back({fmt::format("the batches behind it were answered "
                                     "OUT_OF_ORDER_SEQUENCE_NUMBER, {}",
                                     times_words(after.out_of_order_times)),
                         {*after.out_of_order}});
  if (after.bump) {
    finding.why.push_back({after.bump_for_gap
                               ? "that made the client begin a new epoch, which closes the gap"
                               : "the client began no new epoch for that, only later for another "
                                 "reason; that closed the gap",
                           {*after.bump}});
  }
  if (!after.delivered) {
    finding.headline += "; the partition delivers nothing after it in this input";
    return finding;
  }
  const std::optional<std::int64_t> since = elapsed(event.evidence, *after.delivered);
  const std::optional<std::int64_t> healing = elapsed(*after.out_of_order, *after.delivered);
  finding.headline += fmt::format(
      "; delivered again{}{}", since ? fmt::format(" {} after that", duration_words(*since)) : "",
      after.bump ? ", under a new epoch" : "");
  finding.why.push_back(
      {fmt::format("delivered again{}{}",
                   since ? fmt::format(" {} after the timeout", duration_words(*since)) : "",
                   healing ? fmt::format(", {} after the first out-of-order answer",
                                         duration_words(*healing))
                           : ""),
       {*after.delivered}});
  return finding;
}

}  // namespace

std::vector<Finding> find_loops(const traces::Trace& trace, const History& history,
                                const std::vector<Bump>& bumps) {
  std::map<std::tuple<std::string, std::int64_t, std::string>, std::vector<Run>> groups;
  for (const BatchHistory& batch : history.batches) {
    const Run run = longest_run(batch);
    if (run.length() < kLoopLength) continue;
    groups[{batch.topic, batch.partition, run.first().answer->error}].push_back(run);
  }
  std::vector<Finding> findings;
  findings.reserve(groups.size());
  for (const auto& [key, runs] : groups) {
    findings.push_back(loop_finding(trace, history, bumps, runs));
  }
  return findings;
}

std::vector<Finding> find_gaps(const traces::Trace& trace) {
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const Event& event = trace.events[i];
    if (!std::holds_alternative<traces::MessagesTimedOut>(event.payload)) continue;
    const Aftermath after = after_timeout(trace, i);
    if (!after.bump_at_once) findings.push_back(gap_finding(event, after));
  }
  return findings;
}

}  // namespace fencepost::explain
