// Cluster, which choices there are and what taking one does.
#pragma once

namespace fencepost::impl {

template <class Z, class O>
typename Cluster<Z, O>::State Cluster<Z, O>::initial() const {
  State s{};
  const spec::Instance& instance = rules_.instance;
  for (int p = 0; p < instance.partitions; ++p) {
    const int leader = p % brokers();
    ClientPartition<Z>& q = s.producer.partition[static_cast<std::size_t>(p)];
    q.has_id = 1;
    q.base = 1;
    q.leader = leader + 1;
    controlled(s, p).leader = leader + 1;
    controlled(s, p).log_of = leader + 1;
    replica(s, leader, p).leads = 1;
    for (int b = 0; b < brokers() && rules_.grain.leader_hints; ++b) {
      replica(s, b, p).thinks = leader + 1;
    }
    for (int m = 0; m < instance.total_messages(); ++m) {
      s.reports[static_cast<std::size_t>(p)].push_back({});
      with_producer(s, [&](auto& producer) { producer.produce(p); });
    }
    if (instance.warm == 0) continue;
    q.xmit.erase(0);
    q.acked_id = 1;
    q.next_ack = 1;
    q.next_err = 1;
    s.reports[static_cast<std::size_t>(p)][0].told = Told::kDelivered;
    controlled(s, p).committed = 1;
    for (int b = 0; b < brokers(); ++b) {
      steps(s, b, p).produce({1, 1, 0, 0});
      replica(s, b, p).log[0].unchecked = 0;
      replica(s, b, p).watermark = 1;
    }
  }
  s.producer.state = IdempotenceState::kAssigned;
  return s;
}

// --- the budget ---------------------------------------------------------------------------------

template <class Z, class O>
bool Cluster<Z, O>::affordable(const State& s, spec::Fault kind, int p, int units) const {
  const spec::Faults& f = rules_.instance.faults;
  if (f.unlimited) return true;
  if (s.faults_used + units > f.budget) return false;
  const auto k = static_cast<std::size_t>(kind);
  if (f.cap[k] >= 0 && s.kind_used[k] >= f.cap[k]) return false;
  if (p < 0 || p >= spec::kMaxPartitions) return true;
  const auto q = static_cast<std::size_t>(p);
  return f.partition_cap[q] < 0 || s.partition_used[q] < f.partition_cap[q];
}

template <class Z, class O>
void Cluster<Z, O>::spend(State& s, spec::Fault kind, int p) const {
  const spec::Faults& f = rules_.instance.faults;
  if (f.unlimited) return;
  s.faults_used = s.faults_used + 1;
  const auto k = static_cast<std::size_t>(kind);
  if (f.cap[k] >= 0) s.kind_used[k] = s.kind_used[k] + 1;
  if (p < 0 || p >= spec::kMaxPartitions) return;
  const auto q = static_cast<std::size_t>(p);
  if (f.partition_cap[q] >= 0) s.partition_used[q] = s.partition_used[q] + 1;
}

// --- free choices -------------------------------------------------------------------------------

template <class Z, class O>
bool Cluster<Z, O>::guard(const Choice& x, const State& s) const {
  const int p = x.partition;
  State& reads = const_cast<State&>(s);  // guards of the producer read only
  switch (x.kind) {
    case ChoiceKind::kSend:
      return with_producer(reads, [&](auto& producer) { return producer.can_send(p); });
    case ChoiceKind::kReceive:
      return alive(s) && answerer(s, p) != kNone && free_hands(s, answerer(s, p) + 1);
    case ChoiceKind::kCompleteBump:
      return with_producer(reads, [&](auto& producer) { return producer.can_complete_bump(); });
    case ChoiceKind::kLearnLeader: {
      const Controlled<Z>& c = controlled(s, p);
      const int known = s.producer.partition[static_cast<std::size_t>(p)].leader;
      const bool matters = rules_.instance.faults.allows(spec::Fault::kMessageTimeoutLeaderless);
      return alive(s) && known != c.leader && (c.leader != 0 || matters) && free_hands(s, known) &&
             free_hands(s, c.leader);
    }
    case ChoiceKind::kTake:
      return taker(s, p) != kNone;
    case ChoiceKind::kAdvance:
      return can_advance(s, p);
    case ChoiceKind::kElect:
      return controlled(s, p).leader == 0 && in_sync(s, p, x.a);
    case ChoiceKind::kLearnLeadership:
      return controlled(s, p).leader != 0 && leading(s, p) == kNone;
    case ChoiceKind::kFetch:
      return can_fetch(s, p, x.a);
    case ChoiceKind::kFollow:
      return can_follow(s, p, x.a);
    case ChoiceKind::kExpandIsr:
      return can_change_isr(s, p, x.a, true);
    case ChoiceKind::kRequeue:
      return alive(s) && !s.producer.partition[static_cast<std::size_t>(p)].limbo.empty();
    case ChoiceKind::kProduce:
      return alive(s) &&
             s.producer.partition[static_cast<std::size_t>(p)].last_id < rules_.partition_messages;
    case ChoiceKind::kTakeLate: {
      const int slot = late_slot(s, p, x.a);
      return slot != kNone && s.late[slot].follows == 0;
    }
    default:
      return fault_guard(x, s);
  }
}

template <class Z, class O>
void Cluster<Z, O>::apply(const Choice& x, State& s) const {
  const int p = x.partition;
  switch (x.kind) {
    case ChoiceKind::kSend:
      return with_producer(s, [&](auto& producer) { producer.send(p); });
    case ChoiceKind::kReceive:
      return receive(s, p, false);
    case ChoiceKind::kCompleteBump:
      return with_producer(s, [&](auto& producer) { producer.bump(); });
    case ChoiceKind::kLearnLeader: {
      const Controlled<Z>& c = controlled(s, p);
      observer_.learnt(p, c.leader - 1, c.leader_epoch);
      return with_producer(s,
                           [&](auto& producer) { producer.leader(p, c.leader, c.leader_epoch); });
    }
    case ChoiceKind::kTake:
      return take(s, p);
    case ChoiceKind::kAdvance:
      return advance(s, p);
    case ChoiceKind::kElect:
      return elect(s, p, x.a, behind(s, p, x.a));
    case ChoiceKind::kLearnLeadership:
      return learn_leadership(s, p);
    case ChoiceKind::kFetch:
      return fetch(s, p, x.a);
    case ChoiceKind::kFollow:
      return follow(s, p, x.a);
    case ChoiceKind::kExpandIsr:
      return change_isr(s, x);
    case ChoiceKind::kRequeue:
      return with_producer(s, [&](auto& producer) { producer.requeue_limbo(p); });
    case ChoiceKind::kProduce:
      s.reports[static_cast<std::size_t>(p)].push_back({});
      with_producer(s, [&](auto& producer) { producer.produce(p); });
      return observer_.produced(p, s.producer.partition[static_cast<std::size_t>(p)].last_id);
    case ChoiceKind::kTakeLate:
      return take_late(s, p, x.a);
    default:
      return fault(x, s);
  }
}

// --- faults -------------------------------------------------------------------------------------

template <class Z, class O>
bool Cluster<Z, O>::fault_guard(const Choice& x, const State& s) const {
  using spec::Fault;
  const int p = x.partition;
  switch (x.kind) {
    case ChoiceKind::kLoseLeader:
      return affordable(s, Fault::kLeaderLost, p) && controlled(s, p).leader != 0;
    case ChoiceKind::kGoStale:
      return affordable(s, Fault::kStaleView, p) && leading(s, p) != kNone && !waiting(s, p);
    case ChoiceKind::kDisconnect:
      return affordable(s, Fault::kDisconnect, -1) && alive(s) && free_hands(s, x.a + 1) &&
             !connection(s, x.a).requests.empty();
    case ChoiceKind::kDisconnectLate:
      return affordable(s, Fault::kLateRequest, -1) && alive(s) && free_hands(s, x.a + 1) &&
             can_leave_late(s, x.a);
    case ChoiceKind::kDisconnectExhausted:
      return affordable(s, Fault::kDisconnect, -1, 2) &&
             affordable(s, Fault::kRetriesExhausted, p, 2) && alive(s) &&
             free_hands(s, x.a + 1) && in_flight_to(s, x.a, p);
    case ChoiceKind::kDisconnectLateExhausted:
      return affordable(s, Fault::kLateRequest, -1, 2) &&
             affordable(s, Fault::kRetriesExhausted, p, 2) && alive(s) &&
             free_hands(s, x.a + 1) && can_leave_late(s, x.a) && in_flight_to(s, x.a, p);
    case ChoiceKind::kRequestTimeout:
      return affordable(s, Fault::kRequestTimeout, p) && waiting(s, p);
    case ChoiceKind::kTooFewReplicas:
      return affordable(s, Fault::kTooFewReplicas, p) && can_refuse(s, p);
    case ChoiceKind::kTooFewReplicasAfterAppend:
      return affordable(s, Fault::kTooFewReplicasAfterAppend, p) && waiting(s, p);
    case ChoiceKind::kReceiveExhausted:
      return affordable(s, Fault::kRetriesExhausted, p) && alive(s) && can_exhaust(s, p) &&
             free_hands(s, answerer(s, p) + 1);
    case ChoiceKind::kPermanentError:
      return affordable(s, Fault::kPermanentError, p) && can_refuse(s, p);
    case ChoiceKind::kCacheShrink:
      return affordable(s, Fault::kCacheShrink, p) && can_lose_state(s, p, false);
    case ChoiceKind::kExpire:
      return affordable(s, Fault::kExpiry, p) && can_lose_state(s, p, true);
    case ChoiceKind::kShrinkIsr:
      return (!shrinking_costs(p) || affordable(s, Fault::kTooFewReplicas, p)) &&
             can_change_isr(s, p, x.a, false);
    case ChoiceKind::kElectUncleanly:
      return affordable(s, Fault::kUncleanElection, p) && can_elect_uncleanly(s, p, x.a, x.b);
    default:
      return queue_fault_guard(x, s);
  }
}

template <class Z, class O>
bool Cluster<Z, O>::queue_fault_guard(const Choice& x, const State& s) const {
  using spec::Fault;
  const int p = x.partition;
  const int leader = s.producer.partition[static_cast<std::size_t>(p)].leader;
  const bool leaderless = leader == 0;
  if (x.kind == ChoiceKind::kMessageTimeout && leaderless) return false;
  if (x.kind == ChoiceKind::kMessageTimeoutLeaderless && !leaderless) return false;
  const Fault fault = x.kind == ChoiceKind::kPurge            ? Fault::kPurge
                      : x.kind == ChoiceKind::kMessageTimeout ? Fault::kMessageTimeout
                                                              : Fault::kMessageTimeoutLeaderless;
  // The leader's thread scans for what has expired; the application purges the queue.
  if (x.kind != ChoiceKind::kPurge && !free_hands(s, leader)) return false;
  return alive(s) && affordable(s, fault, p) &&
         with_producer(const_cast<State&>(s),
                       [&](auto& producer) { return producer.is_queued(p, x.a + 1); });
}

template <class Z, class O>
void Cluster<Z, O>::fault(const Choice& x, State& s) const {
  using spec::Fault;
  const int p = x.partition;
  switch (x.kind) {
    case ChoiceKind::kLoseLeader:
      spend(s, Fault::kLeaderLost, p);
      return lose_leader(s, p);
    case ChoiceKind::kGoStale:
      spend(s, Fault::kStaleView, p);
      observer_.leadership(p, controlled(s, p).leader - 1, false);
      replica(s, controlled(s, p).leader - 1, p).leads = 0;
      return;
    case ChoiceKind::kDisconnect:
      spend(s, Fault::kDisconnect, -1);
      return disconnect(s, x.a, false, kNone);
    case ChoiceKind::kDisconnectLate:
      spend(s, Fault::kLateRequest, -1);
      return disconnect(s, x.a, true, kNone);
    case ChoiceKind::kDisconnectExhausted:
      spend(s, Fault::kDisconnect, -1);
      spend(s, Fault::kRetriesExhausted, p);
      return disconnect(s, x.a, false, p);
    case ChoiceKind::kDisconnectLateExhausted:
      spend(s, Fault::kLateRequest, -1);
      spend(s, Fault::kRetriesExhausted, p);
      return disconnect(s, x.a, true, p);
    case ChoiceKind::kRequestTimeout:
      spend(s, Fault::kRequestTimeout, p);
      for (int b = 0; b < brokers(); ++b) answer_waiting(s, b, p, ErrorCode::kRequestTimedOut);
      return;
    case ChoiceKind::kTooFewReplicas:
      spend(s, Fault::kTooFewReplicas, p);
      return refuse(s, p, ErrorCode::kNotEnoughReplicas);
    case ChoiceKind::kTooFewReplicasAfterAppend:
      spend(s, Fault::kTooFewReplicasAfterAppend, p);
      for (int b = 0; b < brokers(); ++b) {
        answer_waiting(s, b, p, ErrorCode::kNotEnoughReplicasAfterAppend);
      }
      return;
    case ChoiceKind::kShrinkIsr:
      if (shrinking_costs(p)) spend(s, Fault::kTooFewReplicas, p);
      return change_isr(s, x);
    case ChoiceKind::kElectUncleanly:
      spend(s, Fault::kUncleanElection, p);
      return elect_uncleanly(s, p, x.a, x.b);
    default:
      return queue_fault(x, s);
  }
}

template <class Z, class O>
void Cluster<Z, O>::queue_fault(const Choice& x, State& s) const {
  using spec::Fault;
  const int p = x.partition;
  switch (x.kind) {
    case ChoiceKind::kMessageTimeout:
    case ChoiceKind::kMessageTimeoutLeaderless:
      spend(s,
            x.kind == ChoiceKind::kMessageTimeout ? Fault::kMessageTimeout
                                                  : Fault::kMessageTimeoutLeaderless,
            p);
      return with_producer(s, [&](auto& producer) { producer.expire(p, x.a + 1); });
    case ChoiceKind::kPurge:
      spend(s, Fault::kPurge, p);
      return with_producer(s, [&](auto& producer) { producer.purge(p, x.a + 1); });
    case ChoiceKind::kReceiveExhausted:
      spend(s, Fault::kRetriesExhausted, p);
      return receive(s, p, true);
    case ChoiceKind::kPermanentError:
      spend(s, Fault::kPermanentError, p);
      return refuse(s, p, ErrorCode::kMessageTooLarge);
    case ChoiceKind::kCacheShrink:
      spend(s, Fault::kCacheShrink, p);
      return lose_state(s, p, false);
    case ChoiceKind::kExpire:
      spend(s, Fault::kExpiry, p);
      return lose_state(s, p, true);
    default:
      FP_ASSERT(false);
  }
}

}  // namespace fencepost::impl
