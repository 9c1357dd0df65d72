// One replica of a partition: its log, its high watermark and its producer state, and the steps
// that change them. The leader checks and appends, followers take over what the leader wrote.
//
// Sources, Kafka 1eb7644: ProducerStateManager, ProducerAppendInfo and ProducerStateEntry (the
// check and the cache), ReplicaManager.appendRecords (duplicates wait, too), ReplicaFetcherThread
// and LeaderEpochFileCache (truncation, KIP-101 and KIP-279).
#pragma once

#include <algorithm>

#include "impl/error_code.h"
#include "impl/mutant.h"
#include "impl/producer_state.h"
#include "spec/behaviour.h"

namespace fencepost::impl {

/// What a Produce request carries for its partition. The content is the ids.
template <class Z>
struct WireBatch {
  using Int = typename Z::Int;
  Int id;  ///< of the first message
  Int count;
  Int epoch;
  Int sequence;
  bool operator==(const WireBatch&) const = default;
};

/// A batch in a log. An offset is the batch's position: batches here count as one each.
template <class Z>
struct LogEntry {
  using Int = typename Z::Int;
  Int id;
  Int count;
  Int epoch;
  Int sequence;
  Int leader_epoch;
  Int unchecked;  ///< accepted without producer state to check against
  bool operator==(const LogEntry&) const = default;
};

/// What a broker remembers of a producer (ProducerStateEntry): epoch and its newest batches.
template <class Z>
struct ProducerEntry {
  using Int = typename Z::Int;
  struct Cached {
    Int sequence;  ///< first
    Int last;      ///< last sequence
    Int offset;
    bool operator==(const Cached&) const = default;
  };
  Int known;  ///< there is an entry
  Int epoch;
  typename Z::template Seq<Cached, 5> batches;  ///< oldest first
  bool operator==(const ProducerEntry&) const = default;
};

template <class Z>
struct Replica {
  using Int = typename Z::Int;
  Int leads;         ///< in this broker's view of the metadata
  Int leader_epoch;  ///< the newest it knows
  Int thinks;        ///< 1 + whom it takes for the leader (leader hints only)
  Int thinks_epoch;  ///< since which leader epoch
  Int watermark;
  Int state_from;  ///< producer state was loaded from a snapshot of this position on
  Int expired;     ///< the producer expired once: a reload skips what was before
  typename Z::template Seq<LogEntry<Z>, Z::kLog> log;
  ProducerEntry<Z> producer;
  [[nodiscard]] int end() const { return log.size(); }
  /// Where the newest leader epoch that this replica knows starts in its log.
  [[nodiscard]] int epoch_start() const {
    int at = end();
    while (at > 0 && log[at - 1].leader_epoch == leader_epoch) --at;
    return at;
  }
  bool operator==(const Replica&) const = default;
};

/// What the leader did with a batch.
struct Appended {
  ErrorCode error = ErrorCode::kNone;
  bool duplicate = false;
  int offset = -1;  ///< of the batch, or of the cached one it repeats
};

/// Steps a replica in place.
template <class Z>
class ReplicaSteps {
 public:
  ReplicaSteps(Replica<Z>& replica, const spec::Behaviour& behaviour, Mutant mutant = Mutant::kNone)
      : r_(replica), behaviour_(behaviour), mutant_(mutant) {}

  /// The leader's check and append (the order of ProducerAppendInfo: duplicate, epoch, sequence).
  Appended produce(const WireBatch<Z>& batch);
  /// A follower takes over the leader's next batch. Requires: the leader has one more.
  void replicate(const Replica<Z>& leader);
  /// A follower cuts what the leader does not have (KIP-101, KIP-279: by leader epoch).
  void truncate_to(const Replica<Z>& leader);
  /// The log ends at `end` from here on, and so does what is known of the producer.
  void cut(int end);
  /// Reloads producer state from a snapshot at `from`: the batch there, and what follows it.
  void reload(int from);
  void expire(int end) {
    r_.state_from = end;
    r_.expired = 1;
    r_.producer = {};
  }

 private:
  /// The sum, wrapped to 31 bits; unsigned, because the sum of two ints may not fit into one.
  [[nodiscard]] static int wrap(int sequence, int plus = 0) {
    const unsigned sum = static_cast<unsigned>(sequence) + static_cast<unsigned>(plus);
    return static_cast<int>(sum & static_cast<unsigned>(Z::kSequenceMask));
  }
  [[nodiscard]] bool in_sequence(const WireBatch<Z>& batch) const;
  /// How a batch is refused that is not in sequence.
  [[nodiscard]] ErrorCode refusal(const WireBatch<Z>& batch) const {
    const ProducerEntry<Z>& known = r_.producer;
    if (known.known == 0) {
      return behaviour_.no_entry == spec::NoEntry::kUnknownProducerId
                 ? ErrorCode::kUnknownProducerId
                 : ErrorCode::kOutOfOrderSequence;
    }
    const bool older = known.epoch == batch.epoch && batch.sequence <= known.batches.back().last;
    return older && behaviour_.older_duplicate == spec::OlderDuplicate::kDuplicateSequence
               ? ErrorCode::kDuplicateSequence
               : ErrorCode::kOutOfOrderSequence;
  }
  [[nodiscard]] int find_duplicate(const WireBatch<Z>& batch) const;
  void apply(const LogEntry<Z>& entry, int offset);
  [[nodiscard]] int common_end(const Replica<Z>& leader) const;

  Replica<Z>& r_;
  const spec::Behaviour& behaviour_;
  Mutant mutant_;
};

template <class Z>
int ReplicaSteps<Z>::find_duplicate(const WireBatch<Z>& batch) const {
  const ProducerEntry<Z>& known = r_.producer;
  if (!behaviour_.duplicate_check || known.known == 0 || !(known.epoch == batch.epoch)) return -1;
  const int last = wrap(batch.sequence, batch.count - 1);
  for (int i = 0; i < known.batches.size(); ++i) {
    const auto& cached = known.batches[i];
    if (cached.sequence == batch.sequence && cached.last == last) return cached.offset;
  }
  return -1;
}

template <class Z>
bool ReplicaSteps<Z>::in_sequence(const WireBatch<Z>& batch) const {
  const ProducerEntry<Z>& known = r_.producer;
  if (known.known == 0) {
    switch (behaviour_.no_entry) {
      case spec::NoEntry::kAnySequence:
        return true;
      case spec::NoEntry::kZeroOnFreshLog:
        return r_.end() > 0 || batch.sequence == 0;
      case spec::NoEntry::kZero:
      case spec::NoEntry::kUnknownProducerId:
        return batch.sequence == 0;
    }
  }
  if (!(known.epoch == batch.epoch)) {
    return batch.sequence == 0 || !behaviour_.new_epoch_from_zero;
  }
  return batch.sequence == wrap(known.batches.back().last, 1);
}

template <class Z>
Appended ReplicaSteps<Z>::produce(const WireBatch<Z>& batch) {
  const int duplicate = find_duplicate(batch);
  if (duplicate >= 0) return {ErrorCode::kNone, true, duplicate};
  if (r_.producer.known == 1 && batch.epoch < r_.producer.epoch) {
    return {ErrorCode::kInvalidProducerEpoch, false, -1};
  }
  if (!in_sequence(batch)) return {refusal(batch), false, -1};
  LogEntry<Z> entry{batch.id, batch.count, batch.epoch, batch.sequence, r_.leader_epoch, 0};
  if (r_.producer.known == 0) entry.unchecked = 1;
  r_.log.push_back(entry);
  apply(entry, r_.end() - 1);
  return {ErrorCode::kNone, false, r_.end() - 1};
}

template <class Z>
void ReplicaSteps<Z>::apply(const LogEntry<Z>& entry, int offset) {
  if (offset < r_.state_from) return;
  ProducerEntry<Z>& known = r_.producer;
  if (!(known.epoch == entry.epoch) || known.known == 0) known.batches.truncate(0);
  known.known = 1;
  known.epoch = entry.epoch;
  if (known.batches.size() >= behaviour_.cache_size) known.batches.erase(0);
  known.batches.push_back({entry.sequence, wrap(entry.sequence, entry.count - 1), offset});
}

template <class Z>
void ReplicaSteps<Z>::replicate(const Replica<Z>& leader) {
  const LogEntry<Z> entry = leader.log[r_.end()];
  r_.log.push_back(entry);
  if (mutant_ != Mutant::kFollowerForgets) apply(entry, r_.end() - 1);
}

/// Where the two logs part: the largest leader epoch that both know, cut where it ends in either.
/// The mutant asks once, where the leader's newest epoch not above its own ends (before KIP-279).
template <class Z>
int ReplicaSteps<Z>::common_end(const Replica<Z>& leader) const {
  int end = std::min(r_.end(), leader.end());
  if (mutant_ == Mutant::kNoWalkBack && r_.end() > 0) {
    const int asked = r_.log.back().leader_epoch;
    int last = leader.end();
    while (last > 0 && leader.log[last - 1].leader_epoch > asked) --last;
    return std::min(r_.end(), last);
  }
  while (end > 0 && !(r_.log[end - 1].leader_epoch == leader.log[end - 1].leader_epoch)) --end;
  return end;
}

template <class Z>
void ReplicaSteps<Z>::truncate_to(const Replica<Z>& leader) {
  int end = common_end(leader);
  if (mutant_ == Mutant::kTruncateToWatermark) end = std::min(r_.end(), int{r_.watermark});
  if (end < r_.end()) cut(end);
}

/// ProducerStateManager.truncateAndReload.
template <class Z>
void ReplicaSteps<Z>::cut(int end) {
  r_.log.truncate(end);
  if (r_.watermark > end) r_.watermark = end;
  if (mutant_ == Mutant::kKeepsStateWhenCut) return;
  const int newest = r_.expired == 1 || end == 0 ? end : end - 1;
  reload(std::min(int{r_.state_from}, newest));
}

template <class Z>
void ReplicaSteps<Z>::reload(int from) {
  r_.producer = {};
  r_.state_from = from;
  const int end = mutant_ == Mutant::kSnapshotWithoutLast ? r_.end() - 1 : r_.end();
  for (int i = from; i < end; ++i) apply(r_.log[i], i);
}

}  // namespace fencepost::impl
