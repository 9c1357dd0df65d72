#include "checker/explain/resend.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "checker/explain/words.h"
#include "traces/error_names.h"
#include "traces/record_batch.h"

namespace fencepost::explain {
namespace {

using traces::Evidence;
using traces::Stamp;

constexpr std::int64_t kDayMicros = std::int64_t{86'400} * 1'000'000;
constexpr std::string_view kOutOfOrder = traces::error::kOutOfOrderSequenceNumber;

constexpr std::string_view kAfterAppend = traces::error::kNotEnoughReplicasAfterAppend;

bool same_producer(const Stamp& a, const Stamp& b) {
  return a.producer_id == b.producer_id && a.epoch == b.epoch;
}

// A request that the client dropped before it was sent cannot have been appended.
bool may_have_been_sent(const Attempt& attempt) {
  return !attempt.answer || !traces::is_before_sending(attempt.answer->error);
}

std::optional<Resend> resend_of(const BatchHistory& batch) {
  const Attempt* before = nullptr;  // the last one that may have been sent
  for (std::size_t i = 0; i < batch.attempts.size(); ++i) {
    const Attempt& attempt = batch.attempts[i];
    if (before != nullptr && attempt.stamp && !same_producer(*before->stamp, *attempt.stamp)) {
      return Resend{&batch, i, *before->stamp, *attempt.stamp, {}, {}};
    }
    if (attempt.answer && is_success(*attempt.answer)) return std::nullopt;
    if (attempt.stamp && may_have_been_sent(attempt)) before = &attempt;
  }
  return std::nullopt;
}

// The attempts that were answered OUT_OF_ORDER, by topic, partition and stamp.
using Refusals =
    std::map<std::tuple<std::string, std::int64_t, Stamp>, std::vector<const Attempt*>>;

Refusals out_of_order_refusals(const History& history) {
  Refusals refusals;
  for (const BatchHistory& batch : history.batches) {
    for (const Attempt& attempt : batch.attempts) {
      if (!attempt.stamp || !attempt.sent || !attempt.answer) continue;
      if (attempt.answer->error != kOutOfOrder) continue;
      refusals[{batch.topic, batch.partition, *attempt.stamp}].push_back(&attempt);
    }
  }
  return refusals;
}

// `attempt` was judged by a broker before `refused` was: a request that is still under way could
// be appended after the refusal.
bool judged_before(const Attempt& attempt, const Attempt& refused) {
  if (&attempt == &refused || !may_have_been_sent(attempt)) return true;
  if (!attempt.sent || attempt.sent->input != refused.sent->input) return false;
  const bool answered = attempt.answer && !traces::is_client_error(attempt.answer->error);
  if (answered && attempt.answer->order < refused.order) return true;
  // A connection keeps the order; in a log, two answered requests to one broker had one.
  const bool ahead = attempt.order < refused.order && attempt.broker == refused.broker;
  return ahead && attempt.connection == refused.connection &&
         (answered || !attempt.connection.empty());
}

// What an OUT_OF_ORDER answer to the batch, or to the one right behind it, says of the batch.
void add_refusal(Resend& resend, const Refusals& refusals) {
  const BatchHistory& batch = *resend.batch;
  const auto end = batch.attempts.begin() + static_cast<std::ptrdiff_t>(resend.split);
  Stamp behind = resend.old_stamp;
  behind.sequence += std::max<std::int64_t>(batch.count, 1);
  for (const Stamp& stamp : {resend.old_stamp, behind}) {
    const auto found = refusals.find({batch.topic, batch.partition, stamp});
    if (found == refusals.end()) continue;
    for (auto refused = found->second.rbegin(); refused != found->second.rend(); ++refused) {
      const bool proof = std::all_of(batch.attempts.begin(), end, [&](const Attempt& attempt) {
        return judged_before(attempt, **refused);
      });
      const std::string answered =
          fmt::format("sequence {} was answered OUT_OF_ORDER_SEQUENCE_NUMBER", stamp.sequence);
      if (proof) {
        resend.absent = Statement{
            fmt::format("{} {} was re-sent under the new epoch too: {} after every attempt under "
                        "the old one was judged, so sequence {} was not in that broker's log (as "
                        "far as its producer state was complete)",
                        partition_words(batch.topic, batch.partition), batch_words(batch), answered,
                        resend.old_stamp.sequence),
            {(*refused)->answer->seen}};
        return;
      }
      if (resend.mitigating) continue;
      resend.mitigating =
          Statement{fmt::format("{}: sequence {} was not in that broker's log by then, but an "
                                "attempt without an answer before that may have come later",
                                answered, resend.old_stamp.sequence),
                    {(*refused)->answer->seen}};
    }
  }
}

std::string outcome_words(const BatchHistory& batch, const Attempt& attempt, bool many) {
  if (!attempt.answer) return "no answer in this input";
  const Answer& answer = *attempt.answer;
  const std::string error = error_words(answer.error);
  if (is_success(answer)) {
    return valid_offset(answer) ? fmt::format("acknowledged at offset {}", *answer.offset)
                                : std::string("acknowledged");
  }
  if (is_append_then_error(answer)) {
    return fmt::format(
        "answered {} with valid offset {}: appended by that broker, its fate unknown", error,
        *answer.offset);
  }
  if (answer.error == kAfterAppend) {
    return fmt::format("answered {}: appended by that broker, as the error says, its fate unknown",
                       error);
  }
  if (answer.error == kOutOfOrder) return fmt::format("answered {}", error);
  if (traces::is_before_sending(answer.error)) {
    return fmt::format("dropped by the client before it was sent ({})", error);
  }
  if (traces::is_client_error(answer.error)) {
    return fmt::format("failed with {}: no broker answered, so it may have been appended", error);
  }
  if (batch.from_log) {
    return fmt::format(
        "answered {}{}; a log shows no offset, so not whether the broker had "
        "appended it",
        error, many ? " each time" : "");
  }
  if (!answer.offset) {
    return fmt::format(
        "answered {}{}; the offset is not readable, so not whether the broker had appended it",
        error, many ? " each time" : "");
  }
  return fmt::format(
      "answered {}{}, offset -1: {} not appended, which says nothing about earlier "
      "attempts",
      error, many ? " each time" : "", many ? "these attempts were" : "this attempt was");
}

bool same_outcome(const Attempt& a, const Attempt& b) {
  if (a.stamp != b.stamp || a.broker != b.broker) return false;
  if (!a.answer || !b.answer) return !a.answer && !b.answer;
  return a.answer->error == b.answer->error && a.answer->offset == b.answer->offset;
}

// Both batches rebuilt from what is printed give the printed CRCs: the records are the same bytes.
std::optional<Statement> same_bytes(const Resend& resend) {
  const BatchHistory& batch = *resend.batch;
  const Attempt& before = batch.attempts[resend.split - 1];
  const Attempt& after = batch.attempts[resend.split];
  if (!before.crc || !after.crc) return std::nullopt;
  traces::Batch rebuilt = batch.batch;
  rebuilt.stamp = resend.old_stamp;
  if (traces::encoded_crc(rebuilt) != before.crc) return std::nullopt;
  rebuilt.stamp = resend.new_stamp;
  if (traces::encoded_crc(rebuilt) != after.crc) return std::nullopt;
  Statement statement;
  statement.text = fmt::format(
      "same bytes but for the stamp: rebuilt with either stamp, the batch "
      "has the printed CRC-32C {} and {}",
      *before.crc, *after.crc);
  return statement;
}

// The records are older than the first attempt shown: attempts may lie before the input.
std::optional<Statement> earlier_attempts(const Resend& resend) {
  const BatchHistory& batch = *resend.batch;
  for (std::size_t i = 0; i < resend.split; ++i) {
    const Attempt& attempt = batch.attempts[i];
    if (!attempt.answer) continue;
    if (is_append_then_error(*attempt.answer) || attempt.answer->error == kAfterAppend) {
      return std::nullopt;
    }
  }
  const Attempt& first = batch.attempts.front();
  if (batch.from_log || !first.sent || !first.sent->time_us || batch.batch.records.empty()) {
    return std::nullopt;
  }
  const std::int64_t made = batch.batch.records.front().time_ms % (kDayMicros / 1000) * 1000;
  const std::int64_t age = *first.sent->time_us - made;
  if (age < 1'000'000 || age > kDayMicros / 24) return std::nullopt;
  return Statement{fmt::format("its first record is {} older than the first attempt shown: an "
                               "earlier attempt, outside this input, may have been appended",
                               duration_words(age)),
                   {*first.sent}};
}

Statement trigger_statement(const Resend& resend, const std::vector<Bump>& bumps) {
  for (const Bump& bump : bumps) {
    if (bump.to.id != resend.new_stamp.producer_id || bump.to.epoch != resend.new_stamp.epoch) {
      continue;
    }
    if (!bump.cause) break;
    const Cause& cause = *bump.cause;
    const bool elsewhere =
        cause.topic != resend.batch->topic || cause.partition != resend.batch->partition;
    Statement statement = cause.trigger;
    statement.text =
        fmt::format("the new epoch was {}{}: {}", cause.stated ? "triggered" : "likely triggered",
                    cause.topic.empty() ? ""
                    : elsewhere         ? " by another partition"
                                        : " by the same partition",
                    statement.text);
    return statement;
  }
  return {"what triggered the new epoch is outside this input", {}};
}

}  // namespace

std::vector<Resend> find_resends(const History& history) {
  std::vector<Resend> resends;
  const Refusals refusals = out_of_order_refusals(history);
  for (const BatchHistory& batch : history.batches) {
    std::optional<Resend> resend = resend_of(batch);
    if (!resend) continue;
    add_refusal(*resend, refusals);
    resends.push_back(std::move(*resend));
  }
  return resends;
}

std::vector<Statement> attempt_statements(const History& history, const BatchHistory& batch,
                                          std::size_t from, std::size_t to) {
  std::vector<Statement> statements;
  for (std::size_t i = from; i < to;) {
    std::size_t end = i + 1;
    while (end < to && same_outcome(batch.attempts[i], batch.attempts[end])) ++end;
    const Attempt& attempt = batch.attempts[i];
    Statement statement;
    statement.text = fmt::format(
        "sent{}{} to {}: {}",
        attempt.stamp ? fmt::format(" as {}", stamp_words(*attempt.stamp, false)) : "",
        end - i == 1 ? "" : fmt::format(", {},", times_words(static_cast<std::int64_t>(end - i))),
        broker_words(history, attempt.broker), outcome_words(batch, attempt, end - i > 1));
    for (; i < end; ++i) {
      if (batch.attempts[i].sent) statement.evidence.push_back(*batch.attempts[i].sent);
      if (batch.attempts[i].answer) statement.evidence.push_back(batch.attempts[i].answer->seen);
    }
    statements.push_back(std::move(statement));
  }
  return statements;
}

std::vector<Statement> resend_statements(const History& history, const Resend& resend,
                                         const std::vector<Bump>& bumps) {
  const BatchHistory& batch = *resend.batch;
  std::vector<Statement> why = attempt_statements(history, batch, 0, resend.split);
  if (std::optional<Statement> earlier = earlier_attempts(resend)) {
    why.push_back(std::move(*earlier));
  }
  why.push_back(
      {fmt::format("then the same {} went out as {}: a new batch to any broker, which cannot "
                   "know it as a repetition",
                   batch.from_log ? "messages" : "records",
                   stamp_words(resend.new_stamp,
                               resend.new_stamp.producer_id != resend.old_stamp.producer_id)),
       {}});
  for (Statement& after : attempt_statements(history, batch, resend.split, batch.attempts.size())) {
    why.push_back(std::move(after));
  }
  if (std::optional<Statement> same = same_bytes(resend)) why.push_back(std::move(*same));
  why.push_back(trigger_statement(resend, bumps));
  for (const Bump& bump : bumps) {
    const bool is_it =
        bump.to.id == resend.new_stamp.producer_id && bump.to.epoch == resend.new_stamp.epoch;
    if (!is_it || !bump.cause) continue;
    for (const Statement& origin : bump.cause->origin) why.push_back(origin);
  }
  return why;
}

}  // namespace fencepost::explain
