// A deliberately tiny model of the idempotent producer, fixed for good: other checkers have counted
// its states, so the engines can be held against them on the very same work. It is not the
// product's model, which is in spec/, but is written over the same domains.
//
// One client with one epoch, per partition a leader with its log. A request in flight carries the
// client's epoch and the message's present sequence: both change only when nothing is in flight.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fencepost::small_model {

inline constexpr int kMaxPartitions = 3;
inline constexpr int kMaxMessages = 4;
inline constexpr int kMaxInFlight = 3;
inline constexpr int kMaxLog = kMaxMessages + 1;  // a duplicate ends the run

enum class Status { kQueued, kInFlight, kAcknowledged };
enum class Stage { kNone, kRequest, kOk, kOutOfOrder, kNotLeader, kInvalidEpoch };
enum class Kind { kSend, kDeliver, kLeaderChange, kLateLeaderChange, kReceive, kLose, kCount };
enum class Bound { kLog };

/// What the client does when a later message than the next expected one was out of order.
enum class Variant { kBump, kRetry };

/// Requires: 1..kMaxPartitions partitions, 1..kMaxMessages messages each, 1..kMaxInFlight in flight
/// each; at most 15 epochs and leader changes.
struct Parameters {
  int partitions = 2;
  int messages = 2;
  int in_flight = 2;
  int epochs = 1;
  int leader_changes = 1;
  Variant variant = Variant::kRetry;
};

/// The in-flight queue is `message[k]`, `stage[k]`: answers first, then requests, then empty slots,
/// which are zero. `next` is the last sequence plus one, 0 if there is none.
template <class D>
struct Partition {
  typename D::Cell status[kMaxMessages];
  typename D::Cell possibly[kMaxMessages];
  typename D::Cell sequence[kMaxMessages];
  typename D::Cell message[kMaxInFlight];
  typename D::Cell stage[kMaxInFlight];
  typename D::Cell epoch;
  typename D::Cell next;
  typename D::Cell length;
  typename D::Cell log[kMaxLog + 1];  // one more, so that the slot at the bound is an index too
  typename D::Cell spare;
};

template <class D>
struct State {
  Partition<D> partition[kMaxPartitions];
  typename D::Cell epoch;
  typename D::Cell drain;
  typename D::Cell changes;
  typename D::Cell fatal;
};

/// Guards and effects. An action is a number: `kind + Kind::kCount * partition`, and then the two
/// bumps.
template <class D>
class Model {
 public:
  using Bool = typename D::Bool;
  using Num = typename D::Num;
  using Cell = typename D::Cell;

  explicit Model(const Parameters& parameters) : p_(parameters) {}

  [[nodiscard]] const Parameters& parameters() const { return p_; }
  [[nodiscard]] int bump() const { return p_.partitions * kKinds; }
  [[nodiscard]] int safe_bump() const { return bump() + 1; }
  [[nodiscard]] int actions() const { return bump() + 2; }

  [[nodiscard]] Bool guard(D& d, int action, const State<D>& s) const {
    if (action == bump()) return (s.drain == 1) && nothing_in_flight(s);
    if (action == safe_bump()) {
      return (s.drain == 0) && (s.epoch < p_.epochs) && nothing_in_flight(s) && bumpable(s);
    }
    const Partition<D>& part = s.partition[action / kKinds];
    switch (static_cast<Kind>(action % kKinds)) {
      case Kind::kSend:
        return (s.drain == 0) && (part.stage[p_.in_flight - 1] == Stage::kNone) && queued(part);
      case Kind::kDeliver:
        return requested(part);
      case Kind::kLeaderChange:
      case Kind::kLateLeaderChange:
        return (s.changes < p_.leader_changes) && requested(part);
      case Kind::kReceive:
        return (part.stage[0] != Stage::kNone) && (part.stage[0] != Stage::kRequest);
      case Kind::kLose:
        return (part.stage[0] == Stage::kOk) || (part.stage[0] == Stage::kOutOfOrder);
      case Kind::kCount:
        break;
    }
    static_cast<void>(d);
    return Bool(false);
  }

  void effect(D& d, int action, State<D>& s) const {
    if (action == bump() || action == safe_bump()) return renumber(d, s);
    Partition<D>& part = s.partition[action / kKinds];
    switch (static_cast<Kind>(action % kKinds)) {
      case Kind::kSend:
        return send(d, part);
      case Kind::kDeliver:
        return deliver(d, s, part);
      case Kind::kLeaderChange:
        return leader_change(d, s, part);
      case Kind::kLateLeaderChange:
        deliver(d, s, part, /*answer=*/false);
        return leader_change(d, s, part);
      case Kind::kReceive:
        return receive(d, s, part);
      case Kind::kLose: {
        const Num message = part.message[0];
        pop(d, part);
        return requeue(d, part, message);
      }
      case Kind::kCount:
        break;
    }
  }

  /// Some log holds a message twice.
  [[nodiscard]] Bool duplicate(const State<D>& s) const {
    Bool twice(false);
    for (int p = 0; p < p_.partitions; ++p) {
      const Partition<D>& part = s.partition[p];
      for (int i = 0; i < p_.messages + 1; ++i) {
        for (int j = 0; j < i; ++j) {
          twice = twice || ((part.log[i] == part.log[j]) && (part.length > i));
        }
      }
    }
    return twice;
  }

  [[nodiscard]] Bool all_acknowledged(const State<D>& s) const {
    Bool all(true);
    for (int p = 0; p < p_.partitions; ++p) {
      for (int m = 0; m < p_.messages; ++m) {
        all = all && (s.partition[p].status[m] == Status::kAcknowledged);
      }
    }
    return all;
  }

 private:
  static constexpr int kKinds = static_cast<int>(Kind::kCount);

  [[nodiscard]] Bool queued(const Partition<D>& part) const {
    Bool any(false);
    for (int m = 0; m < p_.messages; ++m) any = any || (part.status[m] == Status::kQueued);
    return any;
  }

  [[nodiscard]] Bool requested(const Partition<D>& part) const {
    Bool any(false);
    for (int k = 0; k < p_.in_flight; ++k) any = any || (part.stage[k] == Stage::kRequest);
    return any;
  }

  [[nodiscard]] Bool nothing_in_flight(const State<D>& s) const {
    Bool nothing(true);
    for (int p = 0; p < p_.partitions; ++p) {
      nothing = nothing && (s.partition[p].stage[0] == Stage::kNone);
    }
    return nothing;
  }

  // Something is left to renumber, and nothing of it may have been persisted.
  [[nodiscard]] Bool bumpable(const State<D>& s) const {
    Bool some(false);
    Bool ambiguous(false);
    for (int p = 0; p < p_.partitions; ++p) {
      for (int m = 0; m < p_.messages; ++m) {
        some = some || (s.partition[p].status[m] != Status::kAcknowledged);
        ambiguous = ambiguous || (s.partition[p].possibly[m] == 1);
      }
    }
    return some && !ambiguous;
  }

  void send(D& d, Partition<D>& part) const {
    Bool before(false);  // a lower message is queued
    Num lowest(0);
    for (int m = 0; m < p_.messages; ++m) {
      const Bool is_queued = part.status[m] == Status::kQueued;
      lowest = d.pick(is_queued && !before, Num(m), lowest);
      before = before || is_queued;
    }
    d.put(part.status, kMaxMessages, lowest, Status::kInFlight);
    Bool filled(true);  // the slots before k are
    for (int k = 0; k < p_.in_flight; ++k) {
      const Bool is_filled = part.stage[k] != Stage::kNone;
      d.when(filled && !is_filled, [&] {
        d.set(part.message[k], lowest);
        d.set(part.stage[k], Stage::kRequest);
      });
      filled = is_filled;
    }
  }

  // The leader processes the first request.
  void deliver(D& d, State<D>& s, Partition<D>& part, bool answer = true) const {
    Bool answered(true);  // the slot before k was, before this step
    for (int k = 0; k < p_.in_flight; ++k) {
      const Bool is_request = part.stage[k] == Stage::kRequest;
      d.when(answered && is_request, [&] { process(d, s, part, k, answer); });
      answered = !is_request;
    }
  }

  void process(D& d, State<D>& s, Partition<D>& part, int k, bool answer) const {
    const Num message = part.message[k];
    const Num sequence = d.at(part.sequence, kMaxMessages, message);
    const auto say = [&](Stage stage) {
      if (answer) d.set(part.stage[k], stage);
    };
    const auto take = [&] {
      append(d, part, message);
      d.set(part.next, sequence + 1);
      say(Stage::kOk);
    };
    d.when(
        s.epoch < part.epoch, [&] { say(Stage::kInvalidEpoch); },
        [&] {
          d.when(
              s.epoch > part.epoch,
              [&] {
                d.when(
                    sequence == 0,
                    [&] {
                      d.set(part.epoch, s.epoch);
                      take();
                    },
                    [&] { say(Stage::kOutOfOrder); });
              },
              [&] {
                const Bool cached = (sequence < part.next) && (sequence + 5 >= part.next);
                d.when(
                    cached, [&] { say(Stage::kOk); },
                    [&] { d.when(sequence == part.next, take, [&] { say(Stage::kOutOfOrder); }); });
              });
        });
  }

  void append(D& d, Partition<D>& part, Num message) const {
    const Num length = part.length;
    d.put(part.log, kMaxLog + 1, length, message);
    d.increment(part.length, kMaxLog, Bound::kLog);
  }

  void leader_change(D& d, State<D>& s, Partition<D>& part) const {
    d.set(s.changes, s.changes + 1);
    for (int k = 0; k < p_.in_flight; ++k) {
      d.when(part.stage[k] == Stage::kRequest, [&] { d.set(part.stage[k], Stage::kNotLeader); });
    }
  }

  void receive(D& d, State<D>& s, Partition<D>& part) const {
    const Num message = part.message[0];
    const Num stage = part.stage[0];
    Bool lower(true);  // all lower messages are acknowledged
    for (int m = 0; m < p_.messages; ++m) {
      lower = lower && ((part.status[m] == Status::kAcknowledged) || (message <= m));
    }
    pop(d, part);
    d.when(stage == Stage::kOk, [&] {
      d.put(part.status, kMaxMessages, message, Status::kAcknowledged);
      d.put(part.possibly, kMaxMessages, message, 0);
      d.put(part.sequence, kMaxMessages, message, 0);
    });
    d.when(stage == Stage::kNotLeader, [&] { requeue(d, part, message); });
    d.when(stage == Stage::kOutOfOrder, [&] {
      d.put(part.status, kMaxMessages, message, Status::kQueued);
      d.when(
          lower, [&] { d.set(s.fatal, 1); },
          [&] {
            if (p_.variant == Variant::kRetry) return;
            d.when(s.epoch < p_.epochs, [&] { d.set(s.drain, 1); });
          });
    });
    d.when(stage == Stage::kInvalidEpoch, [&] { d.set(s.fatal, 1); });
  }

  void pop(D& d, Partition<D>& part) const {
    const int last = p_.in_flight - 1;
    for (int k = 0; k < last; ++k) {
      d.set(part.message[k], part.message[k + 1]);
      d.set(part.stage[k], part.stage[k + 1]);
    }
    d.set(part.message[last], 0);
    d.set(part.stage[last], Stage::kNone);
  }

  void requeue(D& d, Partition<D>& part, Num message) const {
    d.put(part.status, kMaxMessages, message, Status::kQueued);
    d.put(part.possibly, kMaxMessages, message, 1);
  }

  void renumber(D& d, State<D>& s) const {
    d.set(s.epoch, s.epoch + 1);
    d.set(s.drain, 0);
    for (int p = 0; p < p_.partitions; ++p) {
      Partition<D>& part = s.partition[p];
      Num next(0);
      for (int m = 0; m < p_.messages; ++m) {
        const Bool open = part.status[m] != Status::kAcknowledged;
        d.when(open, [&] {
          d.set(part.sequence[m], next);
          d.set(part.possibly[m], 0);
        });
        next = d.pick(open, next + 1, next);
      }
    }
  }

  Parameters p_;
};

}  // namespace fencepost::small_model
