// The client: what librdkafka's idempotent producer does, driven by the behaviour's entries.
// Sources of the rules are in spec/README.md and, per entry, in the variant files.
#pragma once

#include "spec/model/rules.h"
#include "spec/properties.h"

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

  [[nodiscard]] static Bool queued(Num status) {
    return status == MessageStatus::kUnsent || status == MessageStatus::kRetry;
  }
  [[nodiscard]] static Bool unresolved(Num status) {
    return status == MessageStatus::kInFlight || status == MessageStatus::kRetry;
  }
  [[nodiscard]] static Bool over(Num status) { return status >= MessageStatus::kDelivered; }
  [[nodiscard]] Bool alive() const { return s.mode < Mode::kFatal; }

  [[nodiscard]] Bool nothing_in_flight() const {
    Bool none(true);
    for (int p = 0; p < r.instance.partitions; ++p) none = none && s.partition[p].in_flight == 0;
    return none;
  }
  [[nodiscard]] Bool nothing_unresolved() const {
    Bool none(true);
    for (int p = 0; p < r.instance.partitions; ++p) {
      for (int m = 0; m < r.messages(); ++m) none = none && !unresolved(s.partition[p].status[m]);
    }
    return none;
  }
  /// A lower message of the partition is unresolved or still queued.
  [[nodiscard]] Bool earlier_pending(const Part& q, Num message) const {
    Bool pending(false);
    for (int m = 0; m < r.messages(); ++m) {
      pending = pending || (Num(m) < message && !over(q.status[m]));
    }
    return pending;
  }

  /// The message that would be sent next; `messages()` if the queue is empty.
  [[nodiscard]] Num head(const Part& q) const {
    const int n = r.messages();
    Num lowest(n);
    if (behaviour().requeue == Requeue::kSorted) {
      for (int m = n - 1; m >= 0; --m) lowest = D::pick(queued(q.status[m]), Num(m), lowest);
      return lowest;
    }
    for (int m = n - 1; m >= 0; --m) {
      lowest = D::pick(q.status[m] == MessageStatus::kRetry, Num(m), lowest);
    }
    for (int m = n - 1; m >= 0; --m) {
      lowest = D::pick(q.status[m] == MessageStatus::kUnsent, Num(m), lowest);
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
    const Bool old = q.epoch != s.epoch;
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
    Bool numbering = !stale(q) || deferred(q, first);
    if (behaviour().adopt_waits_for_in_flight) {
      numbering = numbering || q.in_flight == 0;
    } else {
      numbering = Bool(true);
    }
    return ready && first < r.messages() && q.view != kNobody &&
           q.in_flight < r.instance.in_flight && (q.draining == 0 || q.in_flight == 0) &&
           (q.in_flight == 0 || q.target == q.view) && numbering;
  }

  void send(int p) {
    Part& q = s.partition[p];
    const Num first = head(q);
    const Bool old = stale(q);
    const Bool keeps = deferred(q, first);
    d.when(old && keeps, [&] { d.note(Note::kAdoptionDeferred); });
    d.when(old && !keeps, [&] { adopt(q, first); });
    const Num sequence = D::pick(first < q.base, Num(r.max_sequence()), first - q.base);
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

  void adopt(Part& q, Num first) {
    d.when(retry_first(q, first), [&] { d.note(Note::kRenumbersUnresolved); });
    d.note(Note::kAdopts);
    d.set(q.epoch, s.epoch);
    d.set(q.base, first);
    d.set(q.next_ack, 0);
    d.set(q.asked, 0);
  }

  // --- the bump -------------------------------------------------------------------------------

  void request_bump(int p) {
    if (behaviour().adopt_partitions == AdoptPartitions::kTriggering) {
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
    d.increment(s.epoch, r.instance.epochs, Bound::kEpochs);
    d.set(s.mode, Mode::kAssigned);
  }
  [[nodiscard]] Bool can_complete_bump() const {
    const Bool done = behaviour().bump_waits_for == BumpWaits::kNothingUnresolved
                          ? nothing_unresolved()
                          : nothing_in_flight();
    return s.mode == Mode::kDraining && done;
  }

  void fatal(int p) {
    d.note(Note::kFatal);
    // An excuse of one partition does not excuse what another one did before.
    const Bool unexcused = s.mode == Mode::kFatal || s.partition[p].cache_loss == CacheLoss::kNone;
    d.set(s.mode, D::pick(unexcused, Num(Mode::kFatal), Num(Mode::kFatalExcused)));
  }

  // --- the leader as the client knows it ------------------------------------------------------

  [[nodiscard]] Bool can_learn_leader(int p) const {
    const Part& q = s.partition[p];
    const Bool old = alive() && q.view != q.leader;
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

  // --- answers --------------------------------------------------------------------------------

  [[nodiscard]] Bool can_receive(int p) const {
    const Part& q = s.partition[p];
    return alive() && q.in_flight != 0 && q.request[0].stage > Stage::kWaiting;
  }

  /// `exhausted`: a counted retry fails for want of retries.
  void receive(int p, bool exhausted) {
    Part& q = s.partition[p];
    const Num message = q.request[0].message;
    const Num sequence = q.request[0].sequence;
    const Num stage = q.request[0].stage;
    pop(q);
    d.cases(stage, kStages, [&](int k) {
      switch (static_cast<Stage>(k)) {
        case Stage::kOk:
          return acknowledged(q, message, sequence);
        case Stage::kOutOfOrder:
          return out_of_order(p, message, sequence);
        case Stage::kInvalidEpoch:
          fail_falsely(q, message);
          return request_bump(p);
        case Stage::kSent:
        case Stage::kWaiting:
          return;  // excluded by the guard
        default:
          return react(p, message, outcome_of(static_cast<Stage>(k)), exhausted);
      }
    });
  }

  [[nodiscard]] static Outcome outcome_of(Stage stage) {
    switch (stage) {
      case Stage::kNotLeaderAfterAppend:
        return Outcome::kNotLeaderAfterAppend;
      case Stage::kRequestTimedOut:
        return Outcome::kRequestTimedOut;
      case Stage::kNotEnoughReplicas:
        return Outcome::kNotEnoughReplicas;
      case Stage::kNotEnoughReplicasAfterAppend:
        return Outcome::kNotEnoughReplicasAfterAppend;
      case Stage::kPermanentError:
        return Outcome::kPermanentError;
      default:
        return Outcome::kNotLeader;
    }
  }

  void pop(Part& q) {
    const int n = r.instance.in_flight;
    for (int i = 0; i + 1 < n; ++i) move(q.request[i], q.request[i + 1]);
    clear(q.request[n - 1]);
    d.set(q.in_flight, q.in_flight - 1);
    d.when(q.in_flight == 0, [&] {
      d.set(q.target, kNobody);
      d.set(q.draining, 0);
    });
  }
  void move(Request<D>& to, const Request<D>& from) {
    d.set(to.message, from.message);
    d.set(to.epoch, from.epoch);
    d.set(to.sequence, from.sequence);
    d.set(to.stage, from.stage);
  }
  void clear(Request<D>& request) {
    d.set(request.message, 0);
    d.set(request.epoch, 0);
    d.set(request.sequence, 0);
    d.set(request.stage, 0);
  }

  void acknowledged(Part& q, Num message, Num sequence) {
    for (int m = 0; m < r.messages(); ++m) {
      d.when(message == Num(m), [&] { deliver(q, m); });
      if (behaviour().implicit_ack == ImplicitAck::kNone) continue;
      const Bool also = behaviour().implicit_ack == ImplicitAck::kLower
                            ? Num(m) < message && queued(q.status[m])
                            : q.status[m] == MessageStatus::kRetry;
      d.when(also, [&] {
        d.note(Note::kImplicitAcknowledgement);
        deliver(q, m);
      });
    }
    d.set(q.next_ack, sequence + 1);
  }
  void deliver(Part& q, int m) {
    d.set(q.status[m], MessageStatus::kDelivered);
    d.set(q.possibly[m], 0);
  }

  void out_of_order(int p, Num message, Num sequence) {
    Part& q = s.partition[p];
    const Bool earlier = earlier_pending(q, message);
    const Bool absent = !earlier && !gap_may_close(q, message);
    requeue(q, message);
    if (behaviour().out_of_order_proves_absence != ProvesAbsence::kNo) {
      d.when(absent, [&] {
        d.note(Note::kAbsenceProved);
        d.put(q.status, r.messages(), message, MessageStatus::kUnsent);
      });
    }
    d.when(
        sequence > q.next_ack,
        [&] {
          d.note(Note::kLaterOutOfOrder);
          later_out_of_order(p, earlier, absent);
        },
        [&] {
          d.note(Note::kNextExpectedOutOfOrder);
          next_expected_out_of_order(p);
        });
  }
  /// An earlier message of the epoch failed with its fate unknown, and the client minds.
  [[nodiscard]] Bool gap_may_close(const Part& q, Num message) const {
    Bool may(false);
    if (behaviour().out_of_order_proves_absence != ProvesAbsence::kIfGapWasAnswered) return may;
    for (int m = 0; m < r.messages(); ++m) {
      may = may || (Num(m) < message && q.base <= Num(m) && q.status[m] >= MessageStatus::kFailed &&
                    q.possibly[m] == 1);
    }
    return may;
  }
  void later_out_of_order(int p, Bool earlier, Bool absent) {
    switch (behaviour().later_out_of_order) {
      case Later::kBump:
        return request_bump(p);
      case Later::kBumpIfNoEarlierPending:
        return d.when(!earlier, [&] { request_bump(p); });
      case Later::kBumpIfAbsenceProved:
        // A partition that lags behind the producer's epoch has only to adopt it.
        return d.when(absent && s.partition[p].epoch == s.epoch, [&] { request_bump(p); });
      case Later::kFatal:
        return fatal(p);
      case Later::kRetry:
        return;
    }
  }
  void next_expected_out_of_order(int p) {
    switch (behaviour().next_expected_out_of_order) {
      case NextExpected::kFatal:
        return fatal(p);
      case NextExpected::kBump:
        return request_bump(p);
      case NextExpected::kRetry:
        return;
    }
  }

  void requeue(Part& q, Num message) {
    d.put(q.status, r.messages(), message, MessageStatus::kRetry);
    start_drain(q);
  }

  /// What the client does with a message whose request had that outcome.
  void react(int p, Num message, Outcome outcome, bool exhausted) {
    Part& q = s.partition[p];
    if (behaviour().status_of(outcome) == Status::kPossiblyPersisted) {
      d.put(q.possibly, r.messages(), message, 1);
    }
    switch (behaviour().react(outcome)) {
      case Reaction::kRetry:
        if (!exhausted) return requeue(q, message);
        fail(q, message);
        // The retry branch drains the partition before it looks at who has retries left.
        start_drain(q);
        return lose_sequence(p, behaviour().retries_exhausted_bumps);
      case Reaction::kFail:
      case Reaction::kFailAndBump:
        if (outcome == Outcome::kPermanentError) {
          fail(q, message);
        } else {
          fail_falsely(q, message);
        }
        return lose_sequence(p, behaviour().react(outcome) == Reaction::kFailAndBump);
      case Reaction::kFatal:
        requeue(q, message);
        return fatal(p);
    }
  }

  void fail(Part& q, Num message) {
    d.note(Note::kFailed);
    d.put(q.status, r.messages(), message, MessageStatus::kFailed);
  }
  void fail_falsely(Part& q, Num message) {
    d.note(Note::kFailed);
    const Num how = D::pick(q.cache_loss == CacheLoss::kNone, Num(MessageStatus::kFailedFalsely),
                            Num(MessageStatus::kFailed));
    d.put(q.status, r.messages(), message, how);
  }
  /// A message that holds a sequence is gone: a gap, unless the client bumps.
  void lose_sequence(int p, bool bumps) {
    if (bumps) return request_bump(p);
    d.note(Note::kGapLeft);
  }

  // --- what takes messages out of the queue ---------------------------------------------------

  [[nodiscard]] Bool is_queued(int p, int m) const { return queued(s.partition[p].status[m]); }

  /// Fails every queued message up to `last`.
  void fail_prefix(int p, int last, bool bumps) {
    Part& q = s.partition[p];
    for (int m = 0; m <= last; ++m) {
      d.when(queued(q.status[m]), [&] { fail(q, Num(m)); });
    }
    lose_sequence(p, bumps);
  }
};

}  // namespace fencepost::spec
