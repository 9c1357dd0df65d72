#include "impl/monitor.h"

namespace fencepost::impl {

using spec::Property;

Monitor::Monitor(const State& state, const ClusterRules& rules, fp_tracer* tracer)
    : TraceObserver(tracer, rules.instance.brokers),
      state_(state),
      rules_(rules),
      partitions_(static_cast<std::size_t>(rules.instance.partitions)) {}

Monitor::Seen& Monitor::seen(int p, int id) {
  auto& messages = partitions_[static_cast<std::size_t>(p)].messages;
  const auto at = static_cast<std::size_t>(id);
  if (messages.size() <= at) messages.resize(at + at / 2 + 64);
  return messages[at];
}

/// well-formed, and honest-status for what is appended after it was reported absent.
void Monitor::check_append(int p, int b) {
  const auto& log = replica(b, p).log;
  const LogEntry<Large>& now = log.back();
  for (int id = now.id; id < now.id + now.count; ++id) {
    if (seen(p, id).absent) breaks(Property::kHonestStatus, p, id);
  }
  const bool any = rules_.producer.behaviour.no_entry == spec::NoEntry::kAnySequence;
  if (log.size() == 1) {
    if (!any && now.sequence != 0) breaks(Property::kWellFormed, p, now.id);
    return;
  }
  const LogEntry<Large>& last = log[log.size() - 2];
  const bool follows = now.epoch == last.epoch &&
                       now.sequence == ((last.sequence + last.count) & Large::kSequenceMask);
  const bool starts = now.epoch > last.epoch && now.sequence == 0;
  if (now.unchecked == 0 && !follows && !starts) breaks(Property::kWellFormed, p, now.id);
}

void Monitor::check_failure(int p, int id, bool possibly, Why why) {
  if (why == Why::kOther && nothing_lost(p)) breaks(Property::kNoFalseFailure, p, id);
  if (possibly || why == Why::kFatal) return;
  seen(p, id).absent = true;
  const auto& log = replica(controlled(p).log_of - 1, p).log;
  for (int i = log.size() - 1; i >= 0; --i) {
    if (log[i].id <= id && id < log[i].id + log[i].count) {
      return breaks(Property::kHonestStatus, p, id);
    }
  }
}

void Monitor::fatal(int p) {
  TraceObserver::fatal(p);
  if (nothing_lost(p)) breaks(Property::kNoFalseFailure, p, 0);
}

void Monitor::bumped(int id, int epoch) {
  TraceObserver::bumped(id, epoch);
  ++counts_.bumps;
}

void Monitor::elected(int p, int b, int epoch, int lost) {
  TraceObserver::elected(p, b, epoch, lost);
  ++counts_.elections;
  if (replica(b, p).end() < partitions_[static_cast<std::size_t>(p)].committed) {
    breaks(Property::kNoLoss, p, 0);
  }
}

void Monitor::commit_message(int p, int id) {
  Seen& message = seen(p, id);
  if (message.copies > 0) return breaks(Property::kNoDuplicate, p, id);
  message.copies = 1;
  int& newest = partitions_[static_cast<std::size_t>(p)].newest_first;
  if (id < newest) breaks(Property::kInOrder, p, id);
  newest = std::max(newest, id);
}

void Monitor::advanced(int p, int b, int watermark) {
  TraceObserver::advanced(p, b, watermark);
  PerPartition& partition = partitions_[static_cast<std::size_t>(p)];
  for (; partition.committed < watermark; ++partition.committed) {
    const LogEntry<Large>& entry = replica(b, p).log[partition.committed];
    for (int id = entry.id; id < entry.id + entry.count; ++id) commit_message(p, id);
  }
}

/// Counts again what stands below the watermark, which falls to the log's end.
void Monitor::records_lost(int p, int b, int end) {
  TraceObserver::records_lost(p, b, end);
  PerPartition& partition = partitions_[static_cast<std::size_t>(p)];
  for (Seen& message : partition.messages) message.copies = 0;
  partition.newest_first = 0;
  partition.committed = 0;
  const auto& log = replica(b, p).log;
  for (; partition.committed < end; ++partition.committed) {
    const LogEntry<Large>& entry = log[partition.committed];
    for (int id = entry.id; id < entry.id + entry.count; ++id) commit_message(p, id);
  }
  for (std::size_t id = 0; id < partition.messages.size(); ++id) {
    const Seen& message = partition.messages[id];
    if (message.delivered && message.copies == 0) {
      return breaks(Property::kNoLoss, p, static_cast<int>(id));
    }
  }
}

void Monitor::closed(int b, bool late) {
  TraceObserver::closed(b, late);
  ++counts_.closed;
}

}  // namespace fencepost::impl
