// The safety properties as formulas over a state, per partition. Names and sentences are in
// spec/properties.h; what each means is in the table of spec/README.md.
#pragma once

#include "spec/model/numbering.h"
#include "spec/properties.h"

namespace fencepost::spec {

template <class D>
struct Formulas {
  using Num = typename D::Num;
  using Bool = typename D::Bool;
  using Part = Partition<D>;

  const State<D>& s;
  const Rules& r;

  /// The property holds in partition `p`.
  [[nodiscard]] Bool holds(Property property, int p) const {
    const Part& q = s.partition[p];
    switch (property) {
      case Property::kNoDuplicate:
        return no_duplicate(q);
      case Property::kInOrder:
        return in_order(q);
      case Property::kNoLoss:
        return no_loss(q);
      case Property::kNoFalseFailure:
        return no_false_failure(q);
      case Property::kHonestStatus:
        return honest_status(q);
      case Property::kWellFormed:
        return well_formed(q);
      case Property::kProgress:
        break;  // not a property of a state
    }
    return Bool(true);
  }

  [[nodiscard]] Bool committed(const Part& q, int i, int m) const {
    return Num(i) < q.watermark && q.log[i].message == Num(m);
  }
  [[nodiscard]] Bool no_duplicate(const Part& q) const {
    Bool ok(true);
    for (int m = 0; m < r.messages(); ++m) {
      Bool seen(false);
      for (int i = 0; i < D::upto(q.watermark, r.instance.log); ++i) {
        const Bool here = committed(q, i, m);
        ok = ok && !(seen && here);
        seen = seen || here;
      }
    }
    return ok;
  }
  [[nodiscard]] Bool in_order(const Part& q) const {
    Bool ok(true);
    for (int m = 0; m + 1 < r.messages(); ++m) {
      Bool seen(false);   // m stands at or before i
      Bool later(false);  // a later message stands before i, and m had not been seen
      for (int i = 0; i < D::upto(q.watermark, r.instance.log); ++i) {
        const Bool here = committed(q, i, m);
        ok = ok && !(here && !seen && later);
        seen = seen || here;
        later = later || (Num(i) < q.watermark && q.log[i].message > Num(m));
      }
    }
    return ok;
  }
  [[nodiscard]] Bool no_loss(const Part& q) const {
    Bool ok(true);
    for (int m = 0; m < r.messages(); ++m) {
      Bool stands(false);
      for (int i = 0; i < D::upto(q.watermark, r.instance.log); ++i) {
        stands = stands || committed(q, i, m);
      }
      ok = ok && (q.status[m] != MessageStatus::kDelivered || stands);
    }
    return ok;
  }
  /// The producer's fatal error counts in every partition.
  [[nodiscard]] Bool no_false_failure(const Part& q) const {
    Bool ok = s.mode != Mode::kFatal;
    for (int m = 0; m < r.messages(); ++m) {
      ok = ok && q.status[m] != MessageStatus::kFailedFalsely;
    }
    return ok;
  }
  [[nodiscard]] Bool honest_status(const Part& q) const {
    Bool ok(true);
    for (int m = 0; m < r.messages(); ++m) {
      Bool stands(false);
      for (int i = 0; i < D::upto(q.length, r.instance.log); ++i) {
        stands = stands || (Num(i) < q.length && q.log[i].message == Num(m));
      }
      const Bool says_absent = q.status[m] >= MessageStatus::kFailed && q.possibly[m] == 0;
      ok = ok && !(says_absent && stands);
    }
    return ok;
  }
  [[nodiscard]] Bool well_formed(const Part& q) const {
    Bool ok(true);
    if (r.behaviour.no_entry != NoEntry::kAnySequence) {
      ok = q.length == 0 || q.log[0].sequence == 0;
    }
    for (int i = 1; i < D::upto(q.length, r.instance.log); ++i) {
      if (r.many_ids()) {
        ok = ok && (Num(i) >= q.length || well_formed_in_id(q, i));
        continue;
      }
      const LogEntry<D>& now = q.log[i];
      const LogEntry<D>& before = q.log[i - 1];
      const Bool follows = now.epoch == before.epoch && now.sequence == before.sequence + 1;
      const Bool starts = now.epoch > before.epoch && now.sequence == 0;
      ok = ok && (Num(i) >= q.length || now.unchecked == 1 || follows || starts);
    }
    return ok;
  }
  /// Entry `i` follows the last one of its producer id, or is the first.
  [[nodiscard]] Bool well_formed_in_id(const Part& q, int i) const {
    const LogEntry<D>& now = q.log[i];
    Bool has(false);
    Num epoch(0);
    Num sequence(0);
    for (int j = 0; j < i; ++j) {
      const Bool mine = Numbering<D>::same_id(r, q.log[j].epoch, now.epoch);
      has = has || mine;
      epoch = D::pick(mine, q.log[j].epoch, epoch);
      sequence = D::pick(mine, q.log[j].sequence, sequence);
    }
    const Bool first(r.behaviour.no_entry == NoEntry::kAnySequence);
    const Bool starts = now.sequence == 0 && (!has || now.epoch > epoch);
    const Bool follows = has && now.epoch == epoch && now.sequence == sequence + 1;
    return now.unchecked == 1 || starts || follows || (first && !has);
  }

  /// Every message delivered or failed, or the producer fatal.
  [[nodiscard]] Bool ended() const {
    Bool all(true);
    for (int p = 0; p < r.instance.partitions; ++p) {
      for (int m = 0; m < r.messages(); ++m) {
        all = all && s.partition[p].status[m] >= MessageStatus::kDelivered;
      }
    }
    return all || s.mode >= Mode::kFatal;
  }
};

}  // namespace fencepost::spec
