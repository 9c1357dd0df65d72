// Cluster, the client's end: what the producer's sink does, connections, answers received.
#pragma once

namespace fencepost::impl {

/// Where the producer's outputs go: requests onto connections, reports to the application.
template <class Z, class O>
struct Cluster<Z, O>::Sink {
  State& s;
  const ClusterRules& rules;
  O& observer;

  void send(int p, const Batch<Z>& batch) {
    Request<Z> request;
    request.partition = p;
    request.wire = {batch.first_id(), batch.count(), batch.epoch, batch.sequence};
    s.connection[static_cast<std::size_t>(batch.broker - 1)].requests.push_back(request);
    observer.send(p, batch);
  }
  /// The partition has lost producer state, or committed entries.
  [[nodiscard]] bool excused(int p) const {
    const auto& c = s.controlled[static_cast<std::size_t>(p)];
    return !(c.cache_loss == 0) || c.unclean == 1;
  }
  void tell(int p, const Message<Z>& message, Told told, bool possibly) {
    auto& report = s.reports[static_cast<std::size_t>(p)][message.id - 1];
    report.told = told;
    report.possibly = possibly ? 1 : 0;
  }
  void delivered(int p, const Message<Z>& message, bool implicit) {
    tell(p, message, Told::kDelivered, false);
    observer.delivered(p, message, implicit);
  }
  void failed(int p, const Message<Z>& message, Why why, ErrorCode error) {
    Told told = Told::kFailed;
    if (why == Why::kOther && !excused(p)) told = Told::kFailedFalsely;
    if (why == Why::kFatal) told = message.unresolved == 1 ? Told::kFatal : Told::kFatalAbsent;
    tell(p, message, told, message.possibly == 1);
    observer.failed(p, message, why, error);
  }
  void drain(int p, int epoch) { observer.drain(p, epoch); }
  void bumped(int id, int epoch) { observer.bumped(id, epoch); }
  void renumbered(int p, int epoch, int base) { observer.renumbered(p, epoch, base); }
  void partition_drain(int p) { observer.partition_drain(p); }
  void fatal(int p) {
    // An excuse of one partition does not excuse what another one did before.
    const bool unexcused = s.producer.state == IdempotenceState::kFatal && s.fatal_excused == 0;
    s.fatal_excused = excused(p) && !unexcused ? 1 : 0;
    observer.fatal(p);
  }
};

template <class Z, class O>
template <class F>
auto Cluster<Z, O>::with_producer(State& s, F&& f) const {
  Sink sink{s, rules_, observer_};
  Producer<Z, Sink> producer(s.producer, rules_.producer, sink);
  return f(producer);
}

/// The broker whose next answer to the client is for this partition, or none.
template <class Z, class O>
int Cluster<Z, O>::answerer(const State& s, int p) const {
  for (int b = 0; b < brokers(); ++b) {
    const auto& requests = connection(s, b).requests;
    if (!requests.empty() && requests[0].partition == p &&
        requests[0].stage == RequestStage::kAnswered) {
      return b;
    }
  }
  return kNone;
}

template <class Z, class O>
bool Cluster<Z, O>::can_exhaust(const State& s, int p) const {
  const int b = answerer(s, p);
  if (b == kNone) return false;
  const Request<Z>& request = connection(s, b).requests[0];
  const auto error = static_cast<ErrorCode>(int{request.error});
  if (error == ErrorCode::kNone || error == ErrorCode::kOutOfOrderSequence) return false;
  Situation at;
  at.has_offset = request.has_offset == 1;
  const Plan plan = plan_for(error, at, behaviour());
  return plan.decision == Decision::kRetry && plan.counts;
}

template <class Z, class O>
void Cluster<Z, O>::receive(State& s, int p, bool exhausted) const {
  const int b = answerer(s, p);
  const Request<Z> request = connection(s, b).requests[0];
  connection(s, b).requests.erase(0);
  observer_.received(b, request);
  Ending ending;
  ending.error = static_cast<ErrorCode>(int{request.error});
  ending.has_offset = request.has_offset == 1;
  ending.exhausted = exhausted;
  with_producer(s, [&](auto& producer) { producer.answer(p, b + 1, ending); });
  if (request.hint == 0) return;
  // KIP-951: the hint counts as metadata, and an older leader epoch is ignored like there.
  with_producer(s, [&](auto& producer) { producer.leader(p, request.hint, request.hint_epoch); });
}

template <class Z, class O>
bool Cluster<Z, O>::in_flight_to(const State& s, int b, int p) const {
  const auto& requests = connection(s, b).requests;
  for (int i = 0; i < requests.size(); ++i) {
    if (requests[i].partition == p) return true;
  }
  return false;
}

template <class Z, class O>
int Cluster<Z, O>::late_count(const State& s, int p) const {
  int count = 0;
  for (int i = 0; i < s.late.size(); ++i) count += s.late[i].partition == p ? 1 : 0;
  return count;
}

/// Where the `i`-th late request of a partition stands, or none.
template <class Z, class O>
int Cluster<Z, O>::late_slot(const State& s, int p, int i) const {
  for (int k = 0; k < s.late.size(); ++k) {
    if (s.late[k].partition == p && i-- == 0) return k;
  }
  return kNone;
}

template <class Z, class O>
bool Cluster<Z, O>::can_leave_late(const State& s, int b) const {
  const auto& requests = connection(s, b).requests;
  for (int i = 0; i < requests.size(); ++i) {
    if (requests[i].stage == RequestStage::kSent &&
        late_count(s, requests[i].partition) < spec::kMaxLate) {
      return true;
    }
  }
  return false;
}

/// The connection closes: everything in flight on it fails, in order, in one burst of its thread.
/// `exhausted`: the partition whose first request finds no retry left, or none.
template <class Z, class O>
void Cluster<Z, O>::disconnect(State& s, int b, bool late, int exhausted) const {
  auto& requests = connection(s, b).requests;
  const auto closed = requests;
  requests.truncate(0);
  observer_.closed(b, late);
  int follows = 0;
  for (int i = 0; i < closed.size() && late; ++i) {
    const Request<Z>& request = closed[i];
    if (!(request.stage == RequestStage::kSent)) continue;
    if (late_count(s, request.partition) >= spec::kMaxLate) continue;
    s.late.push_back({b + 1, request.partition, request.wire, follows});
    follows = 1;
  }
  for (int i = 0; i < closed.size(); ++i) {
    const int p = closed[i].partition;
    Ending ending;
    ending.error = ErrorCode::kTransport;
    ending.exhausted = p == exhausted;
    if (p == exhausted) exhausted = kNone;
    with_producer(s, [&](auto& producer) { producer.answer(p, b + 1, ending); });
  }
}

}  // namespace fencepost::impl
