// What a step reads besides the state: the behaviour, the instance, and the ranges of the cells
// that follow from both.
#pragma once

#include <algorithm>

#include "spec/transactions/behaviour.h"
#include "spec/transactions/state.h"

namespace fencepost::spec::transactions {

struct Rules {
  Behaviour behaviour;
  Instance instance;

  [[nodiscard]] int partitions() const { return instance.all_partitions(); }
  [[nodiscard]] bool allows(Fault kind) const { return instance.faults.allows(kind); }
  [[nodiscard]] int max_sequence() const { return instance.messages * instance.attempts; }
  /// Inputs of a loop are shared; without one each instance has its own.
  [[nodiscard]] int max_input() const {
    return instance.inputs * (instance.offsets ? 1 : instance.producers) - 1;
  }
  [[nodiscard]] int input_base(int i) const { return instance.offsets ? 0 : i * instance.inputs; }
  [[nodiscard]] bool rotates() const { return instance.exhausted_at > 0; }
};

/// One cell, as a visitor sees it: where it is, and the greatest value it can hold.
struct CellPlace {
  const char* field;
  int owner;  ///< producer instance or partition, -1 for neither
  int max;
};

namespace detail {

template <class P, class F>
void visit_producer(P& q, int i, const Rules& r, F&& f) {
  const Instance& n = r.instance;
  f(q.mode, CellPlace{"mode", i, kModes - 1});
  f(q.pid, CellPlace{"producer id", i, n.ids});
  f(q.epoch, CellPlace{"epoch", i, n.epochs});
  f(q.bump, CellPlace{"bump", i, 1});
  f(q.mapping_lost, CellPlace{"mapping lost", i, 1});
  f(q.input, CellPlace{"input", i, n.inputs});
  f(q.attempt, CellPlace{"attempt", i, n.attempts});
  f(q.excused, CellPlace{"excused", i, 1});
  f(q.forgotten, CellPlace{"forgotten", i, r.allows(Fault::kProducerIdExpiry) ? 1 : 0});
  f(q.reset_inside, CellPlace{"reset inside", i, 1});
  f(q.request, CellPlace{"request", i, kRequestKinds - 1});
  f(q.request_partition, CellPlace{"request partition", i, r.partitions() - 1});
  f(q.result, CellPlace{"result", i, kResults - 1});
  f(q.result_pid, CellPlace{"result id", i, n.ids});
  f(q.result_epoch, CellPlace{"result epoch", i, n.epochs});
  for (int a = 1; a <= n.attempts; ++a) f(q.told[a], CellPlace{"told", i, 2});
  for (int p = 0; p < r.partitions(); ++p) {
    auto& part = q.partition[p];
    f(part.added, CellPlace{"added", i, 1});
    f(part.sequence, CellPlace{"sequence", i, n.is_offsets(p) ? 0 : r.max_sequence()});
    for (int m = 0; m < n.messages_in(p); ++m) {
      f(part.status[m], CellPlace{"status", i, kMessageStatuses - 1});
      f(part.stamp[m], CellPlace{"stamp", i, n.is_offsets(p) ? 0 : r.max_sequence()});
    }
    f(part.in_flight, CellPlace{"in flight", i, n.in_flight});
    for (int k = 0; k < n.in_flight; ++k) {
      f(part.message[k], CellPlace{"message in flight", i, n.messages_in(p) - 1});
      f(part.stage[k], CellPlace{"stage", i, kStages - 1});
    }
  }
}

template <class C, class F>
void visit_coordinator(C& c, const Rules& r, F&& f) {
  const Instance& n = r.instance;
  f(c.mapped, CellPlace{"mapped", -1, 1});
  f(c.pid, CellPlace{"coordinator id", -1, n.ids});
  f(c.previous_pid, CellPlace{"previous id", -1, n.ids});
  f(c.next_pid, CellPlace{"next id", -1, r.rotates() ? n.ids : 0});
  f(c.epoch, CellPlace{"coordinator epoch", -1, n.epochs});
  f(c.last_epoch, CellPlace{"last epoch", -1, n.epochs + 1});
  f(c.state, CellPlace{"transaction state", -1, kTransactionStates - 1});
  for (int p = 0; p < r.partitions(); ++p) {
    f(c.added[p], CellPlace{"in the transaction", p, 1});
    f(c.pending[p], CellPlace{"marker pending", p, 1});
  }
  f(c.ids_given, CellPlace{"ids given", -1, n.ids});
  f(c.newest, CellPlace{"newest", -1, n.producers});
  f(c.right_owner, CellPlace{"right of", -1, n.producers - 1});
  f(c.right_pid, CellPlace{"right id", -1, n.ids});
  f(c.right_epoch, CellPlace{"right epoch", -1, n.epochs});
}

template <class P, class F>
void visit_partition(P& q, int p, const Rules& r, F&& f) {
  const Instance& n = r.instance;
  f(q.length, CellPlace{"length", p, n.log});
  for (int e = 0; e < n.log; ++e) {
    auto& entry = q.log[e];
    f(entry.kind, CellPlace{"entry kind", p, kEntryKinds - 1});
    f(entry.pid, CellPlace{"entry id", p, n.ids});
    f(entry.epoch, CellPlace{"entry epoch", p, n.epochs});
    f(entry.sequence, CellPlace{"entry sequence", p, r.max_sequence()});
    f(entry.owner, CellPlace{"entry owner", p, n.producers - 1});
    f(entry.attempt, CellPlace{"entry attempt", p, n.attempts});
    f(entry.input, CellPlace{"entry input", p, r.max_input()});
    f(entry.message, CellPlace{"entry message", p, n.messages - 1});
    f(entry.stale, CellPlace{"entry stale", p, 1});
  }
  for (int id = 1; id <= n.ids; ++id) {
    auto& state = q.producer[id];
    f(state.known, CellPlace{"known", p, 1});
    f(state.epoch, CellPlace{"known epoch", p, n.epochs});
    f(state.from, CellPlace{"cached from", p, r.max_sequence()});
    f(state.next, CellPlace{"next sequence", p, r.max_sequence() + 1});
    f(state.open, CellPlace{"open transaction", p, 1});
  }
  const int late = r.allows(Fault::kLateProduce) ? 1 : 0;
  f(q.late.valid, CellPlace{"late", p, late});
  f(q.late.owner, CellPlace{"late owner", p, late * (n.producers - 1)});
  f(q.late.pid, CellPlace{"late id", p, late * n.ids});
  f(q.late.epoch, CellPlace{"late epoch", p, late * n.epochs});
  f(q.late.sequence, CellPlace{"late sequence", p, late * r.max_sequence()});
  f(q.late.attempt, CellPlace{"late attempt", p, late * n.attempts});
  f(q.late.input, CellPlace{"late input", p, late * std::max(r.max_input(), 0)});
  f(q.late.message, CellPlace{"late message", p, late * (n.messages - 1)});
  const int marker = r.allows(Fault::kLateMarker) ? 1 : 0;
  f(q.late_marker.valid, CellPlace{"late marker", p, marker});
  f(q.late_marker.pid, CellPlace{"late marker id", p, marker * n.ids});
  f(q.late_marker.epoch, CellPlace{"late marker epoch", p, marker * n.epochs});
  f(q.late_marker.commit, CellPlace{"late marker commits", p, marker});
}

}  // namespace detail

/// Calls `f(cell, CellPlace)` for every cell that the instance uses, in a fixed order. Cells not
/// visited are always zero. `S` is a State or a const State of any domain.
template <class S, class F>
void visit_cells(S& s, const Rules& r, F&& f) {
  const Instance& n = r.instance;
  for (int i = 0; i < n.producers; ++i) detail::visit_producer(s.producer[i], i, r, f);
  detail::visit_coordinator(s.coordinator, r, f);
  for (int k = 0; k < n.late; ++k) {
    const int late = n.faults.allows_late() ? 1 : 0;
    f(s.late[k].kind, CellPlace{"late request", -1, late * (kRequestKinds - 1)});
    f(s.late[k].owner, CellPlace{"late request of", -1, late * (n.producers - 1)});
    f(s.late[k].pid, CellPlace{"late request id", -1, late * n.ids});
    f(s.late[k].epoch, CellPlace{"late request epoch", -1, late * n.epochs});
    f(s.late[k].partition, CellPlace{"late request partition", -1, late * (r.partitions() - 1)});
  }
  for (int p = 0; p < r.partitions(); ++p) detail::visit_partition(s.partition[p], p, r, f);
  f(s.faults_used, CellPlace{"faults used", -1, n.faults.budget});
  for (int k = 0; k < kFaultKinds; ++k) {
    const int cap = n.faults.cap[static_cast<std::size_t>(k)];
    f(s.kind_used[k], CellPlace{"faults used of a kind", -1, cap < 0 ? 0 : cap});
  }
}

}  // namespace fencepost::spec::transactions
