// The client: what an idempotent producer does, driven by the behaviour's entries.
// Sources of the rules are in spec/README.md and, per entry, in the variant files.
#pragma once

#include "spec/model/numbering.h"

namespace fencepost::spec {

/// The client's steps and what they are made of. `d` is the domain, `s` the state.
template <class D>
struct Client {
  using Num = typename D::Num;
  using Bool = typename D::Bool;
  using Part = Partition<D>;

  D& d;
  State<D>& s;
  const Rules& r;

  [[nodiscard]] const Behaviour& behaviour() const { return r.behaviour; }

  [[nodiscard]] Numbering<D> numbering() const { return {d, s, r}; }

  [[nodiscard]] static Bool queued(Num status) { return Numbering<D>::queued(status); }
  [[nodiscard]] static Bool unresolved(Num status) { return Numbering<D>::unresolved(status); }
  [[nodiscard]] static Bool over(Num status) { return status >= MessageStatus::kDelivered; }
  [[nodiscard]] Bool alive() const { return s.mode < Mode::kFatal; }
  /// It is in the partition's queue: not so while it is between flight and queue.
  [[nodiscard]] Bool in_queue(const Part& q, int m) const {
    const Bool waits = queued(q.status[m]);
    if (!r.requeues_later()) return waits;
    return waits && q.between != Num(m + 1);
  }

  [[nodiscard]] Bool nothing_in_flight() const {
    Bool none(true);
    for (int p = 0; p < r.instance.partitions; ++p) none = none && s.partition[p].in_flight == 0;
    return none;
  }
  [[nodiscard]] Bool nothing_unresolved() const {
    Bool none(true);
    for (int p = 0; p < r.instance.partitions; ++p) {
      none = none && numbering().none_unresolved(s.partition[p]);
    }
    return none;
  }
  /// A lower message of the partition is unresolved or still queued.
  [[nodiscard]] Bool earlier_pending(const Part& q, Num message) const {
    Bool pending(false);
    for (int m = 0; m < r.messages(); ++m) {
      Bool seen = Num(m) < message && !over(q.status[m]);
      // The client looks in flight and in the queue.
      if (r.requeues_later()) seen = seen && q.between != Num(m + 1);
      pending = pending || seen;
    }
    return pending;
  }

  [[nodiscard]] Bool earlier_in_flight(const Part& q, Num message) const {
    Bool flies(false);
    for (int m = 0; m < r.messages(); ++m) {
      flies = flies || (Num(m) < message && q.status[m] == MessageStatus::kInFlight);
    }
    return flies;
  }

  /// The message that would be sent next; `messages()` if the queue is empty.
  [[nodiscard]] Num head(const Part& q) const {
    const int n = r.messages();
    Num lowest(n);
    if (behaviour().requeue == Requeue::kSorted) {
      for (int m = n - 1; m >= 0; --m) lowest = D::pick(in_queue(q, m), Num(m), lowest);
      return lowest;
    }
    for (const MessageStatus first : {MessageStatus::kRetry, MessageStatus::kUnsent}) {
      for (int m = n - 1; m >= 0; --m) {
        lowest = D::pick(in_queue(q, m) && q.status[m] == first, Num(m), lowest);
      }
    }
    return lowest;
  }
  [[nodiscard]] Bool retry_first(const Part& q, Num head_message) const {
    Bool retry(false);
    for (int m = 0; m < r.messages(); ++m) {
      retry = retry || (head_message == Num(m) && q.status[m] == MessageStatus::kRetry);
    }
    return retry;
  }
  /// The partition still numbers with an old epoch and is one that adopts the new one.
  [[nodiscard]] Bool stale(const Part& q) const {
    Bool old = q.epoch != s.epoch;
    if (behaviour().adopt_partitions == AdoptPartitions::kAll) return old;
    return old && q.asked == 1;
  }
  /// The head keeps its old stamp: it is unresolved and the client defers adoption for such.
  [[nodiscard]] Bool deferred(const Part& q, Num head_message) const {
    if (!behaviour().adopt_defers_unresolved) return Bool(false);
    return retry_first(q, head_message);
  }

  // --- send, with lazy adoption ---------------------------------------------------------------

  [[nodiscard]] Bool can_send(int p) const {
    const Part& q = s.partition[p];
    const Num first = head(q);
    Bool ready = s.mode == Mode::kAssigned;
    if (behaviour().bump_waits_for == BumpWaits::kNothingUnresolved) {
      ready = ready || (s.mode == Mode::kDraining && retry_first(q, first));
    }
    Bool may_number = !stale(q) || deferred(q, first);
    if (behaviour().adopt_waits_for_in_flight) {
      may_number = may_number || q.in_flight == 0;
    } else {
      may_number = Bool(true);
    }
    if (behaviour().retry_only_lowest) {
      ready = ready && !(retry_first(q, first) && earlier_in_flight(q, first));
    }
    if (behaviour().expired_in_doubt != ExpiredInDoubt::kForgotten) {
      ready = ready && (q.expired_next == 0 || retry_first(q, first));
    }
    if (r.requeues_later()) ready = ready && !busy(q.view);
    return ready && first < r.messages() && q.view != kNobody &&
           q.in_flight < r.instance.in_flight && (q.draining == 0 || q.in_flight == 0) &&
           (q.in_flight == 0 || q.target == q.view) && may_number;
  }

  void send(int p) {
    Part& q = s.partition[p];
    const Num first = head(q);
    const Bool old = stale(q);
    const Bool retry = retry_first(q, first);
    const Bool keeps = deferred(q, first);
    d.when(old && keeps, [&] { d.note(Note::kAdoptionDeferred); });
    if (r.requeues_later()) {
      d.when(q.between != 0 && q.between <= first, [&] { d.note(Note::kOvertakesRequeue); });
    }
    d.when(old && !keeps, [&] { numbering().adopt(q, first, retry); });
    numbering().give(q, first, !retry);
    const Num sequence = numbering().sequence_of(q, first);
    d.set(q.draining, 0);
    d.set(q.target, q.view);
    d.put(q.status, r.messages(), first, MessageStatus::kInFlight);
    const Num slot = q.in_flight;
    const int n = r.instance.in_flight;
    d.put(q.request, n, slot, &Request<D>::message, first);
    d.put(q.request, n, slot, &Request<D>::epoch, q.epoch);
    d.put(q.request, n, slot, &Request<D>::sequence, sequence);
    d.put(q.request, n, slot, &Request<D>::stage, Stage::kSent);
    d.set(q.in_flight, slot + 1);
  }

  // --- between flight and queue ---------------------------------------------------------------

  /// The client's thread for that broker has taken a batch out of flight and not put it back yet:
  /// until it has, it does nothing else.
  [[nodiscard]] Bool busy(Num broker) const {
    Bool any(false);
    if (!r.requeues_later()) return any;
    for (int p = 0; p < r.instance.partitions; ++p) {
      const Part& q = s.partition[p];
      any = any || (q.between != 0 && q.between_at == broker);
    }
    return any;
  }
  [[nodiscard]] Bool none_between() const {
    Bool none(true);
    if (!r.requeues_later()) return none;
    for (int p = 0; p < r.instance.partitions; ++p) none = none && s.partition[p].between == 0;
    return none;
  }
  /// The message of the last request in flight to `from` was put back by that thread. If another
  /// one serves the partition by now, it may run before that; one message a partition at a time.
  void open_window(int p, Num message, Num from) {
    if (!r.requeues_later()) return;
    Part& q = s.partition[p];
    Bool back(false);
    for (int m = 0; m < r.messages(); ++m) {
      back = back || (message == Num(m) && queued(q.status[m]));
    }
    d.when(back && alive() && q.in_flight == 0 && q.view != from && q.between == 0, [&] {
      d.set(q.between, message + 1);
      d.set(q.between_at, from);
    });
  }
  [[nodiscard]] Bool can_requeue(int p) const { return alive() && s.partition[p].between != 0; }
  void requeue(int p) {
    d.set(s.partition[p].between, 0);
    d.set(s.partition[p].between_at, kNobody);
  }

  // --- the bump -------------------------------------------------------------------------------

  void request_bump(int p) {
    if (behaviour().adopt_partitions == AdoptPartitions::kTriggering ||
        behaviour().bump_restamps == Restamps::kTriggering) {
      d.set(s.partition[p].asked, 1);
    }
    d.note(Note::kBumpRequested);
    if (behaviour().bump_waits_for == BumpWaits::kNothing) {
      d.when(s.mode == Mode::kAssigned, [&] { bump(); });
    } else {
      d.when(s.mode == Mode::kAssigned, [&] { d.set(s.mode, Mode::kDraining); });
    }
  }
  void bump() {
    d.note(Note::kBumpCompletes);
    numbering().next_epoch();
    d.set(s.mode, Mode::kAssigned);
    numbering().restamp();
    // With a new id the client forgets what it was in doubt of.
    const bool doubts = behaviour().expired_in_doubt != ExpiredInDoubt::kForgotten;
    if (!doubts || behaviour().bump_takes == BumpTakes::kNextEpoch) return;
    for (int p = 0; p < r.instance.partitions; ++p) d.set(s.partition[p].expired_next, 0);
  }
  [[nodiscard]] Bool can_complete_bump() const {
    if (behaviour().bump_waits_for == BumpWaits::kNextLoop) return s.mode == Mode::kDraining;
    const Bool done = behaviour().bump_waits_for == BumpWaits::kNothingUnresolved
                          ? nothing_unresolved()
                          : nothing_in_flight();
    // The instance's count goes down last, behind the queue.
    return s.mode == Mode::kDraining && done && none_between();
  }

  void fatal(int p) {
    d.note(Note::kFatal);
    // An excuse of one partition does not excuse what another one did before.
    const Bool unexcused = s.mode == Mode::kFatal || nothing_lost(s.partition[p]);
    d.set(s.mode, D::pick(unexcused, Num(Mode::kFatal), Num(Mode::kFatalExcused)));
  }

  /// The partition's brokers never forgot what the producer had a right to: producer state, or
  /// committed records.
  [[nodiscard]] Bool nothing_lost(const Part& q) const {
    const Bool state_kept = q.cache_loss == CacheLoss::kNone;
    return r.allows(Fault::kUncleanElection) ? state_kept && q.cut_below == 0 : state_kept;
  }

  // --- the leader as the client knows it ------------------------------------------------------

  [[nodiscard]] Bool can_learn_leader(int p) const {
    const Part& q = s.partition[p];
    Bool old = alive() && q.view != q.leader;
    // The old leader's thread hands the partition over to the new one's.
    if (r.requeues_later()) old = old && !busy(q.view) && !busy(q.leader);
    // Knowing of no leader only delays sending, which a run may do anyway; it matters where
    // messages can expire meanwhile.
    if (r.allows(Fault::kMessageTimeoutLeaderless)) return old;
    return old && q.leader != kNobody;
  }
  void learn_leader(int p) {
    Part& q = s.partition[p];
    d.set(q.view, q.leader);
    start_drain(q);
  }
  void start_drain(Part& q) {
    if (!behaviour().drain_before_retry) return;
    d.when(q.in_flight != 0, [&] { d.set(q.draining, 1); });
  }

  // --- how messages end -----------------------------------------------------------------------

  void deliver(Part& q, int m) {
    d.set(q.status[m], MessageStatus::kDelivered);
    d.set(q.possibly[m], 0);
    if (r.numbers_at_send()) d.set(q.sequence[m], 0);
  }
  void fail(Part& q, Num message) {
    d.note(Note::kFailed);
    d.put(q.status, r.messages(), message, MessageStatus::kFailed);
    numbering().take_back(q, message);
  }
  void fail_falsely(Part& q, Num message) {
    d.note(Note::kFailed);
    const Num how =
        D::pick(nothing_lost(q), Num(MessageStatus::kFailedFalsely), Num(MessageStatus::kFailed));
    d.put(q.status, r.messages(), message, how);
    numbering().take_back(q, message);
  }
  /// Once nothing is pending in a partition in doubt: what expired was there, or a sequence is
  /// missing.
  void settle(int p) {
    if (behaviour().expired_in_doubt == ExpiredInDoubt::kForgotten) return;
    Part& q = s.partition[p];
    d.when(q.expired_next != 0 && numbering().none_unresolved(q), [&] {
      d.set(q.expired_next, 0);
      d.when(q.next_sequence != q.next_ack, [&] { request_bump(p); });
    });
  }

  // --- what takes messages out of the queue ---------------------------------------------------

  [[nodiscard]] Bool is_queued(int p, int m) const { return in_queue(s.partition[p], m); }

  /// Fails every queued message up to `last`.
  void fail_prefix(int p, int last, bool bumps) {
    Part& q = s.partition[p];
    for (int m = 0; m <= last; ++m) {
      if (behaviour().expired_in_doubt != ExpiredInDoubt::kForgotten) {
        const Bool known = Bool(behaviour().old_epoch_retries) || q.epoch == s.epoch;
        d.when(known && q.status[m] == MessageStatus::kRetry, [&] {
          d.note(Note::kExpiredInDoubt);
          d.set(q.expired_next, numbering().sequence_of(q, Num(m)) + 1);
        });
      }
      d.when(in_queue(q, m), [&] { fail(q, Num(m)); });
    }
    if (bumps) {
      request_bump(p);
    } else {
      d.note(Note::kGapLeft);
    }
    settle(p);
  }
};

}  // namespace fencepost::spec
