#include "spec/transactions/endless.h"

#include <algorithm>
#include <array>
#include <vector>

#include "spec/base.h"
#include "spec/transactions/properties.h"

namespace fencepost::spec::transactions {
namespace {

using Cell = Concrete::Cell;
using Entry = LogEntry<Concrete>;

template <class E>
bool is(const Cell& cell, E value) {
  return cell.v == static_cast<std::uint8_t>(value);
}

bool leaves_nothing(const Entry& entry) {
  return is(entry.kind, EntryKind::kAborted) || is(entry.kind, EntryKind::kCommitMarker) ||
         is(entry.kind, EntryKind::kAbortMarker);
}

void forget_log(Partition<Concrete>& q) {
  int kept = 0;
  for (int e = 0; e < q.length.v; ++e) {
    if (leaves_nothing(q.log[e])) continue;
    Entry entry = q.log[e];
    if (is(entry.kind, EntryKind::kCommitted)) entry.pid = entry.epoch = entry.sequence = {};
    q.log[kept++] = entry;
  }
  for (int e = kept; e < q.length.v; ++e) q.log[e] = {};
  q.length.v = static_cast<std::uint8_t>(kept);
}

/// The transaction's number stands in no log and in no request.
bool unmentioned(const Rules& r, const State<Concrete>& s, int i, int attempt) {
  for (int p = 0; p < r.partitions(); ++p) {
    const Partition<Concrete>& q = s.partition[p];
    if (s.producer[i].partition[p].in_flight.v != 0) return false;
    if (q.late.valid.v == 1 && q.late.owner.v == i && q.late.attempt.v == attempt) return false;
    for (int e = 0; e < q.length.v; ++e) {
      if (q.log[e].owner.v == i && q.log[e].attempt.v == attempt) return false;
    }
  }
  return true;
}

void forget_attempt(const Rules& r, State<Concrete>& s, int i) {
  Producer<Concrete>& q = s.producer[i];
  const int attempt = q.attempt.v;
  if (attempt == 0 || !is(q.told[attempt], Told::kAborted)) return;
  if (!unmentioned(r, s, i, attempt)) return;
  q.told[attempt] = {};
  q.attempt.v = static_cast<std::uint8_t>(attempt - 1);
}

/// Every cell that holds an epoch which some later step may compare, with what is to be added to
/// get the epoch: the coordinator's last one is stored raised by one.
class Epochs {
 public:
  Epochs(const Rules& r, State<Concrete>& s) : greatest_(s.coordinator.epoch.v) {
    for (int i = 0; i < r.instance.producers; ++i) {
      Producer<Concrete>& q = s.producer[i];
      if (q.mode.v >= static_cast<int>(Mode::kCrashed))
        q.epoch = {};  // it sends nothing more
      else if (q.pid.v != 0)
        cells_.push_back({&q.epoch, 0});
      if (is(q.result, Result::kOk) && q.result_pid.v != 0) cells_.push_back({&q.result_epoch, 0});
    }
    Coordinator<Concrete>& c = s.coordinator;
    if (c.mapped.v == 1) cells_.push_back({&c.epoch, 0});
    if (c.last_epoch.v != 0) cells_.push_back({&c.last_epoch, 1});
    if (c.newest.v != 0) cells_.push_back({&c.right_epoch, 0});
    for (int k = 0; k < r.instance.late; ++k) {
      if (!is(s.late[k].kind, RequestKind::kNone) && s.late[k].pid.v != 0) {
        cells_.push_back({&s.late[k].epoch, 0});
      }
    }
    for (int p = 0; p < r.partitions(); ++p) add_partition(r, s.partition[p]);
  }

  /// Gaps are cut to two. An epoch that rises past others would see that; only the greatest rises.
  void renumber() {
    std::array<bool, kMaxEpochs + 1> in_use{};
    for (const auto& [cell, raised] : cells_) {
      FP_ASSERT(cell->v - raised <= greatest_);
      in_use[static_cast<std::size_t>(cell->v - raised)] = true;
    }
    std::array<int, kMaxEpochs + 1> now{};
    int next = 0;
    int last = -1;
    for (int e = 0; e <= kMaxEpochs; ++e) {
      if (!in_use[static_cast<std::size_t>(e)]) continue;
      if (last >= 0) next += std::min(e - last, 2);
      now[static_cast<std::size_t>(e)] = next;
      last = e;
    }
    for (const auto& [cell, raised] : cells_) {
      cell->v = static_cast<std::uint8_t>(now[static_cast<std::size_t>(cell->v - raised)] + raised);
    }
  }

 private:
  void add_partition(const Rules& r, Partition<Concrete>& q) {
    for (int e = 0; e < q.length.v; ++e) {
      if (is(q.log[e].kind, EntryKind::kOpen)) cells_.push_back({&q.log[e].epoch, 0});
    }
    for (int id = 1; id <= r.instance.ids; ++id) {
      if (q.producer[id].known.v == 1) cells_.push_back({&q.producer[id].epoch, 0});
    }
    if (q.late.valid.v == 1) cells_.push_back({&q.late.epoch, 0});
    if (q.late_marker.valid.v == 1) cells_.push_back({&q.late_marker.epoch, 0});
  }

  struct Place {
    Cell* cell;
    int raised;
  };
  int greatest_;  // the coordinator's; 0 before it has an entry
  std::vector<Place> cells_;
};

}  // namespace

std::string_view endless_fault(const Behaviour& behaviour, const Instance& instance) {
  if (!behaviour.transactional) return "an endless instance needs a transactional client";
  if (behaviour.bumps_alone) {
    return "an endless instance numbers epochs anew: only the coordinator's may rise, and this "
           "client raises its own";
  }
  if (behaviour.no_entry != NoEntry::kZero && behaviour.no_entry != NoEntry::kAnySequence) {
    return "an endless instance forgets whether a log was ever written to, which this broker asks";
  }
  if (instance.exhausted_at > 0) return "an endless instance numbers epochs anew: none is the last";
  if (instance.faults.allows(Fault::kTransactionalIdExpiry)) {
    return "an endless instance has one producer id: leave out transactional-id-expiry";
  }
  return {};
}

std::uint32_t needs_history() {
  return 1U << static_cast<unsigned>(Property::kEpochMonotonic) |
         1U << static_cast<unsigned>(Property::kWellFormed);
}

bool forget_history(const Rules& rules, State<Concrete>& s) {
  for (int p = 0; p < rules.partitions(); ++p) {
    forget_log(s.partition[p]);
    for (int i = 0; i < rules.instance.producers; ++i) {
      if (s.producer[i].partition[p].sequence.v > rules.max_sequence()) return false;
    }
  }
  for (int i = 0; i < rules.instance.producers; ++i) forget_attempt(rules, s, i);
  Epochs(rules, s).renumber();
  return true;
}

}  // namespace fencepost::spec::transactions
