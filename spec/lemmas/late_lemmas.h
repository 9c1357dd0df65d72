// Lemmas on late requests.
#pragma once

#include "spec/lemmas/terms.h"

namespace fencepost::spec {

template <class D>
struct LateLemmas : LemmaTerms<D> {
  using typename LemmaTerms<D>::Num;
  using typename LemmaTerms<D>::Bool;
  using typename LemmaTerms<D>::Part;
  using LemmaTerms<D>::s;
  using LemmaTerms<D>::r;

  /// The log holds an entry with that epoch and, in front of `sequence`, the sequence before.
  [[nodiscard]] Bool predecessor_in_log(const Part& q, const LateRequest<D>& x) const {
    Bool stands(false);
    for (int j = 0; j < r.instance.log; ++j) {
      stands = stands || (this->in_log(q, j) && q.log[j].epoch == x.epoch &&
                          q.log[j].sequence + 1 == x.sequence);
    }
    return stands;
  }
  /// No broker will ever append the late request: it is no first one, what it must follow does not
  /// stand in the log, and if that is late itself, it will not be appended either. (That nobody
  /// sends it any more is for the lemma that says so.)
  [[nodiscard]] Bool dead(const Part& q, int i) const {
    static_assert(kMaxLate == 2);
    const LateRequest<D>& x = q.late[i];
    const LateRequest<D>& y = q.late[1 - i];
    const Bool follows =
        this->is_late(q, 1 - i) && y.epoch == x.epoch && y.sequence + 1 == x.sequence;
    const Bool other_dead = y.sequence > 0 && !predecessor_in_log(q, y);
    return x.sequence > 0 && !predecessor_in_log(q, x) && (!follows || other_dead);
  }

  [[nodiscard]] Bool late_stamps(const Part& q) const {
    Bool ok(true);
    for (int i = 0; i < kMaxLate; ++i) {
      const LateRequest<D>& x = q.late[i];
      const Bool is_dead = proved_dead(q, i);
      const Bool now = x.epoch == q.epoch && x.message == q.base + x.sequence;
      const Bool earlier = x.epoch < q.epoch && (x.message < q.base || is_dead);
      ok = ok && this->implies(this->is_late(q, i), now || earlier);
      Bool none_pending(true);
      for (int m = 0; m < r.messages(); ++m) {
        const Bool unsent = this->alive() && q.status[m] == MessageStatus::kUnsent;
        ok = ok && this->implies(this->is_late(q, i) && unsent,
                                 x.message < Num(m) || (is_dead && none_pending));
        none_pending = none_pending && this->over(q.status[m]);
      }
    }
    return ok;
  }
  /// Dead, where the client may take a message for absent and still go on.
  [[nodiscard]] Bool proved_dead(const Part& q, int i) const {
    return this->scope().proves_absence() ? dead(q, i) : Bool(false);
  }
  [[nodiscard]] Bool late_numbering(const Part& q) const {
    Bool ok(true);
    for (int i = 0; i < kMaxLate; ++i) {
      const LateRequest<D>& x = q.late[i];
      for (int j = 0; j < r.instance.log; ++j) {
        ok = ok && this->implies(this->is_late(q, i) && this->in_log(q, j),
                                 one_numbering(x, q.log[j], Bool(false)));
      }
      const LateRequest<D>& y = q.late[1 - i];
      ok = ok && this->implies(this->is_late(q, i) && this->is_late(q, 1 - i),
                               one_numbering(x, y, proved_dead(q, 1 - i)));
    }
    return ok;
  }
  /// Of one epoch: distances agree. Of a later one: a later message, unless `y` is dead.
  template <class Stamp>
  [[nodiscard]] Bool one_numbering(const LateRequest<D>& x, const Stamp& y,
                                   const Bool& is_dead) const {
    return this->implies(x.epoch == y.epoch, x.message + y.sequence == y.message + x.sequence) &&
           this->implies(x.epoch > y.epoch, x.message > y.message || is_dead);
  }
};

}  // namespace fencepost::spec
