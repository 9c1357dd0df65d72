// Producer, the answering side: how requests end, and who leads.
#pragma once

namespace fencepost::impl {

template <class Z, class S>
bool Producer<Z, S>::earlier_pending(const Part& q, int id) const {
  const auto lower = [id](const auto& queue) {
    for (int i = 0; i < queue.size(); ++i) {
      if (queue[i].id < id) return true;
    }
    return false;
  };
  if (lower(q.xmit) || lower(q.queue)) return true;
  for (int i = 0; i < q.in_flight.size(); ++i) {
    if (q.in_flight[i].first_id() < id) return true;
  }
  return false;
}

/// An earlier message of the epoch failed with its fate unknown: a late request could still close
/// the gap.
template <class Z, class S>
bool Producer<Z, S>::gap_may_close(const Part& q, int id) const {
  for (int i = 0; i < q.doubtful.size(); ++i) {
    if (q.doubtful[i] < id && q.base <= q.doubtful[i]) return true;
  }
  return false;
}

template <class Z, class S>
Situation Producer<Z, S>::situation(const Part& q, const Batch<Z>& batch,
                                    const Ending& ending) const {
  Situation at;
  at.sequence = batch.sequence;
  at.next_ack = q.next_ack;
  at.next_err = q.next_err;
  at.retries = batch.messages[0].retries;
  at.sent = ending.sent;
  at.has_offset = ending.has_offset;
  at.same_epoch = q.epoch == batch.epoch;
  at.current = q.epoch == s_.epoch;
  at.earlier = earlier_pending(q, batch.first_id());
  at.absent = !at.earlier && !gap_may_close(q, batch.first_id());
  return at;
}

template <class Z, class S>
void Producer<Z, S>::answer(int p, int broker, const Ending& ending) {
  Part& q = at(p);
  int slot = 0;
  while (slot < q.in_flight.size() && !(q.in_flight[slot].broker == broker)) ++slot;
  FP_ASSERT(slot < q.in_flight.size());
  Batch<Z> batch = q.in_flight[slot];
  q.in_flight.erase(slot);
  q.messages_in_flight = q.messages_in_flight - batch.count();
  const int limbo_before = q.limbo.size();
  if (ending.error == ErrorCode::kNone) {
    success(p, batch);
  } else {
    error(p, batch, ending);
  }
  const bool in_limbo = q.limbo.size() > limbo_before;
  // The instance's count goes down last, so a bump never sees a batch between flight and queue.
  if (q.messages_in_flight == 0 && !in_limbo) {
    s_.partitions_in_flight = s_.partitions_in_flight - 1;
  }
  if (rules_.eager) settle(p);
}

// --- success ------------------------------------------------------------------------------------

template <class Z, class S>
void Producer<Z, S>::success(int p, const Batch<Z>& batch) {
  Part& q = at(p);
  const int next = wrap(batch.sequence, batch.count());
  const bool skipped = q.acked_id < batch.first_id() - 1;
  if (skipped) {
    implicit(p, batch.last_id());
  } else if (!(batch.sequence == q.next_ack) && batch.sequence == q.next_err) {
    fatal(p);  // succeeded where a failure was expected
  }
  if (q.next_err == q.next_ack) q.next_err = next;
  q.next_ack = next;
  if (batch.last_id() > q.acked_id) q.acked_id = batch.last_id();
  for (int i = 0; i < batch.count(); ++i) sink_.delivered(p, batch.messages[i], false);
}

/// Everything queued up to the acknowledged message counts as acknowledged, too: the broker's
/// check would have refused a later batch without the earlier.
template <class Z, class S>
void Producer<Z, S>::implicit(int p, int last) {
  if (behaviour().implicit_ack == spec::ImplicitAck::kNone) return;
  if (rules_.mutant == Mutant::kDropsImplicitAck) return;
  implicit_in(p, at(p).xmit, last);
  implicit_in(p, at(p).queue, last);
}

template <class Z, class S>
template <class Queue>
void Producer<Z, S>::implicit_in(int p, Queue& queue, int last) {
  const bool all = behaviour().implicit_ack == spec::ImplicitAck::kAllSent;
  for (int i = 0; i < queue.size();) {
    const Message<Z> message = queue[i];
    if (all ? !(message.unresolved == 1) : message.id > last) {
      ++i;
      continue;
    }
    queue.erase(i);
    sink_.delivered(p, message, true);
  }
}

// --- errors -------------------------------------------------------------------------------------

template <class Z, class S>
void Producer<Z, S>::error(int p, Batch<Z>& batch, const Ending& ending) {
  Part& q = at(p);
  const Plan plan = plan_for(ending.error, situation(q, batch, ending), behaviour());
  const int next = wrap(batch.sequence, batch.count());
  if (plan.decision == Decision::kDelivered) {
    q.next_ack = next;
    q.next_err = next;
    if (batch.last_id() > q.acked_id) q.acked_id = batch.last_id();
    for (int i = 0; i < batch.count(); ++i) sink_.delivered(p, batch.messages[i], false);
    return;
  }
  q.next_err = next;
  if (plan.possibly && rules_.mutant == Mutant::kNextAckOnPossiblyPersisted) q.next_ack = next;
  for (int i = 0; i < batch.count(); ++i) {
    if (plan.possibly && !plan.desynchronized) batch.messages[i].possibly = 1;
    if (plan.proves_absence) batch.messages[i].unresolved = 0;
  }
  // Stamped on every error, so that the retry is the same batch again.
  batch.messages[0].last_id = Z::kBatch == 1 ? 0 : batch.last_id();
  if (plan.decision == Decision::kRetry) {
    put_back(p, batch, plan.counts, ending.exhausted && plan.counts);
    if (plan.bumps) request_bump(p);
    return;
  }
  give_up(p, batch, plan, ending.error);
}

template <class Z, class S>
void Producer<Z, S>::put_back(int p, Batch<Z>& batch, bool counts, bool exhausted) {
  Part& q = at(p);
  if (behaviour().drain_before_retry) {
    q.wait_drain = 1;
    sink_.partition_drain(p);
  }
  if (counts && Z::kCountsRetries) {
    for (int i = 0; i < batch.count(); ++i) {
      batch.messages[i].retries = batch.messages[i].retries + 1;
      exhausted = exhausted || batch.messages[i].retries > rules_.max_retries;
    }
  }
  if (exhausted) {
    for (int i = 0; i < batch.count(); ++i) {
      fail(p, batch.messages[i], Why::kRetriesExhausted, ErrorCode::kNone);
    }
    // Not the permanent branch: in librdkafka a gap stays.
    if (behaviour().retries_exhausted_bumps) request_bump(p);
    return;
  }
  // Another thread looks in between only if the partition has moved on and nothing else of it is in
  // flight. One batch a partition: impl/README.md.
  const bool window = behaviour().requeue_when == spec::RequeueWhen::kAfterCount;
  const bool seen = q.messages_in_flight == 0 && !(q.leader == batch.broker);
  if (window && seen && q.limbo.empty()) {
    q.limbo.push_back(batch);
  } else {
    requeue(p, batch);
  }
}

template <class Z, class S>
void Producer<Z, S>::requeue(int p, const Batch<Z>& batch) {
  for (int i = 0; i < batch.count(); ++i) insert(at(p).queue, batch.messages[i]);
}

template <class Z, class S>
void Producer<Z, S>::requeue_limbo(int p) {
  Part& q = at(p);
  const Batch<Z> batch = q.limbo[0];
  q.limbo.truncate(0);
  requeue(p, batch);
  s_.partitions_in_flight = s_.partitions_in_flight - 1;
  if (rules_.eager) settle(p);
}

template <class Z, class S>
void Producer<Z, S>::give_up(int p, const Batch<Z>& batch, const Plan& plan, ErrorCode error) {
  if (plan.decision == Decision::kFatal) fatal(p);
  const Why why = plan.decision == Decision::kFatal ? Why::kFatal
                  : plan.excused                    ? Why::kPermanent
                                                    : Why::kOther;
  for (int i = 0; i < batch.count(); ++i) fail(p, batch.messages[i], why, error);
  if (plan.bumps) request_bump(p);
}

// --- who leads ----------------------------------------------------------------------------------

template <class Z, class S>
void Producer<Z, S>::leader(int p, int broker, int epoch) {
  Part& q = at(p);
  if (epoch < q.leader_epoch || q.leader == broker) return;
  q.leader = broker;
  q.leader_epoch = epoch;
  if (rules_.mutant == Mutant::kPartitionRecreated) {
    q.has_id = 0;  // a new object: its first id comes with a new base
  }
  // The old thread hands its queue back, the new one waits for what the old one has in flight.
  for (int i = 0; i < q.xmit.size(); ++i) insert(q.queue, q.xmit[i]);
  q.xmit.truncate(0);
  if (behaviour().drain_before_retry && rules_.mutant != Mutant::kNoDrainOnJoin) q.wait_drain = 1;
  if (rules_.eager) settle(p);
}

}  // namespace fencepost::impl
