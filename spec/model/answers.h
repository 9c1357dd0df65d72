// The client, what it makes of answers: delivered, retried, failed, renumbered or fatal.
#pragma once

#include "spec/model/client.h"

namespace fencepost::spec {

template <class D>
struct Answers {
  using Num = typename D::Num;
  using Bool = typename D::Bool;
  using Part = Partition<D>;

  D& d;
  State<D>& s;
  const Rules& r;

  /// A request, taken out of the FIFO.
  struct Answered {
    Num message, epoch, sequence;
  };

  [[nodiscard]] Client<D> client() const { return {d, s, r}; }
  [[nodiscard]] Numbering<D> numbering() const { return {d, s, r}; }
  [[nodiscard]] const Behaviour& behaviour() const { return r.behaviour; }

  [[nodiscard]] Bool can_receive(int p) const {
    const Part& q = s.partition[p];
    const Bool answered =
        client().alive() && q.in_flight != 0 && q.request[0].stage > Stage::kWaiting;
    return r.requeues_later() ? answered && !client().busy(q.target) : answered;
  }

  /// `exhausted`: a counted retry fails for want of retries.
  void receive(int p, bool exhausted) {
    Part& q = s.partition[p];
    const Num stage = q.request[0].stage;
    const Num from = q.target;
    const Answered x = pop(q);
    unless_dropped(q, x, stage, [&] {
      d.cases(stage, kStages, [&](int k) { answered(p, x, static_cast<Stage>(k), exhausted); });
      d.when(stage != Stage::kOk, [&] { follow_error(q, x); });
    });
    client().settle(p);
    client().open_window(p, x.message, from);
  }
  /// The connection closed before the first request of the FIFO was answered.
  void unanswered(int p, bool exhausted) {
    Part& q = s.partition[p];
    const Num from = q.target;
    const Answered x = pop(q);
    unless_dropped(q, x, Num(Stage::kNotLeader), [&] {
      react(p, x, Outcome::kDisconnect, exhausted);
      follow_error(q, x);
    });
    client().settle(p);
    client().open_window(p, x.message, from);
  }

  void answered(int p, const Answered& x, Stage stage, bool exhausted) {
    Part& q = s.partition[p];
    switch (stage) {
      case Stage::kOk:
        return acknowledged(p, x);
      case Stage::kDuplicateSequence:
        return acknowledged_alone(q, x);
      case Stage::kOutOfOrder:
        return out_of_order(p, x);
      case Stage::kUnknownProducerId:
        return unknown_producer(p, x);
      case Stage::kInvalidEpoch:
        client().fail_falsely(q, x.message);
        return client().request_bump(p);
      case Stage::kSent:
      case Stage::kWaiting:
        return;  // excluded by the guard
      default:
        return react(p, x, outcome_of(stage), exhausted);
    }
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

  /// What was sent under an older epoch is not retried where the client gave that epoch up: only
  /// success counts.
  template <class Otherwise>
  void unless_dropped(Part& q, const Answered& x, Num stage, Otherwise&& otherwise) {
    if (behaviour().old_epoch_retries) return otherwise();
    d.when(
        x.epoch != s.epoch,
        [&] {
          const Bool there = stage == Stage::kOk || stage == Stage::kDuplicateSequence;
          d.when(
              there, [&] { deliver(q, x.message); },
              [&] { fail_in_doubt(q, x.message, stage == Stage::kPermanentError); });
        },
        otherwise);
  }

  // --- the FIFO -------------------------------------------------------------------------------

  Answered pop(Part& q) {
    const Answered x{q.request[0].message, q.request[0].epoch, q.request[0].sequence};
    const int n = r.instance.in_flight;
    for (int i = 0; i + 1 < n; ++i) move(q.request[i], q.request[i + 1]);
    clear(q.request[n - 1]);
    d.set(q.in_flight, q.in_flight - 1);
    d.when(q.in_flight == 0, [&] {
      d.set(q.target, kNobody);
      d.set(q.draining, 0);
    });
    return x;
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

  // --- success --------------------------------------------------------------------------------

  void deliver(Part& q, Num message) {
    for (int m = 0; m < r.messages(); ++m) {
      d.when(message == Num(m), [&] { client().deliver(q, m); });
    }
  }
  void acknowledged(int p, const Answered& x) {
    Part& q = s.partition[p];
    const Num next = acknowledged_next(q, x);
    const Bool skips = skips_some(q, x.message);
    if (r.success_can_be_fatal()) {
      const Bool unexpected = x.sequence != q.next_ack && x.sequence == q.next_error;
      d.when(!skips && unexpected, [&] { client().fatal(p); });
    }
    for (int m = 0; m < r.messages(); ++m) {
      d.when(x.message == Num(m), [&] { client().deliver(q, m); });
      if (behaviour().implicit_ack == ImplicitAck::kNone) continue;
      Bool also = behaviour().implicit_ack == ImplicitAck::kLower
                      ? Num(m) < x.message && client().in_queue(q, m)
                      : q.status[m] == MessageStatus::kRetry && client().in_queue(q, m);
      if (r.requeues_later()) also = also && skips;
      d.when(also, [&] {
        d.note(Note::kImplicitAcknowledgement);
        client().deliver(q, m);
      });
    }
    if (r.follows_errors()) {
      d.when(q.next_error == q.next_ack, [&] { d.set(q.next_error, next); });
    }
    d.set(q.next_ack, next);
    adopt_with_last(q);
  }
  /// librdkafka looks for messages to acknowledge implicitly only if the highest acknowledged one
  /// is not the one before. Where nothing is between flight and queue that is so whenever there are
  /// any.
  [[nodiscard]] Bool skips_some(const Part& q, Num message) const {
    Bool acknowledged_before(false);
    for (int m = 0; m < r.messages() && r.requeues_later(); ++m) {
      acknowledged_before = acknowledged_before ||
                            (message <= Num(m + 1) && q.status[m] == MessageStatus::kDelivered);
    }
    return !acknowledged_before;
  }
  /// DUPLICATE_SEQUENCE_NUMBER: delivered, and says nothing of others.
  void acknowledged_alone(Part& q, const Answered& x) {
    const Num next = acknowledged_next(q, x);
    deliver(q, x.message);
    d.set(q.next_ack, next);
    adopt_with_last(q);
  }
  /// Where sequences are given once, an acknowledgement counts for the stamp that the message has
  /// by now, and never moves back.
  [[nodiscard]] Num acknowledged_next(const Part& q, const Answered& x) const {
    if (!r.numbers_at_send()) return behind(q, x);
    const Num next = numbering().sequence_of(q, x.message) + 1;
    return D::pick(next > q.next_ack, next, q.next_ack);
  }
  void adopt_with_last(Part& q) {
    if (behaviour().adopt_when == AdoptWhen::kNextSend || !r.numbers_at_send()) return;
    d.when(q.epoch != s.epoch && numbering().none_unresolved(q), [&] {
      d.note(Note::kAdopts);
      d.set(q.epoch, s.epoch);
      d.set(q.asked, 0);
      numbering().forget(q, Num(0));
    });
  }
  void follow_error(Part& q, const Answered& x) {
    if (r.follows_errors()) d.set(q.next_error, behind(q, x));
  }
  /// The next sequence. Behind a huge one, of the message just below the base, follows 0: 31 bits.
  [[nodiscard]] Num behind(const Part& q, const Answered& x) const {
    if (!r.requeues_later()) return x.sequence + 1;
    const Bool wraps = x.message + 1 == q.base && x.sequence == Num(r.max_sequence());
    return D::pick(wraps, Num(0), x.sequence + 1);
  }

  // --- errors ---------------------------------------------------------------------------------

  void out_of_order(int p, const Answered& x) {
    Part& q = s.partition[p];
    const Bool earlier = client().earlier_pending(q, x.message);
    const Bool absent = !earlier && !gap_may_close(q, x.message);
    const Bool given_up = numbering().given_up(q, x.message, x.epoch, x.sequence);
    requeue(q, x.message);
    if (behaviour().out_of_order_proves_absence != ProvesAbsence::kNo) {
      d.when(absent, [&] {
        d.note(Note::kAbsenceProved);
        d.put(q.status, r.messages(), x.message, MessageStatus::kUnsent);
      });
    }
    const auto by_distance = [&] { out_of_order_by_distance(p, x, earlier, absent); };
    if (!r.numbers_at_send()) return by_distance();
    // It was renumbered since: its new stamp has not been tried yet.
    d.when(!given_up, [&] {
      if (behaviour().expired_in_doubt == ExpiredInDoubt::kForgotten) return by_distance();
      d.when(q.expired_next == 0, by_distance, [&] {
        const Bool all(behaviour().expired_in_doubt == ExpiredInDoubt::kEverythingIsNext);
        d.when(all || x.sequence == q.expired_next,
               [&] { out_of_order_at(p, x.message, behaviour().next_expected_out_of_order); });
      });
    });
  }
  void out_of_order_by_distance(int p, const Answered& x, Bool earlier, Bool absent) {
    Part& q = s.partition[p];
    d.when(
        x.sequence > q.next_ack,
        [&] {
          d.note(Note::kLaterOutOfOrder);
          later_out_of_order(p, earlier, absent);
        },
        [&] {
          d.note(Note::kNextExpectedOutOfOrder);
          const NextExpected next = behaviour().next_expected_out_of_order;
          const NextExpected below = behaviour().earlier_out_of_order;
          if (next == below) return out_of_order_at(p, x.message, next);
          d.when(
              x.sequence == q.next_ack, [&] { out_of_order_at(p, x.message, next); },
              [&] { out_of_order_at(p, x.message, below); });
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
        return client().request_bump(p);
      case Later::kBumpIfNoEarlierPending:
        return d.when(!earlier, [&] { client().request_bump(p); });
      case Later::kBumpIfAbsenceProved:
        // A partition that lags behind the producer's epoch has only to adopt it.
        return d.when(absent && s.partition[p].epoch == s.epoch, [&] { client().request_bump(p); });
      case Later::kFatal:
        return client().fatal(p);
      case Later::kRetry:
        return;
    }
  }
  void out_of_order_at(int p, Num message, NextExpected reaction) {
    switch (reaction) {
      case NextExpected::kFatal:
        return client().fatal(p);
      case NextExpected::kFailAndBump:
        fail_in_doubt(s.partition[p], message, Bool(false));
        return client().request_bump(p);
      case NextExpected::kBump:
        return client().request_bump(p);
      case NextExpected::kRetry:
        return;
    }
  }

  void unknown_producer(int p, const Answered& x) {
    Part& q = s.partition[p];
    d.note(Note::kUnknownProducerId);
    const Bool given_up = numbering().given_up(q, x.message, x.epoch, x.sequence);
    requeue(q, x.message);
    switch (behaviour().unknown_producer) {
      case UnknownProducer::kBumpOnFirstAttempt:
        return d.when(
            q.next_error == x.sequence, [&] { client().request_bump(p); },
            [&] { client().fatal(p); });
      case UnknownProducer::kBump:
        return d.when(!given_up, [&] { client().request_bump(p); });
      case UnknownProducer::kRestartIfLogMoved:
        return d.when(!given_up, [&] { restart_if_log_moved(p, x.message); });
    }
  }
  void restart_if_log_moved(int p, Num message) {
    Part& q = s.partition[p];
    d.when(
        acknowledged_remains(q),
        [&] {
          fail_in_doubt(q, message, Bool(false));
          client().request_bump(p);
        },
        [&] { numbering().restart(q, client().head(q)); });
  }
  /// The last acknowledged offset is not below the log start.
  [[nodiscard]] Bool acknowledged_remains(const Part& q) const {
    Bool remains(false);
    for (int i = 0; i < D::upto(q.length, r.instance.log); ++i) {
      for (int m = 0; m < r.messages(); ++m) {
        remains =
            remains || (Num(i) < q.length && Num(i) >= q.log_start && q.log[i].message == Num(m) &&
                        q.status[m] == MessageStatus::kDelivered);
      }
    }
    return remains;
  }

  /// An error that says nothing of earlier attempts ends the message.
  void fail_in_doubt(Part& q, Num message, Bool excused) {
    d.put(q.possibly, r.messages(), message, 1);
    d.when(
        excused, [&] { client().fail(q, message); }, [&] { client().fail_falsely(q, message); });
  }
  void requeue(Part& q, Num message) {
    d.put(q.status, r.messages(), message, MessageStatus::kRetry);
    client().start_drain(q);
  }

  /// What the client does with a message whose request had that outcome.
  void react(int p, const Answered& x, Outcome outcome, bool exhausted) {
    Part& q = s.partition[p];
    if (behaviour().status_of(outcome) == Status::kPossiblyPersisted) {
      d.put(q.possibly, r.messages(), x.message, 1);
    }
    const Num gone = numbering().sequence_of(q, x.message);
    switch (behaviour().react(outcome)) {
      case Reaction::kRetry:
        if (!exhausted) return requeue(q, x.message);
        client().fail(q, x.message);
        // The retry branch drains the partition before it looks at who has retries left.
        client().start_drain(q);
        return lose_sequence(p, gone, behaviour().retries_exhausted_bumps);
      case Reaction::kFail:
      case Reaction::kFailAndBump:
        if (outcome == Outcome::kPermanentError) {
          client().fail(q, x.message);
        } else {
          client().fail_falsely(q, x.message);
        }
        return lose_sequence(p, gone, behaviour().react(outcome) == Reaction::kFailAndBump);
      case Reaction::kFatal:
        requeue(q, x.message);
        return client().fatal(p);
    }
  }
  /// A message that holds a sequence is gone: a gap, unless the client bumps or renumbers.
  void lose_sequence(int p, Num gone, bool bumps) {
    if (!bumps) return d.note(Note::kGapLeft);
    if (behaviour().lost_sequence == LostSequence::kRenumberLater) {
      return numbering().close_gap(s.partition[p], gone);
    }
    if (behaviour().adopt_when == AdoptWhen::kNextSend) return client().request_bump(p);
    // The failure of a batch of an older epoch is ignored.
    d.when(
        s.partition[p].epoch == s.epoch, [&] { client().request_bump(p); },
        [&] { d.note(Note::kGapLeft); });
  }
};

}  // namespace fencepost::spec
