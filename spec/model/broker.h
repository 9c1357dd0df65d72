// The brokers of one partition: taking requests, the producer-state check, the high watermark,
// elections. Sources of the rules: Kafka's ReplicaManager, Partition, ProducerStateManager and
// ProducerAppendInfo at 1eb7644 (spec/README.md lists them per action).
#pragma once

#include "spec/model/numbering.h"

namespace fencepost::spec {

template <class D>
struct Broker {
  using Num = typename D::Num;
  using Bool = typename D::Bool;
  using Part = Partition<D>;

  D& d;
  State<D>& s;
  const Rules& r;

  [[nodiscard]] const Behaviour& behaviour() const { return r.behaviour; }

  // --- the FIFO, as the broker sees it --------------------------------------------------------

  /// Position of the first request not yet taken; the capacity if there is none.
  [[nodiscard]] Num next_sent(const Part& q) const {
    const int n = r.instance.in_flight;
    Num first(n);
    for (int i = n - 1; i >= 0; --i) {
      first = D::pick(Num(i) < q.in_flight && q.request[i].stage == Stage::kSent, Num(i), first);
    }
    return first;
  }
  [[nodiscard]] Bool waiting(const Part& q) const {
    Bool any(false);
    for (int i = 0; i < r.instance.in_flight; ++i) {
      any = any || q.request[i].stage == Stage::kWaiting;
    }
    return any;
  }
  void answer_waiting(Part& q, Stage stage) {
    for (int i = 0; i < r.instance.in_flight; ++i) {
      d.when(q.request[i].stage == Stage::kWaiting, [&] { d.set(q.request[i].stage, stage); });
    }
  }
  void answer(Part& q, Num slot, Num stage) {
    d.put(q.request, r.instance.in_flight, slot, &Request<D>::stage, stage);
  }
  [[nodiscard]] Bool leads(const Part& q, Num broker) const {
    return q.leader != kNobody && q.leader == broker && q.aware == 1;
  }

  // --- take -----------------------------------------------------------------------------------

  /// One request at a time per connection: none is taken while one waits.
  [[nodiscard]] Bool can_take(int p) const {
    const Part& q = s.partition[p];
    return !waiting(q) && next_sent(q) < r.instance.in_flight;
  }
  void take(int p) {
    Part& q = s.partition[p];
    const Num slot = next_sent(q);
    d.when(
        leads(q, q.target),
        [&] {
          const int n = r.instance.in_flight;
          const Num stage = produce(q, D::at(q.request, n, slot, &Request<D>::message),
                                    D::at(q.request, n, slot, &Request<D>::epoch),
                                    D::at(q.request, n, slot, &Request<D>::sequence));
          answer(q, slot, stage);
        },
        [&] {
          for (int i = 1; i < r.instance.in_flight; ++i) {
            d.when(slot == Num(i) && q.request[i - 1].stage == Stage::kNotLeaderAfterAppend,
                   [&] { d.note(Note::kPlainNotLeaderBehind); });
          }
          answer(q, slot, Stage::kNotLeader);
        });
  }
  /// The next request reaches a leader that would check it.
  [[nodiscard]] Bool can_refuse(int p) const {
    const Part& q = s.partition[p];
    return can_take(p) && leads(q, q.target);
  }
  void refuse(int p, Stage stage) {
    Part& q = s.partition[p];
    answer(q, next_sent(q), stage);
  }

  // --- the producer-state check ---------------------------------------------------------------

  struct Cache {
    Bool has_entry;
    Num epoch;     ///< of the last batch
    Num sequence;  ///< of the last batch
  };
  /// What it knows of the producer whose request has that epoch.
  [[nodiscard]] Cache cache(const Part& q, Num of) const {
    if (r.many_ids()) return cache_of_id(q, of);
    Num epoch(0);
    Num sequence(0);
    for (int i = 0; i < D::upto(q.length, r.instance.log); ++i) {
      const Bool last = q.length == Num(i + 1);
      epoch = D::pick(last, q.log[i].epoch, epoch);
      sequence = D::pick(last, q.log[i].sequence, sequence);
    }
    return {q.length > q.cache_from, epoch, sequence};
  }
  [[nodiscard]] Cache cache_of_id(const Part& q, Num of) const {
    Cache c{Bool(false), Num(0), Num(0)};
    for (int i = 0; i < D::upto(q.length, r.instance.log); ++i) {
      const Bool mine = Num(i) >= q.cache_from && Num(i) < q.length &&
                        Numbering<D>::same_id(r, q.log[i].epoch, of);
      c.has_entry = c.has_entry || mine;
      c.epoch = D::pick(mine, q.log[i].epoch, c.epoch);
      c.sequence = D::pick(mine, q.log[i].sequence, c.sequence);
    }
    return c;
  }
  /// Entry `i` is remembered: among the last `cache_size` batches of the current epoch.
  [[nodiscard]] Bool remembered(const Part& q, int i, Num epoch) const {
    if (r.many_ids()) {
      Num later(0);
      for (int j = i + 1; j < D::upto(q.length, r.instance.log); ++j) {
        const Bool mine = Num(j) < q.length && Numbering<D>::same_id(r, q.log[j].epoch, epoch);
        later = D::pick(mine, later + 1, later);
      }
      return Num(i) >= q.cache_from && Num(i) < q.length && later < Num(behaviour().cache_size) &&
             q.log[i].epoch == epoch;
    }
    return Num(i) >= q.cache_from && Num(i) < q.length &&
           q.length <= Num(i + behaviour().cache_size) && q.log[i].epoch == epoch;
  }

  /// Checks a request at the leader, appends it if it is next. Returns its stage.
  [[nodiscard]] Num produce(Part& q, Num message, Num epoch, Num sequence) {
    const Cache c = cache(q, epoch);
    Bool duplicate(false);
    Bool committed(false);
    if (behaviour().duplicate_check) {
      for (int i = 0; i < D::upto(q.length, r.instance.log); ++i) {
        const Bool same =
            remembered(q, i, c.epoch) && epoch == c.epoch && q.log[i].sequence == sequence;
        duplicate = duplicate || same;
        committed = committed || (same && Num(i) < q.watermark);
      }
    }
    const Bool old_epoch = c.has_entry && epoch < c.epoch;
    const Bool append = !duplicate && !old_epoch && in_sequence(q, c, epoch, sequence);
    if (!behaviour().duplicate_at_watermark) committed = duplicate;
    d.when(duplicate, [&] { d.note(Note::kDeduplicated); });
    d.when(duplicate && !committed, [&] { d.note(Note::kDuplicateWaits); });
    d.when(append && !c.has_entry && sequence > 0, [&] { d.note(Note::kAcceptedWithoutEntry); });
    d.when(append, [&] { add(q, message, epoch, sequence, c.has_entry); });
    const Num refused =
        D::pick(old_epoch, Num(Stage::kInvalidEpoch), out_of_order(c, epoch, sequence));
    const Num accepted = D::pick(committed, Num(Stage::kOk), Num(Stage::kWaiting));
    return D::pick(duplicate || append, accepted, refused);
  }
  /// How a sequence that does not fit is refused.
  [[nodiscard]] Num out_of_order(const Cache& c, Num epoch, Num sequence) {
    Num answer(Stage::kOutOfOrder);
    if (behaviour().no_entry == NoEntry::kUnknownProducerId) {
      answer = D::pick(c.has_entry, answer, Num(Stage::kUnknownProducerId));
    }
    if (behaviour().older_duplicate == OlderDuplicate::kDuplicateSequence) {
      const Bool older = c.has_entry && epoch == c.epoch && sequence <= c.sequence;
      d.when(older, [&] { d.note(Note::kOlderDuplicate); });
      answer = D::pick(older, Num(Stage::kDuplicateSequence), answer);
    }
    return answer;
  }
  [[nodiscard]] Bool in_sequence(const Part& q, const Cache& c, Num epoch, Num sequence) const {
    Bool without = Bool(true);
    if (behaviour().no_entry == NoEntry::kZero ||
        behaviour().no_entry == NoEntry::kUnknownProducerId) {
      without = sequence == 0;
    }
    if (behaviour().no_entry == NoEntry::kZeroOnFreshLog) without = q.length > 0 || sequence == 0;
    const Bool fresh = behaviour().new_epoch_from_zero ? sequence == 0 : Bool(true);
    const Bool next = sequence == c.sequence + 1;
    return (!c.has_entry && without) ||
           (c.has_entry && ((epoch > c.epoch && fresh) || (epoch == c.epoch && next)));
  }
  void add(Part& q, Num message, Num epoch, Num sequence, Bool checked) {
    d.note(Note::kAppended);
    const int n = r.instance.log;
    const Num at = q.length;
    d.when(at < Num(n), [&] {
      d.put(q.log, n, at, &LogEntry<D>::message, message);
      d.put(q.log, n, at, &LogEntry<D>::epoch, epoch);
      d.put(q.log, n, at, &LogEntry<D>::sequence, sequence);
      if (r.state_can_vanish()) {
        d.put(q.log, n, at, &LogEntry<D>::unchecked, D::pick(checked, Num(0), Num(1)));
      }
    });
    d.increment(q.length, n, Bound::kLog);
  }

  // --- replication and elections --------------------------------------------------------------

  [[nodiscard]] Bool can_commit(int p) const {
    const Part& q = s.partition[p];
    return q.leader != kNobody && q.aware == 1 && q.watermark < q.length;
  }
  void commit(int p) {
    Part& q = s.partition[p];
    d.set(q.watermark, q.length);
    answer_waiting(q, Stage::kOk);
  }

  /// Requires a partition without a leader; `lost` entries above the watermark are cut.
  [[nodiscard]] Bool can_elect(int p, int lost) const {
    const Part& q = s.partition[p];
    return q.leader == kNobody && q.watermark + Num(lost) <= q.length;
  }
  void elect(int p, int broker, int lost) {
    Part& q = s.partition[p];
    if (lost > 0) cut(q, lost);
    d.set(q.leader, broker + 1);
    d.set(q.aware, 0);
  }
  void cut(Part& q, int lost) {
    d.note(Note::kSuffixCut);
    d.set(q.length, q.length - Num(lost));
    for (int i = 0; i < r.instance.log; ++i) {
      d.when(Num(i) >= q.length, [&] {
        d.set(q.log[i].message, 0);
        d.set(q.log[i].epoch, 0);
        d.set(q.log[i].sequence, 0);
        d.set(q.log[i].unchecked, 0);
      });
    }
    if (!r.cache_can_be_lost()) return;
    // A truncating replica reloads its state from the log: it knows the last batch again, unless
    // the producer has expired.
    Num newest =
        D::pick(q.cache_loss == CacheLoss::kExpired || q.length == 0, q.length, q.length - 1);
    if (r.allows(Fault::kRetention)) {
      newest = D::pick(newest < q.log_start, q.log_start, newest);
    }
    d.when(q.cache_from > newest, [&] { d.set(q.cache_from, newest); });
  }

  /// The same for a replica that lacks committed entries: `lost` reaches below the watermark, which
  /// falls to the cut. Deleted entries are no longer there to be lost.
  [[nodiscard]] Bool can_elect_uncleanly(int p, int lost) const {
    const Part& q = s.partition[p];
    return q.leader == kNobody && q.log_start + Num(lost) <= q.length &&
           q.watermark + Num(lost) > q.length;
  }
  void elect_uncleanly(int p, int broker, int lost) {
    Part& q = s.partition[p];
    d.note(Note::kCommittedCut);
    elect(p, broker, lost);
    d.set(q.watermark, q.length);
    d.set(q.cut_below, 1);
  }

  [[nodiscard]] Bool can_learn_leadership(int p) const {
    const Part& q = s.partition[p];
    return q.leader != kNobody && q.aware == 0;
  }
  void learn_leadership(int p) { d.set(s.partition[p].aware, 1); }

  // --- late requests --------------------------------------------------------------------------

  [[nodiscard]] Bool can_take_late(int p, int i) const { return s.partition[p].late_count > i; }
  void take_late(int p, int i) {
    Part& q = s.partition[p];
    const Num broker = q.late[i].broker;
    const Num message = q.late[i].message;
    const Num epoch = q.late[i].epoch;
    const Num sequence = q.late[i].sequence;
    for (int k = i; k + 1 < kMaxLate; ++k) {
      d.set(q.late[k].broker, q.late[k + 1].broker);
      d.set(q.late[k].message, q.late[k + 1].message);
      d.set(q.late[k].epoch, q.late[k + 1].epoch);
      d.set(q.late[k].sequence, q.late[k + 1].sequence);
    }
    d.set(q.late[kMaxLate - 1].broker, 0);
    d.set(q.late[kMaxLate - 1].message, 0);
    d.set(q.late[kMaxLate - 1].epoch, 0);
    d.set(q.late[kMaxLate - 1].sequence, 0);
    d.set(q.late_count, q.late_count - 1);
    const Num before = q.length;
    d.when(leads(q, broker), [&] { static_cast<void>(produce(q, message, epoch, sequence)); });
    d.when(
        q.length > before, [&] { d.note(Note::kLateAppend); }, [&] { d.note(Note::kLateDropped); });
  }
};

}  // namespace fencepost::spec
