// Producer, the sending side: queues, batches, adoption, the bump, what leaves the queue.
#pragma once

namespace fencepost::impl {

template <class Z, class S>
bool Producer<Z, S>::before(const Message<Z>& a, const Message<Z>& b) const {
  if (behaviour().requeue == spec::Requeue::kBehind && !(a.unresolved == b.unresolved)) {
    return b.unresolved == 1;  // what was never sent goes first
  }
  return a.id < b.id;
}

/// The message that would be sent next: the two queues merged, without moving anything.
template <class Z, class S>
const Message<Z>* Producer<Z, S>::head(const Part& q) const {
  const Message<Z>* first = q.xmit.empty() ? nullptr : &q.xmit[0];
  if (!q.queue.empty() && (first == nullptr || before(q.queue[0], *first))) first = &q.queue[0];
  return first;
}

template <class Z, class S>
template <class Queue>
void Producer<Z, S>::insert(Queue& queue, const Message<Z>& message) const {
  int at = queue.size();
  while (at > 0 && before(message, queue[at - 1])) --at;
  queue.insert(at, message);
}

template <class Z, class S>
void Producer<Z, S>::merge(Part& q) {
  for (int i = 0; i < q.queue.size(); ++i) insert(q.xmit, q.queue[i]);
  q.queue.truncate(0);
}

/// What the leader's thread does to its queues when it looks at the partition.
template <class Z, class S>
void Producer<Z, S>::settle(int p) {
  Part& q = at(p);
  merge(q);
  if (q.messages_in_flight == 0) q.wait_drain = 0;
}

template <class Z, class S>
void Producer<Z, S>::produce(int p) {
  Part& q = at(p);
  q.last_id = q.last_id + 1;
  Message<Z> message;
  message.id = q.last_id;
  q.queue.push_back(message);
  if (rules_.eager) settle(p);
}

template <class Z, class S>
bool Producer<Z, S>::stale(const Part& q) const {
  if (q.has_id == 0) return true;
  if (q.epoch == s_.epoch) return false;
  return behaviour().adopt_partitions == spec::AdoptPartitions::kAll || q.asked == 1;
}

template <class Z, class S>
bool Producer<Z, S>::can_send(int p) const {
  const Part& q = at(p);
  if (q.leader == 0) return false;  // the internal broker scans for timeouts only
  if (busy(q.leader)) return false;
  const Message<Z>* first = head(q);
  if (first == nullptr) return false;
  const bool drains_unresolved =
      behaviour().bump_waits_for == spec::BumpWaits::kNothingUnresolved &&
      s_.state == IdempotenceState::kDrainBump && first->unresolved == 1;
  if (!(s_.state == IdempotenceState::kAssigned) && !drains_unresolved) return false;
  if (q.messages_in_flight == 0) return true;
  if (q.messages_in_flight >= rules_.max_in_flight || q.wait_drain == 1) return false;
  if (q.target() != q.leader && rules_.mutant != Mutant::kNoDrainOnJoin) return false;
  return !behaviour().adopt_waits_for_in_flight || !stale(q) || deferred(q, *first);
}

template <class Z, class S>
void Producer<Z, S>::send(int p) {
  Part& q = at(p);
  settle(p);
  const Message<Z> first = q.xmit[0];
  if (stale(q) && !deferred(q, first)) adopt(p, first.id);
  Batch<Z> batch;
  build(q, batch);
  batch.epoch = q.epoch;
  batch.sequence = wrap(first.id - q.base);
  batch.broker = q.leader;
  if (q.messages_in_flight == 0) s_.partitions_in_flight = s_.partitions_in_flight + 1;
  q.messages_in_flight = q.messages_in_flight + batch.count();
  q.in_flight.push_back(batch);
  sink_.send(p, batch);
  if (first.last_id != 0 && batch.last_id() != first.last_id) fatal(p);  // cannot be rebuilt
}

/// Moves messages from the queue into the batch: what was one batch becomes the same one again.
template <class Z, class S>
void Producer<Z, S>::build(Part& q, Batch<Z>& batch) {
  const int last = q.xmit[0].last_id;
  const int limit = Z::kBatch == 1 ? 1 : rules_.batch;
  bool cut = rules_.mutant == Mutant::kBackoffCutsBatch && last != 0 && last != q.xmit[0].id;
  int taken = 0;
  while (taken < q.xmit.size() && taken < limit) {
    Message<Z> message = q.xmit[taken];
    if (last != 0 && message.id > last) break;
    if (cut && message.id == last) break;
    message.unresolved = 1;
    batch.messages.push_back(message);
    ++taken;
  }
  for (int i = 0; i < taken; ++i) q.xmit.erase(0);
}

/// rd_kafka_toppar_pid_change: the head of the queue becomes sequence 0, sent before or not.
template <class Z, class S>
void Producer<Z, S>::adopt(int p, int first_id) {
  Part& q = at(p);
  q.has_id = 1;
  q.epoch = s_.epoch;
  if (rules_.mutant != Mutant::kForgetsBaseOnBump) q.base = first_id;
  q.next_ack = 0;
  q.next_err = 0;
  q.asked = 0;
  q.doubtful.truncate(0);
  sink_.renumbered(p, q.epoch, q.base);
}

// --- the bump -----------------------------------------------------------------------------------

template <class Z, class S>
void Producer<Z, S>::request_bump(int p) {
  if (behaviour().adopt_partitions == spec::AdoptPartitions::kTriggering) at(p).asked = 1;
  if (!(s_.state == IdempotenceState::kAssigned)) return;
  sink_.drain(p, s_.epoch);
  s_.state = IdempotenceState::kDrainBump;
  if (behaviour().bump_waits_for == spec::BumpWaits::kNothing) bump();
}

template <class Z, class S>
bool Producer<Z, S>::nothing_unresolved() const {
  for (int p = 0; p < rules_.partitions; ++p) {
    const Part& q = at(p);
    if (q.messages_in_flight != 0 || !q.limbo.empty()) return false;
    for (int i = 0; i < q.xmit.size(); ++i) {
      if (q.xmit[i].unresolved == 1) return false;
    }
    for (int i = 0; i < q.queue.size(); ++i) {
      if (q.queue[i].unresolved == 1) return false;
    }
  }
  return true;
}

template <class Z, class S>
bool Producer<Z, S>::can_complete_bump() const {
  if (!(s_.state == IdempotenceState::kDrainBump)) return false;
  if (behaviour().bump_waits_for == spec::BumpWaits::kNextLoop) return true;
  if (behaviour().bump_waits_for == spec::BumpWaits::kNothingUnresolved)
    return nothing_unresolved();
  return s_.partitions_in_flight == 0;
}

template <class Z, class S>
void Producer<Z, S>::bump() {
  s_.epoch = (s_.epoch + 1) & 0x7fff;
  s_.state = IdempotenceState::kAssigned;
  sink_.bumped(s_.id, s_.epoch);
}

template <class Z, class S>
void Producer<Z, S>::fatal(int p) {
  sink_.fatal(p);  // which may look at whether the producer was fatal already
  s_.state = IdempotenceState::kFatal;
}

// --- what leaves the queue ----------------------------------------------------------------------

template <class Z, class S>
bool Producer<Z, S>::is_queued(int p, int id) const {
  const Part& q = at(p);
  for (int i = 0; i < q.xmit.size(); ++i) {
    if (q.xmit[i].id == id) return true;
  }
  for (int i = 0; i < q.queue.size(); ++i) {
    if (q.queue[i].id == id) return true;
  }
  return false;
}

template <class Z, class S>
void Producer<Z, S>::fail(int p, const Message<Z>& message, Why why, ErrorCode error) {
  if (message.possibly == 1 &&
      behaviour().out_of_order_proves_absence == spec::ProvesAbsence::kIfGapWasAnswered) {
    at(p).doubtful.push_back(message.id);
  }
  sink_.failed(p, message, why, error);
}

template <class Z, class S>
template <class Queue>
void Producer<Z, S>::fail_prefix(int p, Queue& queue, int last, Why why, ErrorCode error) {
  for (int i = 0; i < queue.size();) {
    if (queue[i].id > last) {
      ++i;
      continue;
    }
    const Message<Z> message = queue[i];
    queue.erase(i);
    fail(p, message, why, error);
  }
}

template <class Z, class S>
void Producer<Z, S>::remove_prefix(int p, int last, Why why, ErrorCode error, bool bumps) {
  fail_prefix(p, at(p).xmit, last, why, error);
  fail_prefix(p, at(p).queue, last, why, error);
  if (bumps) request_bump(p);
}

/// The timeout scan: of the leader's thread, or of the internal broker, which never bumps in
/// librdkafka.
template <class Z, class S>
void Producer<Z, S>::expire(int p, int last) {
  const bool bumps =
      at(p).leader == 0 ? behaviour().leaderless_timeout_bumps : behaviour().message_timeout_bumps;
  remove_prefix(p, last, Why::kTimedOut, ErrorCode::kMessageTimedOut, bumps);
}

template <class Z, class S>
void Producer<Z, S>::purge(int p, int last) {
  remove_prefix(p, last, Why::kPurged, ErrorCode::kPurgeQueue, behaviour().purge_bumps);
}

}  // namespace fencepost::impl
