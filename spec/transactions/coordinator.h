// The transaction coordinator: InitProducerId, AddPartitionsToTxn, EndTxn, markers, the transaction
// timeout. Each request is one step that includes the write to __transaction_state. Sources of the
// rules are in README.md and, per entry, in the variant files.
#pragma once

#include "spec/transactions/properties.h"
#include "spec/transactions/rules.h"

namespace fencepost::spec::transactions {

/// A request as the coordinator sees it.
template <class D>
struct CoordinatorRequest {
  typename D::Num kind, pid, epoch, partition;
  int owner;  ///< the instance that sent it: for ghosts and answers only
  bool live;  ///< the instance waits for the answer; a late copy has nobody
};

template <class D>
struct CoordinatorSteps {
  using Num = typename D::Num;
  using Bool = typename D::Bool;
  using View = CoordinatorRequest<D>;

  D& d;
  State<D>& s;
  const Rules& r;

  [[nodiscard]] const Behaviour& behaviour() const { return r.behaviour; }
  [[nodiscard]] Coordinator<D>& c() const { return s.coordinator; }
  [[nodiscard]] Bool in(TransactionState state) const { return c().state == state; }
  [[nodiscard]] Bool preparing() const {
    return in(TransactionState::kPrepareCommit) || in(TransactionState::kPrepareAbort);
  }
  [[nodiscard]] Bool complete() const { return c().state >= TransactionState::kCompleteCommit; }
  /// 32766 and above, where the increment throws.
  [[nodiscard]] Bool exhausted(Num epoch) const {
    if (!r.rotates()) return Bool(false);
    return epoch >= r.instance.exhausted_at;
  }
  [[nodiscard]] static Bool asks_init(Num kind) {
    return kind == RequestKind::kInit || kind == RequestKind::kInitBump;
  }
  [[nodiscard]] static Bool asks_end(Num kind) { return kind >= RequestKind::kCommit; }

  // --- InitProducerId: the first row whose condition holds ------------------------------------

  /// The conditions of the table, evaluated before anything is written.
  struct InitRows {
    Bool given, foreign, waits, unknown, aborts, rotates, throws, bumps, retry, refused;
    Bool same;  ///< no epoch is expected, or the current one
  };
  [[nodiscard]] InitRows init_rows(const View& q) const {
    const Bool given = q.kind == RequestKind::kInitBump && Bool(behaviour().gives_epoch());
    const Bool mapped = c().mapped == 1;
    const Bool same = !given || q.epoch == c().epoch;
    const Bool foreign = given && mapped && !preparing() && is_foreign(q);
    const Bool settled = mapped && !foreign && !preparing() && !in(TransactionState::kOngoing);
    const Bool full = exhausted(c().epoch);
    const Bool rotates = settled && full && same;
    const Bool throws = settled && full && !same && Bool(behaviour().exhausted_throws);
    const Bool bumps = settled && !full && same;
    const Bool retry = settled && !same && !throws && Bool(behaviour().last_epoch_rule) &&
                       c().last_epoch == q.epoch + 1;
    const Bool unknown = !mapped && (!given || Bool(behaviour().unknown_gets_id));
    const Bool ongoing = mapped && !foreign && in(TransactionState::kOngoing);
    const Bool compared = ongoing && !same && Bool(behaviour().ongoing_compares);
    return {given,
            foreign,
            mapped && preparing(),
            unknown,
            ongoing && !compared,
            rotates,
            throws,
            bumps,
            retry,
            (!mapped && !unknown) || compared || (settled && !same && !throws && !retry),
            same};
  }
  [[nodiscard]] Bool is_foreign(const View& q) const {
    const Bool other = q.pid != c().pid;
    switch (behaviour().foreign_id) {
      case ForeignId::kFenced:
        return other;
      case ForeignId::kFencedUnlessPrevious:
        return other && !(q.pid == c().previous_pid && exhausted(q.epoch));
      case ForeignId::kAccepted:
        return Bool(false);
    }
    return other;
  }

  void init(const View& q) {
    if (!behaviour().transactional) return plain_init(q);
    const InitRows rows = init_rows(q);
    const Num before = c().epoch;
    d.when(rows.foreign, [&] {
      d.note(Note::kForeignIdRefused);
      answer(q, Result::kFenced);
    });
    d.when(rows.unknown, [&] {
      d.when(rows.given, [&] { d.note(Note::kNewIdForUnknown); });
      new_id(c().pid);
      d.set(c().mapped, 1);
      d.set(c().previous_pid, 0);
      d.set(c().epoch, 0);
      initialised(q, Num(0));
    });
    d.when(rows.aborts, [&] {
      d.note(Note::kOngoingAborted);
      // An old epoch will be refused in the end: it replaces nobody.
      d.when(rows.same, [&] { challenge(q); });
      start_abort(behaviour().ongoing_bumps);  // answered CONCURRENT_TRANSACTIONS: sent again
    });
    d.when(rows.rotates, [&] {
      d.note(Note::kNewIdAtExhaustion);
      d.set(c().previous_pid, c().pid);
      new_id(c().pid);
      d.set(c().epoch, 0);
      initialised(q, D::pick(rows.given, before + 1, Num(0)));
    });
    d.when(rows.bumps, [&] {
      d.note(Note::kEpochBumped);
      d.increment(c().epoch, r.instance.epochs, Bound::kEpochs);
      const Num kept = Num(behaviour().plain_init_forgets_last ? Num(0) : before + 1);
      initialised(q, D::pick(rows.given, before + 1, kept));
    });
    d.when(rows.retry, [&] {
      d.note(Note::kRetryRecognised);
      establish(q);
    });
    d.when(rows.refused, [&] {
      d.note(Note::kExpectedEpochRefused);
      answer(q, Result::kFenced);
    });
    d.when(rows.throws, [&] {
      d.note(Note::kUnexpectedError);
      answer(q, Result::kUnexpected);
    });
  }
  /// Without a transactional id any broker gives a new producer id and remembers nothing.
  void plain_init(const View& q) {
    d.increment(c().ids_given, r.instance.ids, Bound::kIds);
    answer(q, Result::kOk, c().ids_given, Num(0));
  }
  void new_id(typename D::Cell& cell) {
    d.increment(c().ids_given, r.instance.ids, Bound::kIds);
    d.set(cell, c().ids_given);
  }
  void initialised(const View& q, Num last) {
    challenge(q);
    d.set(c().last_epoch, last);
    d.set(c().state, TransactionState::kEmpty);
    forget_partitions();
    establish(q);
  }
  void forget_partitions() {
    for (int p = 0; p < r.partitions(); ++p) {
      d.set(c().added[p], 0);
      d.set(c().pending[p], 0);
    }
  }
  /// Answers with the current id and epoch, which is the right of whoever waits for it.
  void establish(const View& q) {
    if (!q.live) return;
    answer(q, Result::kOk, c().pid, c().epoch);
    d.set(c().right_owner, q.owner);
    d.set(c().right_pid, c().pid);
    d.set(c().right_epoch, c().epoch);
    end_excuses(q);
    // An instance is as new as its first InitProducerId; a zombie that recovers stays old.
    d.when(q.kind == RequestKind::kInit, [&] { d.set(c().newest, q.owner + 1); });
  }
  /// From now on the other instances have an excuse for being fenced. A late copy replaces nobody.
  void challenge(const View& q) {
    if (!q.live) return;
    for (int i = 0; i < r.instance.producers; ++i) {
      if (i != q.owner) d.set(s.producer[i].excused, 1);
    }
  }
  /// Whoever has the coordinator's id (and epoch) loses it without a mistake of its own. Nobody
  /// else does: who had it before was replaced, and who will have it was not hit.
  void excuse_holders(bool of_epoch) {
    for (int i = 0; i < r.instance.producers; ++i) {
      const Producer<D>& q = s.producer[i];
      const Bool holds = c().mapped == 1 && q.pid == c().pid;
      d.when(of_epoch ? holds && q.epoch == c().epoch : holds,
             [&] { d.set(s.producer[i].excused, 1); });
    }
  }
  /// The instance is given an id and epoch that nothing has hit yet.
  void end_excuses(const View& q) {
    if (!q.live) return;
    d.set(s.producer[q.owner].excused, 0);
    d.set(s.producer[q.owner].forgotten, 0);
  }

  void answer(const View& q, Result result) { answer(q, result, Num(0), Num(0)); }
  void answer(const View& q, Result result, Num pid, Num epoch) {
    if (!q.live) return;
    Producer<D>& to = s.producer[q.owner];
    d.set(to.result, result);
    d.set(to.result_pid, pid);
    d.set(to.result_epoch, epoch);
  }

  /// The coordinator ends the transaction itself, its epoch raised by so much.
  void start_abort(int bumps) {
    for (int k = 0; k < bumps; ++k) d.increment(c().epoch, r.instance.epochs, Bound::kEpochs);
    d.set(c().last_epoch, 0);
    prepare(TransactionState::kPrepareAbort);
  }
  void prepare(TransactionState state) {
    d.set(c().state, state);
    for (int p = 0; p < r.partitions(); ++p) d.set(c().pending[p], c().added[p]);
  }

  // --- AddPartitionsToTxn ---------------------------------------------------------------------

  [[nodiscard]] Bool known_id(Num pid) const { return c().mapped == 1 && c().pid == pid; }
  [[nodiscard]] Bool current(Num pid, Num epoch) const {
    return known_id(pid) && c().epoch == epoch;
  }
  void add(const View& q) {
    const Bool known = known_id(q.pid);
    const Bool right = current(q.pid, q.epoch);
    d.when(!known, [&] {
      d.note(Note::kMappingRefused);
      answer(q, Result::kInvalidMapping);
    });
    d.when(known && !right, [&] { answer(q, Result::kFenced); });
    d.when(right, [&] {
      join(q.partition);
      answer(q, Result::kOk);
    });
  }
  void join(Num partition) {
    d.put(c().added, r.partitions(), partition, 1);
    d.set(c().state, TransactionState::kOngoing);
  }

  // --- EndTxn ---------------------------------------------------------------------------------

  struct EndRows {
    Bool unknown, fenced, waits, ends, acknowledged, empty_abort, refused;
  };
  [[nodiscard]] EndRows end_rows(const View& q, bool commit) const {
    return behaviour().bumps_at_end() ? end_rows_two(q, commit) : end_rows_one(q, commit);
  }
  /// Transaction versions 0 and 1. While markers are written a transition is pending, so that the
  /// rows of the prepared states are never reached.
  [[nodiscard]] EndRows end_rows_one(const View& q, bool commit) const {
    const Bool known = known_id(q.pid);
    const Bool right = current(q.pid, q.epoch);
    const Bool waits = right && preparing();
    const Bool done =
        right && in(commit ? TransactionState::kCompleteCommit : TransactionState::kCompleteAbort);
    const Bool ends = right && in(TransactionState::kOngoing);
    return {
        !known, known && !right, waits, ends, done, Bool(false), right && !waits && !done && !ends};
  }
  /// Transaction version 2: a pending transition comes first; a request of the epoch before is a
  /// retry, one of the current epoch is new.
  [[nodiscard]] EndRows end_rows_two(const View& q, bool commit) const {
    const Bool waits = c().mapped == 1 && preparing();
    const Bool rotated = c().mapped == 1 && complete() && q.pid == c().previous_pid &&
                         exhausted(q.epoch) && c().epoch == 0;
    const Bool known = known_id(q.pid) || rotated;
    const Bool equal = known_id(q.pid) && q.epoch == c().epoch;
    const Bool own = Bool(!behaviour().retry_needs_last) || c().last_epoch == q.epoch + 1;
    const Bool retry =
        (known_id(q.pid) && complete() && q.epoch + 1 == c().epoch && own) || rotated;
    const Bool right = !waits && known && (retry || equal);
    const Bool done =
        right && retry && !equal &&
        in(commit ? TransactionState::kCompleteCommit : TransactionState::kCompleteAbort);
    const Bool ends = right && in(TransactionState::kOngoing);
    const Bool empty = right && equal && !in(TransactionState::kOngoing) && Bool(!commit);
    return {!waits && !known,
            !waits && known && !right,
            waits,
            ends,
            done,
            empty,
            right && !done && !ends && !empty};
  }

  void end(const View& q, bool commit) {
    const EndRows rows = end_rows(q, commit);
    d.when(rows.unknown, [&] {
      d.note(Note::kMappingRefused);
      answer(q, Result::kInvalidMapping);
    });
    d.when(rows.fenced, [&] { answer(q, Result::kFenced); });
    d.when(rows.refused, [&] {
      d.note(Note::kEndRefused);
      answer(q, Result::kInvalidState);
    });
    d.when(rows.acknowledged, [&] {
      d.note(Note::kEndRetryRecognised);
      if (behaviour().bumps_at_end()) end_excuses(q);
      answer(q, Result::kOk, c().pid, c().epoch);
    });
    d.when(rows.ends || rows.empty_abort, [&] {
      if (!q.live) d.note(Note::kLateRequestDecides);
      decide(q, commit);
    });
  }
  void decide(const View& q, bool commit) {
    if (behaviour().bumps_at_end()) {
      bump_at_end();
      end_excuses(q);
    }
    prepare(commit ? TransactionState::kPrepareCommit : TransactionState::kPrepareAbort);
    const Bool rotates = c().next_pid != 0 && Bool(behaviour().rotation_answered);
    answer(q, Result::kOk, D::pick(rotates, c().next_pid, c().pid),
           D::pick(rotates, Num(0), c().epoch));
  }
  void bump_at_end() {
    const Num before = c().epoch;
    d.when(exhausted(before), [&] { new_id(c().next_pid); });
    d.set(c().last_epoch, before + 1);
    d.increment(c().epoch, r.instance.epochs, Bound::kEpochs);
  }

  // --- any request ----------------------------------------------------------------------------

  /// CONCURRENT_TRANSACTIONS: the request changes nothing and is sent again.
  [[nodiscard]] Bool waits(const View& q) const {
    const Bool init = asks_init(q.kind) && init_rows(q).waits;
    const Bool add = q.kind == RequestKind::kAdd && current(q.pid, q.epoch) && preparing();
    const Bool commit = q.kind == RequestKind::kCommit && end_rows(q, true).waits;
    const Bool abort = q.kind == RequestKind::kAbort && end_rows(q, false).waits;
    return init || add || commit || abort;
  }
  /// Requires: it does not wait.
  void take(const View& q) {
    d.cases(q.kind, kRequestKinds, [&](int kind) {
      switch (static_cast<RequestKind>(kind)) {
        case RequestKind::kNone:
          return;
        case RequestKind::kInit:
        case RequestKind::kInitBump:
          return init(q);
        case RequestKind::kAdd:
          return add(q);
        case RequestKind::kCommit:
          return end(q, true);
        case RequestKind::kAbort:
          return end(q, false);
      }
    });
  }

  // --- what the coordinator does by itself ----------------------------------------------------

  [[nodiscard]] Bool nothing_pending() const {
    Bool none(true);
    for (int p = 0; p < r.partitions(); ++p) none = none && c().pending[p] == 0;
    return none;
  }
  [[nodiscard]] Bool can_complete() const { return preparing() && nothing_pending(); }
  void complete_transaction() {
    d.set(c().state,
          D::pick(in(TransactionState::kPrepareCommit), Num(TransactionState::kCompleteCommit),
                  Num(TransactionState::kCompleteAbort)));
    forget_partitions();
    if (!r.rotates()) return;
    d.when(c().next_pid != 0, [&] {
      d.set(c().previous_pid, c().pid);
      d.set(c().pid, c().next_pid);
      d.set(c().next_pid, 0);
      d.set(c().epoch, 0);
    });
  }

  /// Instances with the coordinator's id and epoch have an excuse when their time is over.
  void time_out() {
    d.note(Note::kTransactionTimedOut);
    excuse_holders(true);
    start_abort(behaviour().timeout_bumps);
  }
};

}  // namespace fencepost::spec::transactions
