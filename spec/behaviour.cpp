#include "spec/behaviour.h"

#include <string>

#include "spec/entry_slots.h"

namespace fencepost::spec {
namespace {

using Values = std::vector<std::string_view>;

using Slot = EntrySlot<Behaviour, EntryInfo>;

template <class T>
Slot field(std::string_view name, VariantKind kind, std::string_view says, Values values,
           T Behaviour::*member) {
  return member_slot(EntryInfo{name, kind, says, std::move(values)}, member);
}

template <class T>
Slot outcome(std::string_view name, std::string_view says, Values values,
             std::array<T, kOutcomes> Behaviour::*member, Outcome which) {
  const auto at = static_cast<std::size_t>(which);
  return {{name, VariantKind::kClient, says, std::move(values)},
          [member, at](const Behaviour& b) { return static_cast<int>((b.*member)[at]); },
          [member, at](Behaviour& b, int v) { (b.*member)[at] = static_cast<T>(v); }};
}

const Values kYesNo{"no", "yes"};
const Values kReactions{"retry", "fail", "fail-and-bump", "fatal"};
const Values kStatuses{"not-persisted", "possibly-persisted"};

void add_outcomes(std::vector<Slot>& slots) {
  struct Row {
    Outcome outcome;
    std::string_view reaction, status, counts;
  };
  // The last outcome has no count: what is refused for good is not retried in any client.
  static constexpr Row kRows[] = {
      {Outcome::kNotLeader, "not-leader.reaction", "not-leader.status",
       "not-leader.counts-a-retry"},
      {Outcome::kNotLeaderAfterAppend, "not-leader-after-append.reaction",
       "not-leader-after-append.status", "not-leader-after-append.counts-a-retry"},
      {Outcome::kDisconnect, "disconnect.reaction", "disconnect.status",
       "disconnect.counts-a-retry"},
      {Outcome::kRequestTimedOut, "request-timed-out.reaction", "request-timed-out.status",
       "request-timed-out.counts-a-retry"},
      {Outcome::kNotEnoughReplicas, "not-enough-replicas.reaction", "not-enough-replicas.status",
       "not-enough-replicas.counts-a-retry"},
      {Outcome::kNotEnoughReplicasAfterAppend, "not-enough-replicas-after-append.reaction",
       "not-enough-replicas-after-append.status",
       "not-enough-replicas-after-append.counts-a-retry"},
      {Outcome::kPermanentError, "permanent-error.reaction", "permanent-error.status", ""},
  };
  for (const Row& row : kRows) {
    slots.push_back(outcome(row.reaction, "what the client does with the message", kReactions,
                            &Behaviour::reaction, row.outcome));
    slots.push_back(outcome(row.status,
                            "the status a later failure of the message is reported with", kStatuses,
                            &Behaviour::status, row.outcome));
    if (!row.counts.empty()) {
      slots.push_back(outcome(row.counts, "whether the retry is counted against `retries`", kYesNo,
                              &Behaviour::counts_a_retry, row.outcome));
    }
  }
}

void add_bump(std::vector<Slot>& slots);

void add_client(std::vector<Slot>& slots) {
  const auto c = VariantKind::kClient;
  slots.push_back(
      field("out-of-order.next-expected", c, "OUT_OF_ORDER for the next expected sequence",
            {"fatal", "retry", "bump", "fail-and-bump"}, &Behaviour::next_expected_out_of_order));
  slots.push_back(
      field("out-of-order.earlier", c, "OUT_OF_ORDER for a sequence below the next expected one",
            {"fatal", "retry", "bump", "fail-and-bump"}, &Behaviour::earlier_out_of_order));
  slots.push_back(
      field("out-of-order.later", c, "OUT_OF_ORDER for a sequence above the next expected one",
            {"bump", "retry", "bump-if-no-earlier-pending", "fatal", "bump-if-absence-proved"},
            &Behaviour::later_out_of_order));
  slots.push_back(field("out-of-order.proves-absence", c,
                        "OUT_OF_ORDER with no earlier message pending proves that the message is "
                        "in no log, so that it counts as unsent again",
                        {"no", "yes", "if-gap-was-answered"},
                        &Behaviour::out_of_order_proves_absence));
  slots.push_back(field("unknown-producer-id", c,
                        "UNKNOWN_PRODUCER_ID: bump unless the partition saw an error since, which "
                        "is fatal; bump; or start again at sequence 0 if all that was acknowledged "
                        "is gone from the log, otherwise fail and bump",
                        {"bump-on-first-attempt", "bump", "restart-if-log-moved"},
                        &Behaviour::unknown_producer));
  slots.push_back(field("message-timeout.bumps", c, "bump after a message timed out", kYesNo,
                        &Behaviour::message_timeout_bumps));
  slots.push_back(field("message-timeout-leaderless.bumps", c,
                        "bump after a message timed out while its partition had no leader", kYesNo,
                        &Behaviour::leaderless_timeout_bumps));
  slots.push_back(field("purge.offered", c, "the application can purge the queue", kYesNo,
                        &Behaviour::purge_offered));
  slots.push_back(field("purge.bumps", c, "bump after queued messages were purged", kYesNo,
                        &Behaviour::purge_bumps));
  slots.push_back(field("retries-exhausted.bumps", c,
                        "bump after a message failed for want of retries", kYesNo,
                        &Behaviour::retries_exhausted_bumps));
  slots.push_back(field("expired-in-doubt", c,
                        "a partition in which a sent message expired sends nothing new until "
                        "nothing is pending there, then bumps if a sequence is missing; meanwhile "
                        "an OUT_OF_ORDER counts as one for the next expected sequence if it "
                        "follows that message, or always",
                        {"forgotten", "follower-is-next", "everything-is-next"},
                        &Behaviour::expired_in_doubt));
  slots.push_back(field("lost-sequence", c,
                        "where the client would bump because an answered message failed: bump, or "
                        "move the later sequences down within the epoch",
                        {"bump", "renumber-later"}, &Behaviour::lost_sequence));
  add_bump(slots);
}

void add_bump(std::vector<Slot>& slots) {
  const auto c = VariantKind::kClient;
  slots.push_back(field("bump.waits-for", c, "what must be over before the epoch is bumped",
                        {"nothing-in-flight", "nothing-unresolved", "nothing", "next-loop"},
                        &Behaviour::bump_waits_for));
  slots.push_back(field("bump.takes", c, "what a bump takes", {"next-epoch", "new-producer-id"},
                        &Behaviour::bump_takes));
  slots.push_back(field("epoch-exhausted", c, "what follows the highest epoch of the protocol",
                        {"wraps-to-0", "new-producer-id"}, &Behaviour::epoch_exhausted));
  slots.push_back(field("bump.restamps", c,
                        "the partitions whose unresolved messages get new stamps with the bump",
                        {"nothing", "triggering", "all"}, &Behaviour::bump_restamps));
  slots.push_back(field("adopt.waits-for-in-flight", c,
                        "a partition adopts the new epoch only with nothing in flight", kYesNo,
                        &Behaviour::adopt_waits_for_in_flight));
  slots.push_back(field("adopt.defers-unresolved", c,
                        "a partition whose head message is unresolved keeps its old epoch", kYesNo,
                        &Behaviour::adopt_defers_unresolved));
  slots.push_back(field("adopt.partitions", c, "which partitions adopt the new epoch",
                        {"all", "triggering"}, &Behaviour::adopt_partitions));
  slots.push_back(field("adopt.when", c,
                        "when a partition starts again at sequence 0: with its next send, or with "
                        "the last acknowledgement of the old epoch, an idle one never",
                        {"next-send", "last-acknowledgement"}, &Behaviour::adopt_when));
  slots.push_back(field("old-epoch.retries", c,
                        "what fails under a stamp of an older epoch is retried, not dropped",
                        kYesNo, &Behaviour::old_epoch_retries));
  slots.push_back(field("sequences", c,
                        "how a message is numbered: its distance from the partition's base, or "
                        "the next sequence, given with the first send and kept",
                        {"by-message", "at-first-send"}, &Behaviour::sequences));
  slots.push_back(field("drain-before-retry", c,
                        "after an error or a change of leader nothing is sent until nothing is in "
                        "flight in the partition",
                        kYesNo, &Behaviour::drain_before_retry));
  slots.push_back(field("retry.only-lowest", c,
                        "a retry waits until nothing before it is in flight", kYesNo,
                        &Behaviour::retry_only_lowest));
  slots.push_back(field("requeue", c, "where a message to be retried goes in the queue",
                        {"sorted", "behind"}, &Behaviour::requeue));
  slots.push_back(field("requeue.when", c,
                        "a failed batch goes back to the queue in one with leaving flight, or "
                        "after the count of what is in flight was lowered: in between, a new "
                        "leader's thread finds it in neither",
                        {"atomic", "after-count"}, &Behaviour::requeue_when));
  slots.push_back(field("implicit-acknowledgement", c,
                        "which queued messages an acknowledgement of a later one delivers",
                        {"lower", "none", "all-sent"}, &Behaviour::implicit_ack));
}

void add_broker(std::vector<Slot>& slots) {
  const auto b = VariantKind::kBroker;
  slots.push_back(field("broker.no-entry", b, "what a partition without producer state accepts",
                        {"any-sequence", "zero-on-fresh-log", "zero", "unknown-producer-id"},
                        &Behaviour::no_entry));
  slots.push_back(field("broker.new-epoch-from-zero", b, "a new epoch must start at sequence 0",
                        kYesNo, &Behaviour::new_epoch_from_zero));
  slots.push_back(field("broker.duplicate-check", b,
                        "an exact stamp in the cache is acknowledged and not appended", kYesNo,
                        &Behaviour::duplicate_check));
  slots.push_back(field("broker.duplicate-at-watermark", b,
                        "the answer to a duplicate waits for the high watermark", kYesNo,
                        &Behaviour::duplicate_at_watermark));
  Slot cache = field("broker.cache-size", b, "batches remembered per producer and partition",
                     {"1", "2", "3", "4", "5"}, &Behaviour::cache_size);
  cache.get = [](const Behaviour& x) { return x.cache_size - 1; };
  cache.set = [](Behaviour& x, int v) { x.cache_size = v + 1; };
  slots.push_back(std::move(cache));
  slots.push_back(field("broker.older-duplicate", b,
                        "the answer to a stamp of the epoch that is older than the cache",
                        {"out-of-order", "duplicate-sequence"}, &Behaviour::older_duplicate));
  slots.push_back(field("broker.producer-state", b,
                        "what becomes of producer state when its records are deleted",
                        {"follows-log", "kept"}, &Behaviour::producer_state));
}

const std::vector<Slot>& slots() {
  static const std::vector<Slot> kSlots = [] {
    std::vector<Slot> all;
    add_outcomes(all);
    add_client(all);
    add_broker(all);
    return all;
  }();
  return kSlots;
}

}  // namespace

const std::array<std::string_view, kOutcomes>& outcome_names() {
  static constexpr std::array<std::string_view, kOutcomes> kNames{
      "NOT_LEADER",
      "NOT_LEADER beside a valid offset",
      "no answer, the connection closed",
      "REQUEST_TIMED_OUT beside a valid offset",
      "NOT_ENOUGH_REPLICAS",
      "NOT_ENOUGH_REPLICAS_AFTER_APPEND",
      "a permanent error",
  };
  return kNames;
}

const std::vector<EntryInfo>& entries() {
  static const std::vector<EntryInfo> kInfos = infos_of(slots());
  return kInfos;
}

int entry_value(const Behaviour& behaviour, std::size_t entry) {
  return value_in(slots(), behaviour, entry);
}

void set_entry(Behaviour& behaviour, std::size_t entry, int value) {
  set_in(slots(), behaviour, entry, value);
}

namespace {

/// Entries that speak of stamps given once, of a client that has none.
std::optional<WithoutEffect> without_stamps(const Behaviour& b) {
  if (b.sequences == Sequences::kAtFirstSend) return std::nullopt;
  constexpr std::string_view kWhy =
      "with sequences by-message a stamp is the distance from the partition's base, which changes "
      "when the partition adopts an epoch";
  if (b.bump_restamps != Restamps::kNothing) return WithoutEffect{"bump.restamps", kWhy};
  if (b.lost_sequence != LostSequence::kBump) return WithoutEffect{"lost-sequence", kWhy};
  if (b.expired_in_doubt != ExpiredInDoubt::kForgotten) {
    return WithoutEffect{"expired-in-doubt", kWhy};
  }
  return std::nullopt;
}

/// Whether a request can be answered after the client has taken the next epoch.
bool answers_outlive_bump(const Behaviour& b) {
  return b.adopt_defers_unresolved || b.bump_waits_for == BumpWaits::kNothing ||
         b.bump_waits_for == BumpWaits::kNextLoop;
}

}  // namespace

std::optional<WithoutEffect> without_effect(const Behaviour& client) {
  if (!client.adopt_waits_for_in_flight && !answers_outlive_bump(client)) {
    return WithoutEffect{"adopt.waits-for-in-flight",
                         "a bump that waits leaves nothing in flight, and without "
                         "adopt.defers-unresolved a partition adopts with its next request"};
  }
  if (client.later_out_of_order == Later::kBumpIfAbsenceProved &&
      client.out_of_order_proves_absence == ProvesAbsence::kNo) {
    return WithoutEffect{"out-of-order.later",
                         "out-of-order.proves-absence is no, so nothing is ever proved"};
  }
  if (!client.old_epoch_retries && !answers_outlive_bump(client)) {
    return WithoutEffect{"old-epoch.retries",
                         "a bump that waits leaves nothing in flight, so no answer comes for an "
                         "older epoch"};
  }
  if (client.earlier_out_of_order != NextExpected::kFatal &&
      client.implicit_ack == ImplicitAck::kLower && client.requeue == Requeue::kSorted &&
      client.requeue_when == RequeueWhen::kAtomic) {
    return WithoutEffect{"out-of-order.earlier",
                         "implicit-acknowledgement is lower, so nothing below an acknowledged "
                         "message is left to be refused"};
  }
  if (client.sequences == Sequences::kAtFirstSend &&
      client.out_of_order_proves_absence != ProvesAbsence::kNo) {
    return WithoutEffect{"out-of-order.proves-absence",
                         "with sequences at-first-send a message keeps its stamp, absent or not"};
  }
  return without_stamps(client);
}

}  // namespace fencepost::spec
