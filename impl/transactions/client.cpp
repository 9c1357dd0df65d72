#include "impl/transactions/client.h"

namespace fencepost::impl::transactions {
namespace {

constexpr int kAcknowledged = 1;
constexpr int kFailed = 2;

}  // namespace

void ClientSteps::step(const ClientEvent& event) {
  using Kind = ClientEvent::Kind;
  switch (event.kind) {
    case Kind::kStart:
      c_.state = ClientState::kInitialising;
      return call(Api::kInitProducerId, false, false, 0);
    case Kind::kPosition:
      c_.input = event.value;
      c_.state = ClientState::kReady;
      return;
    case Kind::kBegin:
      return hand_over();
    case Kind::kRegister:
      return call(Api::kAddPartitions, false, false, event.partition);
    case Kind::kSend:
      return send(event.partition);
    case Kind::kCommit:
      return commit();
    case Kind::kAbort:
      return abort();
    case Kind::kGiveUp:
      if (!behaviour().transactional || !registered_any()) return finish(false);
      c_.state = ClientState::kAborting;
      return call(Api::kEndTxn, false, false, 0);
    case Kind::kBumpInside:
      return call(Api::kInitProducerId, true, false, 0);
    case Kind::kCoordinator:
      return coordinator_answered(event.answer);
    case Kind::kResend:
      return resend();
    case Kind::kProduced:
      return produced(event.partition, static_cast<Code>(int{event.answer.code}));
    case Kind::kDisconnected:
      return disconnected(event.partition);
    case Kind::kMessageTimeout:
      return message_timeout(event.partition);
    case Kind::kCrash:
      return stop(ClientState::kCrashed);
  }
}

// --- what it may do
// -------------------------------------------------------------------------------

bool ClientSteps::idle_everywhere() const {
  for (int p = 0; p < rules_.partitions(); ++p) {
    if (!at(p).in_flight.empty()) return false;
  }
  return true;
}

/// Every message of the partition is acknowledged, or failed where the client does not mind.
bool ClientSteps::settled(int p) const {
  const bool minds = behaviour().message_failure != shared::MessageFailure::kIgnore;
  for (int m = 0; m < rules_.instance.messages_in(p); ++m) {
    const int over = at(p).over[static_cast<std::size_t>(m)];
    if (over != kAcknowledged && (minds || over != kFailed)) return false;
  }
  return true;
}

/// The position is committed after the outputs.
bool ClientSteps::has_turn(int p) const {
  if (!rules_.instance.is_offsets(p)) return true;
  for (int q = 0; q < rules_.instance.partitions; ++q) {
    if (!settled(q)) return false;
  }
  return true;
}

bool ClientSteps::must_register(int p) const {
  return behaviour().transactional && !behaviour().version_two && at(p).registered == 0;
}

bool ClientSteps::can_register(int p) const {
  return in(ClientState::kInTransaction) && !calls() && must_register(p) && has_turn(p);
}

bool ClientSteps::can_send(int p) const {
  const ClientPartition& q = at(p);
  if (!in(ClientState::kInTransaction) || q.queue.empty()) return false;
  if (must_register(p) || !has_turn(p)) return false;
  if (q.queue[0].sent == 1) return q.in_flight.empty();  // a retry goes out alone
  return q.in_flight.size() < rules_.instance.in_flight;
}

bool ClientSteps::can_commit() const {
  if (!in(ClientState::kInTransaction) || calls() || !idle_everywhere()) return false;
  for (int p = 0; p < rules_.partitions(); ++p) {
    if (!settled(p)) return false;
  }
  return true;
}

bool ClientSteps::can_abort() const {
  return in(ClientState::kAbortable) && !calls() && idle_everywhere();
}

/// The application gives up a transaction in which nothing is unresolved and nothing has failed.
bool ClientSteps::can_give_up() const {
  if (!in(ClientState::kInTransaction) || calls() || !idle_everywhere()) return false;
  for (int p = 0; p < rules_.partitions(); ++p) {
    for (int k = 0; k < at(p).queue.size(); ++k) {
      if (at(p).queue[k].sent == 1) return false;
    }
    for (const Int& over : at(p).over) {
      if (over == kFailed) return false;
    }
  }
  return true;
}

bool ClientSteps::can_bump_inside() const {
  return in(ClientState::kBumpingInside) && !calls() && idle_everywhere();
}

bool ClientSteps::can_time_out(int p) const {
  return in(ClientState::kInTransaction) && at(p).in_flight.empty() && !at(p).queue.empty();
}

bool ClientSteps::registered_any() const {
  if (behaviour().version_two) return true;
  for (int p = 0; p < rules_.partitions(); ++p) {
    if (at(p).registered == 1) return true;
  }
  return false;
}

// --- requests
// -------------------------------------------------------------------------------------

void ClientSteps::call(Api api, bool bump, bool commit, int partition) {
  c_.calling = api;
  c_.call_bumps = bump ? 1 : 0;
  c_.call_commits = commit ? 1 : 0;
  c_.call_partition = partition;
  resend();
}

void ClientSteps::resend() {
  out_.calls = true;
  out_.call = {c_.calling, c_.call_bumps, c_.call_commits, c_.call_partition, c_.pid, c_.epoch};
}

/// The application's loop: the next input makes one message, or several, for each partition.
void ClientSteps::hand_over() {
  c_.attempt = c_.attempt + 1;
  c_.state = ClientState::kInTransaction;
  for (int p = 0; p < rules_.partitions(); ++p) {
    if (!at(p).queue.empty()) continue;  // only the mutant that keeps its queue
    for (int m = 0; m < rules_.instance.messages_in(p); ++m) at(p).queue.push_back({m, 0});
  }
}

void ClientSteps::send(int p) {
  ClientPartition& q = at(p);
  const QueuedMessage message = q.queue[0];
  q.queue.erase(0);
  Int& stamp = q.stamp[static_cast<std::size_t>(int{message.id})];
  const bool fresh = message.sent == 0 || rules_.is(Mutant::kRenumbersRetries);
  if (fresh && !rules_.instance.is_offsets(p)) {
    stamp = q.next_sequence;
    q.next_sequence = q.next_sequence + 1;
  }
  q.in_flight.push_back(message.id);
  const int base = rules_.instance.offsets ? 0 : i_ * rules_.instance.inputs;
  out_.sends = true;
  out_.partition = p;
  out_.batch = {c_.pid, c_.epoch, stamp, i_, c_.attempt, c_.input + base, message.id};
}

void ClientSteps::put_back(int p, int id) {
  ClientPartition& q = at(p);
  int at = 0;
  while (at < q.queue.size() && q.queue[at].id < id) ++at;
  q.queue.insert(at, {id, 1});
}

void ClientSteps::finished(int p, int id, bool acknowledged) {
  at(p).over[static_cast<std::size_t>(id)] = acknowledged ? kAcknowledged : kFailed;
}

// --- answers of brokers
// ---------------------------------------------------------------------------

void ClientSteps::produced(int p, Code code) {
  const int id = at(p).in_flight[0];
  at(p).in_flight.erase(0);
  switch (code) {
    case Code::kNone:
      return finished(p, id, true);
    case Code::kNotLeader:
      return working() ? put_back(p, id) : finished(p, id, false);
    case Code::kOutOfOrder:
      return out_of_order(p, id);
    case Code::kInvalidEpoch:
      finished(p, id, false);
      if (behaviour().invalid_epoch == shared::OnError::kFatal) return stop(ClientState::kFenced);
      return abortable(true);
    case Code::kInvalidMapping:
      finished(p, id, false);
      return mapping_refused();
    default:
      finished(p, id, false);
      return error(behaviour().unverified);
  }
}

void ClientSteps::out_of_order(int p, int id) {
  if (!working()) return finished(p, id, false);
  bool later = false;
  for (int m = 0; m < id; ++m) {
    later = later || !(at(p).over[static_cast<std::size_t>(m)] == kAcknowledged);
  }
  react(p, id, later ? behaviour().later : behaviour().next_expected);
}

void ClientSteps::react(int p, int id, shared::OutOfOrder reaction) {
  switch (reaction) {
    case shared::OutOfOrder::kRetry:
      return put_back(p, id);
    case shared::OutOfOrder::kBumpInside:
      put_back(p, id);
      c_.state = ClientState::kBumpingInside;
      return;
    case shared::OutOfOrder::kFatal:
      return stop(ClientState::kFatal);
    case shared::OutOfOrder::kAbortAndBump:
      finished(p, id, false);
      return abortable(true);
  }
}

void ClientSteps::disconnected(int p) {
  ClientPartition& q = at(p);
  while (!q.in_flight.empty()) {
    const int id = q.in_flight[0];
    q.in_flight.erase(0);
    if (working()) {
      put_back(p, id);
    } else {
      finished(p, id, false);
    }
  }
}

void ClientSteps::message_timeout(int p) {
  const int id = at(p).queue[0].id;
  at(p).queue.erase(0);
  finished(p, id, false);
  if (behaviour().message_failure == shared::MessageFailure::kIgnore) return;
  abortable(behaviour().message_failure == shared::MessageFailure::kAbortAndBump);
}

// --- errors
// ---------------------------------------------------------------------------------------

void ClientSteps::error(shared::OnError reaction) {
  if (reaction == shared::OnError::kFatal) return stop(ClientState::kFatal);
  abortable(true);
}

/// From here only an abort leads on. Transaction version 2 raises the epoch at EndTxn.
void ClientSteps::abortable(bool bump) {
  if (working() || in(ClientState::kCommitting)) c_.state = ClientState::kAbortable;
  if (bump && !behaviour().version_two) c_.wants_epoch = 1;
}

void ClientSteps::mapping_refused() {
  if (!behaviour().mapping_recovers) return stop(ClientState::kFenced);
  abortable(false);
  c_.wants_epoch = 1;
  c_.mapping_lost = 1;
}

void ClientSteps::stop(ClientState state) {
  const Int pid = c_.pid;
  const Int epoch = c_.epoch;
  const Int input = c_.input;
  const Int attempt = c_.attempt;
  c_ = {};
  c_.state = state;
  c_.pid = pid;
  c_.epoch = epoch;
  c_.input = input;
  c_.attempt = attempt;
  heard_.ended = true;
}

// --- the end of a transaction
// ---------------------------------------------------------------------

void ClientSteps::commit() {
  if (!behaviour().transactional) return finish(true);
  c_.state = ClientState::kCommitting;
  call(Api::kEndTxn, false, true, 0);
}

void ClientSteps::abort() {
  if (!behaviour().transactional) return write_again();
  const bool bump_first = c_.wants_epoch == 1 && !behaviour().end_before_bump;
  if (c_.mapping_lost == 1 || bump_first || !registered_any()) return aborted();
  c_.state = ClientState::kAborting;
  call(Api::kEndTxn, false, false, 0);
}

/// The idempotent producer raises its epoch alone, and the loop writes the outputs of its input
/// again. At the last epoch it takes a new id; faulty clients wrap.
void ClientSteps::write_again() {
  const bool bumps = c_.wants_epoch == 1;
  finish(false);
  if (!bumps) return;
  restart_sequences();
  const int last = rules_.instance.exhausted_at;
  if (last == 0 || c_.epoch < last) {
    c_.epoch = c_.epoch + 1;
    return;
  }
  c_.epoch = 0;
  if (behaviour().wraps) return;
  c_.pid = 0;
  c_.state = ClientState::kInitialising;
  call(Api::kInitProducerId, false, false, 0);
}

/// The transaction is aborted; now the new epoch, if one is wanted.
void ClientSteps::aborted() {
  if (behaviour().bumps_alone && c_.wants_epoch == 1 && c_.mapping_lost == 0) {
    c_.epoch = c_.epoch + 1;
    c_.wants_epoch = 0;
    restart_sequences();
  }
  if (c_.wants_epoch == 0) return finish(false);
  c_.state = ClientState::kBumping;
  call(Api::kInitProducerId, true, false, 0);
}

void ClientSteps::finish(bool committed) {
  if (behaviour().transactional) {
    heard_.told = committed ? 1 : 2;
    heard_.attempt = c_.attempt;
  }
  if (committed) c_.input = c_.input + 1;
  c_.wants_epoch = 0;
  c_.mapping_lost = 0;
  const bool rereads = !committed && rules_.instance.rereads && rules_.instance.offsets;
  c_.state = rereads ? ClientState::kPositioning : ClientState::kReady;
  clear();
}

void ClientSteps::clear() {
  for (int p = 0; p < rules_.partitions(); ++p) {
    ClientPartition& q = at(p);
    q.registered = 0;
    q.stamp = {};
    q.over = {};
    if (!rules_.is(Mutant::kKeepsQueueAfterAbort)) q.queue.truncate(0);
  }
}

void ClientSteps::restart_sequences() {
  heard_.restarts_sequences = true;
  if (rules_.is(Mutant::kKeepsSequences)) return;
  for (int p = 0; p < rules_.partitions(); ++p) at(p).next_sequence = 0;
}

/// A client that bumps inside a transaction numbers what is unresolved anew and goes on.
void ClientSteps::go_on_inside() {
  c_.state = ClientState::kInTransaction;
  heard_.resets_inside = true;
  for (int p = 0; p < rules_.partitions(); ++p) {
    ClientPartition& q = at(p);
    for (int k = 0; k < q.queue.size(); ++k) {
      if (q.queue[k].sent == 1) q.stamp[static_cast<std::size_t>(int{q.queue[k].id})] = 0;
      q.queue[k].sent = 0;
    }
  }
}

// --- answers of the coordinator
// -------------------------------------------------------------------

void ClientSteps::coordinator_answered(const Answer& answer) {
  const auto api = static_cast<Api>(int{c_.calling});
  const bool bump = c_.call_bumps == 1;
  const bool commit = c_.call_commits == 1;
  const int partition = c_.call_partition;
  c_.calling = Api::kNone;
  c_.call_bumps = 0;
  c_.call_commits = 0;
  c_.call_partition = 0;
  switch (api) {
    case Api::kInitProducerId:
      return init_answered(answer, bump);
    case Api::kAddPartitions:
      return add_answered(static_cast<Code>(int{answer.code}), partition);
    case Api::kEndTxn:
      return end_answered(answer, commit);
    case Api::kNone:
      FP_ASSERT(false);
  }
}

void ClientSteps::take_id(const Answer& answer) {
  const bool changes = !(c_.pid == answer.pid) || !(c_.epoch == answer.epoch);
  c_.pid = answer.pid;
  c_.epoch = answer.epoch;
  if (changes) restart_sequences();
}

void ClientSteps::init_answered(const Answer& answer, bool bump) {
  if (answer.code == Code::kFenced) return stop(ClientState::kFenced);
  if (answer.code == Code::kUnexpected) {
    if (!behaviour().retries_unexpected) return stop(ClientState::kFatal);
    return call(Api::kInitProducerId, bump, false, 0);
  }
  const bool inside = in(ClientState::kBumpingInside);
  take_id(answer);
  if (!bump) {
    c_.state = rules_.instance.offsets ? ClientState::kPositioning : ClientState::kReady;
  } else if (inside) {
    go_on_inside();
  } else {
    finish(false);
  }
}

void ClientSteps::add_answered(Code code, int partition) {
  if (code == Code::kFenced) return stop(ClientState::kFenced);
  if (code == Code::kInvalidMapping) return mapping_refused();
  at(partition).registered = 1;
}

void ClientSteps::end_answered(const Answer& answer, bool commit) {
  if (answer.code == Code::kNone) {
    if (behaviour().bumps_at_end()) take_id(answer);
    return commit ? finish(true) : aborted();
  }
  if (!behaviour().end_errors_honoured) return finish(commit);
  if (answer.code == Code::kFenced) return stop(ClientState::kFenced);
  if (answer.code == Code::kInvalidState) return stop(ClientState::kFatal);
  mapping_refused();
  if (!commit && in(ClientState::kAborting)) aborted();
}

}  // namespace fencepost::impl::transactions
