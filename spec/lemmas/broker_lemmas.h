// Lemmas on a partition's log and what its brokers answer.
#pragma once

#include "spec/lemmas/terms.h"

namespace fencepost::spec {

template <class D>
struct BrokerLemmas : LemmaTerms<D> {
  using typename LemmaTerms<D>::Num;
  using typename LemmaTerms<D>::Bool;
  using typename LemmaTerms<D>::Part;
  using LemmaTerms<D>::s;
  using LemmaTerms<D>::r;

  // Slots that are not in use are zero, and what depends on each other agrees.
  [[nodiscard]] Bool canonical(const Part& q) const {
    Bool ok = this->implies(q.in_flight == 0, q.target == kNobody) &&
              this->implies(q.in_flight > 0, q.target != kNobody) && q.watermark <= q.length &&
              this->implies(q.draining == 1, q.in_flight > 0) &&
              this->implies(q.aware == 1, q.leader != kNobody);
    for (int i = 0; i < r.instance.in_flight; ++i) {
      const Request<D>& x = q.request[i];
      ok = ok && (this->used(q, i) ||
                  (x.message == 0 && x.epoch == 0 && x.sequence == 0 && x.stage == Stage::kSent));
    }
    for (int j = 0; j < r.instance.log; ++j) {
      const LogEntry<D>& e = q.log[j];
      ok = ok && (this->in_log(q, j) ||
                  (e.message == 0 && e.epoch == 0 && e.sequence == 0 && e.unchecked == 0));
    }
    for (int i = 0; i < kMaxLate; ++i) {
      const LateRequest<D>& x = q.late[i];
      ok = ok && (this->is_late(q, i) ||
                  (x.broker == kNobody && x.message == 0 && x.epoch == 0 && x.sequence == 0));
    }
    return ok;
  }
  [[nodiscard]] Bool remembers_last(const Part& q) const {
    const Bool none = q.length == 0 && q.cache_from == 0;
    return (none || q.cache_from < q.length) && q.cache_loss != CacheLoss::kExpired &&
           this->implies(this->remembers_all(q), q.cache_from == 0);
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
      ok = ok && this->implies(this->in_log(q, j), follows || starts);
    }
    return ok;
  }
  [[nodiscard]] Bool stamps_of_log(const Part& q) const {
    Bool ok(true);
    for (int j = 0; j < r.instance.log; ++j) {
      const LogEntry<D>& e = q.log[j];
      const Bool now = e.epoch == q.epoch && e.message == q.base + e.sequence;
      const Bool earlier = e.epoch < q.epoch && e.message < q.base;
      ok = ok && this->implies(this->in_log(q, j), now || earlier);
    }
    return ok;
  }
  [[nodiscard]] Bool ascending(const Part& q) const {
    Bool ok(true);
    for (int j = 1; j < r.instance.log; ++j) {
      ok = ok && this->implies(this->in_log(q, j), q.log[j - 1].message < q.log[j].message);
    }
    return ok;
  }
  [[nodiscard]] Bool unsent_not_in_log(const Part& q) const {
    Bool ok(true);
    for (int m = 0; m < r.messages(); ++m) {
      for (int j = 0; j < r.instance.log; ++j) {
        ok = ok && this->implies(q.status[m] == MessageStatus::kUnsent && this->in_log(q, j),
                                 q.log[j].message < Num(m));
      }
    }
    return this->scope().forgets() ? this->implies(this->alive(), ok) : ok;
  }
  [[nodiscard]] Bool waiting_is_appended(const Part& q) const {
    Bool ok(true);
    for (int i = 0; i < r.instance.in_flight; ++i) {
      const Bool waits = q.request[i].stage == Stage::kWaiting;
      ok = ok && this->implies(waits, q.leader != kNobody && q.leader == q.target && q.aware == 1 &&
                                          this->stands_below(q, q.request[i].message, q.length));
    }
    return ok;
  }
  [[nodiscard]] Bool ok_is_committed(const Part& q) const {
    Bool ok(true);
    for (int i = 0; i < r.instance.in_flight; ++i) {
      ok = ok && this->implies(q.request[i].stage == Stage::kOk,
                               this->stands_below(q, q.request[i].message, q.watermark));
    }
    return ok;
  }
  [[nodiscard]] Bool refused_not_in_log(const Part& q) const {
    Bool ok(true);
    for (int i = 0; i < r.instance.in_flight; ++i) {
      const Request<D>& x = q.request[i];
      const Bool refused = x.stage == Stage::kOutOfOrder;
      Bool absent(true);
      for (int j = 0; j < r.instance.log; ++j) {
        absent = absent && this->implies(this->in_log(q, j), q.log[j].message + 1 < x.message);
      }
      if (narrow()) {
        ok = ok && this->implies(refused && this->alive(), absent || behind_delivered(q, x));
        continue;
      }
      ok = ok && this->implies(refused, x.sequence > 0 && (absent || before_in_doubt(q, x)));
    }
    return ok;
  }
  /// Brokers may refuse what they forgot, and the narrow window is what the lemmas rest on.
  [[nodiscard]] bool narrow() const { return this->scope().ambiguous() && this->scope().forgets(); }
  /// The message is the next expected one: if it stands in the log, that was lost producer state.
  [[nodiscard]] Bool behind_delivered(const Part& q, const Request<D>& x) const {
    Bool behind = x.sequence == 0;
    for (int m = 0; m + 1 < r.messages(); ++m) {
      behind = behind || (x.message == Num(m + 1) && q.status[m] == MessageStatus::kDelivered);
    }
    return behind;
  }
  /// Neither unsent nor behind a gap that will stay: a failed message that is not in the log.
  [[nodiscard]] Bool narrow_window(const Part& q) const {
    Bool ok(true);
    for (int m = 0; m < r.messages(); ++m) {
      const Bool failed = q.status[m] >= MessageStatus::kFailed;
      const Bool counts =
          failed && q.base + q.next_ack <= Num(m) && this->stands_below(q, Num(m), q.length);
      ok = ok && this->implies(counts, s.mode != Mode::kAssigned || s.epoch != q.epoch);
      Bool gap(false);
      for (int later = m + 1; later < r.messages(); ++later) {
        gap = gap || (q.status[later] >= MessageStatus::kFailed &&
                      !this->stands_below(q, Num(later), q.length));
        if (later < m + 2) continue;
        ok = ok && this->implies(counts || !this->over(q.status[m]),
                                 gap || q.status[later] == MessageStatus::kUnsent);
      }
    }
    return this->implies(this->alive(), ok);
  }
  /// A late request may have closed the gap since, but the client does not know what became of the
  /// message before.
  [[nodiscard]] Bool before_in_doubt(const Part& q, const Request<D>& x) const {
    Bool doubt(false);
    for (int m = 0; m < r.messages() && this->scope().late(); ++m) {
      doubt = doubt ||
              (x.message == Num(m + 1) && q.possibly[m] == 1 &&
               q.status[m] != MessageStatus::kUnsent && q.status[m] != MessageStatus::kDelivered);
    }
    return doubt;
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
  [[nodiscard]] Bool doubt_is_marked(const Part& q) const {
    const bool in_log = !this->scope().ambiguous() || this->scope().marks_doubt();
    Bool ok(true);
    for (int m = 0; m < r.messages(); ++m) {
      const Bool marked = this->scope().ambiguous() ? q.possibly[m] == 1 : Bool(false);
      const Bool delivered = q.status[m] == MessageStatus::kDelivered;
      Bool late(false);
      for (int i = 0; i < kMaxLate; ++i) {
        late = late || (this->is_late(q, i) && q.late[i].message == Num(m));
      }
      ok = ok && this->implies(late, marked || delivered);
      if (!in_log) continue;
      // A producer that gives up no longer knows what is in flight.
      const Bool lost = this->scope().ambiguous() ? !this->alive() : Bool(false);
      const Bool told = marked || delivered || appended_now(q, m) || lost;
      ok = ok && this->implies(this->stands_below(q, Num(m), q.length), told);
    }
    return ok;
  }
  /// The message is in flight, and taken by a broker that appended it or knew it already.
  [[nodiscard]] Bool appended_now(const Part& q, int m) const {
    Bool now(false);
    for (int i = 0; i < r.instance.in_flight; ++i) {
      const Request<D>& x = q.request[i];
      const Bool after = x.stage == Stage::kWaiting || x.stage == Stage::kOk ||
                         x.stage == Stage::kNotLeaderAfterAppend ||
                         x.stage == Stage::kRequestTimedOut ||
                         x.stage == Stage::kNotEnoughReplicasAfterAppend;
      now = now || (this->used(q, i) && x.message == Num(m) && after);
    }
    return now;
  }
  [[nodiscard]] Bool warm(const Part& q) const {
    const LogEntry<D>& e = q.log[0];
    return q.watermark >= 1 && e.message == 0 && e.epoch == 0 && e.sequence == 0 &&
           q.status[0] == MessageStatus::kDelivered;
  }
};

}  // namespace fencepost::spec
