#include "checker/refinement/mapping.h"

#include <fmt/format.h>

#include <algorithm>

namespace fencepost::refinement {
namespace {

using impl::ErrorCode;
using impl::IdempotenceState;
using impl::Large;
using impl::RequestStage;
using impl::Small;
using impl::Told;
using spec::MessageStatus;
using spec::Mode;
using spec::Stage;
using Cell = spec::Concrete::Cell;
using SpecPartition = spec::Partition<spec::Concrete>;

void put(Cell& cell, int value) { cell.v = static_cast<std::uint8_t>(value); }
template <class E>
requires std::is_enum_v<E>
void put(Cell& cell, E value) { cell.v = static_cast<std::uint8_t>(value); }

template <class Z>
Stage stage_of(const impl::Request<Z>& request) {
  if (request.stage == RequestStage::kSent) return Stage::kSent;
  if (request.stage == RequestStage::kWaiting) return Stage::kWaiting;
  switch (static_cast<ErrorCode>(int{request.error})) {
    case ErrorCode::kNone:
      return Stage::kOk;
    case ErrorCode::kNotLeader:
      return request.has_offset == 1 ? Stage::kNotLeaderAfterAppend : Stage::kNotLeader;
    case ErrorCode::kRequestTimedOut:
      return Stage::kRequestTimedOut;
    case ErrorCode::kNotEnoughReplicas:
      return Stage::kNotEnoughReplicas;
    case ErrorCode::kNotEnoughReplicasAfterAppend:
      return Stage::kNotEnoughReplicasAfterAppend;
    case ErrorCode::kOutOfOrderSequence:
      return Stage::kOutOfOrder;
    case ErrorCode::kDuplicateSequence:
      return Stage::kDuplicateSequence;
    case ErrorCode::kUnknownProducerId:
      return Stage::kUnknownProducerId;
    case ErrorCode::kInvalidProducerEpoch:
      return Stage::kInvalidEpoch;
    default:
      return Stage::kPermanentError;
  }
}

/// A sequence below the base wraps to a huge one; the spec knows one such value.
int sequence_of(int sequence, const spec::Rules& rules) {
  return sequence > rules.max_sequence() ? rules.max_sequence() : sequence;
}

template <class Z>
void map_message(const impl::Message<Z>& message, MessageStatus status, SpecPartition& q) {
  const int m = message.id - 1;
  put(q.status[m], status);
  put(q.possibly[m], int{message.possibly});
}

template <class Z>
MessageStatus queued(const impl::Message<Z>& message) {
  return message.unresolved == 1 ? MessageStatus::kRetry : MessageStatus::kUnsent;
}

/// A fatal error fails the message for good, without a drain. The spec, whose runs end there, puts
/// it back in the queue and drains; nothing happens in either afterwards.
template <class Z>
bool failed_fatally(const impl::ClusterState<Z>& s, int p) {
  const auto& reports = s.reports[static_cast<std::size_t>(p)];
  for (int m = 0; m < reports.size(); ++m) {
    if (reports[m].told >= static_cast<int>(Told::kFatal)) return true;
  }
  return false;
}

template <class Z>
void map_reports(const impl::ClusterState<Z>& s, int p, SpecPartition& q) {
  const auto& reports = s.reports[static_cast<std::size_t>(p)];
  for (int m = 0; m < reports.size(); ++m) {
    if (reports[m].told == Told::kNothing) continue;
    put(q.possibly[m], int{reports[m].possibly});
    switch (static_cast<Told>(int{reports[m].told})) {
      case Told::kDelivered:
        put(q.status[m], MessageStatus::kDelivered);
        break;
      case Told::kFailed:
        put(q.status[m], MessageStatus::kFailed);
        break;
      case Told::kFailedFalsely:
        put(q.status[m], MessageStatus::kFailedFalsely);
        break;
      case Told::kFatalAbsent:
        put(q.status[m], MessageStatus::kUnsent);
        break;
      default:
        put(q.status[m], MessageStatus::kRetry);
    }
  }
}

template <class Z>
void map_client(const impl::ClusterState<Z>& s, int p, const spec::Rules& rules, SpecPartition& q) {
  const auto& c = s.producer.partition[static_cast<std::size_t>(p)];
  for (int i = 0; i < c.xmit.size(); ++i) map_message(c.xmit[i], queued(c.xmit[i]), q);
  for (int i = 0; i < c.queue.size(); ++i) map_message(c.queue[i], queued(c.queue[i]), q);
  for (int i = 0; i < c.limbo.size(); ++i) {
    map_message(c.limbo[i].messages[0], queued(c.limbo[i].messages[0]), q);
    put(q.between, c.limbo[i].first_id());
    put(q.between_at, int{c.limbo[i].broker});
  }
  map_reports(s, p, q);
  put(q.epoch, int{c.epoch});
  put(q.base, c.base - 1);
  put(q.next_ack, c.next_ack == 0 ? 0 : sequence_of(c.next_ack - 1, rules) + 1);
  if (rules.follows_errors()) {
    put(q.next_error, c.next_err == 0 ? 0 : sequence_of(c.next_err - 1, rules) + 1);
  }
  put(q.asked, int{c.asked});
  const bool drains =
      c.wait_drain == 1 || (rules.behaviour.drain_before_retry && failed_fatally(s, p));
  put(q.draining, c.messages_in_flight > 0 && drains ? 1 : 0);
  put(q.view, int{c.leader});
  put(q.target, c.target());
  put(q.in_flight, c.in_flight.size());
  for (int i = 0; i < c.in_flight.size() && i < spec::kMaxInFlight; ++i) {
    const impl::Batch<Z>& batch = c.in_flight[i];
    map_message(batch.messages[0], MessageStatus::kInFlight, q);
    put(q.request[i].message, batch.first_id() - 1);
    put(q.request[i].epoch, int{batch.epoch});
    put(q.request[i].sequence, sequence_of(batch.sequence, rules));
  }
}

template <class Z>
void map_network(const impl::ClusterState<Z>& s, const spec::Rules& rules,
                 spec::Model::State& out) {
  std::array<int, spec::kMaxPartitions> slot{};
  for (const auto& connection : s.connection) {
    for (int i = 0; i < connection.requests.size(); ++i) {
      const auto& request = connection.requests[i];
      const auto p = static_cast<std::size_t>(int{request.partition});
      if (slot[p] < spec::kMaxInFlight) {
        put(out.partition[p].request[slot[p]].stage, stage_of(request));
      }
      ++slot[p];
    }
  }
  for (int i = 0; i < s.late.size(); ++i) {
    const auto& late = s.late[i];
    SpecPartition& q = out.partition[int{late.partition}];
    auto& to = q.late[q.late_count.v++];
    put(to.broker, int{late.broker});
    put(to.message, late.wire.id - 1);
    put(to.epoch, int{late.wire.epoch});
    put(to.sequence, sequence_of(late.wire.sequence, rules));
  }
}

template <class Z>
void map_broker(const impl::ClusterState<Z>& s, int p, const spec::Rules& rules, SpecPartition& q) {
  const auto& c = s.controlled[static_cast<std::size_t>(p)];
  const auto& replica =
      s.replica[static_cast<std::size_t>(c.log_of - 1)][static_cast<std::size_t>(p)];
  put(q.leader, int{c.leader});
  put(q.aware, c.leader == 0 ? 0 : int{replica.leads});
  put(q.length, replica.end());
  // Where committed entries are lost the spec has no state; what is left of them is committed.
  put(q.watermark, std::min(int{c.committed}, replica.end()));
  for (int i = 0; i < replica.end(); ++i) {
    const auto& entry = replica.log[i];
    put(q.log[i].message, entry.id - 1);
    put(q.log[i].epoch, int{entry.epoch});
    put(q.log[i].sequence, sequence_of(entry.sequence, rules));
    if (rules.allows(spec::Fault::kExpiry)) put(q.log[i].unchecked, int{entry.unchecked});
  }
  if (rules.cache_can_be_lost()) put(q.cache_from, int{replica.state_from});
  put(q.cache_loss, int{c.cache_loss});
  put(q.cut_below, int{c.unclean});
}

template <class Z>
void map_faults(const impl::ClusterState<Z>& s, spec::Model::State& out) {
  put(out.faults_used, int{s.faults_used});
  for (std::size_t k = 0; k < s.kind_used.size(); ++k) put(out.kind_used[k], int{s.kind_used[k]});
  for (std::size_t p = 0; p < s.partition_used.size(); ++p) {
    put(out.partition_used[p], int{s.partition_used[p]});
  }
}

template <class Z>
Mode mode_of(const impl::ClusterState<Z>& s) {
  if (s.producer.state == IdempotenceState::kFatal) {
    return s.fatal_excused == 1 ? Mode::kFatalExcused : Mode::kFatal;
  }
  return s.producer.state == IdempotenceState::kDrainBump ? Mode::kDraining : Mode::kAssigned;
}

}  // namespace

template <class Z>
spec::Model::State map_to_spec(const impl::ClusterState<Z>& s, const spec::Rules& rules) {
  spec::Model::State out{};
  put(out.mode, mode_of(s));
  put(out.epoch, int{s.producer.epoch});
  if (!rules.instance.faults.unlimited) map_faults(s, out);
  for (int p = 0; p < rules.instance.partitions; ++p) {
    map_client(s, p, rules, out.partition[p]);
    map_broker(s, p, rules, out.partition[p]);
  }
  map_network(s, rules, out);
  return out;
}

template <class Z>
bool producer_state_agrees(const impl::ClusterState<Z>& s, int p, const spec::Rules& rules) {
  const auto& c = s.controlled[static_cast<std::size_t>(p)];
  const auto& replica =
      s.replica[static_cast<std::size_t>(c.log_of - 1)][static_cast<std::size_t>(p)];
  const auto& known = replica.producer;
  if (replica.end() <= replica.state_from) return known.known == 0;
  const int epoch = replica.log.back().epoch;
  if (known.known == 0 || known.epoch != epoch) return false;
  int at = 0;
  for (int i = replica.state_from; i < replica.end(); ++i) {
    const auto& entry = replica.log[i];
    if (replica.end() > i + rules.behaviour.cache_size || entry.epoch != epoch) continue;
    if (at >= known.batches.size() || !(known.batches[at].sequence == entry.sequence) ||
        known.batches[at].offset != i) {
      return false;
    }
    ++at;
  }
  return at == known.batches.size();
}

template spec::Model::State map_to_spec(const impl::ClusterState<Small>&, const spec::Rules&);
template spec::Model::State map_to_spec(const impl::ClusterState<Large>&, const spec::Rules&);
template bool producer_state_agrees(const impl::ClusterState<Small>&, int, const spec::Rules&);
template bool producer_state_agrees(const impl::ClusterState<Large>&, int, const spec::Rules&);

std::vector<Difference> differences(const spec::Model::State& expected,
                                    const spec::Model::State& found, const spec::Rules& rules) {
  std::vector<Difference> list;
  const auto* other = reinterpret_cast<const std::uint8_t*>(&found);
  spec::visit_cells(expected, rules, [&](const Cell& cell, const spec::CellPlace& place) {
    const auto offset = reinterpret_cast<const std::uint8_t*>(&cell) -
                        reinterpret_cast<const std::uint8_t*>(&expected);
    if (other[offset] == cell.v) return;
    std::string field = place.field;
    if (place.partition >= 0) field += fmt::format(" of partition {}", place.partition);
    if (place.index >= 0) field += fmt::format(" [{}]", place.index);
    list.push_back({field, cell.v, other[offset]});
  });
  return list;
}

std::string state_text(const spec::Model::State& state, const spec::Rules& rules) {
  struct Field {
    std::string name, values;
    int partition = -1;
    bool set = false;
  };
  std::vector<Field> fields;
  spec::visit_cells(state, rules, [&](const Cell& cell, const spec::CellPlace& place) {
    std::size_t at = 0;
    while (at < fields.size() &&
           !(fields[at].name == place.field && fields[at].partition == place.partition)) {
      ++at;
    }
    if (at == fields.size()) fields.push_back({place.field, "", place.partition, false});
    fields[at].values += fmt::format(" {}", int{cell.v});
    fields[at].set = fields[at].set || cell.v != 0;
  });
  std::string text;
  for (int p = -1; p < rules.instance.partitions; ++p) {
    text += p < 0 ? "    producer:" : fmt::format("    partition {}:", p);
    for (const Field& field : fields) {
      if (field.partition == p && field.set)
        text += fmt::format(" {}{};", field.name, field.values);
    }
    text += "\n";
  }
  return text;
}

}  // namespace fencepost::refinement
