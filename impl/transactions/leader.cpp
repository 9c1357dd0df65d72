#include "impl/transactions/leader.h"

#include <algorithm>

namespace fencepost::impl::transactions {

using Kind = Checked::Kind;

// --- a write
// --------------------------------------------------------------------------------------

/// The first write of a transaction to this partition, as far as the leader can tell.
bool LeaderSteps::must_verify(const Batch& batch) const {
  if (!behaviour().transactional || behaviour().verification == shared::Verification::kNone) {
    return false;
  }
  const ProducerEntry& known = entry(batch.pid);
  const bool any_epoch = !behaviour().adds_on_write() || behaviour().older_open_counts;
  return known.open == 0 || !(any_epoch || known.epoch == batch.epoch);
}

/// A leader that adds asks as a client does: a pending transition comes before the identity. One
/// that only verifies looks at the identity first, and ignores a record that is being written.
Checked LeaderSteps::verify(const Batch& batch, const CoordinatorSteps& coordinator) const {
  const bool current = coordinator.is_current(batch.pid, batch.epoch);
  if (behaviour().adds_on_write()) {
    if (coordinator.busy()) return {Kind::kWaits, Code::kNone, false};
  } else if (current && coordinator.preparing()) {
    return {Kind::kWaits, Code::kNone, false};
  }
  if (!coordinator.knows(batch.pid)) return {Kind::kRefused, Code::kInvalidMapping, false};
  if (!current) return {Kind::kRefused, Code::kInvalidEpoch, false};
  if (behaviour().adds_on_write()) return {Kind::kAppends, Code::kNone, true};
  if (!coordinator.holds(p_)) return {Kind::kRefused, Code::kAbortable, false};
  return {Kind::kAppends, Code::kNone, false};
}

bool LeaderSteps::is_duplicate(const Batch& batch) const {
  const ProducerEntry& known = entry(batch.pid);
  if (!sequenced() || !behaviour().duplicate_check) return false;
  if (known.known == 0 || !(known.epoch == batch.epoch)) return false;
  for (int i = 0; i < known.cache.size(); ++i) {
    if (known.cache[i] == batch.sequence) return true;
  }
  return false;
}

bool LeaderSteps::in_sequence(const Batch& batch) const {
  const ProducerEntry& known = entry(batch.pid);
  if (!sequenced()) return true;
  if (known.known == 1) {
    return known.epoch == batch.epoch ? batch.sequence == known.next() : batch.sequence == 0;
  }
  switch (behaviour().no_entry) {
    case shared::NoEntry::kAnySequence:
      return true;
    case shared::NoEntry::kZeroOnFreshLog:
      return batch.sequence == 0 || !l_.log.empty();
    case shared::NoEntry::kZero:
      return batch.sequence == 0;
  }
  return false;
}

int LeaderSteps::begin_verification(int pid) {
  constexpr int kGuards = 3;  // an object each in Kafka; here numbers that come round
  Int& guard = l_.guard[static_cast<std::size_t>(pid)];
  if (guard == 0) {
    l_.last_guard = l_.last_guard % kGuards + 1;
    guard = l_.last_guard;
  }
  return guard;
}

Checked LeaderSteps::check(const Batch& batch, const CoordinatorSteps& coordinator,
                           int guard) const {
  const ProducerEntry& known = entry(batch.pid);
  if (is_duplicate(batch)) return {Kind::kDuplicate, Code::kNone, false};
  Checked checked{Kind::kAppends, Code::kNone, false};
  if (must_verify(batch) && guard > 0) {
    const bool valid = l_.guard[static_cast<std::size_t>(int{batch.pid})] == guard;
    if (!valid && !rules_.is(Mutant::kIgnoresGuard)) {
      return {Kind::kRefused, Code::kAbortable, false};
    }
  } else if (must_verify(batch)) {
    checked = verify(batch, coordinator);
    if (checked.kind != Kind::kAppends) return checked;
    if (rules_.verification_window) return {Kind::kVerified, Code::kNone, checked.adds};
  }
  if (behaviour().epoch_check && known.known == 1 && batch.epoch < known.epoch) {
    return {Kind::kRefused, Code::kInvalidEpoch, checked.adds};
  }
  if (!in_sequence(batch)) return {Kind::kRefused, Code::kOutOfOrder, checked.adds};
  return checked;
}

void LeaderSteps::append(const Batch& batch, bool stale) {
  ProducerEntry& known = entry(batch.pid);
  l_.guard[static_cast<std::size_t>(int{batch.pid})] = 0;
  if (known.known == 0 || !(known.epoch == batch.epoch)) {
    known.first = batch.sequence;
    known.cache.truncate(0);
  }
  known.known = 1;
  known.epoch = batch.epoch;
  if (sequenced()) {
    if (known.cache.size() == 5) known.cache.erase(0);
    known.cache.push_back(batch.sequence);
  }
  if (behaviour().transactional) known.open = 1;
  const BatchKind kind = behaviour().transactional ? BatchKind::kTransactional : BatchKind::kPlain;
  l_.log.push_back({kind, batch, stale ? 1 : 0});
}

// --- markers
// --------------------------------------------------------------------------------------

bool LeaderSteps::accepts(const Marker& marker) const {
  const ProducerEntry& known = entry(marker.pid);
  if (known.known == 0) return true;
  const bool at_least = known.epoch <= marker.epoch;
  if (!behaviour().bumps_at_end()) return at_least;
  switch (behaviour().marker_epoch) {
    case shared::MarkerEpoch::kAtLeast:
      return at_least;
    case shared::MarkerEpoch::kAbove:
      return known.epoch < marker.epoch;
    case shared::MarkerEpoch::kAboveUnlessClosed:
      return known.epoch < marker.epoch || (known.epoch == marker.epoch && known.open == 0);
  }
  return false;
}

void LeaderSteps::append_marker(const Marker& marker) {
  ProducerEntry& known = entry(marker.pid);
  l_.guard[static_cast<std::size_t>(int{marker.pid})] = 0;
  if (known.known == 0 || !(known.epoch == marker.epoch)) {
    known.first = 0;  // a new epoch without a batch: the next one begins at sequence 0
    known.cache.truncate(0);
  }
  known.known = 1;
  known.epoch = marker.epoch;
  if (!rules_.is(Mutant::kMarkerLeavesOpen)) known.open = 0;
  LogEntry control;
  control.kind = marker.commit == 1 ? BatchKind::kCommit : BatchKind::kAbort;
  control.batch.pid = marker.pid;
  control.batch.epoch = marker.epoch;
  l_.log.push_back(control);
}

bool LeaderSteps::can_forget(int pid) const {
  const ProducerEntry& known = entry(pid);
  return known.known == 1 && (known.open == 0 || rules_.is(Mutant::kExpiresOpen));
}

// --- what readers see
// -----------------------------------------------------------------------------

bool LeaderSteps::stable() const {
  return std::all_of(l_.producer.begin(), l_.producer.end(),
                     [](const ProducerEntry& known) { return known.open == 0; });
}

Fate LeaderSteps::fate(int offset) const {
  const LogEntry& e = l_.log[offset];
  if (e.kind == BatchKind::kPlain) return Fate::kCommitted;
  if (!(e.kind == BatchKind::kTransactional)) return Fate::kControl;
  for (int i = offset + 1; i < l_.log.size(); ++i) {
    if (!(l_.log[i].batch.pid == e.batch.pid)) continue;
    if (l_.log[i].kind == BatchKind::kCommit) return Fate::kCommitted;
    if (l_.log[i].kind == BatchKind::kAbort) return Fate::kAborted;
  }
  return Fate::kOpen;
}

int LeaderSteps::position() const {
  int next = 0;
  for (int i = 0; i < l_.log.size(); ++i) {
    if (fate(i) == Fate::kCommitted) next = std::max(next, l_.log[i].batch.input + 1);
  }
  return next;
}

}  // namespace fencepost::impl::transactions
