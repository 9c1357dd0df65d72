// The safety properties as formulas over a state. Names and sentences are in properties.h; what
// each means is in the table of README.md.
#pragma once

#include "spec/transactions/coordinator.h"

namespace fencepost::spec::transactions {

template <class D>
struct Formulas {
  using Num = typename D::Num;
  using Bool = typename D::Bool;

  const State<D>& s;
  const Rules& r;

  [[nodiscard]] Bool holds(Property property) const {
    switch (property) {
      case Property::kFencing:
        return fencing();
      case Property::kNoSelfFencing:
        return no_mode(Mode::kFencedFalsely);
      case Property::kAtomic:
        return atomic();
      case Property::kExactlyOnce:
        return exactly_once();
      case Property::kEpochMonotonic:
        return epoch_monotonic();
      case Property::kNoResetInside:
        return no_reset_inside();
      case Property::kNoFalseFailure:
        return no_mode(Mode::kFatal);
      case Property::kWellFormed:
        return well_formed();
      case Property::kProgress:
        break;  // not a property of a state
    }
    return Bool(true);
  }

  [[nodiscard]] Bool no_mode(Mode mode) const {
    Bool ok(true);
    for (int i = 0; i < r.instance.producers; ++i) ok = ok && s.producer[i].mode != mode;
    return ok;
  }
  [[nodiscard]] Bool no_reset_inside() const {
    Bool ok(true);
    for (int i = 0; i < r.instance.producers; ++i) ok = ok && s.producer[i].reset_inside == 0;
    return ok;
  }
  [[nodiscard]] int entries(int p) const { return D::upto(s.partition[p].length, r.instance.log); }
  [[nodiscard]] static Bool is_data(const Partition<D>& q, int e) {
    return Num(e) < q.length && q.log[e].kind != EntryKind::kNothing &&
           q.log[e].kind <= EntryKind::kPlain;
  }
  [[nodiscard]] static Bool visible(const Partition<D>& q, int e) {
    return Num(e) < q.length &&
           (q.log[e].kind == EntryKind::kCommitted || q.log[e].kind == EntryKind::kPlain);
  }
  [[nodiscard]] Bool fencing() const {
    Bool ok(true);
    for (int p = 0; p < r.partitions(); ++p) {
      for (int e = 0; e < entries(p); ++e) {
        ok = ok && (Num(e) >= s.partition[p].length || s.partition[p].log[e].stale == 0);
      }
    }
    return ok;
  }

  /// The entry is open, its commit is decided, and the partition has still to get the marker.
  [[nodiscard]] Bool decided(int p, int e) const {
    const LogEntry<D>& entry = s.partition[p].log[e];
    return Num(e) < s.partition[p].length && entry.kind == EntryKind::kOpen &&
           entry.pid == s.coordinator.pid && s.coordinator.pending[p] == 1 &&
           s.coordinator.state == TransactionState::kPrepareCommit;
  }

  [[nodiscard]] Bool atomic() const {
    Bool ok(true);
    if (!r.behaviour.transactional) return ok;
    for (int i = 0; i < r.instance.producers; ++i) {
      for (int a = 1; a <= D::upto(s.producer[i].attempt, r.instance.attempts); ++a) {
        ok = ok && (Num(a) > s.producer[i].attempt || all_or_nothing(i, a));
      }
    }
    return ok;
  }
  [[nodiscard]] Bool all_or_nothing(int i, int a) const {
    Bool any(false);
    Bool missing(false);
    Bool twice(false);
    for (int p = 0; p < r.partitions(); ++p) {
      for (int m = 0; m < r.instance.messages_in(p); ++m) {
        Bool seen(false);
        Bool open(false);
        for (int e = 0; e < entries(p); ++e) {
          const LogEntry<D>& entry = s.partition[p].log[e];
          const Bool here =
              entry.owner == Num(i) && entry.attempt == Num(a) && entry.message == Num(m);
          const Bool shows = here && visible(s.partition[p], e);
          if (!r.instance.is_offsets(p)) twice = twice || (seen && shows);
          seen = seen || shows;
          open = open || (here && decided(p, e));
        }
        any = any || seen;
        missing = missing || (!seen && !open);
      }
    }
    const Num told = s.producer[i].told[a];
    return !(any && missing) && !twice && (told != Told::kCommitted || !missing) &&
           (told != Told::kAborted || !any);
  }

  [[nodiscard]] Bool exactly_once() const {
    Bool ok(true);
    for (int n = 0; n <= r.max_input(); ++n) {
      const Bool done = is_done(n);
      for (int p = 0; p < r.instance.partitions; ++p) {
        for (int m = 0; m < r.instance.messages; ++m) {
          Bool seen(false);
          Bool coming(false);
          for (int e = 0; e < entries(p); ++e) {
            const LogEntry<D>& entry = s.partition[p].log[e];
            const Bool here = entry.input == Num(n) && entry.message == Num(m);
            const Bool shows = here && visible(s.partition[p], e);
            ok = ok && !(seen && shows);
            seen = seen || shows;
            coming = coming || (here && decided(p, e));
          }
          ok = ok && (!done || seen || coming);
        }
      }
    }
    return ok;
  }
  /// The position behind input `n` is committed; without an offsets partition: its instance has
  /// gone on to the next input.
  [[nodiscard]] Bool is_done(int n) const {
    Bool done(false);
    if (!r.instance.offsets) {
      const int i = n / r.instance.inputs;
      return s.producer[i].input > n % r.instance.inputs;
    }
    const int p = r.instance.partitions;
    for (int e = 0; e < entries(p); ++e) {
      const LogEntry<D>& entry = s.partition[p].log[e];
      done = done || (visible(s.partition[p], e) && entry.input == Num(n));
    }
    return done;
  }

  [[nodiscard]] Bool epoch_monotonic() const {
    const Coordinator<D>& c = s.coordinator;
    // Behind 32767, which is kept for fencing, comes -32768.
    Bool ok = r.rotates() ? c.epoch <= r.instance.exhausted_at + 1 : Bool(true);
    for (int p = 0; p < r.partitions(); ++p) {
      for (int id = 1; id <= r.instance.ids; ++id) {
        Num last(0);
        for (int e = 0; e < entries(p); ++e) {
          const LogEntry<D>& entry = s.partition[p].log[e];
          const Bool here = Num(e) < s.partition[p].length && entry.kind != EntryKind::kNothing &&
                            entry.pid == Num(id);
          ok = ok && (!here || entry.epoch >= last);
          last = D::pick(here, entry.epoch, last);
        }
        const ProducerState<D>& known = s.partition[p].producer[id];
        const Bool ours = c.mapped == 1 && c.pid == Num(id) && known.known == 1;
        ok = ok && (!ours || known.epoch <= c.epoch);
      }
    }
    return ok;
  }

  [[nodiscard]] Bool well_formed() const {
    Bool ok(true);
    for (int p = 0; p < r.instance.partitions; ++p) {
      for (int id = 1; id <= r.instance.ids; ++id) ok = ok && well_formed(s.partition[p], p, id);
    }
    return ok;
  }
  /// Per epoch contiguous from 0. What is accepted without producer state may start anywhere.
  [[nodiscard]] Bool well_formed(const Partition<D>& q, int p, int id) const {
    Bool ok(true);
    Bool seen(false);
    Num epoch(0);
    Num next(0);
    const bool anywhere = r.behaviour.no_entry != NoEntry::kZero;
    const bool forgets = anywhere && r.allows(Fault::kProducerIdExpiry);
    for (int e = 0; e < entries(p); ++e) {
      const LogEntry<D>& entry = q.log[e];
      const Bool here = is_data(q, e) && entry.pid == Num(id);
      const Bool follows = seen && entry.epoch == epoch && entry.sequence == next;
      const Bool starts = (!seen || entry.epoch > epoch) && entry.sequence == 0;
      const Bool exempt = Bool(forgets) || (!seen && Bool(anywhere));
      ok = ok && (!here || follows || starts || exempt);
      // 32767 is kept for fencing: no client is ever given it.
      if (r.rotates()) ok = ok && (!here || entry.epoch <= r.instance.exhausted_at);
      epoch = D::pick(here, entry.epoch, epoch);
      next = D::pick(here, entry.sequence + 1, next);
      seen = seen || here;
    }
    return ok;
  }

  // --- progress -------------------------------------------------------------------------------

  /// The last stable offset is the end of every log.
  [[nodiscard]] Bool nothing_open() const {
    Bool none(true);
    for (int p = 0; p < r.partitions(); ++p) {
      for (int id = 1; id <= r.instance.ids; ++id) {
        none = none && s.partition[p].producer[id].open == 0;
      }
    }
    return none;
  }
  /// Every instance has committed its inputs or is fatal, no transaction is open anywhere.
  [[nodiscard]] Bool ended() const {
    const Num state = s.coordinator.state;
    Bool over = nothing_open() && state != TransactionState::kOngoing &&
                state != TransactionState::kPrepareCommit &&
                state != TransactionState::kPrepareAbort;
    for (int i = 0; i < r.instance.producers; ++i) {
      const Producer<D>& q = s.producer[i];
      const Bool done = q.mode == Mode::kReady && q.input == r.instance.inputs;
      const Bool unneeded = Bool(!r.instance.overlap) && q.mode == Mode::kNotStarted &&
                            s.producer[0].mode == Mode::kReady;
      over = over && (q.mode >= Mode::kCrashed || done || unneeded);
    }
    return over;
  }
};

}  // namespace fencepost::spec::transactions
