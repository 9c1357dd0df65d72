// Cluster, the brokers' end: requests taken, replication, elections. Sources, Kafka 1eb7644:
// SocketServer (one request at a time), ReplicaManager.appendRecords and DelayedProduce (purgatory,
// the offset beside an error), Partition.maybeIncrementLeaderHW, makeLeader and makeFollower.
#pragma once

namespace fencepost::impl {

/// Position of the next request that the broker takes off its connection, or none: one at a time.
template <class Z, class O>
int Cluster<Z, O>::next_taken(const State& s, int b) const {
  const auto& requests = connection(s, b).requests;
  for (int i = 0; i < requests.size(); ++i) {
    if (requests[i].stage == RequestStage::kWaiting) return kNone;
    if (requests[i].stage == RequestStage::kSent) return i;
  }
  return kNone;
}

/// The broker whose next request is for this partition, or none.
template <class Z, class O>
int Cluster<Z, O>::taker(const State& s, int p) const {
  for (int b = 0; b < brokers(); ++b) {
    const int at = next_taken(s, b);
    if (at != kNone && connection(s, b).requests[at].partition == p) return b;
  }
  return kNone;
}

template <class Z, class O>
void Cluster<Z, O>::answer(State& s, int b, Request<Z>& request, ErrorCode error,
                           bool has_offset) const {
  request.stage = RequestStage::kAnswered;
  request.error = error;
  request.has_offset = has_offset ? 1 : 0;
  request.required = 0;
  if (error == ErrorCode::kNotLeader && rules_.grain.leader_hints) {
    const Replica<Z>& mine = replica(s, b, request.partition);
    request.hint = mine.thinks;
    request.hint_epoch = mine.thinks_epoch;
  }
  observer_.answered(b, request);
}

/// The purgatory fills in the offset at the append and only the error later.
template <class Z, class O>
void Cluster<Z, O>::answer_waiting(State& s, int b, int p, ErrorCode error) const {
  auto& requests = connection(s, b).requests;
  for (int i = 0; i < requests.size(); ++i) {
    Request<Z>& request = requests[i];
    if (!(request.stage == RequestStage::kWaiting && request.partition == p)) continue;
    if (error == ErrorCode::kNone && request.required >= replica(s, b, p).watermark) continue;
    answer(s, b, request, error, true);
  }
}

template <class Z, class O>
bool Cluster<Z, O>::waiting(const State& s, int p) const {
  for (int b = 0; b < brokers(); ++b) {
    const auto& requests = connection(s, b).requests;
    for (int i = 0; i < requests.size(); ++i) {
      if (requests[i].stage == RequestStage::kWaiting && requests[i].partition == p) return true;
    }
  }
  return false;
}

template <class Z, class O>
void Cluster<Z, O>::take(State& s, int p) const {
  const int b = taker(s, p);
  Request<Z>& request = connection(s, b).requests[next_taken(s, b)];
  Replica<Z>& mine = replica(s, b, p);
  if (mine.leads == 0) return answer(s, b, request, ErrorCode::kNotLeader, false);
  // Before the duplicate check: a retry of a committed batch can be refused, too.
  if (isr_size(s, p) < rules_.min_isr && rules_.grain.changing_isr) {
    return answer(s, b, request, ErrorCode::kNotEnoughReplicas, false);
  }
  const Appended done = steps(s, b, p).produce(request.wire);
  if (done.error != ErrorCode::kNone) return answer(s, b, request, done.error, false);
  observer_.appended(p, b, request.wire, done, false);
  const bool committed = done.offset < mine.watermark;
  const bool at_once = done.duplicate ? committed || !behaviour().duplicate_at_watermark
                                      : rules_.mutant == Mutant::kAcknowledgeBeforeWatermark;
  if (at_once) return answer(s, b, request, ErrorCode::kNone, true);
  request.stage = RequestStage::kWaiting;
  request.required = done.offset;
}

template <class Z, class O>
bool Cluster<Z, O>::can_refuse(const State& s, int p) const {
  const int b = taker(s, p);
  return b != kNone && replica(s, b, p).leads == 1;
}

template <class Z, class O>
void Cluster<Z, O>::refuse(State& s, int p, ErrorCode error) const {
  const int b = taker(s, p);
  answer(s, b, connection(s, b).requests[next_taken(s, b)], error, false);
}

/// Nobody waits for the answer, so nothing is put into purgatory.
template <class Z, class O>
void Cluster<Z, O>::take_late(State& s, int p, int i) const {
  const int slot = late_slot(s, p, i);
  const LateRequest<Z> request = s.late[slot];
  s.late.erase(slot);
  if (slot < s.late.size()) s.late[slot].follows = 0;
  const int b = request.broker - 1;
  if (replica(s, b, p).leads == 0) return;
  const Appended done = steps(s, b, p).produce(request.wire);
  if (done.error == ErrorCode::kNone) {
    observer_.appended(p, b, request.wire, done, true);
  }
}

// --- replication --------------------------------------------------------------------------------

/// The broker that leads and knows it, or none.
template <class Z, class O>
int Cluster<Z, O>::leading(const State& s, int p) const {
  const int b = controlled(s, p).leader - 1;
  return b >= 0 && replica(s, b, p).leads == 1 ? b : kNone;
}

template <class Z, class O>
int Cluster<Z, O>::isr_size(const State& s, int p) const {
  int size = 0;
  for (int b = 0; b < brokers(); ++b) size += in_sync(s, p, b) ? 1 : 0;
  return size;
}

/// A follower that lags falls out; one that has caught up comes back: with the watermark, and with
/// the start of the leader's epoch, below which a new leader's watermark can lag behind what was
/// committed (Partition.isFollowerInSync, KAFKA-7128).
template <class Z, class O>
bool Cluster<Z, O>::can_change_isr(const State& s, int p, int b, bool expand) const {
  const int leader = leading(s, p);
  if (leader == kNone || leader == b || in_sync(s, p, b) == expand) return false;
  if (!expand) return true;
  const Replica<Z>& mine = replica(s, b, p);
  const Replica<Z>& other = replica(s, leader, p);
  const bool at_epoch =
      mine.end() >= other.epoch_start() || rules_.mutant == Mutant::kJoinsAtWatermark;
  return mine.leader_epoch == controlled(s, p).leader_epoch && mine.end() >= other.watermark &&
         at_epoch;
}

/// What every in-sync replica holds. One that has not followed the leader yet holds back the
/// watermark.
template <class Z, class O>
int Cluster<Z, O>::replicated_end(const State& s, int p) const {
  const Controlled<Z>& c = controlled(s, p);
  int end = replica(s, c.leader - 1, p).end();
  for (int b = 0; b < brokers(); ++b) {
    if (!in_sync(s, p, b)) continue;
    const Replica<Z>& other = replica(s, b, p);
    end = std::min(end, other.leader_epoch == c.leader_epoch ? other.end() : 0);
  }
  return end;
}

template <class Z, class O>
bool Cluster<Z, O>::can_advance(const State& s, int p) const {
  const int b = leading(s, p);
  if (b == kNone) return false;
  const Replica<Z>& mine = replica(s, b, p);
  // KIP-966: the watermark stands while there are too few in-sync replicas.
  if (isr_size(s, p) < rules_.min_isr && rules_.grain.changing_isr) return false;
  const int end = replicated_end(s, p);
  return mine.watermark < end && (end == mine.end() || rules_.grain.partial_watermark);
}

template <class Z, class O>
void Cluster<Z, O>::advance(State& s, int p) const {
  const int leader = leading(s, p);
  const int end = replicated_end(s, p);
  for (int b = 0; b < brokers(); ++b) {
    if (!in_sync(s, p, b)) continue;
    if (b == leader || !rules_.grain.lagging_watermark) replica(s, b, p).watermark = end;
  }
  if (end > controlled(s, p).committed) controlled(s, p).committed = end;
  observer_.advanced(p, leader, end);
  answer_waiting(s, leader, p, ErrorCode::kNone);
}

template <class Z, class O>
bool Cluster<Z, O>::can_fetch(const State& s, int p, int b) const {
  const int leader = leading(s, p);
  if (leader == kNone || leader == b) return false;
  const Replica<Z>& mine = replica(s, b, p);
  if (!(mine.leader_epoch == controlled(s, p).leader_epoch)) return false;
  return mine.end() < replica(s, leader, p).end() || hears_watermark(s, p, b) > mine.watermark;
}

/// The watermark that a fetch of this follower would tell it: never beyond its own log.
template <class Z, class O>
int Cluster<Z, O>::hears_watermark(const State& s, int p, int b) const {
  return std::min(int{replica(s, leading(s, p), p).watermark}, replica(s, b, p).end());
}

template <class Z, class O>
void Cluster<Z, O>::fetch(State& s, int p, int b) const {
  const Replica<Z>& leader = replica(s, leading(s, p), p);
  Replica<Z>& mine = replica(s, b, p);
  if (mine.end() < leader.end()) {
    steps(s, b, p).replicate(leader);
    observer_.replicated(p, b, mine.end());
  }
  mine.watermark = std::max(int{mine.watermark}, hears_watermark(s, p, b));
}

template <class Z, class O>
bool Cluster<Z, O>::can_follow(const State& s, int p, int b) const {
  const int leader = leading(s, p);
  return leader != kNone && leader != b &&
         !(replica(s, b, p).leader_epoch == controlled(s, p).leader_epoch);
}

/// What the broker will tell clients from now on (KIP-951).
template <class Z, class O>
void Cluster<Z, O>::hear_of_leader(State& s, int p, int b) const {
  if (!rules_.grain.leader_hints) return;
  replica(s, b, p).thinks = controlled(s, p).leader;
  replica(s, b, p).thinks_epoch = controlled(s, p).leader_epoch;
}

template <class Z, class O>
void Cluster<Z, O>::follow(State& s, int p, int b) const {
  const int before = replica(s, b, p).end();
  steps(s, b, p).truncate_to(replica(s, controlled(s, p).leader - 1, p));
  replica(s, b, p).leader_epoch = controlled(s, p).leader_epoch;
  replica(s, b, p).leads = 0;
  hear_of_leader(s, p, b);
  if (replica(s, b, p).end() < before) observer_.truncated(p, b, replica(s, b, p).end());
}

// --- the controller -----------------------------------------------------------------------------

template <class Z, class O>
void Cluster<Z, O>::lose_leader(State& s, int p) const {
  Controlled<Z>& c = controlled(s, p);
  const int b = c.leader - 1;
  replica(s, b, p).leads = 0;
  c.leader = 0;
  observer_.leader_lost(p, b);
  answer_waiting(s, b, p, ErrorCode::kNotLeader);
}

/// How many entries the broker's log is shorter than the one that counts.
template <class Z, class O>
int Cluster<Z, O>::behind(const State& s, int p, int b) const {
  return replica(s, controlled(s, p).log_of - 1, p).end() - replica(s, b, p).end();
}

/// `lost`: entries that the new leader does not have.
template <class Z, class O>
void Cluster<Z, O>::elect(State& s, int p, int b, int lost) const {
  Controlled<Z>& c = controlled(s, p);
  c.leader = b + 1;
  c.leader_epoch = c.leader_epoch + 1;
  c.log_of = b + 1;
  observer_.elected(p, b, c.leader_epoch, lost);
  if (rules_.grain.lagging_truncation) return;
  replica(s, b, p).leader_epoch = c.leader_epoch;
  for (int other = 0; other < brokers(); ++other) {
    if (other != b) follow(s, p, other);
  }
  const Replica<Z>& mine = replica(s, b, p);
  const int newest = mine.expired == 1 || mine.end() == 0 ? mine.end() : mine.end() - 1;
  if (mine.state_from > newest) steps(s, b, p).reload(newest);
}

/// A replica that fell out of the in-sync set and lacks something committed, or one that comes back
/// from an unclean shutdown without its last `lost` entries (KIP-966). What lacks nothing would
/// have been taken back into the set while there was a leader.
template <class Z, class O>
bool Cluster<Z, O>::can_elect_uncleanly(const State& s, int p, int b, int lost) const {
  const Controlled<Z>& c = controlled(s, p);
  const int end = replica(s, b, p).end() - lost;
  return c.leader == 0 && end >= 0 && end < c.committed && in_sync(s, p, b) == (lost > 0);
}

/// The new leader is the in-sync set by itself, so its whole log is committed; the others truncate
/// to it, by leader epoch, and catch up before they are in the set again.
template <class Z, class O>
void Cluster<Z, O>::elect_uncleanly(State& s, int p, int b, int lost) const {
  Controlled<Z>& c = controlled(s, p);
  Replica<Z>& mine = replica(s, b, p);
  const int gone = behind(s, p, b) + lost;
  if (lost > 0) steps(s, b, p).cut(mine.end() - lost);
  c.out_of_sync = ((1 << brokers()) - 1) & ~(1 << b);
  c.committed = mine.end();
  c.unclean = 1;
  observer_.records_lost(p, b, mine.end());
  elect(s, p, b, gone);
  if (!rules_.grain.lagging_watermark) mine.watermark = mine.end();
}

/// Who joins hears of the watermark with the fetch that brought it there.
template <class Z, class O>
void Cluster<Z, O>::change_isr(State& s, const Choice& x) const {
  const int p = x.partition;
  Controlled<Z>& c = controlled(s, p);
  if (x.kind == ChoiceKind::kShrinkIsr) {
    c.out_of_sync = c.out_of_sync | (1 << x.a);
    return;
  }
  c.out_of_sync = c.out_of_sync & ~(1 << x.a);
  if (rules_.grain.lagging_watermark) return;
  Replica<Z>& mine = replica(s, x.a, p);
  mine.watermark = std::max(int{mine.watermark}, hears_watermark(s, p, x.a));
}

template <class Z, class O>
void Cluster<Z, O>::learn_leadership(State& s, int p) const {
  const Controlled<Z>& c = controlled(s, p);
  Replica<Z>& mine = replica(s, c.leader - 1, p);
  mine.leads = 1;
  mine.leader_epoch = c.leader_epoch;
  hear_of_leader(s, p, c.leader - 1);
  observer_.leadership(p, c.leader - 1, true);
}

// --- producer state -----------------------------------------------------------------------------

template <class Z, class O>
bool Cluster<Z, O>::can_lose_state(const State& s, int p, bool expires) const {
  const Controlled<Z>& c = controlled(s, p);
  if (c.leader == 0) return false;
  const Replica<Z>& mine = replica(s, c.leader - 1, p);
  return mine.end() > mine.state_from + (expires ? 0 : 1);
}

/// Expiry, or a reload from a snapshot that holds the last batch only: on the leader's replica, or
/// on all at the grain of the spec, which knows one producer state per partition.
template <class Z, class O>
void Cluster<Z, O>::lose_state(State& s, int p, bool expires) const {
  Controlled<Z>& c = controlled(s, p);
  const int end = replica(s, c.leader - 1, p).end();
  for (int b = 0; b < brokers(); ++b) {
    if (rules_.grain.single_state_loss && b != c.leader - 1) continue;
    if (expires) {
      steps(s, b, p).expire(end);
    } else {
      steps(s, b, p).reload(end - 1);
    }
  }
  const int loss = expires ? 2 : 1;  // spec::CacheLoss
  if (loss > c.cache_loss) c.cache_loss = loss;
  observer_.state_lost(p, expires);
}

}  // namespace fencepost::impl
