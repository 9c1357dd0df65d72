// A producer instance: the application's loop and the client under it, driven by the behaviour's
// entries. Sources of the rules are in README.md and, per entry, in the variant files.
#pragma once

#include "spec/transactions/coordinator.h"

namespace fencepost::spec::transactions {

template <class D>
struct ProducerSteps {
  using Num = typename D::Num;
  using Bool = typename D::Bool;

  D& d;
  State<D>& s;
  const Rules& r;
  int i;  ///< which instance

  [[nodiscard]] const Behaviour& behaviour() const { return r.behaviour; }
  [[nodiscard]] Producer<D>& me() const { return s.producer[i]; }
  [[nodiscard]] InstancePartition<D>& part(int p) const { return s.producer[i].partition[p]; }
  [[nodiscard]] Bool in(Mode mode) const { return me().mode == mode; }
  [[nodiscard]] Bool is_fatal() const { return me().mode >= Mode::kCrashed; }
  [[nodiscard]] Bool idle() const { return me().request == RequestKind::kNone; }
  [[nodiscard]] Bool nothing_in_flight() const {
    Bool none(true);
    for (int p = 0; p < r.partitions(); ++p) none = none && part(p).in_flight == 0;
    return none;
  }
  /// Every message of partition `p` has this status; the offsets partition's one, too.
  [[nodiscard]] Bool all_acknowledged(int p) const {
    Bool all(true);
    for (int m = 0; m < r.instance.messages_in(p); ++m) {
      const Bool failed = part(p).status[m] == MessageStatus::kFailed &&
                          Bool(behaviour().message_failure == MessageFailure::kIgnore);
      all = all && (part(p).status[m] == MessageStatus::kAcknowledged || failed);
    }
    return all;
  }
  [[nodiscard]] Bool outputs_acknowledged() const {
    Bool all(true);
    for (int p = 0; p < r.instance.partitions; ++p) all = all && all_acknowledged(p);
    return all;
  }

  // --- coordinator requests -------------------------------------------------------------------

  void ask(RequestKind kind, int p = 0) {
    d.set(me().request, kind);
    d.set(me().request_partition, p);
  }
  [[nodiscard]] CoordinatorRequest<D> request() const {
    return {me().request, me().pid, me().epoch, me().request_partition, i, true};
  }
  [[nodiscard]] Bool is_sent() const { return !idle() && me().result == Result::kSent; }
  [[nodiscard]] Bool can_receive() const { return !idle() && me().result != Result::kSent; }

  // --- start, position, begin -----------------------------------------------------------------

  /// Without overlap a restart: the instance before is gone.
  [[nodiscard]] Bool can_start() const {
    const Bool free =
        Bool(r.instance.overlap || i == 0) || s.producer[i == 0 ? 0 : i - 1].mode >= Mode::kCrashed;
    return in(Mode::kNotStarted) && free;
  }
  void start() {
    d.set(me().mode, Mode::kInitialising);
    ask(RequestKind::kInit);
  }
  void initialised() { d.set(me().mode, r.instance.offsets ? Mode::kPositioning : Mode::kReady); }
  /// An offset fetch that requires stable offsets waits for open transactions.
  [[nodiscard]] Bool can_position() const {
    Bool closed(true);
    const Partition<D>& q = s.partition[r.partitions() - 1];
    for (int id = 1; id <= r.instance.ids; ++id) closed = closed && q.producer[id].open == 0;
    return in(Mode::kPositioning) && closed;
  }
  void position() {
    const Partition<D>& q = s.partition[r.partitions() - 1];
    Num next(0);
    for (int e = 0; e < D::upto(q.length, r.instance.log); ++e) {
      const Bool visible = Num(e) < q.length && (q.log[e].kind == EntryKind::kCommitted ||
                                                 q.log[e].kind == EntryKind::kPlain);
      next = D::pick(visible && next <= q.log[e].input, q.log[e].input + 1, next);
    }
    d.when(next != 0, [&] { d.note(Note::kPositionRead); });
    d.set(me().input, next);
    d.set(me().mode, Mode::kReady);
  }
  [[nodiscard]] Bool can_begin() const {
    return in(Mode::kReady) && me().input < r.instance.inputs;
  }
  void begin() {
    d.increment(me().attempt, r.instance.attempts, Bound::kAttempts);
    d.set(me().mode, Mode::kInTransaction);
  }

  // --- errors ---------------------------------------------------------------------------------

  void error(OnError reaction, bool fenced) {
    if (reaction == OnError::kFatal) return fatal(fenced);
    abortable(true);
  }
  /// From here only an abort leads on. Transaction version 2 needs no request for a bump: EndTxn
  /// bumps.
  void abortable(bool bump) {
    d.when(in(Mode::kInTransaction) || in(Mode::kBumpingInside) || in(Mode::kCommitting),
           [&] { d.set(me().mode, Mode::kAbortable); });
    if (bump && !behaviour().version_two) d.when(!is_fatal(), [&] { d.set(me().bump, 1); });
  }
  void mapping_refused() {
    if (!behaviour().mapping_recovers) return fatal(true);
    abortable(false);
    d.when(!is_fatal(), [&] {
      d.set(me().bump, 1);
      d.set(me().mapping_lost, 1);
    });
  }
  /// Ends the instance: everything it still had in mind is forgotten.
  void fatal(bool fenced) {
    d.note(fenced ? Note::kFenced : Note::kFatal);
    const Mode excused = fenced ? Mode::kFenced : Mode::kFatalExcused;
    const Mode plain = fenced ? Mode::kFencedFalsely : Mode::kFatal;
    // A partition that forgot the id explains sequences out of order, and no fencing.
    const Bool forgotten = Bool(!fenced) && me().forgotten == 1;
    stop(D::pick(me().excused == 1 || forgotten, Num(excused), Num(plain)));
  }
  void stop(Num mode) {
    d.set(me().mode, mode);
    d.set(me().bump, 0);
    d.set(me().mapping_lost, 0);
    d.set(me().excused, 0);
    d.set(me().forgotten, 0);
    no_request();
    for (int p = 0; p < r.partitions(); ++p) {
      clear_partition(p);
      d.set(part(p).sequence, 0);
      d.set(part(p).in_flight, 0);
      for (int k = 0; k < r.instance.in_flight; ++k) {
        d.set(part(p).message[k], 0);
        d.set(part(p).stage[k], Stage::kNone);
      }
    }
  }
  void no_request() {
    for (auto* cell : {&me().request, &me().request_partition, &me().result, &me().result_pid,
                       &me().result_epoch}) {
      d.set(*cell, 0);
    }
  }
  void clear_partition(int p) {
    d.set(part(p).added, 0);
    for (int m = 0; m < r.instance.messages_in(p); ++m) {
      d.set(part(p).status[m], MessageStatus::kUnsent);
      d.set(part(p).stamp[m], 0);
    }
  }

  // --- the end of a transaction ---------------------------------------------------------------

  [[nodiscard]] Bool can_commit() const {
    Bool all(true);
    for (int p = 0; p < r.partitions(); ++p) all = all && all_acknowledged(p);
    return in(Mode::kInTransaction) && idle() && nothing_in_flight() && all;
  }
  void commit() {
    if (!behaviour().transactional) return finish(true);
    d.set(me().mode, Mode::kCommitting);
    ask(RequestKind::kCommit);
  }
  [[nodiscard]] Bool anything_added() const {
    Bool any(behaviour().version_two);
    for (int p = 0; p < r.partitions(); ++p) any = any || part(p).added == 1;
    return any;
  }
  [[nodiscard]] Bool can_abort() const {
    return in(Mode::kAbortable) && idle() && nothing_in_flight();
  }
  void abort() {
    d.note(Note::kAbortAfterError);
    Bool part_acknowledged(false);
    for (int p = 0; p < r.partitions(); ++p) {
      for (int m = 0; m < r.instance.messages_in(p); ++m) {
        part_acknowledged = part_acknowledged || part(p).status[m] == MessageStatus::kAcknowledged;
      }
    }
    d.when(part_acknowledged, [&] { d.note(Note::kPartlyAcknowledged); });
    if (!behaviour().transactional) return start_input_anew();
    const Bool bump_first = me().bump == 1 && Bool(!behaviour().end_before_bump);
    const Bool skip = me().mapping_lost == 1 || bump_first || !anything_added();
    d.when(
        skip, [&] { ended_by_abort(); }, [&] { ask_abort(); });
  }
  /// The idempotent producer bumps alone, and the loop writes the outputs of its input again. At
  /// the last epoch it takes a new id, or wraps.
  void start_input_anew() {
    const Bool bumps = me().bump == 1;
    const Bool last = bumps && CoordinatorSteps<D>{d, s, r}.exhausted(me().epoch);
    finish(false);
    d.when(bumps, [&] { restart_sequences(); });
    d.when(bumps && !last, [&] { d.increment(me().epoch, r.instance.epochs, Bound::kEpochs); });
    d.when(last, [&] {
      d.set(me().epoch, 0);
      if (behaviour().wraps) return;
      d.set(me().pid, 0);
      d.set(me().mode, Mode::kInitialising);
      ask(RequestKind::kInit);
    });
  }
  void ask_abort() {
    d.set(me().mode, Mode::kAborting);
    ask(RequestKind::kAbort);
  }
  /// The transaction is aborted; a new epoch first, if one is wanted.
  void ended_by_abort() {
    if (behaviour().bumps_alone) {
      d.when(me().bump == 1 && me().mapping_lost == 0, [&] {
        d.increment(me().epoch, r.instance.epochs, Bound::kEpochs);
        d.set(me().bump, 0);
        restart_sequences();
      });
    }
    d.when(
        me().bump == 1,
        [&] {
          d.set(me().mode, Mode::kBumping);
          ask(RequestKind::kInitBump);
        },
        [&] { finish(false); });
  }
  void finish(bool committed) {
    if (behaviour().transactional) {
      d.note(committed ? Note::kCommitted : Note::kAborted);
      if (committed && i > 0) d.note(Note::kSuccessorCommitted);
      const Told told = committed ? Told::kCommitted : Told::kAborted;
      d.put(me().told, r.instance.attempts + 1, me().attempt, told);
    }
    if (committed) d.set(me().input, me().input + 1);
    d.set(me().bump, 0);
    d.set(me().mapping_lost, 0);
    d.set(me().mode, Mode::kReady);
    if (!committed && r.instance.rereads && r.instance.offsets) {
      d.set(me().mode, Mode::kPositioning);
    }
    for (int p = 0; p < r.partitions(); ++p) clear_partition(p);
  }
  void restart_sequences() {
    d.note(Note::kSequencesRestart);
    for (int p = 0; p < r.partitions(); ++p) d.set(part(p).sequence, 0);
  }

  // --- a bump inside a transaction (librdkafka before 1.8.0, its issue 3575) ------------------

  [[nodiscard]] Bool can_bump_inside() const {
    return in(Mode::kBumpingInside) && idle() && nothing_in_flight();
  }
  void bump_inside() { ask(RequestKind::kInitBump); }
  /// Unresolved messages are numbered anew; the client believes to be in the same transaction.
  void go_on_inside() {
    d.set(me().mode, Mode::kInTransaction);
    d.set(me().reset_inside, 1);
    for (int p = 0; p < r.partitions(); ++p) {
      for (int m = 0; m < r.instance.messages_in(p); ++m) {
        d.when(part(p).status[m] == MessageStatus::kRetry, [&] {
          d.set(part(p).status[m], MessageStatus::kUnsent);
          d.set(part(p).stamp[m], 0);
        });
      }
    }
  }

  // --- answers of the coordinator -------------------------------------------------------------

  void receive() {
    const Num kind = me().request;
    const Num result = me().result;
    const Num pid = me().result_pid;
    const Num epoch = me().result_epoch;
    const Num partition = me().request_partition;
    no_request();
    d.cases(kind, kRequestKinds, [&](int k) {
      switch (static_cast<RequestKind>(k)) {
        case RequestKind::kNone:
          return;  // excluded by the guard
        case RequestKind::kInit:
        case RequestKind::kInitBump:
          return receive_init(result, pid, epoch, static_cast<RequestKind>(k));
        case RequestKind::kAdd:
          return receive_add(result, partition);
        case RequestKind::kCommit:
          return receive_end(result, pid, epoch, true);
        case RequestKind::kAbort:
          return receive_end(result, pid, epoch, false);
      }
    });
  }
  void take_epoch(Num pid, Num epoch) {
    const Bool changes = me().pid != pid || me().epoch != epoch;
    d.set(me().pid, pid);
    d.set(me().epoch, epoch);
    d.when(changes, [&] { restart_sequences(); });
  }
  void receive_init(Num result, Num pid, Num epoch, RequestKind kind) {
    d.when(result == Result::kOk, [&] {
      const Bool inside = in(Mode::kBumpingInside);
      take_epoch(pid, epoch);
      if (kind == RequestKind::kInit) return initialised();
      d.when(
          inside, [&] { go_on_inside(); }, [&] { finish(false); });
    });
    d.when(result == Result::kFenced, [&] { fatal(true); });
    d.when(result == Result::kUnexpected, [&] {
      if (!behaviour().retries_unexpected) return fatal(false);
      ask(kind);
    });
  }
  void receive_add(Num result, Num partition) {
    d.when(result == Result::kOk, [&] {
      for (int p = 0; p < r.partitions(); ++p) {
        d.when(partition == Num(p), [&] { d.set(part(p).added, 1); });
      }
    });
    d.when(result == Result::kFenced, [&] { fatal(true); });
    d.when(result == Result::kInvalidMapping, [&] { mapping_refused(); });
  }
  void receive_end(Num result, Num pid, Num epoch, bool commit) {
    d.when(result == Result::kOk, [&] {
      if (behaviour().bumps_at_end()) take_epoch(pid, epoch);
      if (commit) return finish(true);
      ended_by_abort();
    });
    if (!behaviour().end_errors_honoured) {
      return d.when(result != Result::kOk, [&] { finish(commit); });
    }
    d.when(result == Result::kFenced, [&] { fatal(true); });
    d.when(result == Result::kInvalidState, [&] { fatal(false); });
    d.when(result == Result::kInvalidMapping, [&] {
      mapping_refused();
      if (commit) return;
      d.when(in(Mode::kAborting), [&] { ended_by_abort(); });
    });
  }
};

}  // namespace fencepost::spec::transactions
