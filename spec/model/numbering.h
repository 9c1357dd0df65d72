// Stamps: which epoch and sequence a message goes out with, what a bump changes in that, and which
// stamps belong to one producer id.
#pragma once

#include "spec/model/rules.h"
#include "spec/properties.h"

namespace fencepost::spec {

template <class D>
struct Numbering {
  using Num = typename D::Num;
  using Bool = typename D::Bool;
  using Part = Partition<D>;

  D& d;
  State<D>& s;
  const Rules& r;

  [[nodiscard]] const Behaviour& behaviour() const { return r.behaviour; }

  [[nodiscard]] static Bool queued(Num status) {
    return status == MessageStatus::kUnsent || status == MessageStatus::kRetry;
  }
  [[nodiscard]] static Bool unresolved(Num status) {
    return status == MessageStatus::kInFlight || status == MessageStatus::kRetry;
  }
  [[nodiscard]] Bool none_unresolved(const Part& q) const {
    Bool none(true);
    for (int m = 0; m < r.messages(); ++m) none = none && !unresolved(q.status[m]);
    return none;
  }

  // --- producer ids ---------------------------------------------------------------------------

  /// The two stamps are of one producer id.
  [[nodiscard]] static Bool same_id(const Rules& r, Num a, Num b) {
    if (!r.many_ids()) return Bool(true);
    const int span = r.span();
    if (span == 1) return a == b;
    Bool same(false);
    for (int first = 0; first <= r.last_epoch(); first += span) {
      const Num low(first);
      const Num high(first + span - 1);
      same = same || (a >= low && a <= high && b >= low && b <= high);
    }
    return same;
  }

  void next_epoch() {
    if (r.span() == 1) return d.increment(s.epoch, r.last_epoch(), Bound::kEpochs);
    if (r.instance.max_epoch == 0 && !r.allows(Fault::kProducerRestart)) {
      return d.increment(s.epoch, r.instance.epochs, Bound::kEpochs);
    }
    Bool last(false);
    for (int e = r.span() - 1; e <= r.last_epoch(); e += r.span()) last = last || s.epoch == Num(e);
    d.when(
        last, [&] { beyond_last(); },
        [&] { d.increment(s.epoch, r.last_epoch(), Bound::kEpochs); });
  }
  void beyond_last() {
    // Where the protocol's highest epoch is out of reach, the instance ends here.
    if (r.instance.max_epoch == 0) return d.increment(s.epoch, 0, Bound::kEpochs);
    d.note(Note::kEpochExhausted);
    if (behaviour().epoch_exhausted == EpochExhausted::kWraps) {
      d.set(s.epoch, s.epoch - Num(r.span() - 1));
    } else {
      d.increment(s.epoch, r.last_epoch(), Bound::kEpochs);
    }
  }
  /// The first epoch of the next id.
  void next_id() {
    const int span = r.span();
    Num next(0);
    for (int first = 0; first + span <= r.last_epoch() + 1; first += span) {
      next = D::pick(s.epoch >= Num(first), Num(first + span), next);
    }
    d.set(s.epoch, next);
  }

  // --- sequences ------------------------------------------------------------------------------

  [[nodiscard]] Num sequence_of(const Part& q, Num message) const {
    if (r.numbers_at_send()) return D::at(q.sequence, r.messages(), message);
    return D::pick(message < q.base, Num(r.max_sequence()), message - q.base);
  }
  /// The request's stamp is one that its message no longer has.
  [[nodiscard]] Bool given_up(const Part& q, Num message, Num epoch, Num sequence) const {
    if (!r.numbers_at_send()) return Bool(false);
    return epoch != q.epoch || sequence != D::at(q.sequence, r.messages(), message);
  }
  /// A message that is sent for the first time gets the next sequence.
  void give(Part& q, Num message, Bool unsent) {
    if (!r.numbers_at_send()) return;
    d.when(unsent, [&] {
      d.put(q.sequence, r.messages(), message, q.next_sequence);
      d.set(q.next_sequence, q.next_sequence + 1);
    });
  }
  /// The message is over.
  void take_back(Part& q, Num message) {
    if (r.numbers_at_send()) d.put(q.sequence, r.messages(), message, 0);
  }

  /// The partition's sequences start again at 0: with `first`, or, where sequences are given once,
  /// with its unresolved messages.
  void restart(Part& q, Num first) {
    forget(q, first);
    if (!r.numbers_at_send()) return;
    Num next(0);
    for (int m = 0; m < r.messages(); ++m) {
      const Bool pending = unresolved(q.status[m]);
      d.when(pending, [&] {
        d.note(Note::kRenumbersUnresolved);
        d.set(q.sequence[m], next);
      });
      next = D::pick(pending, next + 1, next);
    }
    d.set(q.next_sequence, next);
  }

  /// The same for what is sent from here on; what is pending keeps its stamp.
  void forget(Part& q, Num first) {
    d.set(q.next_ack, 0);
    if (r.follows_errors()) d.set(q.next_error, 0);
    if (behaviour().expired_in_doubt != ExpiredInDoubt::kForgotten) d.set(q.expired_next, 0);
    if (!r.numbers_at_send()) return d.set(q.base, first);
    d.set(q.next_sequence, 0);
  }

  /// The partition numbers in the producer's epoch from here on.
  void adopt(Part& q, Num first, Bool retry) {
    d.when(retry, [&] { d.note(Note::kRenumbersUnresolved); });
    d.note(Note::kAdopts);
    d.set(q.epoch, s.epoch);
    d.set(q.asked, 0);
    if (!behaviour().old_epoch_retries) return forget(q, first);
    if (behaviour().adopt_when == AdoptWhen::kNextSend) return restart(q, first);
    d.when(retry, [&] { restart(q, first); });
  }

  /// With the bump itself: every unresolved message of these partitions gets a new stamp.
  void restamp() {
    if (behaviour().bump_restamps == Restamps::kNothing) return;
    for (int p = 0; p < r.instance.partitions; ++p) {
      Part& q = s.partition[p];
      const Bool all(behaviour().bump_restamps == Restamps::kAll);
      d.when(all || q.asked == 1, [&] {
        d.note(Note::kAdopts);
        d.set(q.epoch, s.epoch);
        d.set(q.asked, 0);
        restart(q, Num(0));
      });
    }
  }

  /// Later messages move down, as if the one with that sequence had never had one.
  void close_gap(Part& q, Num gone) {
    for (int m = 0; m < r.messages(); ++m) {
      d.when(unresolved(q.status[m]) && q.sequence[m] > gone, [&] {
        d.note(Note::kLaterRenumbered);
        d.set(q.sequence[m], q.sequence[m] - 1);
      });
    }
    d.set(q.next_sequence, q.next_sequence - 1);
  }
};

}  // namespace fencepost::spec
