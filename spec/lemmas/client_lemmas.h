// Lemmas on what the client knows and has in flight.
#pragma once

#include "spec/lemmas/terms.h"

namespace fencepost::spec {

template <class D>
struct ClientLemmas : LemmaTerms<D> {
  using typename LemmaTerms<D>::Num;
  using typename LemmaTerms<D>::Bool;
  using typename LemmaTerms<D>::Part;
  using LemmaTerms<D>::s;
  using LemmaTerms<D>::r;

  [[nodiscard]] Bool answers_first(const Part& q) const {
    Bool ok(true);
    for (int i = 0; i < r.instance.in_flight; ++i) {
      ok = ok && q.request[i].stage != Stage::kInvalidEpoch;
      if (i == 0) continue;
      ok = ok && this->implies(q.request[i - 1].stage <= Stage::kWaiting,
                               q.request[i].stage == Stage::kSent);
    }
    return ok;
  }
  [[nodiscard]] Bool stamps(const Part& q) const {
    Bool ok = q.epoch <= s.epoch;
    for (int i = 0; i < r.instance.in_flight; ++i) {
      const Request<D>& x = q.request[i];
      ok = ok &&
           this->implies(this->used(q, i), x.epoch == q.epoch && x.message == q.base + x.sequence);
      if (i == 0) continue;
      ok = ok && this->implies(this->used(q, i), q.request[i - 1].message < x.message);
    }
    return ok;
  }
  [[nodiscard]] Bool in_flight_once(const Part& q) const {
    Bool ok(true);
    for (int m = 0; m < r.messages(); ++m) {
      Bool somewhere(false);
      for (int i = 0; i < r.instance.in_flight; ++i) {
        somewhere = somewhere || (this->used(q, i) && q.request[i].message == Num(m));
      }
      ok = ok && this->implies(somewhere, q.status[m] == MessageStatus::kInFlight) &&
           this->implies(q.status[m] == MessageStatus::kInFlight, somewhere);
    }
    return ok;
  }
  [[nodiscard]] Bool queue_behind(const Part& q) const {
    Bool ok(true);
    for (int i = 0; i < r.instance.in_flight; ++i) {
      Bool none_pending(true);
      for (int m = 0; m < r.messages(); ++m) {
        const Bool lower = this->used(q, i) && Num(m) < q.request[i].message;
        const Bool absent = this->scope().proves_absence() ? none_pending : Bool(false);
        ok = ok && this->implies(lower && q.draining == 0, !this->queued(q.status[m])) &&
             this->implies(lower && this->alive() && q.status[m] == MessageStatus::kUnsent, absent);
        none_pending = none_pending && this->over(q.status[m]);
      }
    }
    return ok;
  }
  [[nodiscard]] Bool base_is_head(const Part& q) const {
    Bool ok(true);
    for (int m = 0; m < r.messages(); ++m) {
      ok = ok && this->implies(Num(m) < q.base, this->over(q.status[m]));
    }
    return ok;
  }
  [[nodiscard]] Bool acknowledged_in_order(const Part& q) const {
    Bool ok(true);
    for (int m = 0; m < r.messages(); ++m) {
      const Bool below = Num(m) < q.base + q.next_ack;
      const Bool last = q.next_ack > 0 && Num(m + 1) == q.base + q.next_ack;
      ok = ok && this->implies(below, this->over(q.status[m])) &&
           this->implies(q.status[m] == MessageStatus::kDelivered, below) &&
           this->implies(last, q.status[m] == MessageStatus::kDelivered);
    }
    return ok;
  }
  [[nodiscard]] Bool refused_is_later(const Part& q) const {
    Bool ok(true);
    for (int i = 0; i < r.instance.in_flight; ++i) {
      const Request<D>& x = q.request[i];
      Bool later = x.sequence > q.next_ack;
      for (int k = 0; k < i; ++k) {
        const Request<D>& ahead = q.request[k];
        later = later && this->implies(ahead.stage == Stage::kOk, ahead.sequence + 1 < x.sequence);
      }
      ok = ok && this->implies(x.stage == Stage::kOutOfOrder && this->remembers_all(q), later);
    }
    return ok;
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
    // Nor is the client ever without a leader, so no message expires for want of one.
    if (!r.allows(Fault::kLeaderLost)) ok = ok && q.leader != kNobody && q.view != kNobody;
    return ok;
  }
  [[nodiscard]] Bool window(const Part& q) const {
    Bool ok(true);
    for (int m = 0; m < r.messages(); ++m) {
      const Bool unresolved =
          q.status[m] == MessageStatus::kInFlight || q.status[m] == MessageStatus::kRetry;
      for (int later = m + 1; later < r.messages(); ++later) {
        ok = ok &&
             this->implies(!this->over(q.status[m]), q.status[later] != MessageStatus::kDelivered);
        ok = ok && this->implies(q.status[m] == MessageStatus::kUnsent,
                                 q.status[later] == MessageStatus::kUnsent);
        if (later < m + r.instance.in_flight) continue;
        ok = ok && this->implies(unresolved, q.status[later] == MessageStatus::kUnsent);
      }
    }
    return ok;
  }
  [[nodiscard]] Bool never_bumps(const Part& q) const {
    Bool ok = s.mode != Mode::kDraining && s.epoch == 0;
    for (int m = 0; m < r.messages() && !this->scope().fails(); ++m) {
      ok = ok && q.status[m] < MessageStatus::kFailed;
    }
    return ok;
  }
  [[nodiscard]] Bool never_fatal() const {
    return this->scope().forgets() ? s.mode != Mode::kFatal : this->alive();
  }
};

}  // namespace fencepost::spec
