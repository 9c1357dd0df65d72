#include "impl/transactions/coordinator.h"

namespace fencepost::impl::transactions {
namespace {

using Kind = Decision::Kind;

Decision answer(Code code, int pid = 0, int epoch = 0) {
  Decision decision;
  decision.answer = {code, pid, epoch};
  return decision;
}

Decision write(const Record& next, int last_epoch, const Answer& then) {
  Decision decision;
  decision.kind = Kind::kWrite;
  decision.next = next;
  decision.last_epoch = last_epoch;
  decision.answer = then;
  return decision;
}

}  // namespace

Decision CoordinatorSteps::decide(const Call& call) const {
  switch (static_cast<Api>(int{call.api})) {
    case Api::kInitProducerId:
      return init(call);
    case Api::kAddPartitions:
      return add(call);
    case Api::kEndTxn:
      return behaviour().bumps_at_end() ? end_with_bump(call) : end(call);
    case Api::kNone:
      break;
  }
  FP_ASSERT(false);
  return {};
}

// --- InitProducerId
// -------------------------------------------------------------------------------

bool CoordinatorSteps::is_foreign(const Call& call) const {
  if (call.pid == c_.memory.pid || behaviour().foreign_id == shared::ForeignId::kAccepted) {
    return false;
  }
  return behaviour().foreign_id == shared::ForeignId::kFenced ||
         !(call.pid == c_.memory.previous_pid && exhausted(call.epoch));
}

/// The installed id and epoch are new: an empty transaction, nothing in it.
Decision CoordinatorSteps::initialised(Record next, int last) const {
  next.state = TxnState::kEmpty;
  next.partitions = 0;
  Decision decision = write(next, last, {Code::kNone, next.pid, next.epoch});
  decision.challenges = true;
  decision.establishes = true;
  return decision;
}

/// TransactionCoordinator.handleInitProducerId and prepareInitProducerIdTransit, row by row.
Decision CoordinatorSteps::init(const Call& call) const {
  const Record& m = c_.memory;
  if (!behaviour().transactional) {  // no transactional id: any broker, a new id, nothing stored
    Decision plain = answer(Code::kNone, c_.ids_given + 1, 0);
    plain.gives_id = true;
    return plain;
  }
  if (busy()) return answer(Code::kConcurrent);
  const bool given = call.asks_bump == 1 && behaviour().gives_epoch();
  if (m.exists == 0) {
    if (given && !behaviour().unknown_gets_id) return answer(Code::kFenced);
    Record next = m;
    next.exists = 1;
    next.pid = c_.ids_given + 1;
    next.previous_pid = 0;
    next.epoch = 0;
    Decision decision = initialised(next, 0);
    decision.gives_id = true;
    return decision;
  }
  if (given && is_foreign(call)) return answer(Code::kFenced);
  if (m.in(TxnState::kOngoing)) {
    const bool same = !given || call.epoch == m.epoch;
    if (!same && behaviour().ongoing_compares) return answer(Code::kFenced);
    Decision decision = fence(behaviour().ongoing_bumps);
    decision.challenges = same;  // an old epoch will be refused in the end: it replaces nobody
    decision.answer.code = Code::kConcurrent;
    return decision;
  }
  return init_settled(call, given);
}

Decision CoordinatorSteps::init_settled(const Call& call, bool given) const {
  const Record& m = c_.memory;
  const bool same = !given || call.epoch == m.epoch;
  Record next = m;
  if (exhausted(m.epoch) && same) {
    next.previous_pid = m.pid;
    next.pid = c_.ids_given + 1;
    next.epoch = 0;
    Decision decision = initialised(next, given ? m.epoch + 1 : 0);
    decision.gives_id = true;
    return decision;
  }
  if (same) {
    next.epoch = m.epoch + 1;
    const bool keeps = given || !behaviour().plain_init_forgets_last;
    return initialised(next, keeps ? m.epoch + 1 : 0);
  }
  if (exhausted(m.epoch) && behaviour().exhausted_throws) return answer(Code::kUnexpected);
  if (behaviour().last_epoch_rule && c_.last_epoch == call.epoch + 1) {
    Decision decision = answer(Code::kNone, m.pid, m.epoch);
    decision.establishes = true;
    return decision;
  }
  return answer(Code::kFenced);
}

// --- the transaction
// ------------------------------------------------------------------------------

Decision CoordinatorSteps::add(const Call& call) const {
  const Record& m = c_.memory;
  if (!knows(call.pid)) return answer(Code::kInvalidMapping);
  if (!is_current(call.pid, call.epoch)) return answer(Code::kFenced);
  if (busy()) return answer(Code::kConcurrent);
  const int bit = 1 << call.partition;
  if (m.in(TxnState::kOngoing) && (m.partitions & bit) != 0) return answer(Code::kNone);
  Record next = m;
  next.state = TxnState::kOngoing;
  next.partitions = m.partitions | bit;
  return write(next, c_.last_epoch, {Code::kNone, 0, 0});
}

/// The coordinator ends the transaction itself, its epoch raised by so much.
Decision CoordinatorSteps::fence(int bumps) const {
  Record next = c_.memory;
  next.epoch = next.epoch + bumps;
  next.state = TxnState::kPrepareAbort;
  return write(next, 0, {});
}

/// Transaction versions 0 and 1: the request names the id and epoch, not the transaction.
Decision CoordinatorSteps::end(const Call& call) const {
  const Record& m = c_.memory;
  if (!knows(call.pid)) return answer(Code::kInvalidMapping);
  if (!is_current(call.pid, call.epoch)) return answer(Code::kFenced);
  if (busy()) return answer(Code::kConcurrent);
  if (m.in(TxnState::kOngoing)) return prepared(call.commit == 1);
  const TxnState wanted = call.commit == 1 ? TxnState::kCompleteCommit : TxnState::kCompleteAbort;
  if (m.in(wanted)) return answer(Code::kNone, m.pid, m.epoch);
  return answer(Code::kInvalidState);
}

/// Transaction version 2: a request of the epoch before is a retry of the end that raised it.
Decision CoordinatorSteps::end_with_bump(const Call& call) const {
  const Record& m = c_.memory;
  if (m.exists == 1 && busy()) return answer(Code::kConcurrent);
  const bool commit = call.commit == 1;
  const bool rotated = m.exists == 1 && m.complete() && call.pid == m.previous_pid &&
                       exhausted(call.epoch) && m.epoch == 0;
  if (!knows(call.pid) && !rotated) return answer(Code::kInvalidMapping);
  const bool fresh = is_current(call.pid, call.epoch);
  const bool own = !behaviour().retry_needs_last || c_.last_epoch == call.epoch + 1;
  const bool retry = rotated || (m.complete() && call.epoch + 1 == m.epoch && own);
  if (!fresh && !retry) return answer(Code::kFenced);
  if (m.in(TxnState::kOngoing)) return prepared(commit);
  if (!fresh) {
    const bool done = m.in(commit ? TxnState::kCompleteCommit : TxnState::kCompleteAbort);
    Decision decision = done ? answer(Code::kNone, m.pid, m.epoch) : answer(Code::kInvalidState);
    decision.renews = done;
    return decision;
  }
  return commit ? answer(Code::kInvalidState) : prepared(false);
}

/// The decision: from here on the transaction ends like this, whatever happens.
Decision CoordinatorSteps::prepared(bool commit) const {
  const Record& m = c_.memory;
  Record next = m;
  int last = c_.last_epoch;
  bool gives_id = false;
  if (behaviour().bumps_at_end()) {
    gives_id = exhausted(m.epoch);
    if (gives_id) next.next_pid = c_.ids_given + 1;
    last = m.epoch + 1;
    next.epoch = m.epoch + 1;
  }
  next.state = commit ? TxnState::kPrepareCommit : TxnState::kPrepareAbort;
  const bool rotates = next.next_pid > 0 && behaviour().rotation_answered;
  Decision decision = write(
      next, last, {Code::kNone, rotates ? next.next_pid : next.pid, rotates ? Int(0) : next.epoch});
  decision.gives_id = gives_id;
  decision.renews = behaviour().bumps_at_end();
  return decision;
}

bool CoordinatorSteps::can_complete() const {
  if (!c_.memory.preparing() || !(c_.pending.why == Why::kNobody)) return false;
  for (const Int& marker : c_.marker) {
    const bool early = rules_.is(Mutant::kCompletesEarly) && marker == MarkerStage::kSent;
    if (!(marker == MarkerStage::kNone) && !(marker == MarkerStage::kAnswered) && !early) {
      return false;
    }
  }
  return true;
}

Decision CoordinatorSteps::completion() const {
  Record next = c_.memory;
  next.state =
      next.in(TxnState::kPrepareCommit) ? TxnState::kCompleteCommit : TxnState::kCompleteAbort;
  next.partitions = 0;
  if (next.next_pid > 0) {
    next.previous_pid = next.pid;
    next.pid = next.next_pid;
    next.next_pid = 0;
    next.epoch = 0;
  }
  return write(next, c_.last_epoch, {});
}

// --- the log
// --------------------------------------------------------------------------------------

void CoordinatorSteps::begin_write(const Decision& decision, Why why, int who) {
  FP_ASSERT(c_.pending.why == Why::kNobody && decision.kind == Kind::kWrite);
  Pending& p = c_.pending;
  p.why = why;
  p.who = who;
  p.next = decision.next;
  p.last_epoch = decision.last_epoch;
  p.gives_id = decision.gives_id ? 1 : 0;
  p.challenges = decision.challenges ? 1 : 0;
  p.establishes = decision.establishes ? 1 : 0;
  p.renews = decision.renews ? 1 : 0;
  p.answer = decision.answer;
}

void CoordinatorSteps::install(const Record& record, int last_epoch) {
  c_.memory = record;
  c_.last_epoch = last_epoch;
  for (int p = 0; p < rules_.partitions(); ++p) {
    const bool owes = record.preparing() && ((record.partitions >> p) & 1) != 0;
    c_.marker[static_cast<std::size_t>(p)] = owes ? MarkerStage::kOwed : MarkerStage::kNone;
  }
}

void CoordinatorSteps::end_write() {
  const Pending p = c_.pending;
  c_.pending = {};
  if (p.gives_id == 1) c_.ids_given = c_.ids_given + 1;
  c_.log = p.next;
  c_.log.last_epoch = behaviour().last_epoch_persisted ? p.last_epoch : Int(0);
  Record memory = p.next;
  memory.last_epoch = 0;
  install(memory, p.last_epoch);
}

bool CoordinatorSteps::reload_forgets() const {
  bool forgets = !(c_.last_epoch == c_.log.last_epoch);
  for (const Int& marker : c_.marker) {
    forgets = forgets || marker == MarkerStage::kWritten || marker == MarkerStage::kAnswered;
  }
  return forgets;
}

void CoordinatorSteps::reload() {
  const int kept = c_.last_epoch;
  c_.pending = {};
  Record memory = c_.log;
  memory.last_epoch = 0;
  install(memory, rules_.is(Mutant::kRemembersLastEpoch) ? kept : int{c_.log.last_epoch});
  if (!rules_.is(Mutant::kForgetsMarkersAtMove)) return;
  for (Int& marker : c_.marker) {
    if (marker == MarkerStage::kOwed) marker = MarkerStage::kAnswered;
  }
}

void CoordinatorSteps::time_out() {
  begin_write(fence(behaviour().timeout_bumps), Why::kCompletion, 0);
  end_write();
}

void CoordinatorSteps::join(int partition) {
  Record next = c_.memory;
  next.state = TxnState::kOngoing;
  next.partitions = next.partitions | (1 << partition);
  begin_write(write(next, c_.last_epoch, {}), Why::kCompletion, 0);
  end_write();
}

void CoordinatorSteps::expire() {
  c_.log = {};
  install({}, 0);
}

}  // namespace fencepost::impl::transactions
