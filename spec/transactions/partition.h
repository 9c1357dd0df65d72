// A partition's leader: the checks of a Produce request (for the offsets partition: of a
// TxnOffsetCommit), markers, and the log. Answers come at once; replication is the other model's
// matter. Sources of the rules are in README.md.
#pragma once

#include "spec/transactions/coordinator.h"

namespace fencepost::spec::transactions {

/// A write, as the leader sees it.
template <class D>
struct Write {
  typename D::Num pid, epoch, sequence, attempt, input, message;
  int owner;
};

template <class D>
struct PartitionSteps {
  using Num = typename D::Num;
  using Bool = typename D::Bool;
  using View = Write<D>;

  D& d;
  State<D>& s;
  const Rules& r;

  [[nodiscard]] const Behaviour& behaviour() const { return r.behaviour; }
  [[nodiscard]] CoordinatorSteps<D> coordinator() const { return {d, s, r}; }
  [[nodiscard]] Num known(const Partition<D>& q, Num id,
                          typename D::Cell ProducerState<D>::*member) const {
    return d.at(q.producer, r.instance.ids + 1, id, member);
  }
  void remember(Partition<D>& q, Num id, typename D::Cell ProducerState<D>::*member, Num value) {
    d.put(q.producer, r.instance.ids + 1, id, member, value);
  }

  // --- the checks of a write, in the order of the leader --------------------------------------

  struct WriteRows {
    Bool duplicate, waits, unmapped, unverified, old_epoch, out_of_order, appended;
    Bool adds;           ///< the leader adds the partition to the transaction itself
    Bool without_entry;  ///< accepted although nothing is known of the producer
  };
  [[nodiscard]] WriteRows write_rows(int p, const View& w) const {
    const Partition<D>& q = s.partition[p];
    using Member = ProducerState<D>;
    const Bool has = known(q, w.pid, &Member::known) == 1;
    const Num epoch = known(q, w.pid, &Member::epoch);
    const Num next = known(q, w.pid, &Member::next);
    const Bool same = has && epoch == w.epoch;
    const Bool sequenced(!r.instance.is_offsets(p));
    const Bool duplicate = sequenced && Bool(behaviour().duplicate_check) && same &&
                           known(q, w.pid, &Member::from) <= w.sequence && w.sequence < next;
    const Bool asks = !duplicate && needs_verification(q, w, epoch);
    const Verdicts v = verify(p, w);
    const Bool verified = !asks || v.fine;
    const Bool pass = !duplicate && verified;
    const Bool old = Bool(behaviour().epoch_check) && has && w.epoch < epoch;
    const Bool unknown_ok = behaviour().no_entry == NoEntry::kAnySequence ? Bool(true)
                            : behaviour().no_entry == NoEntry::kZero
                                ? w.sequence == 0
                                : w.sequence == 0 || q.length != 0;
    const Bool in_order = (!has && unknown_ok) || (has && !same && w.sequence == 0) ||
                          (same && w.sequence == next) || !sequenced;
    return {duplicate,
            asks && v.waits,
            asks && v.unmapped,
            asks && v.refused,
            (pass && old) || (asks && v.fenced),
            pass && !old && !in_order,
            pass && !old && in_order,
            asks && v.fine && Bool(behaviour().adds_on_write()),
            sequenced && !has && w.sequence != 0};
  }

  /// The first write of a transaction, where the leader asks the coordinator.
  [[nodiscard]] Bool needs_verification(const Partition<D>& q, const View& w, Num epoch) const {
    if (!behaviour().transactional || behaviour().verification == Verification::kNone) {
      return Bool(false);
    }
    const Bool open = known(q, w.pid, &ProducerState<D>::open) == 1;
    if (behaviour().adds_on_write() && !behaviour().older_open_counts) {
      return !(open && epoch == w.epoch);
    }
    return !open;
  }
  struct Verdicts {
    Bool fine, waits, unmapped, fenced, refused;
  };
  [[nodiscard]] Verdicts verify(int p, const View& w) const {
    const CoordinatorSteps<D> coordinator = this->coordinator();
    const Bool known_id = coordinator.known_id(w.pid);
    const Bool current = coordinator.current(w.pid, w.epoch);
    // A leader that adds asks as a client does: a pending transition comes before the identity,
    // which may be about to change. One that only verifies looks at the identity first.
    const Bool adds(behaviour().adds_on_write());
    const Bool busy = coordinator.preparing() && s.coordinator.mapped == 1;
    const Bool waits = busy && (current || adds);
    const Bool added = s.coordinator.added[p] == 1 || adds;
    return {!waits && current && added, waits, !waits && !known_id, !waits && known_id && !current,
            !waits && current && !added};
  }

  /// Requires: no row but `waits` is excluded. Returns nothing; `rows` says what the answer is.
  void write(int p, const View& w, const WriteRows& rows) {
    d.when(rows.adds, [&] {
      d.note(Note::kAddedByBroker);
      coordinator().join(Num(p));
    });
    d.when(rows.duplicate, [&] { d.note(Note::kDeduplicated); });
    d.when(rows.old_epoch, [&] { d.note(Note::kOldEpochRefused); });
    d.when(rows.unmapped || rows.unverified, [&] { d.note(Note::kVerificationRefused); });
    d.when(rows.appended, [&] { append(p, w, rows); });
  }
  void append(int p, const View& w, const WriteRows& rows) {
    Partition<D>& q = s.partition[p];
    using Member = ProducerState<D>;
    d.note(Note::kAppended);
    d.when(rows.without_entry, [&] { d.note(Note::kAcceptedWithoutEntry); });
    const Bool fresh =
        known(q, w.pid, &Member::known) == 0 || known(q, w.pid, &Member::epoch) != w.epoch;
    d.when(fresh, [&] { remember(q, w.pid, &Member::from, w.sequence); });
    remember(q, w.pid, &Member::known, Num(1));
    remember(q, w.pid, &Member::epoch, w.epoch);
    if (!r.instance.is_offsets(p)) remember(q, w.pid, &Member::next, w.sequence + 1);
    if (behaviour().transactional) remember(q, w.pid, &Member::open, Num(1));
    const Num stale = D::pick(is_stale(w), Num(1), Num(0));
    const EntryKind kind = behaviour().transactional ? EntryKind::kOpen : EntryKind::kPlain;
    put_entry(q, kind, w.pid, w.epoch);
    put_ghosts(q, w, stale);
    grow(q);
  }
  /// A newer instance, or a newer epoch of the same one, has its right already.
  [[nodiscard]] Bool is_stale(const View& w) const {
    const Coordinator<D>& c = s.coordinator;
    const Bool older = c.newest != 0 && c.newest != Num(w.owner + 1);
    // Ids are given out in ascending order.
    const Bool own = c.newest != 0 && c.right_owner == Num(w.owner) &&
                     (w.pid < c.right_pid || (w.pid == c.right_pid && w.epoch < c.right_epoch));
    return older || own;
  }

  // --- the log --------------------------------------------------------------------------------

  void put_entry(Partition<D>& q, EntryKind kind, Num pid, Num epoch) {
    const int n = r.instance.log;
    // A full log disables the step where the length grows; the slot is then never looked at.
    const Num at = D::pick(q.length < n, q.length, Num(n - 1));
    d.put(q.log, n, at, &LogEntry<D>::kind, Num(kind));
    d.put(q.log, n, at, &LogEntry<D>::pid, pid);
    d.put(q.log, n, at, &LogEntry<D>::epoch, epoch);
  }
  void put_ghosts(Partition<D>& q, const View& w, Num stale) {
    const int n = r.instance.log;
    const Num at = D::pick(q.length < n, q.length, Num(n - 1));
    d.put(q.log, n, at, &LogEntry<D>::sequence, w.sequence);
    d.put(q.log, n, at, &LogEntry<D>::owner, Num(w.owner));
    d.put(q.log, n, at, &LogEntry<D>::attempt, w.attempt);
    d.put(q.log, n, at, &LogEntry<D>::input, w.input);
    d.put(q.log, n, at, &LogEntry<D>::message, w.message);
    d.put(q.log, n, at, &LogEntry<D>::stale, stale);
  }
  void grow(Partition<D>& q) { d.increment(q.length, r.instance.log, Bound::kLog); }

  // --- markers --------------------------------------------------------------------------------

  [[nodiscard]] Bool accepts_marker(int p, Num pid, Num epoch) const {
    const Partition<D>& q = s.partition[p];
    using Member = ProducerState<D>;
    const Bool has = known(q, pid, &Member::known) == 1;
    const Num now = known(q, pid, &Member::epoch);
    const Bool open = known(q, pid, &Member::open) == 1;
    if (!behaviour().bumps_at_end()) return !has || now <= epoch;
    switch (behaviour().marker_epoch) {
      case MarkerEpoch::kAtLeast:
        return !has || now <= epoch;
      case MarkerEpoch::kAbove:
        return !has || now < epoch;
      case MarkerEpoch::kAboveUnlessClosed:
        return !has || now < epoch || (now == epoch && !open);
    }
    return Bool(false);
  }
  void apply_marker(int p, Num pid, Num epoch, Bool commit) {
    Partition<D>& q = s.partition[p];
    using Member = ProducerState<D>;
    const Bool fresh = known(q, pid, &Member::known) == 0 || known(q, pid, &Member::epoch) != epoch;
    d.when(known(q, pid, &Member::open) == 0, [&] { d.note(Note::kMarkerRepeated); });
    d.note(Note::kMarkerWritten);
    d.when(fresh, [&] {
      remember(q, pid, &Member::from, Num(0));
      remember(q, pid, &Member::next, Num(0));
    });
    remember(q, pid, &Member::known, Num(1));
    remember(q, pid, &Member::epoch, epoch);
    remember(q, pid, &Member::open, Num(0));
    const Num fate = D::pick(commit, Num(EntryKind::kCommitted), Num(EntryKind::kAborted));
    for (int e = 0; e < D::upto(q.length, r.instance.log); ++e) {
      d.when(Num(e) < q.length && q.log[e].kind == EntryKind::kOpen && q.log[e].pid == pid,
             [&] { d.set(q.log[e].kind, fate); });
    }
    const int n = r.instance.log;
    const Num at = D::pick(q.length < n, q.length, Num(n - 1));
    put_entry(q, EntryKind::kCommitMarker, pid, epoch);
    d.when(!commit, [&] { d.put(q.log, n, at, &LogEntry<D>::kind, Num(EntryKind::kAbortMarker)); });
    grow(q);
  }

  [[nodiscard]] Bool can_write_marker(int p) const {
    const Coordinator<D>& c = s.coordinator;
    return coordinator().preparing() && c.pending[p] == 1 && accepts_marker(p, c.pid, c.epoch);
  }
  void write_marker(int p) {
    Coordinator<D>& c = s.coordinator;
    apply_marker(p, c.pid, c.epoch, coordinator().in(TransactionState::kPrepareCommit));
    d.set(c.pending[p], 0);
  }

  // --- what is late ---------------------------------------------------------------------------

  [[nodiscard]] Bool can_take_late_marker(int p) const {
    return s.partition[p].late_marker.valid == 1;
  }
  void take_late_marker(int p) {
    LateMarker<D>& late = s.partition[p].late_marker;
    d.when(accepts_marker(p, late.pid, late.epoch), [&] {
      d.note(Note::kLateMarkerTaken);
      apply_marker(p, late.pid, late.epoch, late.commit == 1);
    });
    for (auto* cell : {&late.valid, &late.pid, &late.epoch, &late.commit}) d.set(*cell, 0);
  }
  void leave_marker(int p) {
    LateMarker<D>& late = s.partition[p].late_marker;
    const Coordinator<D>& c = s.coordinator;
    d.set(late.valid, 1);
    d.set(late.pid, c.pid);
    d.set(late.epoch, c.epoch);
    const Bool commit = coordinator().in(TransactionState::kPrepareCommit);
    d.set(late.commit, D::pick(commit, Num(1), Num(0)));
    write_marker(p);
  }

  /// The late write of instance `owner`.
  [[nodiscard]] View late_write(int p, int owner) const {
    const LateProduce<D>& late = s.partition[p].late;
    return {late.pid, late.epoch, late.sequence, late.attempt, late.input, late.message, owner};
  }
  [[nodiscard]] Bool can_take_late(int p, int owner) const {
    const LateProduce<D>& late = s.partition[p].late;
    return late.valid == 1 && late.owner == Num(owner) &&
           !write_rows(p, late_write(p, owner)).waits;
  }
  void take_late(int p, int owner) {
    const View w = late_write(p, owner);
    const WriteRows rows = write_rows(p, w);
    write(p, w, rows);
    d.when(
        rows.appended, [&] { d.note(Note::kLateProduceAppended); },
        [&] { d.note(Note::kLateProduceDropped); });
    LateProduce<D>& late = s.partition[p].late;
    for (auto* cell : {&late.valid, &late.owner, &late.pid, &late.epoch, &late.sequence,
                       &late.attempt, &late.input, &late.message}) {
      d.set(*cell, 0);
    }
  }
};

}  // namespace fencepost::spec::transactions
