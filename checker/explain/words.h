// How things are called in answers.
#pragma once

#include <string>
#include <vector>

#include "checker/explain/history.h"

namespace fencepost::explain {

/// "my-topic [3]"
std::string partition_words(const std::string& topic, std::int64_t partition);

/// "producer 7078, epoch 0 sequence 2704", or without producer "epoch 0 sequence 2704".
std::string stamp_words(const traces::Stamp& stamp, bool with_producer);

/// "broker 1 (198.51.100.8:40001)", "broker 198.51.100.8:40001", "an unknown broker".
std::string broker_words(const History& history, const std::string& broker);

/// Kafka's name; NOT_LEADER_OR_FOLLOWER in short, and librdkafka's spelling beside where it
/// differs.
std::string error_words(const std::string& error);

/// "71229-71230", or "71229" for one.
std::string range_words(std::int64_t first, std::int64_t last);

/// "value 4d (77)" or "values 0a90, 0a91": hex; leading zero bytes of eight-byte numbers dropped.
std::string value_words(const std::vector<traces::Record>& records);

/// What a batch is called: its values, or "message 4", "messages 5-6".
std::string batch_words(const BatchHistory& batch);

/// "1.18 s", "148 ms".
std::string duration_words(std::int64_t micros);

/// "once", "twice", "4 times".
std::string times_words(std::int64_t times);

/// The value as a number, big endian, if it has one to eight bytes.
std::optional<std::int64_t> value_as_number(const traces::Record& record);

/// Microseconds from `from` to `to`, if both have a time on the clock of one input.
std::optional<std::int64_t> elapsed(const traces::Evidence& from, const traces::Evidence& to);

}  // namespace fencepost::explain
