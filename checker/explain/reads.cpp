#include "checker/explain/reads.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
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
  if (!batch.base_offset) return std::nullopt;
  return *batch.base_offset + static_cast<std::int64_t>(index);
}

std::string content(const Record& record) {
  return fmt::format("{},{},{}", record.time_ms, record.key.value_or("-"),
                     record.value.value_or("-"));
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

}  // namespace

std::vector<ReadTwice> find_read_twice(const traces::Trace& trace, const History& history) {
  const std::vector<ReadBatch> batches = read_batches(trace, history);
  std::map<std::string, std::pair<std::size_t, std::int64_t>> first_seen;  // batch, offset
  std::map<std::pair<std::size_t, std::size_t>, ReadTwice> found;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const ReadBatch& now = batches[i];
    for (std::size_t r = 0; r < now.batch->records.size(); ++r) {
      const Record& record = now.batch->records[r];
      const std::optional<std::int64_t> offset = offset_of(*now.batch, r);
      if (!offset || !record.value) continue;
      const std::string key = fmt::format("{}/{}|{}", now.topic, now.partition, content(record));
      const auto [at, added] = first_seen.emplace(key, std::pair(i, *offset));
      const auto [before, earlier] = at->second;
      if (added || earlier == *offset || before == i) continue;
      if (may_be_two_messages(*batches[before].batch, *now.batch)) continue;
      ReadTwice& twice = found[{before, i}];
      if (twice.records.empty()) {
        twice.topic = now.topic;
        twice.partition = now.partition;
        twice.first = copy_of(batches[before], earlier, earlier);
        twice.second = copy_of(now, *offset, *offset);
      }
      twice.records.push_back(record);
      twice.first.last_offset = std::max(twice.first.last_offset, earlier);
      twice.second.last_offset = std::max(twice.second.last_offset, *offset);
    }
  }
  std::vector<ReadTwice> list;
  for (auto& [key, twice] : found) list.push_back(std::move(twice));
  return list;
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
  for (auto& [offset, copy] : copies) list.push_back(std::move(copy));
  return list;
}

}  // namespace fencepost::explain
