#include "checker/explain/reads.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace fencepost::explain {
namespace {

using traces::Batch;
using traces::Record;

constexpr std::int64_t kControlBatch = 1 << 5;

// A batch that was read, once for each place in the log.
struct ReadBatch {
  std::string topic;
  std::int64_t partition = 0;
  const Batch* batch = nullptr;
  traces::Evidence seen;
};

std::optional<std::int64_t> offset_of(const Batch& batch, std::size_t index) {
  if (batch.records[index].offset) return batch.records[index].offset;
  const bool whole = batch.count == static_cast<std::int64_t>(batch.records.size());
  if (!batch.base_offset || !whole) return std::nullopt;
  return *batch.base_offset + static_cast<std::int64_t>(index);
}

std::string content(const Record& record) {
  return fmt::format("{},{},{}", record.time_ms, record.key.value_or("null"),
                     record.value.value_or("null"));
}

// A Fetch answer may name its topic by id only: a batch with the same CRC that was sent tells it.
using TopicOfCrc = std::map<std::pair<std::int64_t, std::string>, std::string>;

TopicOfCrc topics_sent(const History& history) {
  TopicOfCrc topics;
  for (const BatchHistory& sent : history.batches) {
    for (const Attempt& attempt : sent.attempts) {
      if (attempt.crc) topics.emplace(std::pair(sent.partition, *attempt.crc), sent.topic);
    }
  }
  return topics;
}

std::string topic_of(const traces::RecordsRead& read, const Batch& batch, const TopicOfCrc& sent) {
  if (!read.topic.empty()) return read.topic;
  if (batch.crc) {
    const auto found = sent.find({read.partition, *batch.crc});
    if (found != sent.end()) return found->second;
  }
  return read.topic_id.value_or("");
}

std::vector<ReadBatch> read_batches(const traces::Trace& trace, const History& history) {
  std::map<std::tuple<std::string, std::int64_t, std::int64_t>, ReadBatch> by_offset;
  const TopicOfCrc sent = topics_sent(history);
  for (const traces::Event& event : trace.events) {
    const auto* read = std::get_if<traces::RecordsRead>(&event.payload);
    if (read == nullptr) continue;
    for (const Batch& batch : read->batches) {
      if (batch.records.empty() || (batch.attributes.value_or(0) & kControlBatch) != 0) continue;
      const std::optional<std::int64_t> offset = offset_of(batch, 0);
      if (!offset) continue;
      ReadBatch one{topic_of(*read, batch, sent), read->partition, &batch, event.evidence};
      const auto key = std::make_tuple(one.topic, one.partition, *offset);
      by_offset.emplace(key, std::move(one));
    }
  }
  std::vector<ReadBatch> batches;
  batches.reserve(by_offset.size());
  for (auto& [key, batch] : by_offset) batches.push_back(std::move(batch));
  return batches;
}

Copy copy_of(const ReadBatch& read, std::int64_t first, std::int64_t last) {
  return {first, last, read.batch->leader_epoch, stamp_of(*read.batch), read.batch->crc, read.seen};
}

bool may_be_two_messages(const Batch& a, const Batch& b) {
  const std::optional<traces::Stamp> one = stamp_of(a);
  const std::optional<traces::Stamp> other = stamp_of(b);
  return one && other && one->producer_id == other->producer_id && one->epoch == other->epoch &&
         one->sequence != other->sequence;
}

// Equal records beyond that many are not compared each with each.
constexpr std::size_t kMostPlaces = 256;

// A record in the log: its batch (an index), its offset, and whether it is a first copy already.
struct Place {
  std::size_t batch = 0;
  std::int64_t offset = 0;
  bool used = false;
};

class Twice {
 public:
  Twice(const traces::Trace& trace, const History& history)
      : batches_(read_batches(trace, history)) {
    for (std::size_t i = 0; i < history.batches.size(); ++i) {
      for (const Attempt& attempt : history.batches[i].attempts) {
        if (attempt.stamp) {
          const BatchHistory& sent = history.batches[i];
          sent_as_[{sent.topic, sent.partition, *attempt.stamp}].insert(i);
        }
      }
    }
  }

  std::vector<ReadTwice> find() {
    for (std::size_t i = 0; i < batches_.size(); ++i) {
      for (std::size_t r = 0; r < batches_[i].batch->records.size(); ++r) take(i, r);
    }
    std::vector<ReadTwice> list;
    for (auto& [key, twice] : found_) list.push_back(std::move(twice));
    return list;
  }

 private:
  void take(std::size_t i, std::size_t r) {
    const ReadBatch& now = batches_[i];
    const Record& record = now.batch->records[r];
    const std::optional<std::int64_t> offset = offset_of(*now.batch, r);
    if (!offset) return;
    std::vector<Place>& places =
        places_[fmt::format("{}/{}|{}", now.topic, now.partition, content(record))];
    Place* first = nullptr;
    int best = 0;
    for (Place& place : places) {
      if (place.offset == *offset) return;  // read again
      const int rank = likeness(place, i);
      if (rank > best) {
        best = rank;
        first = &place;
      }
    }
    if (first != nullptr) {
      first->used = true;
      add(*first, {i, *offset}, record);
    }
    if (places.size() < kMostPlaces) places.push_back({i, *offset});
  }

  // How well a record at `place` goes as the first copy of one in batch `now`; 0: not at all.
  [[nodiscard]] int likeness(const Place& place, std::size_t now) const {
    if (place.batch == now) return 0;
    const Batch& a = *batches_[place.batch].batch;
    const Batch& b = *batches_[now].batch;
    if (may_be_two_messages(a, b)) return 0;
    const std::optional<traces::Stamp> one = stamp_of(a);
    const std::optional<traces::Stamp> other = stamp_of(b);
    int rank = 2;
    if (one && other) rank = one == other || sent_as_both(batches_[now], *one, *other) ? 6 : 4;
    return place.used ? rank : rank + 1;
  }

  // The requests show one batch under both stamps.
  [[nodiscard]] bool sent_as_both(const ReadBatch& read, const traces::Stamp& one,
                                  const traces::Stamp& other) const {
    const auto a = sent_as_.find({read.topic, read.partition, one});
    const auto b = sent_as_.find({read.topic, read.partition, other});
    if (a == sent_as_.end() || b == sent_as_.end()) return false;
    return std::any_of(a->second.begin(), a->second.end(),
                       [&](std::size_t batch) { return b->second.contains(batch); });
  }

  void add(const Place& first, const Place& second, const Record& record) {
    const ReadBatch& now = batches_[second.batch];
    ReadTwice& twice = found_[{first.batch, second.batch}];
    if (twice.records.empty()) {
      twice.topic = now.topic;
      twice.partition = now.partition;
      twice.first = copy_of(batches_[first.batch], first.offset, first.offset);
      twice.second = copy_of(now, second.offset, second.offset);
    }
    twice.records.push_back(record);
    twice.first.last_offset = std::max(twice.first.last_offset, first.offset);
    twice.second.last_offset = std::max(twice.second.last_offset, second.offset);
  }

  std::vector<ReadBatch> batches_;
  std::map<std::tuple<std::string, std::int64_t, traces::Stamp>, std::set<std::size_t>> sent_as_;
  std::map<std::string, std::vector<Place>> places_;  // by content
  std::map<std::pair<std::size_t, std::size_t>, ReadTwice> found_;
};

}  // namespace

std::vector<ReadTwice> find_read_twice(const traces::Trace& trace, const History& history) {
  return Twice(trace, history).find();
}

std::vector<Copy> copies_read(const traces::Trace& trace, const BatchHistory& batch) {
  std::map<std::int64_t, Copy> copies;
  if (batch.batch.records.empty()) return {};
  for (const traces::Event& event : trace.events) {
    const auto* read = std::get_if<traces::RecordsRead>(&event.payload);
    if (read == nullptr || read->partition != batch.partition) continue;
    if (!read->topic.empty() && read->topic != batch.topic) continue;
    for (const Batch& seen : read->batches) {
      if (seen.records.size() != batch.batch.records.size()) continue;
      const bool same =
          std::equal(seen.records.begin(), seen.records.end(), batch.batch.records.begin(),
                     [](const Record& a, const Record& b) { return content(a) == content(b); });
      const std::optional<std::int64_t> first = same ? offset_of(seen, 0) : std::nullopt;
      const std::optional<std::int64_t> last =
          same ? offset_of(seen, seen.records.size() - 1) : std::nullopt;
      if (!first || !last) continue;
      copies.emplace(
          *first, Copy{*first, *last, seen.leader_epoch, stamp_of(seen), seen.crc, event.evidence});
    }
  }
  std::vector<Copy> list;
  list.reserve(copies.size());
  for (auto& [offset, copy] : copies) list.push_back(std::move(copy));
  return list;
}

}  // namespace fencepost::explain
