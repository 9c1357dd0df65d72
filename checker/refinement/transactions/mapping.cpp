#include "checker/refinement/transactions/mapping.h"

#include <fmt/format.h>

#include "spec/base.h"

namespace fencepost::refinement::transactions {
namespace {

using impl::ClientState;
using impl::Code;
using impl::MarkerStage;
using Cell = fencepost::spec::Concrete::Cell;

void put(Cell& cell, int value) { cell.v = static_cast<std::uint8_t>(value); }
template <class E>
requires std::is_enum_v<E>
void put(Cell& cell, E value) { cell.v = static_cast<std::uint8_t>(value); }

spec::Mode mode_of(ClientState state, bool excused) {
  switch (state) {
    case ClientState::kNotStarted:
      return spec::Mode::kNotStarted;
    case ClientState::kInitialising:
      return spec::Mode::kInitialising;
    case ClientState::kPositioning:
      return spec::Mode::kPositioning;
    case ClientState::kReady:
      return spec::Mode::kReady;
    case ClientState::kInTransaction:
      return spec::Mode::kInTransaction;
    case ClientState::kBumpingInside:
      return spec::Mode::kBumpingInside;
    case ClientState::kCommitting:
      return spec::Mode::kCommitting;
    case ClientState::kAbortable:
      return spec::Mode::kAbortable;
    case ClientState::kAborting:
      return spec::Mode::kAborting;
    case ClientState::kBumping:
      return spec::Mode::kBumping;
    case ClientState::kCrashed:
      return spec::Mode::kCrashed;
    case ClientState::kFenced:
      return excused ? spec::Mode::kFenced : spec::Mode::kFencedFalsely;
    case ClientState::kFatal:
      return excused ? spec::Mode::kFatalExcused : spec::Mode::kFatal;
  }
  FP_ASSERT(false);
  return {};
}

spec::RequestKind kind_of(int api, bool bumps, bool commits) {
  switch (static_cast<impl::Api>(api)) {
    case impl::Api::kNone:
      return spec::RequestKind::kNone;
    case impl::Api::kInitProducerId:
      return bumps ? spec::RequestKind::kInitBump : spec::RequestKind::kInit;
    case impl::Api::kAddPartitions:
      return spec::RequestKind::kAdd;
    case impl::Api::kEndTxn:
      return commits ? spec::RequestKind::kCommit : spec::RequestKind::kAbort;
  }
  FP_ASSERT(false);
  return {};
}

/// Of an answer that ends a coordinator request: no other code does.
spec::Result result_of(Code code) {
  switch (code) {
    case Code::kNone:
      return spec::Result::kOk;
    case Code::kFenced:
      return spec::Result::kFenced;
    case Code::kInvalidMapping:
      return spec::Result::kInvalidMapping;
    case Code::kInvalidState:
      return spec::Result::kInvalidState;
    case Code::kUnexpected:
      return spec::Result::kUnexpected;
    default:
      FP_ASSERT(false);
      return {};
  }
}

spec::Stage stage_of(const impl::ProduceInNetwork& request) {
  if (request.answered == 0) return spec::Stage::kSent;
  switch (static_cast<Code>(int{request.code})) {
    case Code::kNone:
      return spec::Stage::kOk;
    case Code::kNotLeader:
      return spec::Stage::kNotLeader;
    case Code::kOutOfOrder:
      return spec::Stage::kOutOfOrder;
    case Code::kInvalidEpoch:
      return spec::Stage::kInvalidEpoch;
    case Code::kInvalidMapping:
      return spec::Stage::kInvalidMapping;
    case Code::kAbortable:
      return spec::Stage::kUnverified;
    default:  // a leader answers with no other code
      FP_ASSERT(false);
      return {};
  }
}

spec::EntryKind data_kind(impl::Fate fate) {
  switch (fate) {
    case impl::Fate::kOpen:
      return spec::EntryKind::kOpen;
    case impl::Fate::kCommitted:
      return spec::EntryKind::kCommitted;
    case impl::Fate::kAborted:
      return spec::EntryKind::kAborted;
    case impl::Fate::kControl:
      break;  // a marker has no fate
  }
  FP_ASSERT(false);
  return {};
}

spec::EntryKind entry_kind(const impl::LogEntry& entry, impl::Fate fate) {
  switch (static_cast<impl::BatchKind>(int{entry.kind})) {
    case impl::BatchKind::kNothing:
      return spec::EntryKind::kNothing;
    case impl::BatchKind::kPlain:
      return spec::EntryKind::kPlain;
    case impl::BatchKind::kCommit:
      return spec::EntryKind::kCommitMarker;
    case impl::BatchKind::kAbort:
      return spec::EntryKind::kAbortMarker;
    case impl::BatchKind::kTransactional:
      return data_kind(fate);
  }
  FP_ASSERT(false);
  return {};
}

using SpecInstancePartition = spec::InstancePartition<fencepost::spec::Concrete>;

void map_instance_partition(const impl::State& s, std::size_t i, int p, const spec::Rules& rules,
                            SpecInstancePartition& out) {
  const impl::ClientPartition& q = s.client[i].partition[static_cast<std::size_t>(p)];
  put(out.added, int{q.registered});
  put(out.sequence, int{q.next_sequence});
  for (int m = 0; m < rules.instance.messages_in(p); ++m) {
    const auto at = static_cast<std::size_t>(m);
    put(out.stamp[m], int{q.stamp[at]});
    if (q.over[at] == 1) put(out.status[m], spec::MessageStatus::kAcknowledged);
    if (q.over[at] == 2) put(out.status[m], spec::MessageStatus::kFailed);
  }
  for (int k = 0; k < q.queue.size(); ++k) {
    const bool sent = q.queue[k].sent == 1;
    put(out.status[q.queue[k].id],
        sent ? spec::MessageStatus::kRetry : spec::MessageStatus::kUnsent);
  }
  const auto& requests = s.produce[i][static_cast<std::size_t>(p)];
  put(out.in_flight, requests.size());
  for (int k = 0; k < requests.size(); ++k) {
    put(out.status[requests[k].batch.message], spec::MessageStatus::kInFlight);
    put(out.message[k], int{requests[k].batch.message});
    put(out.stage[k], stage_of(requests[k]));
  }
}

void map_instance(const impl::State& s, int n, const spec::Rules& rules,
                  spec::Producer<fencepost::spec::Concrete>& out) {
  const auto i = static_cast<std::size_t>(n);
  const impl::Client& c = s.client[i];
  const impl::Observed& seen = s.observed;
  put(out.mode, mode_of(static_cast<ClientState>(int{c.state}), seen.ended_excused[i] == 1));
  put(out.pid, int{c.pid});
  put(out.epoch, int{c.epoch});
  put(out.bump, int{c.wants_epoch});
  put(out.mapping_lost, int{c.mapping_lost});
  put(out.input, int{c.input});
  put(out.attempt, int{c.attempt});
  put(out.excused, int{seen.excused[i]});
  put(out.forgotten, int{seen.forgotten[i]});
  put(out.reset_inside, int{seen.reset_inside[i]});
  put(out.request, kind_of(c.calling, c.call_bumps == 1, c.call_commits == 1));
  put(out.request_partition, int{c.call_partition});
  const impl::CallInNetwork& call = s.call[i];
  if (call.stage == impl::CallStage::kAnswered && !(call.answer.code == Code::kConcurrent)) {
    put(out.result, result_of(static_cast<Code>(int{call.answer.code})));
    put(out.result_pid, int{call.answer.pid});
    put(out.result_epoch, int{call.answer.epoch});
  }
  for (std::size_t a = 0; a < seen.told[i].size(); ++a) put(out.told[a], int{seen.told[i][a]});
  for (int p = 0; p < rules.partitions(); ++p) {
    map_instance_partition(s, i, p, rules, out.partition[p]);
  }
}

void map_coordinator(const impl::State& s, const spec::Rules& rules,
                     spec::Coordinator<fencepost::spec::Concrete>& out) {
  const impl::Coordinator& c = s.coordinator;
  put(out.mapped, int{c.memory.exists});
  put(out.pid, int{c.memory.pid});
  put(out.previous_pid, int{c.memory.previous_pid});
  put(out.next_pid, int{c.memory.next_pid});
  put(out.epoch, int{c.memory.epoch});
  put(out.last_epoch, int{c.last_epoch});
  put(out.state, int{c.memory.state});
  for (int p = 0; p < rules.partitions(); ++p) {
    const impl::Int& marker = c.marker[static_cast<std::size_t>(p)];
    put(out.added[p], (c.memory.partitions >> p) & 1);
    put(out.pending[p], marker == MarkerStage::kOwed || marker == MarkerStage::kSent ? 1 : 0);
  }
  put(out.ids_given, int{c.ids_given});
  put(out.newest, int{s.observed.newest});
  put(out.right_owner, int{s.observed.right_owner});
  put(out.right_pid, int{s.observed.right_pid});
  put(out.right_epoch, int{s.observed.right_epoch});
}

void map_log(const impl::State& s, int p, const impl::Rules& rules,
             spec::Partition<fencepost::spec::Concrete>& out) {
  const impl::Leader& leader = s.leader[static_cast<std::size_t>(p)];
  const impl::LeaderSteps steps(const_cast<impl::Leader&>(leader), rules, p);  // reads only
  put(out.length, leader.log.size());
  for (int e = 0; e < leader.log.size(); ++e) {
    const impl::LogEntry& entry = leader.log[e];
    put(out.log[e].kind, entry_kind(entry, steps.fate(e)));
    put(out.log[e].pid, int{entry.batch.pid});
    put(out.log[e].epoch, int{entry.batch.epoch});
    put(out.log[e].sequence, int{entry.batch.sequence});
    put(out.log[e].owner, int{entry.batch.owner});
    put(out.log[e].attempt, int{entry.batch.attempt});
    put(out.log[e].input, int{entry.batch.input});
    put(out.log[e].message, int{entry.batch.message});
    put(out.log[e].stale, int{entry.stale});
  }
  for (std::size_t id = 0; id < leader.producer.size(); ++id) {
    const impl::ProducerEntry& known = leader.producer[id];
    put(out.producer[id].known, int{known.known});
    put(out.producer[id].epoch, int{known.epoch});
    put(out.producer[id].from, int{known.first});
    put(out.producer[id].next, known.next());
    put(out.producer[id].open, int{known.open});
  }
}

void map_late(const impl::State& s, int p, spec::Partition<fencepost::spec::Concrete>& out) {
  const impl::Batch& batch = s.late_batch[static_cast<std::size_t>(p)];
  put(out.late.valid, batch.pid > 0 ? 1 : 0);
  put(out.late.owner, int{batch.owner});
  put(out.late.pid, int{batch.pid});
  put(out.late.epoch, int{batch.epoch});
  put(out.late.sequence, int{batch.sequence});
  put(out.late.attempt, int{batch.attempt});
  put(out.late.input, int{batch.input});
  put(out.late.message, int{batch.message});
  const impl::Marker& marker = s.late_marker[static_cast<std::size_t>(p)];
  put(out.late_marker.valid, int{marker.valid});
  put(out.late_marker.pid, int{marker.pid});
  put(out.late_marker.epoch, int{marker.epoch});
  put(out.late_marker.commit, int{marker.commit});
}

std::string place_text(const spec::CellPlace& place) {
  return place.owner < 0 ? std::string(place.field)
                         : fmt::format("{} of {}", place.field, place.owner);
}

}  // namespace

spec::Model::State map_to_spec(const impl::State& s, const spec::Rules& rules) {
  spec::Model::State out{};
  const impl::Rules mine{rules.behaviour, rules.instance, impl::Mutant::kNone, false};
  for (int i = 0; i < rules.instance.producers; ++i) map_instance(s, i, rules, out.producer[i]);
  map_coordinator(s, rules, out.coordinator);
  for (int k = 0; k < s.late_calls.size(); ++k) {
    const impl::LateCall& late = s.late_calls[k];
    put(out.late[k].kind, kind_of(late.call.api, late.call.asks_bump == 1, late.call.commit == 1));
    put(out.late[k].owner, int{late.owner});
    put(out.late[k].pid, int{late.call.pid});
    put(out.late[k].epoch, int{late.call.epoch});
    put(out.late[k].partition, int{late.call.partition});
  }
  for (int p = 0; p < rules.partitions(); ++p) {
    map_log(s, p, mine, out.partition[p]);
    map_late(s, p, out.partition[p]);
  }
  put(out.faults_used, int{s.faults_used});
  for (std::size_t k = 0; k < s.kind_used.size(); ++k) put(out.kind_used[k], int{s.kind_used[k]});
  return out;
}

std::vector<Difference> differences(const spec::Model::State& expected,
                                    const spec::Model::State& found, const spec::Rules& rules) {
  std::vector<Difference> list;
  const auto* other = reinterpret_cast<const std::uint8_t*>(&found);
  spec::visit_cells(expected, rules, [&](const Cell& cell, const spec::CellPlace& place) {
    const auto offset = reinterpret_cast<const std::uint8_t*>(&cell) -
                        reinterpret_cast<const std::uint8_t*>(&expected);
    if (other[offset] != cell.v) list.push_back({place_text(place), cell.v, other[offset]});
  });
  return list;
}

std::string state_text(const spec::Model::State& state, const spec::Rules& rules) {
  std::vector<std::pair<std::string, std::string>> fields;
  spec::visit_cells(state, rules, [&](const Cell& cell, const spec::CellPlace& place) {
    const std::string name = place_text(place);
    std::size_t at = 0;
    while (at < fields.size() && fields[at].first != name) ++at;
    if (at == fields.size()) fields.emplace_back(name, "");
    fields[at].second += fmt::format(" {}", int{cell.v});
  });
  std::string text;
  for (const auto& [name, values] : fields) {
    const bool set = values.find_first_not_of(" 0") != std::string::npos;
    if (set) text += fmt::format("    {}:{}\n", name, values);
  }
  return text;
}

}  // namespace fencepost::refinement::transactions
