// Which choices there are.
#include "impl/transactions/cluster.h"

namespace fencepost::impl::transactions {
namespace {

const CallInNetwork& call_of(const State& s, int i) { return s.call[static_cast<std::size_t>(i)]; }
MarkerStage marker_of(const State& s, int p) {
  return static_cast<MarkerStage>(int{s.coordinator.marker[static_cast<std::size_t>(p)]});
}

}  // namespace

State Cluster::initial() const {
  State s{};
  step(s, 0, {ClientEvent::Kind::kStart, 0, 0, {}});
  return s;
}

int Cluster::next_taken(const State& s, int i, int p) {
  const auto& requests = s.produce[static_cast<std::size_t>(i)][static_cast<std::size_t>(p)];
  for (int k = 0; k < requests.size(); ++k) {
    if (requests[k].answered == 0) return k;
  }
  return -1;
}

Decision Cluster::decision_for(const State& s, const Call& call) const {
  return coordinator(s).decide(call);
}

/// Without overlap a restart: the instance before is gone.
bool Cluster::can_start(const State& s, int i) const {
  const bool alone = rules_.instance.overlap || i == 0 || client(s, i - 1).over();
  return client(s, i).in(ClientState::kNotStarted) && alone;
}

bool Cluster::can_take_request(const State& s, int i) const {
  return client(s, i).calls() && call_of(s, i).stage == CallStage::kSent;
}

bool Cluster::can_receive(const State& s, int i) const {
  return client(s, i).calls() && call_of(s, i).stage == CallStage::kAnswered;
}

/// While a record is written for an instance, the instance takes no step that could end it: it ends
/// before or after.
bool Cluster::is_written_for(const State& s, int i) const {
  return client(s, i).calls() && call_of(s, i).stage == CallStage::kTaken;
}

bool Cluster::can_take_produce(const State& s, int i, int p) const {
  const int k = next_taken(s, i, p);
  if (k < 0) return false;
  const ProduceInNetwork& request =
      s.produce[static_cast<std::size_t>(i)][static_cast<std::size_t>(p)][k];
  return leader(s, p).check(request.batch, coordinator(s), request.guard).kind !=
         Checked::Kind::kWaits;
}

bool Cluster::in_flight(const State& s, int i, int p) const {
  return !client(s, i).over() &&
         !s.produce[static_cast<std::size_t>(i)][static_cast<std::size_t>(p)].empty();
}

bool Cluster::can_receive_produce(const State& s, int i, int p) const {
  return in_flight(s, i, p) && !is_written_for(s, i) &&
         s.produce[static_cast<std::size_t>(i)][static_cast<std::size_t>(p)][0].answered == 1;
}

bool Cluster::can_take_late_request(const State& s, int k) const {
  if (k >= s.late_calls.size() || s.late_calls[k].taken == 1) return false;
  return !(decision_for(s, s.late_calls[k].call).answer.code == Code::kConcurrent) ||
         decision_for(s, s.late_calls[k].call).kind == Decision::Kind::kWrite;
}

/// Nobody who is alive works on the transaction any more.
bool Cluster::is_abandoned(const State& s) const {
  if (coordinator(s).busy() || !coordinator(s).ongoing()) return false;
  for (int i = 0; i < rules_.instance.producers; ++i) {
    const Client& c = s.client[static_cast<std::size_t>(i)];
    const bool works = c.state >= static_cast<int>(ClientState::kInTransaction) &&
                       !client(s, i).over() && coordinator(s).is_current(c.pid, c.epoch);
    if (works) return false;
  }
  return true;
}

bool Cluster::guard(const Choice& x, const State& s) const {
  switch (x.kind) {
    case ChoiceKind::kEndWrite:
      return !(s.coordinator.pending.why == Why::kNobody);
    case ChoiceKind::kComplete:
      return coordinator(s).can_complete();
    case ChoiceKind::kTimeOutAbandoned:
      return is_abandoned(s);
    case ChoiceKind::kSendMarker:
      return marker_of(s, x.p) == MarkerStage::kOwed;
    case ChoiceKind::kWriteMarker:
      return marker_of(s, x.p) == MarkerStage::kSent && leader(s, x.p).accepts(marker(s));
    case ChoiceKind::kAnswerMarker:
      return marker_of(s, x.p) == MarkerStage::kWritten;
    case ChoiceKind::kTakeLateRequest:
      return can_take_late_request(s, x.k);
    case ChoiceKind::kTakeLateProduce: {
      const Batch& late = s.late_batch[static_cast<std::size_t>(x.p)];
      const int under = s.late_guard[static_cast<std::size_t>(x.p)];
      return late.pid > 0 &&
             leader(s, x.p).check(late, coordinator(s), under).kind != Checked::Kind::kWaits;
    }
    case ChoiceKind::kTakeLateMarker:
      return s.late_marker[static_cast<std::size_t>(x.p)].valid == 1;
    default:
      return is_fault(x.kind) ? affordable(s, fault_of(x.kind)) && fault_guard(x, s)
                              : client_guard(x, s);
  }
}

bool Cluster::client_guard(const Choice& x, const State& s) const {
  const ClientSteps c = client(s, x.i);
  switch (x.kind) {
    case ChoiceKind::kStart:
      return can_start(s, x.i);
    case ChoiceKind::kTakeRequest:
      return can_take_request(s, x.i);
    case ChoiceKind::kReceive:
      return can_receive(s, x.i);
    case ChoiceKind::kReadPosition:
      return c.in(ClientState::kPositioning) && (leader(s, rules_.partitions() - 1).stable() ||
                                                 rules_.is(Mutant::kReadsUnstablePosition));
    case ChoiceKind::kBegin:
      return c.can_begin();
    case ChoiceKind::kAddPartition:
      return c.can_register(x.p);
    case ChoiceKind::kSend:
      return c.can_send(x.p);
    case ChoiceKind::kTakeProduce:
      return can_take_produce(s, x.i, x.p);
    case ChoiceKind::kReceiveProduce:
      return can_receive_produce(s, x.i, x.p);
    case ChoiceKind::kCommit:
      return c.can_commit();
    case ChoiceKind::kAbort:
      return c.can_abort();
    default:
      return c.can_bump_inside();
  }
}

// --- faults
// ---------------------------------------------------------------------------------------

bool Cluster::affordable(const State& s, shared::Fault fault) const {
  const auto k = static_cast<std::size_t>(fault);
  const shared::Faults& faults = rules_.instance.faults;
  if (s.faults_used + s.unseen_moves >= faults.budget) return false;
  return faults.cap[k] < 0 || s.kind_used[k] < faults.cap[k];
}

bool Cluster::can_leave(const State& s, int i, ChoiceKind kind) const {
  if (!can_take_request(s, i) || s.late_calls.size() >= rules_.instance.late) return false;
  const Call& call = call_of(s, i).call;
  if (kind == ChoiceKind::kLeaveRequest) return !(call.api == Api::kInitProducerId);
  return call.api == Api::kInitProducerId &&
         (call.asks_bump == 1) == (kind == ChoiceKind::kLeaveBump);
}

bool Cluster::move_is_seen(const State& s) const { return coordinator(s).reload_forgets(); }

bool Cluster::can_expire(const State& s) const {
  return s.coordinator.memory.exists == 1 && !coordinator(s).busy() && !coordinator(s).ongoing();
}

bool Cluster::fault_guard(const Choice& x, const State& s) const {
  switch (x.kind) {
    case ChoiceKind::kLoseAnswer:
      return can_receive(s, x.i) && !(call_of(s, x.i).answer.code == Code::kConcurrent);
    case ChoiceKind::kLeaveInit:
    case ChoiceKind::kLeaveBump:
    case ChoiceKind::kLeaveRequest:
      return can_leave(s, x.i, x.kind);
    case ChoiceKind::kDisconnect:
      return in_flight(s, x.i, x.p);
    case ChoiceKind::kLeaveProduce:
      return in_flight(s, x.i, x.p) && next_taken(s, x.i, x.p) >= 0 &&
             s.late_batch[static_cast<std::size_t>(x.p)].pid == 0;
    case ChoiceKind::kRefuse:
      return in_flight(s, x.i, x.p) && next_taken(s, x.i, x.p) >= 0;
    case ChoiceKind::kTimeOutMessage:
      return client(s, x.i).can_time_out(x.p);
    case ChoiceKind::kApplicationAbort:
      return client(s, x.i).can_give_up();
    case ChoiceKind::kMoveCoordinator:
      return move_is_seen(s) || !(s.coordinator.pending.why == Why::kNobody);
    case ChoiceKind::kTimeOutTransaction:
      return !coordinator(s).busy() && coordinator(s).ongoing();
    case ChoiceKind::kExpireTransactionalId:
      return can_expire(s);
    case ChoiceKind::kExpireProducerId:
      return leader(s, x.p).can_forget(x.k);
    case ChoiceKind::kLeaveMarker:
      return marker_of(s, x.p) == MarkerStage::kSent && leader(s, x.p).accepts(marker(s)) &&
             s.late_marker[static_cast<std::size_t>(x.p)].valid == 0;
    default:
      return !client(s, x.i).over() && !client(s, x.i).in(ClientState::kNotStarted) &&
             !is_written_for(s, x.i);
  }
}

/// The marker that the prepared transaction owes: with the coordinator's present epoch.
Marker Cluster::marker(const State& s) const {
  const Record& m = s.coordinator.memory;
  return {1, m.pid, m.epoch, m.in(TxnState::kPrepareCommit) ? 1 : 0};
}

}  // namespace fencepost::impl::transactions
