// What goes wrong, and what comes too late. Each fault costs one unit of the budget.
#pragma once

#include "spec/transactions/messages.h"

namespace fencepost::spec::transactions {

template <class D>
struct FaultSteps {
  using Num = typename D::Num;
  using Bool = typename D::Bool;

  D& d;
  State<D>& s;
  const Rules& r;

  [[nodiscard]] ProducerSteps<D> producer(int i) const { return {d, s, r, i}; }
  [[nodiscard]] MessageSteps<D> messages(int i) const { return {d, s, r, i}; }
  [[nodiscard]] PartitionSteps<D> leader() const { return {d, s, r}; }
  [[nodiscard]] CoordinatorSteps<D> coordinator() const { return {d, s, r}; }

  [[nodiscard]] Bool affordable(Fault kind) const {
    const auto k = static_cast<std::size_t>(kind);
    const int cap = r.instance.faults.cap[k];
    const Bool within = s.faults_used < r.instance.faults.budget;
    return cap < 0 ? within : within && s.kind_used[k] < cap;
  }
  void spend(Fault kind) {
    const auto k = static_cast<std::size_t>(kind);
    d.set(s.faults_used, s.faults_used + 1);
    if (r.instance.faults.cap[k] >= 0) d.set(s.kind_used[k], s.kind_used[k] + 1);
  }

  // --- coordinator requests -------------------------------------------------------------------

  [[nodiscard]] Bool can_lose_answer(int i) const { return producer(i).can_receive(); }
  void lose_answer(int i) {
    Producer<D>& q = s.producer[i];
    for (auto* cell : {&q.result, &q.result_pid, &q.result_epoch}) d.set(*cell, 0);
  }

  [[nodiscard]] Bool can_leave_late(int i) const {
    return producer(i).is_sent() && s.late[r.instance.late - 1].kind == RequestKind::kNone;
  }
  [[nodiscard]] Bool asks(int i, RequestKind kind) const { return s.producer[i].request == kind; }
  void leave_late(int i) {
    const CoordinatorRequest<D> q = producer(i).request();
    Bool placed(false);
    for (int k = 0; k < r.instance.late; ++k) {
      const Bool here = !placed && s.late[k].kind == RequestKind::kNone;
      placed = placed || here;
      d.when(here, [&] {
        d.set(s.late[k].kind, q.kind);
        d.set(s.late[k].owner, i);
        d.set(s.late[k].pid, q.pid);
        d.set(s.late[k].epoch, q.epoch);
        d.set(s.late[k].partition, q.partition);
      });
    }
  }
  [[nodiscard]] CoordinatorRequest<D> late_request(int k, int owner) const {
    const LateRequest<D>& late = s.late[k];
    return {late.kind, late.pid, late.epoch, late.partition, owner, false};
  }
  [[nodiscard]] Bool can_take_late(int k, int owner) const {
    return s.late[k].kind != RequestKind::kNone && s.late[k].owner == Num(owner) &&
           !coordinator().waits(late_request(k, owner));
  }
  void take_late(int k, int owner) {
    const CoordinatorRequest<D> q = late_request(k, owner);
    d.note(Note::kLateRequestTaken);
    coordinator().take(q);
    const int n = r.instance.late;
    for (int b = k; b < n; ++b) {
      const bool last = b + 1 == n;
      d.set(s.late[b].kind, last ? Num(0) : Num(s.late[b + 1].kind));
      d.set(s.late[b].owner, last ? Num(0) : Num(s.late[b + 1].owner));
      d.set(s.late[b].pid, last ? Num(0) : Num(s.late[b + 1].pid));
      d.set(s.late[b].epoch, last ? Num(0) : Num(s.late[b + 1].epoch));
      d.set(s.late[b].partition, last ? Num(0) : Num(s.late[b + 1].partition));
    }
  }

  // --- Produce requests -----------------------------------------------------------------------

  [[nodiscard]] Bool can_disconnect(int i, int p) const {
    return !producer(i).is_fatal() && s.producer[i].partition[p].in_flight != 0;
  }
  /// All in flight there fail, answered or not.
  void disconnect(int i, int p) {
    InstancePartition<D>& q = s.producer[i].partition[p];
    const Bool going_on =
        producer(i).in(Mode::kInTransaction) || producer(i).in(Mode::kBumpingInside);
    const Num status = D::pick(going_on, Num(MessageStatus::kRetry), Num(MessageStatus::kFailed));
    for (int m = 0; m < r.instance.messages_in(p); ++m) {
      d.when(q.status[m] == MessageStatus::kInFlight, [&] { d.set(q.status[m], status); });
    }
    d.set(q.in_flight, 0);
    for (int k = 0; k < r.instance.in_flight; ++k) {
      d.set(q.message[k], 0);
      d.set(q.stage[k], Stage::kNone);
    }
  }
  [[nodiscard]] Bool can_leave_produce(int i, int p, int k) const {
    return !producer(i).is_fatal() && messages(i).next_is(p, k) && s.partition[p].late.valid == 0;
  }
  /// The connection closes, and the next request stays behind.
  void leave_produce(int i, int p, int k) {
    const Write<D> w = messages(i).write_of(p, s.producer[i].partition[p].message[k]);
    LateProduce<D>& late = s.partition[p].late;
    d.set(late.valid, 1);
    d.set(late.owner, i);
    d.set(late.pid, w.pid);
    d.set(late.epoch, w.epoch);
    d.set(late.sequence, w.sequence);
    d.set(late.attempt, w.attempt);
    d.set(late.input, w.input);
    d.set(late.message, w.message);
    disconnect(i, p);
  }
  void refuse(int i, int p, int k) {
    d.set(s.producer[i].partition[p].stage[k], Stage::kNotLeader);
  }

  [[nodiscard]] Bool can_time_out_message(int i, int p) const {
    const ProducerSteps<D> q = producer(i);
    return q.in(Mode::kInTransaction) && s.producer[i].partition[p].in_flight == 0 &&
           (messages(i).head_is(p, MessageStatus::kUnsent) ||
            messages(i).head_is(p, MessageStatus::kRetry));
  }
  void time_out_message(int i, int p) {
    ProducerSteps<D> q = producer(i);
    d.note(Note::kMessageFailed);
    messages(i).set_status(p, messages(i).head(p), MessageStatus::kFailed);
    switch (r.behaviour.message_failure) {
      case MessageFailure::kAbortAndBump:
        return q.abortable(true);
      case MessageFailure::kAbort:
        return q.abortable(false);
      case MessageFailure::kIgnore:
        return;
    }
  }

  // --- the application and the process --------------------------------------------------------

  /// Nothing unresolved: an abort with unresolved messages is a message timeout and an abort.
  [[nodiscard]] Bool can_abort(int i) const {
    const ProducerSteps<D> q = producer(i);
    Bool settled = q.in(Mode::kInTransaction) && q.idle() && q.nothing_in_flight();
    for (int p = 0; p < r.partitions(); ++p) {
      for (int m = 0; m < r.instance.messages_in(p); ++m) {
        const Num status = s.producer[i].partition[p].status[m];
        settled =
            settled && (status == MessageStatus::kUnsent || status == MessageStatus::kAcknowledged);
      }
    }
    return settled;
  }
  void abort(int i) {
    ProducerSteps<D> q = producer(i);
    if (!r.behaviour.transactional) return q.finish(false);
    d.when(
        q.anything_added(), [&] { q.ask_abort(); }, [&] { q.finish(false); });
  }
  [[nodiscard]] Bool can_crash(int i) const {
    return !producer(i).is_fatal() && !producer(i).in(Mode::kNotStarted);
  }
  void crash(int i) { producer(i).stop(Num(Mode::kCrashed)); }

  // --- the coordinator ------------------------------------------------------------------------

  [[nodiscard]] Bool can_move() const {
    const Coordinator<D>& c = s.coordinator;
    Bool forgets = Bool(!r.behaviour.last_epoch_persisted) && c.last_epoch != 0;
    for (int p = 0; p < r.partitions(); ++p) {
      forgets = forgets || (coordinator().preparing() && c.pending[p] != c.added[p]);
    }
    return forgets;
  }
  /// The next coordinator reads the transaction log: what is only in memory is gone, and a
  /// prepared transaction gets all its markers again.
  void move() {
    Coordinator<D>& c = s.coordinator;
    if (!r.behaviour.last_epoch_persisted) d.set(c.last_epoch, 0);
    d.when(coordinator().preparing(), [&] {
      for (int p = 0; p < r.partitions(); ++p) d.set(c.pending[p], c.added[p]);
    });
  }
  [[nodiscard]] Bool can_time_out() const { return coordinator().in(TransactionState::kOngoing); }
  /// Nobody who is alive works on the transaction any more: its timeout is certain.
  [[nodiscard]] Bool is_abandoned() const {
    Bool abandoned = coordinator().in(TransactionState::kOngoing);
    for (int i = 0; i < r.instance.producers; ++i) {
      const Producer<D>& q = s.producer[i];
      const Bool works = q.mode >= Mode::kInTransaction && q.mode < Mode::kCrashed &&
                         coordinator().current(q.pid, q.epoch);
      abandoned = abandoned && !works;
    }
    return abandoned;
  }
  [[nodiscard]] Bool can_expire() const {
    return s.coordinator.mapped == 1 && !coordinator().preparing() &&
           !coordinator().in(TransactionState::kOngoing);
  }
  void expire() {
    Coordinator<D>& c = s.coordinator;
    coordinator().excuse_holders(false);
    for (auto* cell :
         {&c.mapped, &c.pid, &c.previous_pid, &c.next_pid, &c.epoch, &c.last_epoch, &c.state}) {
      d.set(*cell, 0);
    }
    coordinator().forget_partitions();
  }

  // --- partitions -----------------------------------------------------------------------------

  [[nodiscard]] Bool can_expire_id(int p, int id) const {
    const ProducerState<D>& q = s.partition[p].producer[id];
    return q.known == 1 && q.open == 0;
  }
  void expire_id(int p, int id) {
    ProducerState<D>& q = s.partition[p].producer[id];
    for (auto* cell : {&q.known, &q.epoch, &q.from, &q.next}) d.set(*cell, 0);
    for (int i = 0; i < r.instance.producers; ++i) {
      d.when(s.producer[i].pid == Num(id), [&] { d.set(s.producer[i].forgotten, 1); });
    }
  }
  [[nodiscard]] Bool can_leave_marker(int p) const {
    return leader().can_write_marker(p) && s.partition[p].late_marker.valid == 0;
  }
};

}  // namespace fencepost::spec::transactions
