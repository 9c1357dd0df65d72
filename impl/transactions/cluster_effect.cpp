// What taking a choice does.
#include "impl/transactions/cluster.h"

namespace fencepost::impl::transactions {
namespace {

using EventKind = ClientEvent::Kind;

CallInNetwork& call_of(State& s, int i) { return s.call[static_cast<std::size_t>(i)]; }
auto& produce_of(State& s, int i, int p) {
  return s.produce[static_cast<std::size_t>(i)][static_cast<std::size_t>(p)];
}
Int& marker_of(State& s, int p) { return s.coordinator.marker[static_cast<std::size_t>(p)]; }

}  // namespace

/// Steps an instance and puts what it sends on the wire.
void Cluster::step(State& s, int i, const ClientEvent& event) const {
  ClientSteps c = client(s, i);
  c.step(event);
  if (c.out().calls) call_of(s, i) = {c.out().call, CallStage::kSent, {}};
  if (c.out().sends) {
    produce_of(s, i, c.out().partition).push_back({c.out().batch, 0, Code::kNone, 0});
  }
  Observed& seen = s.observed;
  const auto at = static_cast<std::size_t>(i);
  if (c.heard().told > 0) {
    seen.told[at][static_cast<std::size_t>(c.heard().attempt)] = c.heard().told;
  }
  if (c.heard().resets_inside) seen.reset_inside[at] = 1;
  if (!c.heard().ended) return;
  const bool forgotten = seen.forgotten[at] == 1 && !(s.client[at].state == ClientState::kFenced);
  seen.ended_excused[at] = seen.excused[at] == 1 || forgotten ? 1 : 0;
  end_excuses(s, i);
  call_of(s, i) = {};
  for (auto& requests : s.produce[at]) requests.truncate(0);
}

// --- observers
// ------------------------------------------------------------------------------------

void Cluster::challenge(State& s, int owner) const {
  for (int i = 0; i < rules_.instance.producers; ++i) {
    if (i != owner) s.observed.excused[static_cast<std::size_t>(i)] = 1;
  }
}

void Cluster::excuse_holders(State& s, bool of_epoch) const {
  const Record& m = s.coordinator.memory;
  for (int i = 0; i < rules_.instance.producers; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (m.exists == 0 || !(s.client[at].pid == m.pid)) continue;
    if (!of_epoch || s.client[at].epoch == m.epoch) s.observed.excused[at] = 1;
  }
}

void Cluster::end_excuses(State& s, int i) const {
  s.observed.excused[static_cast<std::size_t>(i)] = 0;
  s.observed.forgotten[static_cast<std::size_t>(i)] = 0;
}

void Cluster::establish(State& s, int i, bool first) const {
  Observed& seen = s.observed;
  seen.right_owner = i;
  seen.right_pid = s.coordinator.memory.pid;
  seen.right_epoch = s.coordinator.memory.epoch;
  end_excuses(s, i);
  if (first) seen.newest = i + 1;
}

bool Cluster::is_stale(const State& s, const Batch& batch) const {
  const Observed& seen = s.observed;
  if (seen.newest == 0) return false;
  if (!(seen.newest == batch.owner + 1)) return true;
  if (!(seen.right_owner == batch.owner)) return false;
  return batch.pid < seen.right_pid ||
         (batch.pid == seen.right_pid && batch.epoch < seen.right_epoch);
}

// --- the coordinator
// ------------------------------------------------------------------------------

void Cluster::take_request(State& s, int i) const {
  CallInNetwork& request = call_of(s, i);
  const Decision decision = decision_for(s, request.call);
  if (decision.kind == Decision::Kind::kWrite) {
    coordinator(s).begin_write(decision, Why::kCall, i);
    request.stage = CallStage::kTaken;
    if (!rules_.is(Mutant::kAnswersBeforeWrite)) return;
    request.stage = CallStage::kAnswered;
    request.answer = decision.answer;
    return;
  }
  if (decision.gives_id) s.coordinator.ids_given = s.coordinator.ids_given + 1;
  if (decision.establishes) establish(s, i, request.call.asks_bump == 0);
  if (decision.renews) end_excuses(s, i);
  request.stage = CallStage::kAnswered;
  request.answer = decision.answer;
}

/// The copies behind it move up, the one that is being written for among them.
void Cluster::drop_late_call(State& s, int k) const {
  s.late_calls.erase(k);
  Pending& pending = s.coordinator.pending;
  if (pending.why == Why::kLateCall && pending.who > k) pending.who = pending.who - 1;
}

void Cluster::take_late_request(State& s, int k) const {
  const Decision decision = decision_for(s, s.late_calls[k].call);
  if (decision.kind == Decision::Kind::kWrite) {
    coordinator(s).begin_write(decision, Why::kLateCall, k);
    s.late_calls[k].taken = 1;
    return;
  }
  if (decision.gives_id) s.coordinator.ids_given = s.coordinator.ids_given + 1;
  drop_late_call(s, k);
}

void Cluster::end_write(State& s) const {
  const Pending pending = s.coordinator.pending;
  coordinator(s).end_write();
  switch (static_cast<Why>(int{pending.why})) {
    case Why::kCall: {
      CallInNetwork& request = call_of(s, pending.who);
      if (pending.challenges == 1) challenge(s, pending.who);
      if (pending.establishes == 1) establish(s, pending.who, request.call.asks_bump == 0);
      if (pending.renews == 1) end_excuses(s, pending.who);
      if (rules_.is(Mutant::kAnswersBeforeWrite)) return;
      request.stage = CallStage::kAnswered;
      request.answer = pending.answer;
      return;
    }
    case Why::kLateCall:  // a late copy replaces nobody
      return s.late_calls.erase(pending.who);
    default:
      return;
  }
}

void Cluster::receive(State& s, int i) const {
  const Answer answer = call_of(s, i).answer;
  if (answer.code == Code::kConcurrent) return step(s, i, {EventKind::kResend, 0, 0, {}});
  call_of(s, i) = {};
  step(s, i, {EventKind::kCoordinator, 0, 0, answer});
}

/// A new coordinator: what waited for a record is sent again, markers on the wire are lost.
void Cluster::move(State& s) const {
  const bool seen = move_is_seen(s);
  const Pending pending = s.coordinator.pending;
  coordinator(s).reload();
  if (pending.why == Why::kCall && call_of(s, pending.who).stage == CallStage::kTaken) {
    step(s, pending.who, {EventKind::kResend, 0, 0, {}});
  }
  if (pending.why == Why::kLateCall) s.late_calls[pending.who].taken = 0;
  if (seen) {
    spend(s, shared::Fault::kCoordinatorMove);
  } else {
    s.unseen_moves = s.unseen_moves + 1;
  }
}

// --- partitions
// -----------------------------------------------------------------------------------

/// One step of the leader on a batch; false if it was only verified. `guard`: of the verification,
/// before and after; `code`: what the leader answers.
bool Cluster::write(State& s, int p, const Batch& batch, Int& guard, Code& code) const {
  const Checked checked = leader(s, p).check(batch, coordinator(s), guard);
  code = checked.code;
  if (checked.adds) coordinator(s).join(p);
  if (checked.kind == Checked::Kind::kVerified) {
    guard = leader(s, p).begin_verification(batch.pid);
    return false;
  }
  if (checked.kind == Checked::Kind::kAppends) leader(s, p).append(batch, is_stale(s, batch));
  guard = 0;
  return true;
}

void Cluster::take_produce(State& s, int i, int p) const {
  ProduceInNetwork& request = produce_of(s, i, p)[next_taken(s, i, p)];
  Code code = Code::kNone;
  if (!write(s, p, request.batch, request.guard, code)) return;
  request.answered = 1;
  request.code = code;
}

void Cluster::receive_produce(State& s, int i, int p) const {
  const Int code = produce_of(s, i, p)[0].code;
  produce_of(s, i, p).erase(0);
  step(s, i, {EventKind::kProduced, p, 0, {code, 0, 0}});
}

void Cluster::take_late_produce(State& s, int p) const {
  Batch& late = s.late_batch[static_cast<std::size_t>(p)];
  Code code = Code::kNone;
  if (write(s, p, late, s.late_guard[static_cast<std::size_t>(p)], code)) late = {};
}

void Cluster::write_marker(State& s, int p) const {
  leader(s, p).append_marker(marker(s));
  marker_of(s, p) = MarkerStage::kWritten;
}

void Cluster::take_late_marker(State& s, int p) const {
  Marker& late = s.late_marker[static_cast<std::size_t>(p)];
  if (leader(s, p).accepts(late)) leader(s, p).append_marker(late);
  late = {};
}

void Cluster::disconnect(State& s, int i, int p) const {
  produce_of(s, i, p).truncate(0);
  step(s, i, {EventKind::kDisconnected, p, 0, {}});
}

/// The connection closes, and the next request stays behind.
void Cluster::leave_produce(State& s, int i, int p) const {
  const ProduceInNetwork& request = produce_of(s, i, p)[next_taken(s, i, p)];
  s.late_batch[static_cast<std::size_t>(p)] = request.batch;
  s.late_guard[static_cast<std::size_t>(p)] = request.guard;
  disconnect(s, i, p);
}

void Cluster::leave_call(State& s, int i) const {
  s.late_calls.push_back({call_of(s, i).call, i, 0});
}

// --- choices
// --------------------------------------------------------------------------------------

void Cluster::apply(const Choice& x, State& s) const {
  switch (x.kind) {
    case ChoiceKind::kEndWrite:
      return end_write(s);
    case ChoiceKind::kComplete:
      return coordinator(s).begin_write(coordinator(s).completion(), Why::kCompletion, 0);
    case ChoiceKind::kTimeOutAbandoned:
      excuse_holders(s, true);
      return coordinator(s).time_out();
    case ChoiceKind::kSendMarker:
      marker_of(s, x.p) = MarkerStage::kSent;
      return;
    case ChoiceKind::kWriteMarker:
      return write_marker(s, x.p);
    case ChoiceKind::kAnswerMarker:
      marker_of(s, x.p) = MarkerStage::kAnswered;
      return;
    case ChoiceKind::kTakeLateRequest:
      return take_late_request(s, x.k);
    case ChoiceKind::kTakeLateProduce:
      return take_late_produce(s, x.p);
    case ChoiceKind::kTakeLateMarker:
      return take_late_marker(s, x.p);
    default:
      return is_fault(x.kind) ? fault_effect(x, s) : client_effect(x, s);
  }
}

void Cluster::client_effect(const Choice& x, State& s) const {
  switch (x.kind) {
    case ChoiceKind::kStart:
      return step(s, x.i, {EventKind::kStart, 0, 0, {}});
    case ChoiceKind::kTakeRequest:
      return take_request(s, x.i);
    case ChoiceKind::kReceive:
      return receive(s, x.i);
    case ChoiceKind::kReadPosition: {
      const int position = leader(s, rules_.partitions() - 1).position();
      return step(s, x.i, {EventKind::kPosition, 0, position, {}});
    }
    case ChoiceKind::kBegin:
      return step(s, x.i, {EventKind::kBegin, 0, 0, {}});
    case ChoiceKind::kAddPartition:
      return step(s, x.i, {EventKind::kRegister, x.p, 0, {}});
    case ChoiceKind::kSend:
      return step(s, x.i, {EventKind::kSend, x.p, 0, {}});
    case ChoiceKind::kTakeProduce:
      return take_produce(s, x.i, x.p);
    case ChoiceKind::kReceiveProduce:
      return receive_produce(s, x.i, x.p);
    case ChoiceKind::kCommit:
      return step(s, x.i, {EventKind::kCommit, 0, 0, {}});
    case ChoiceKind::kAbort:
      return step(s, x.i, {EventKind::kAbort, 0, 0, {}});
    default:
      return step(s, x.i, {EventKind::kBumpInside, 0, 0, {}});
  }
}

void Cluster::spend(State& s, shared::Fault fault) const {
  const auto k = static_cast<std::size_t>(fault);
  s.faults_used = s.faults_used + 1;
  if (rules_.instance.faults.cap[k] >= 0) s.kind_used[k] = s.kind_used[k] + 1;
}

void Cluster::fault_effect(const Choice& x, State& s) const {
  if (x.kind == ChoiceKind::kMoveCoordinator) return move(s);
  spend(s, fault_of(x.kind));
  switch (x.kind) {
    case ChoiceKind::kLoseAnswer:
      return step(s, x.i, {EventKind::kResend, 0, 0, {}});
    case ChoiceKind::kLeaveInit:
    case ChoiceKind::kLeaveBump:
    case ChoiceKind::kLeaveRequest:
      return leave_call(s, x.i);
    case ChoiceKind::kDisconnect:
      return disconnect(s, x.i, x.p);
    case ChoiceKind::kLeaveProduce:
      return leave_produce(s, x.i, x.p);
    case ChoiceKind::kRefuse: {
      ProduceInNetwork& request = produce_of(s, x.i, x.p)[next_taken(s, x.i, x.p)];
      request.answered = 1;
      request.code = Code::kNotLeader;
      return;
    }
    case ChoiceKind::kTimeOutMessage:
      return step(s, x.i, {EventKind::kMessageTimeout, x.p, 0, {}});
    case ChoiceKind::kApplicationAbort:
      return step(s, x.i, {EventKind::kGiveUp, 0, 0, {}});
    case ChoiceKind::kTimeOutTransaction:
      excuse_holders(s, true);
      return coordinator(s).time_out();
    case ChoiceKind::kExpireTransactionalId:
      excuse_holders(s, false);
      return coordinator(s).expire();
    case ChoiceKind::kExpireProducerId:
      for (int i = 0; i < rules_.instance.producers; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (s.client[at].pid == x.k) s.observed.forgotten[at] = 1;
      }
      return leader(s, x.p).forget(x.k);
    case ChoiceKind::kLeaveMarker:
      s.late_marker[static_cast<std::size_t>(x.p)] = marker(s);
      return write_marker(s, x.p);
    default:
      return step(s, x.i, {EventKind::kCrash, 0, 0, {}});
  }
}

}  // namespace fencepost::impl::transactions
