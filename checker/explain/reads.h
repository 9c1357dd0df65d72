// Records that were read at two offsets of one partition.
#pragma once

#include <string>
#include <vector>

#include "checker/explain/finding.h"

namespace fencepost::explain {

/// The same records (key, value and time) in two batches of a partition's log.
struct ReadTwice {
  std::string topic;
  std::int64_t partition = 0;
  std::vector<traces::Record> records;
  Copy first, second;  ///< by offset
};

/// All of them, by partition and offset. Equal records under one producer id and epoch with
/// different sequences are none: a client gives a new sequence of one epoch to a new message only.
std::vector<ReadTwice> find_read_twice(const traces::Trace& trace, const History& history);

/// Where the records of `batch` were read, by offset; empty when they were not.
std::vector<Copy> copies_read(const traces::Trace& trace, const BatchHistory& batch);

}  // namespace fencepost::explain
