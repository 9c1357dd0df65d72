// Lemmas: what is true of every reachable state beside the properties, so that the properties can
// be proved by induction: if the lemmas and properties hold in a state, they hold after any step.
// They are claims about the protocol, in words and formula; the explicit engine checks each on
// every state it visits, so a false one dies at once.
//
// The argument in short. A request carries the epoch of its partition and the distance of its
// message from the partition's base, and both change only with nothing in flight (stamps). So the
// entries of the log that carry one epoch are consecutive messages, and later epochs stand for
// later messages (log-shape). A leader appends only what follows the log's end; hence nothing
// twice and nothing out of order, if a partition that adopts a new epoch starts with a message
// beyond all that stands in the log: its head was never appended (unsent-not-in-log).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "spec/model/rules.h"

namespace fencepost::spec {

enum class Lemma : std::uint8_t {
  kCanonical,
  kAnswersFirst,
  kStamps,
  kInFlightOnce,
  kQueueBehind,
  kBaseIsHead,
  kLogShape,
  kStampsOfLog,
  kUnsentNotInLog,
  kWaitingIsAppended,
  kOkIsCommitted,
  kRefusedNotInLog,
  kAcknowledgedIsCommitted,
  kAnswersOfFaults,
  kWarm,
  kNeverBumps,
  kNeverFatal,
  kWindow,
};
inline constexpr int kLemmas = 18;

struct LemmaInfo {
  std::string_view name;
  std::string_view says;
};

/// All lemmas, indexed by `Lemma`.
const std::array<LemmaInfo, kLemmas>& lemmas();
std::optional<Lemma> lemma_named(std::string_view name);

/// Whether the lemmas are claimed to be true, and enough, at all: a client whose bumps cannot
/// renumber what is in the log, and faults after which a broker still knows what it appended.
bool lemmas_claimed(const Rules& rules);

/// Whether the lemma is claimed of the behaviour and faults at all. The others are false there, or
/// nobody has asked.
bool applies(Lemma lemma, const Rules& rules);

template <class D>
struct Lemmas {
  using Num = typename D::Num;
  using Bool = typename D::Bool;
  using Part = Partition<D>;

  const State<D>& s;
  const Rules& r;

  /// The lemma holds in partition `p`.
  [[nodiscard]] Bool holds(Lemma lemma, int p) const {
    const Part& q = s.partition[p];
    switch (lemma) {
      case Lemma::kCanonical:
        return canonical(q);
      case Lemma::kAnswersFirst:
        return answers_first(q);
      case Lemma::kStamps:
        return stamps(q);
      case Lemma::kInFlightOnce:
        return in_flight_once(q);
      case Lemma::kQueueBehind:
        return queue_behind(q);
      case Lemma::kBaseIsHead:
        return base_is_head(q);
      case Lemma::kLogShape:
        return log_shape(q);
      case Lemma::kStampsOfLog:
        return stamps_of_log(q);
      case Lemma::kUnsentNotInLog:
        return unsent_not_in_log(q);
      default:
        return outcome_lemma(lemma, q);
    }
  }

 private:
  [[nodiscard]] Bool outcome_lemma(Lemma lemma, const Part& q) const {
    switch (lemma) {
      case Lemma::kWaitingIsAppended:
        return waiting_is_appended(q);
      case Lemma::kOkIsCommitted:
        return ok_is_committed(q);
      case Lemma::kRefusedNotInLog:
        return refused_not_in_log(q);
      case Lemma::kAcknowledgedIsCommitted:
        return acknowledged_is_committed(q);
      case Lemma::kAnswersOfFaults:
        return answers_of_faults(q);
      case Lemma::kWarm:
        return warm(q);
      case Lemma::kNeverBumps:
        return never_bumps(q);
      case Lemma::kNeverFatal:
        return s.mode < Mode::kFatal;
      case Lemma::kWindow:
        return window(q);
      default:
        return Bool(true);
    }
  }

  [[nodiscard]] static Bool implies(const Bool& a, const Bool& b) { return !a || b; }
  [[nodiscard]] static Bool queued(const Num& status) {
    return status == MessageStatus::kUnsent || status == MessageStatus::kRetry;
  }
  [[nodiscard]] static Bool over(const Num& status) { return status >= MessageStatus::kDelivered; }
  [[nodiscard]] Bool used(const Part& q, int i) const { return Num(i) < q.in_flight; }
  [[nodiscard]] Bool in_log(const Part& q, int j) const { return Num(j) < q.length; }

  // Slots that are not in use are zero, and what depends on each other agrees.
  [[nodiscard]] Bool canonical(const Part& q) const {
    Bool ok = implies(q.in_flight == 0, q.target == kNobody) &&
              implies(q.in_flight > 0, q.target != kNobody) && q.watermark <= q.length &&
              implies(q.draining == 1, q.in_flight > 0) &&
              implies(q.aware == 1, q.leader != kNobody);
    for (int i = 0; i < r.instance.in_flight; ++i) {
      const Request<D>& x = q.request[i];
      ok = ok && (used(q, i) ||
                  (x.message == 0 && x.epoch == 0 && x.sequence == 0 && x.stage == Stage::kSent));
    }
    for (int j = 0; j < r.instance.log; ++j) {
      const LogEntry<D>& e = q.log[j];
      ok = ok && (in_log(q, j) ||
                  (e.message == 0 && e.epoch == 0 && e.sequence == 0 && e.unchecked == 0));
    }
    return ok;
  }
  [[nodiscard]] Bool answers_first(const Part& q) const {
    Bool ok(true);
    for (int i = 0; i < r.instance.in_flight; ++i) {
      ok = ok && q.request[i].stage != Stage::kInvalidEpoch;
      if (i == 0) continue;
      ok = ok &&
           implies(q.request[i - 1].stage <= Stage::kWaiting, q.request[i].stage == Stage::kSent);
    }
    return ok;
  }
  [[nodiscard]] Bool stamps(const Part& q) const {
    Bool ok = q.epoch <= s.epoch;
    for (int i = 0; i < r.instance.in_flight; ++i) {
      const Request<D>& x = q.request[i];
      ok = ok && implies(used(q, i), x.epoch == q.epoch && x.message == q.base + x.sequence);
      if (i == 0) continue;
      ok = ok && implies(used(q, i), q.request[i - 1].message < x.message);
    }
    return ok;
  }
  [[nodiscard]] Bool in_flight_once(const Part& q) const {
    Bool ok(true);
    for (int m = 0; m < r.messages(); ++m) {
      Bool somewhere(false);
      for (int i = 0; i < r.instance.in_flight; ++i) {
        somewhere = somewhere || (used(q, i) && q.request[i].message == Num(m));
      }
      ok = ok && implies(somewhere, q.status[m] == MessageStatus::kInFlight) &&
           implies(q.status[m] == MessageStatus::kInFlight, somewhere);
    }
    return ok;
  }
  [[nodiscard]] Bool queue_behind(const Part& q) const {
    Bool ok(true);
    for (int i = 0; i < r.instance.in_flight; ++i) {
      for (int m = 0; m < r.messages(); ++m) {
        const Bool lower = used(q, i) && q.draining == 0 && Num(m) < q.request[i].message;
        ok = ok && implies(lower, !queued(q.status[m]));
      }
    }
    return ok;
  }
  [[nodiscard]] Bool base_is_head(const Part& q) const {
    Bool ok(true);
    for (int m = 0; m < r.messages(); ++m) {
      ok = ok && implies(Num(m) < q.base, over(q.status[m]));
    }
    return ok;
  }
  [[nodiscard]] Bool log_shape(const Part& q) const {
    Bool ok = q.length == 0 || q.log[0].sequence == 0;
    for (int j = 1; j < r.instance.log; ++j) {
      const LogEntry<D>& before = q.log[j - 1];
      const LogEntry<D>& now = q.log[j];
      const Bool follows = now.epoch == before.epoch && now.sequence == before.sequence + 1 &&
                           now.message == before.message + 1;
      const Bool starts =
          now.epoch > before.epoch && now.sequence == 0 && now.message > before.message;
      ok = ok && implies(in_log(q, j), follows || starts);
    }
    return ok;
  }
  [[nodiscard]] Bool stamps_of_log(const Part& q) const {
    Bool ok(true);
    for (int j = 0; j < r.instance.log; ++j) {
      const LogEntry<D>& e = q.log[j];
      const Bool now = e.epoch == q.epoch && e.message == q.base + e.sequence;
      const Bool earlier = e.epoch < q.epoch && e.message < q.base;
      ok = ok && implies(in_log(q, j), now || earlier);
    }
    return ok;
  }
  [[nodiscard]] Bool unsent_not_in_log(const Part& q) const {
    Bool ok(true);
    for (int m = 0; m < r.messages(); ++m) {
      for (int j = 0; j < r.instance.log; ++j) {
        ok = ok && implies(q.status[m] == MessageStatus::kUnsent && in_log(q, j),
                           q.log[j].message < Num(m));
      }
    }
    return ok;
  }
  [[nodiscard]] Bool stands_below(const Part& q, const Num& message, const Num& end) const {
    Bool stands(false);
    for (int j = 0; j < r.instance.log; ++j) {
      stands = stands || (Num(j) < end && q.log[j].message == message);
    }
    return stands;
  }
  [[nodiscard]] Bool waiting_is_appended(const Part& q) const {
    Bool ok(true);
    for (int i = 0; i < r.instance.in_flight; ++i) {
      const Bool waits = q.request[i].stage == Stage::kWaiting;
      ok = ok && implies(waits, q.leader != kNobody && q.leader == q.target && q.aware == 1 &&
                                    stands_below(q, q.request[i].message, q.length));
    }
    return ok;
  }
  [[nodiscard]] Bool ok_is_committed(const Part& q) const {
    Bool ok(true);
    for (int i = 0; i < r.instance.in_flight; ++i) {
      ok = ok && implies(q.request[i].stage == Stage::kOk,
                         stands_below(q, q.request[i].message, q.watermark));
    }
    return ok;
  }
  [[nodiscard]] Bool refused_not_in_log(const Part& q) const {
    Bool ok(true);
    for (int i = 0; i < r.instance.in_flight; ++i) {
      const Bool refused = q.request[i].stage == Stage::kOutOfOrder;
      ok = ok && implies(refused, q.request[i].sequence > 0);
      for (int j = 0; j < r.instance.log; ++j) {
        ok = ok && implies(refused && in_log(q, j), q.log[j].message + 1 < q.request[i].message);
      }
    }
    return ok;
  }
  [[nodiscard]] Bool acknowledged_is_committed(const Part& q) const {
    Bool stands = q.next_ack == 0;
    for (int j = 0; j < r.instance.log; ++j) {
      const LogEntry<D>& e = q.log[j];
      stands =
          stands || (Num(j) < q.watermark && e.epoch == q.epoch && e.sequence + 1 == q.next_ack);
    }
    return stands;
  }
  [[nodiscard]] Bool answers_of_faults(const Part& q) const {
    Bool ok(true);
    const auto absent = [&](Fault fault, Stage stage) {
      for (int i = 0; i < r.instance.in_flight && !r.allows(fault); ++i) {
        ok = ok && q.request[i].stage != stage;
      }
    };
    absent(Fault::kPermanentError, Stage::kPermanentError);
    absent(Fault::kRequestTimeout, Stage::kRequestTimedOut);
    absent(Fault::kTooFewReplicas, Stage::kNotEnoughReplicas);
    absent(Fault::kTooFewReplicasAfterAppend, Stage::kNotEnoughReplicasAfterAppend);
    absent(Fault::kLeaderLost, Stage::kNotLeaderAfterAppend);
    // Older brokers' answers: the lemmas are not claimed where a broker gives them.
    for (int i = 0; i < r.instance.in_flight; ++i) {
      ok = ok && q.request[i].stage < Stage::kDuplicateSequence;
    }
    return ok;
  }
  [[nodiscard]] Bool warm(const Part& q) const {
    const LogEntry<D>& e = q.log[0];
    return q.watermark >= 1 && e.message == 0 && e.epoch == 0 && e.sequence == 0 &&
           q.status[0] == MessageStatus::kDelivered;
  }
  [[nodiscard]] Bool window(const Part& q) const {
    Bool ok(true);
    for (int m = 0; m < r.messages(); ++m) {
      const Bool unresolved =
          q.status[m] == MessageStatus::kInFlight || q.status[m] == MessageStatus::kRetry;
      for (int later = m + 1; later < r.messages(); ++later) {
        ok = ok && implies(!over(q.status[m]), q.status[later] != MessageStatus::kDelivered);
        ok = ok && implies(q.status[m] == MessageStatus::kUnsent,
                           q.status[later] == MessageStatus::kUnsent);
        if (later < m + r.instance.in_flight) continue;
        ok = ok && implies(unresolved, q.status[later] == MessageStatus::kUnsent);
      }
    }
    return ok;
  }
  [[nodiscard]] Bool never_bumps(const Part& q) const {
    Bool ok = s.mode == Mode::kAssigned && s.epoch == 0;
    for (int m = 0; m < r.messages(); ++m) ok = ok && q.status[m] < MessageStatus::kFailed;
    return ok;
  }
};

}  // namespace fencepost::spec
