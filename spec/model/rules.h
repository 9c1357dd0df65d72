// What a step reads besides the state: the behaviour, the instance, and the ranges of the cells
// that follow from both.
#pragma once

#include "spec/behaviour.h"
#include "spec/instance.h"
#include "spec/model/state.h"

namespace fencepost::spec {

struct Rules {
  Behaviour behaviour;
  Instance instance;

  [[nodiscard]] int messages() const { return instance.total_messages(); }
  /// A message below the partition's base would get a huge sequence (librdkafka masks the
  /// difference to 31 bits). All such values are alike: never the next one. The model uses one,
  /// above all others, where the behaviour lets it come to that.
  [[nodiscard]] bool can_wrap() const {
    if (numbers_at_send()) return false;
    return behaviour.requeue == Requeue::kBehind || !behaviour.adopt_waits_for_in_flight ||
           requeues_later();
  }
  [[nodiscard]] int max_sequence() const { return messages() - (can_wrap() ? 0 : 1); }
  [[nodiscard]] bool allows(Fault kind) const { return instance.faults.allows(kind); }
  /// A message can be out of flight and not yet back in the queue.
  [[nodiscard]] bool requeues_later() const {
    return behaviour.requeue_when == RequeueWhen::kAfterCount;
  }
  [[nodiscard]] bool cache_can_be_lost() const {
    return allows(Fault::kCacheShrink) || state_can_vanish();
  }
  /// A partition that holds records can know nothing of the producer.
  [[nodiscard]] bool state_can_vanish() const {
    return allows(Fault::kExpiry) || allows(Fault::kRetention);
  }
  [[nodiscard]] bool numbers_at_send() const {
    return behaviour.sequences == Sequences::kAtFirstSend;
  }
  /// Whether the sequence behind the last error is looked at by any rule.
  [[nodiscard]] bool follows_errors() const {
    return success_can_be_fatal() ||
           (behaviour.no_entry == NoEntry::kUnknownProducerId &&
            behaviour.unknown_producer == UnknownProducer::kBumpOnFirstAttempt);
  }
  /// A message that is put back behind a later acknowledgement can succeed where librdkafka expects
  /// a failure (next_err_seq), which is fatal.
  [[nodiscard]] bool success_can_be_fatal() const { return requeues_later() && !numbers_at_send(); }

  // Producer ids. A stamp's id and epoch are one number, id * span + epoch, so that a producer
  // with one id has its plain epochs.

  /// Epochs of one producer id.
  [[nodiscard]] int span() const {
    if (behaviour.bump_takes == BumpTakes::kNewProducerId) return 1;
    return (instance.max_epoch > 0 ? instance.max_epoch : instance.epochs) + 1;
  }
  [[nodiscard]] bool many_ids() const {
    return span() == 1 || allows(Fault::kProducerRestart) ||
           (instance.max_epoch > 0 && behaviour.epoch_exhausted == EpochExhausted::kNewProducerId);
  }
  /// The greatest id and epoch: a restart begins a new id.
  [[nodiscard]] int last_epoch() const {
    if (!allows(Fault::kProducerRestart)) return instance.epochs;
    return instance.epochs + instance.faults.budget * span();
  }
};

/// One cell, as a visitor sees it: where it is, and the greatest value it can hold.
struct CellPlace {
  const char* field;
  int partition;  ///< -1 for the producer's own
  int index;      ///< -1 if the field is no array
  int max;
};

namespace detail {

template <class P, class F>
void visit_client(P& q, int p, const Rules& r, F&& f) {
  const int m = r.messages();
  for (int i = 0; i < m; ++i) f(q.status[i], CellPlace{"status", p, i, kMessageStatuses - 1});
  for (int i = 0; i < m; ++i) f(q.possibly[i], CellPlace{"possibly persisted", p, i, 1});
  const bool at_send = r.numbers_at_send();
  for (int i = 0; i < m; ++i) f(q.sequence[i], CellPlace{"sequence", p, i, at_send ? m - 1 : 0});
  f(q.epoch, CellPlace{"partition epoch", p, -1, r.last_epoch()});
  f(q.base, CellPlace{"base message", p, -1, at_send ? 0 : m - 1});
  f(q.next_ack, CellPlace{"next expected acknowledgement", p, -1, r.max_sequence() + 1});
  f(q.next_sequence, CellPlace{"next sequence", p, -1, at_send ? m : 0});
  f(q.next_error, CellPlace{"sequence behind the last error", p, -1,
                            r.follows_errors() ? r.max_sequence() + 1 : 0});
  const bool doubts = r.behaviour.expired_in_doubt != ExpiredInDoubt::kForgotten;
  f(q.expired_next, CellPlace{"sequence behind one expired in doubt", p, -1, doubts ? m : 0});
  const bool asks = r.behaviour.adopt_partitions == AdoptPartitions::kTriggering ||
                    r.behaviour.bump_restamps == Restamps::kTriggering;
  f(q.asked, CellPlace{"asked for the bump", p, -1, asks ? 1 : 0});
  f(q.draining, CellPlace{"partition drain", p, -1, 1});
  f(q.view, CellPlace{"leader known to the client", p, -1, r.instance.brokers});
  const bool later = r.requeues_later();
  f(q.between, CellPlace{"between flight and queue", p, -1, later ? m : 0});
  f(q.between_at, CellPlace{"thread that requeues", p, -1, later ? r.instance.brokers : 0});
}

template <class P, class F>
void visit_network(P& q, int p, const Rules& r, F&& f) {
  const int m = r.messages();
  f(q.target, CellPlace{"broker in flight", p, -1, r.instance.brokers});
  f(q.in_flight, CellPlace{"in flight", p, -1, r.instance.in_flight});
  for (int i = 0; i < r.instance.in_flight; ++i) {
    f(q.request[i].message, CellPlace{"request message", p, i, m - 1});
    f(q.request[i].epoch, CellPlace{"request epoch", p, i, r.last_epoch()});
    f(q.request[i].sequence, CellPlace{"request sequence", p, i, r.max_sequence()});
    f(q.request[i].stage, CellPlace{"request stage", p, i, kStages - 1});
  }
  const bool late = r.allows(Fault::kLateRequest);
  f(q.late_count, CellPlace{"late requests", p, -1, late ? kMaxLate : 0});
  for (int i = 0; i < kMaxLate; ++i) {
    f(q.late[i].broker, CellPlace{"late broker", p, i, late ? r.instance.brokers : 0});
    f(q.late[i].message, CellPlace{"late message", p, i, late ? m - 1 : 0});
    f(q.late[i].epoch, CellPlace{"late epoch", p, i, late ? r.last_epoch() : 0});
    f(q.late[i].sequence, CellPlace{"late sequence", p, i, late ? r.max_sequence() : 0});
  }
}

template <class P, class F>
void visit_broker(P& q, int p, const Rules& r, F&& f) {
  const int log = r.instance.log;
  f(q.leader, CellPlace{"leader", p, -1, r.instance.brokers});
  f(q.aware, CellPlace{"leader knows", p, -1, 1});
  f(q.length, CellPlace{"log end", p, -1, log});
  f(q.watermark, CellPlace{"high watermark", p, -1, log});
  f(q.log_start, CellPlace{"log start", p, -1, r.allows(Fault::kRetention) ? log : 0});
  const bool expires = r.state_can_vanish();
  for (int i = 0; i < log; ++i) {
    f(q.log[i].message, CellPlace{"log message", p, i, r.messages() - 1});
    f(q.log[i].epoch, CellPlace{"log epoch", p, i, r.last_epoch()});
    f(q.log[i].sequence, CellPlace{"log sequence", p, i, r.max_sequence()});
    f(q.log[i].unchecked, CellPlace{"log unchecked", p, i, expires ? 1 : 0});
  }
  const bool lost = r.cache_can_be_lost();
  f(q.cache_from, CellPlace{"cache start", p, -1, lost ? log : 0});
  f(q.cache_loss, CellPlace{"cache loss", p, -1, lost ? 2 : 0});
  const bool unclean = r.allows(Fault::kUncleanElection);
  f(q.cut_below, CellPlace{"cut below the watermark", p, -1, unclean ? 1 : 0});
}

}  // namespace detail

/// Calls `f(cell, CellPlace)` for every cell that the instance uses, in a fixed order. Cells not
/// visited are always zero. `S` is a State or a const State of any domain.
template <class S, class F>
void visit_cells(S& s, const Rules& r, F&& f) {
  f(s.mode, CellPlace{"producer", -1, -1, kModes - 1});
  f(s.epoch, CellPlace{"producer epoch", -1, -1, r.last_epoch()});
  const Faults& faults = r.instance.faults;
  f(s.faults_used, CellPlace{"faults used", -1, -1, faults.unlimited ? 0 : faults.budget});
  for (int i = 0; i < kFaultKinds; ++i) {
    const int cap = faults.cap[static_cast<std::size_t>(i)];
    const int most = cap < 0 || faults.unlimited ? 0 : cap;
    f(s.kind_used[i], CellPlace{"faults used of a kind", -1, i, most});
  }
  for (int p = 0; p < r.instance.partitions; ++p) {
    const int cap = faults.partition_cap[static_cast<std::size_t>(p)];
    const int most = cap < 0 || faults.unlimited ? 0 : cap;
    f(s.partition_used[p], CellPlace{"faults used in a partition", p, -1, most});
    detail::visit_client(s.partition[p], p, r, f);
    detail::visit_network(s.partition[p], p, r, f);
    detail::visit_broker(s.partition[p], p, r, f);
  }
}

}  // namespace fencepost::spec
