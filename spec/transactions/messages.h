// The messages of a producer instance: when they go out, what a leader makes of them, and what the
// client makes of its answer. Sources of the rules are in README.md and, per entry, in the variant
// files.
#pragma once

#include "spec/transactions/partition.h"
#include "spec/transactions/producer.h"

namespace fencepost::spec::transactions {

template <class D>
struct MessageSteps {
  using Num = typename D::Num;
  using Bool = typename D::Bool;

  D& d;
  State<D>& s;
  const Rules& r;
  int i;  ///< which instance

  [[nodiscard]] const Behaviour& behaviour() const { return r.behaviour; }
  [[nodiscard]] ProducerSteps<D> producer() const { return {d, s, r, i}; }
  [[nodiscard]] Producer<D>& me() const { return s.producer[i]; }
  [[nodiscard]] InstancePartition<D>& part(int p) const { return s.producer[i].partition[p]; }

  // --- partitions and messages ----------------------------------------------------------------

  [[nodiscard]] Bool needs_adding(int p) const {
    if (!behaviour().transactional || behaviour().version_two) return Bool(false);
    return part(p).added == 0;
  }
  [[nodiscard]] Bool turn_of(int p) const {
    return r.instance.is_offsets(p) ? producer().outputs_acknowledged() : Bool(true);
  }
  [[nodiscard]] Bool can_add(int p) const {
    return producer().in(Mode::kInTransaction) && producer().idle() && needs_adding(p) &&
           turn_of(p);
  }

  /// The lowest message that is unsent or to be retried; `messages_in(p)` if there is none.
  [[nodiscard]] Num head(int p) const {
    const int n = r.instance.messages_in(p);
    Num lowest(n);
    for (int m = n - 1; m >= 0; --m) {
      const Num status = part(p).status[m];
      lowest = D::pick(status == MessageStatus::kUnsent || status == MessageStatus::kRetry, Num(m),
                       lowest);
    }
    return lowest;
  }
  [[nodiscard]] Bool head_is(int p, MessageStatus status) const {
    const Num first = head(p);
    Bool is(false);
    for (int m = 0; m < r.instance.messages_in(p); ++m) {
      is = is || (first == Num(m) && part(p).status[m] == status);
    }
    return is;
  }
  [[nodiscard]] Bool can_send(int p) const {
    return producer().in(Mode::kInTransaction) && !needs_adding(p) && turn_of(p) &&
           part(p).in_flight < r.instance.in_flight &&
           (head_is(p, MessageStatus::kUnsent) ||
            (head_is(p, MessageStatus::kRetry) && part(p).in_flight == 0));
  }
  void send(int p) {
    InstancePartition<D>& q = part(p);
    const int n = r.instance.messages_in(p);
    const Num first = head(p);
    const Bool fresh = head_is(p, MessageStatus::kUnsent);
    if (!r.instance.is_offsets(p)) {
      d.when(fresh, [&] {
        d.put(q.stamp, n, first, q.sequence);
        d.set(q.sequence, q.sequence + 1);
      });
    }
    d.put(q.status, n, first, MessageStatus::kInFlight);
    const Num slot = q.in_flight;
    d.put(q.message, r.instance.in_flight, slot, first);
    d.put(q.stage, r.instance.in_flight, slot, Stage::kSent);
    d.set(q.in_flight, slot + 1);
  }

  /// What goes out for message `m`.
  [[nodiscard]] Write<D> write_of(int p, Num m) const {
    const int n = r.instance.messages_in(p);
    return {
        me().pid, me().epoch, d.at(part(p).stamp, n, m), me().attempt, me().input + r.input_base(i),
        m,        i};
  }
  /// The position in the FIFO of the first request that the leader has not answered.
  [[nodiscard]] Bool next_is(int p, int k) const {
    Bool next = Num(k) < part(p).in_flight && part(p).stage[k] == Stage::kSent;
    for (int b = 0; b < k; ++b) next = next && part(p).stage[b] != Stage::kSent;
    return next;
  }
  [[nodiscard]] Bool can_take(int p, int k) const {
    const PartitionSteps<D> leader{d, s, r};
    return next_is(p, k) && !leader.write_rows(p, write_of(p, part(p).message[k])).waits;
  }
  void take(int p, int k) {
    PartitionSteps<D> leader{d, s, r};
    const Write<D> w = write_of(p, part(p).message[k]);
    const auto rows = leader.write_rows(p, w);
    leader.write(p, w, rows);
    typename D::Cell& stage = part(p).stage[k];
    d.when(rows.duplicate || rows.appended, [&] { d.set(stage, Stage::kOk); });
    d.when(rows.out_of_order, [&] { d.set(stage, Stage::kOutOfOrder); });
    d.when(rows.old_epoch, [&] { d.set(stage, Stage::kInvalidEpoch); });
    d.when(rows.unmapped, [&] { d.set(stage, Stage::kInvalidMapping); });
    d.when(rows.unverified, [&] { d.set(stage, Stage::kUnverified); });
  }

  // --- answers of brokers ---------------------------------------------------------------------

  [[nodiscard]] Bool can_receive_produce(int p) const {
    return !producer().is_fatal() && part(p).in_flight != 0 && part(p).stage[0] > Stage::kSent;
  }
  void pop(int p) {
    InstancePartition<D>& q = part(p);
    const int n = r.instance.in_flight;
    for (int k = 0; k + 1 < n; ++k) {
      d.set(q.message[k], q.message[k + 1]);
      d.set(q.stage[k], q.stage[k + 1]);
    }
    d.set(q.message[n - 1], 0);
    d.set(q.stage[n - 1], Stage::kNone);
    d.set(q.in_flight, q.in_flight - 1);
  }
  void receive_produce(int p) {
    const Num m = part(p).message[0];
    const Num stage = part(p).stage[0];
    const Bool going_on =
        producer().in(Mode::kInTransaction) || producer().in(Mode::kBumpingInside);
    pop(p);
    d.cases(stage, kStages, [&](int k) {
      switch (static_cast<Stage>(k)) {
        case Stage::kNone:
        case Stage::kSent:
          return;  // excluded by the guard
        case Stage::kOk:
          return set_status(p, m, MessageStatus::kAcknowledged);
        case Stage::kNotLeader:
          return d.when(
              going_on, [&] { set_status(p, m, MessageStatus::kRetry); },
              [&] { set_status(p, m, MessageStatus::kFailed); });
        case Stage::kOutOfOrder:
          return out_of_order(p, m, going_on);
        case Stage::kInvalidEpoch:
          set_status(p, m, MessageStatus::kFailed);
          return producer().error(behaviour().invalid_epoch, true);
        case Stage::kInvalidMapping:
          set_status(p, m, MessageStatus::kFailed);
          return producer().mapping_refused();
        case Stage::kUnverified:
          set_status(p, m, MessageStatus::kFailed);
          return producer().error(behaviour().unverified, false);
      }
    });
  }
  void set_status(int p, Num m, MessageStatus status) {
    d.put(part(p).status, r.instance.messages_in(p), m, status);
  }
  void out_of_order(int p, Num m, Bool going_on) {
    Bool later(false);
    for (int b = 0; b < r.instance.messages_in(p); ++b) {
      later = later || (Num(b) < m && part(p).status[b] != MessageStatus::kAcknowledged);
    }
    d.when(!going_on, [&] { set_status(p, m, MessageStatus::kFailed); });
    d.when(going_on && later, [&] {
      d.note(Note::kLaterOutOfOrder);
      react(p, m, behaviour().later);
    });
    d.when(going_on && !later, [&] {
      d.note(Note::kNextExpectedOutOfOrder);
      react(p, m, behaviour().next_expected);
    });
  }
  void react(int p, Num m, OutOfOrder reaction) {
    const bool again = reaction == OutOfOrder::kRetry || reaction == OutOfOrder::kBumpInside;
    set_status(p, m, again ? MessageStatus::kRetry : MessageStatus::kFailed);
    switch (reaction) {
      case OutOfOrder::kFatal:
        return producer().fatal(false);
      case OutOfOrder::kAbortAndBump:
        return producer().abortable(true);
      case OutOfOrder::kRetry:
        return;
      case OutOfOrder::kBumpInside:
        return d.set(me().mode, Mode::kBumpingInside);
    }
  }
};

}  // namespace fencepost::spec::transactions
