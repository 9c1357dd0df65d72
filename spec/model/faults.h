// The fault actions: what each kind does to brokers, connections and the client's queue. Every one
// spends one unit of the budget per kind it names.
#pragma once

#include "spec/model/answers.h"
#include "spec/model/broker.h"

namespace fencepost::spec {

template <class D>
struct FaultSteps {
  using Num = typename D::Num;
  using Bool = typename D::Bool;
  using Part = Partition<D>;

  D& d;
  State<D>& s;
  const Rules& r;

  [[nodiscard]] Client<D> client() const { return {d, s, r}; }
  [[nodiscard]] Answers<D> answers() const { return {d, s, r}; }
  [[nodiscard]] Broker<D> broker() const { return {d, s, r}; }

  // --- the budget -----------------------------------------------------------------------------

  /// `partition` is -1 for faults of a whole connection.
  [[nodiscard]] Bool affordable(Fault kind, int partition, int units = 1) const {
    const Faults& f = r.instance.faults;
    if (f.unlimited) return Bool(true);
    Bool ok = s.faults_used + Num(units) <= Num(f.budget);
    const int cap = f.cap[static_cast<std::size_t>(kind)];
    if (cap >= 0) ok = ok && s.kind_used[static_cast<std::size_t>(kind)] < Num(cap);
    if (partition >= 0 && f.partition_cap[static_cast<std::size_t>(partition)] >= 0) {
      ok = ok &&
           s.partition_used[partition] < Num(f.partition_cap[static_cast<std::size_t>(partition)]);
    }
    return ok;
  }
  void spend(Fault kind, int partition) {
    const Faults& f = r.instance.faults;
    if (f.unlimited) return;
    d.set(s.faults_used, s.faults_used + 1);
    if (f.cap[static_cast<std::size_t>(kind)] >= 0) {
      auto& used = s.kind_used[static_cast<std::size_t>(kind)];
      d.set(used, used + 1);
    }
    if (partition >= 0 && f.partition_cap[static_cast<std::size_t>(partition)] >= 0) {
      d.set(s.partition_used[partition], s.partition_used[partition] + 1);
    }
  }

  // --- leaders and replication ----------------------------------------------------------------

  [[nodiscard]] Bool can_lose_leader(int p) const { return s.partition[p].leader != kNobody; }
  void lose_leader(int p) {
    Part& q = s.partition[p];
    d.when(broker().waiting(q), [&] { d.note(Note::kNotLeaderAfterAppend); });
    broker().answer_waiting(q, Stage::kNotLeaderAfterAppend);
    d.set(q.leader, kNobody);
    d.set(q.aware, 0);
  }
  [[nodiscard]] Bool can_go_stale(int p) const {
    const Part& q = s.partition[p];
    return q.leader != kNobody && q.aware == 1 && !broker().waiting(q);
  }
  void go_stale(int p) { d.set(s.partition[p].aware, 0); }
  [[nodiscard]] Bool can_give_up_waiting(int p) const { return broker().waiting(s.partition[p]); }
  void give_up_waiting(int p, Stage stage) { broker().answer_waiting(s.partition[p], stage); }

  // --- producer state -------------------------------------------------------------------------

  [[nodiscard]] Bool can_shrink(int p) const {
    const Part& q = s.partition[p];
    return q.leader != kNobody && q.length > q.cache_from + 1;
  }
  void shrink(int p) {
    Part& q = s.partition[p];
    d.set(q.cache_from, q.length - 1);
    d.when(q.cache_loss == CacheLoss::kNone, [&] { d.set(q.cache_loss, CacheLoss::kShrunk); });
  }
  [[nodiscard]] Bool can_expire(int p) const {
    const Part& q = s.partition[p];
    return q.leader != kNobody && q.length > q.cache_from;
  }
  void expire(int p) {
    Part& q = s.partition[p];
    d.set(q.cache_from, q.length);
    d.set(q.cache_loss, CacheLoss::kExpired);
  }

  /// Deletes the records below `start`, all committed.
  [[nodiscard]] Bool can_delete(int p, int start) const {
    const Part& q = s.partition[p];
    return q.leader != kNobody && q.log_start < Num(start) && Num(start) <= q.watermark;
  }
  void delete_records(int p, int start) {
    Part& q = s.partition[p];
    d.note(Note::kRecordsDeleted);
    d.set(q.log_start, Num(start));
    if (r.behaviour.producer_state == ProducerState::kFollowsLog) forget_deleted(q);
  }
  [[nodiscard]] Bool can_rebuild(int p) const {
    const Part& q = s.partition[p];
    return q.leader != kNobody && q.cache_from < q.log_start;
  }
  void rebuild(int p) {
    d.note(Note::kStateRebuilt);
    forget_deleted(s.partition[p]);
  }
  void forget_deleted(Part& q) {
    d.when(q.cache_from < q.log_start, [&] { d.set(q.cache_from, q.log_start); });
  }

  // --- the producer's process -----------------------------------------------------------------

  [[nodiscard]] Bool can_restart() const {
    Bool pending(false);
    for (int p = 0; p < r.instance.partitions; ++p) {
      for (int m = 0; m < r.messages(); ++m) {
        pending = pending || !Client<D>::over(s.partition[p].status[m]);
      }
    }
    return pending;
  }
  /// Everything that is not over is handed over again, to a producer with a new id. What was on
  /// the way and not taken is gone; what was taken stays in the log.
  void restart() {
    d.note(Note::kRestarts);
    Numbering<D>{d, s, r}.next_id();
    d.set(s.mode, Mode::kAssigned);
    for (int p = 0; p < r.instance.partitions; ++p) {
      Part& q = s.partition[p];
      for (int m = 0; m < r.messages(); ++m) {
        d.when(Client<D>::unresolved(q.status[m]), [&] {
          d.set(q.status[m], MessageStatus::kUnsent);
          d.set(q.possibly[m], 0);
          if (r.numbers_at_send()) d.set(q.sequence[m], 0);
        });
      }
      d.set(q.between, 0);
      d.set(q.between_at, kNobody);
      for (int i = 0; i < r.instance.in_flight; ++i) answers().clear(q.request[i]);
      d.set(q.in_flight, 0);
      d.set(q.target, kNobody);
      d.set(q.draining, 0);
      d.set(q.asked, 0);
      d.set(q.epoch, s.epoch);
      const Num first = client().head(q);
      Numbering<D>{d, s, r}.forget(q, D::pick(first < r.messages(), first, Num(0)));
    }
  }

  // --- connections ----------------------------------------------------------------------------

  [[nodiscard]] Bool in_flight_to(int p, int b) const {
    return s.partition[p].in_flight != 0 && s.partition[p].target == Num(b + 1);
  }
  [[nodiscard]] Bool can_disconnect(int b) const {
    Bool any(false);
    for (int p = 0; p < r.instance.partitions; ++p) any = any || in_flight_to(p, b);
    return client().alive() && any && !client().busy(Num(b + 1));
  }
  /// Something not yet taken can stay behind.
  [[nodiscard]] Bool can_leave_late(int b) const {
    Bool any(false);
    for (int p = 0; p < r.instance.partitions; ++p) {
      const Part& q = s.partition[p];
      any = any || (in_flight_to(p, b) && broker().next_sent(q) < r.instance.in_flight &&
                    q.late_count < kMaxLate);
    }
    return client().alive() && any && !client().busy(Num(b + 1));
  }
  /// Closes the connection. `late`: what was not taken stays behind. `exhausted`: the partition
  /// whose first message in flight fails for want of retries, or -1.
  void disconnect(int b, bool late, int exhausted) {
    for (int p = 0; p < r.instance.partitions; ++p) {
      d.when(in_flight_to(p, b), [&] {
        Part& q = s.partition[p];
        if (late) {
          for (int i = 0; i < r.instance.in_flight; ++i) leave_late(q, i);
        }
        fail_all(p, exhausted == p);
      });
    }
  }
  void leave_late(Part& q, int i) {
    const Request<D>& request = q.request[i];
    d.when(Num(i) < q.in_flight && request.stage == Stage::kSent && q.late_count < kMaxLate, [&] {
      const Num slot = q.late_count;
      d.put(q.late, kMaxLate, slot, &LateRequest<D>::broker, q.target);
      d.put(q.late, kMaxLate, slot, &LateRequest<D>::message, request.message);
      d.put(q.late, kMaxLate, slot, &LateRequest<D>::epoch, request.epoch);
      d.put(q.late, kMaxLate, slot, &LateRequest<D>::sequence, request.sequence);
      d.set(q.late_count, slot + 1);
    });
  }
  void fail_all(int p, bool first_exhausted) {
    Part& q = s.partition[p];
    for (int i = 0; i < r.instance.in_flight; ++i) {
      d.when(q.in_flight != 0, [&] { answers().unanswered(p, first_exhausted && i == 0); });
    }
  }

  // --- the client's queue ---------------------------------------------------------------------

  [[nodiscard]] Bool can_time_out(int p, int m, bool leaderless) const {
    const Bool where = leaderless ? s.partition[p].view == kNobody : s.partition[p].view != kNobody;
    Bool due = client().alive() && where && client().is_queued(p, m);
    if (r.requeues_later()) due = due && !client().busy(s.partition[p].view);
    if (r.behaviour.expired_in_doubt == ExpiredInDoubt::kForgotten) return due;
    // This client's delivery timeout counts from the first attempt on, in the order of creation.
    return due && !client().earlier_in_flight(s.partition[p], Num(m));
  }
  [[nodiscard]] Bool can_purge(int p, int m) const {
    return client().alive() && client().is_queued(p, m);
  }
  /// The next answer is an error whose retry is counted.
  [[nodiscard]] Bool can_exhaust(int p) const {
    Bool counted(false);
    const auto stage = s.partition[p].request[0].stage;
    for (int k = static_cast<int>(Stage::kNotLeader); k <= static_cast<int>(Stage::kPermanentError);
         ++k) {
      const Outcome o = Answers<D>::outcome_of(static_cast<Stage>(k));
      if (r.behaviour.react(o) != Reaction::kRetry || !r.behaviour.counts(o)) continue;
      counted = counted || stage == Num(k);
    }
    return answers().can_receive(p) && counted;
  }
};

}  // namespace fencepost::spec
