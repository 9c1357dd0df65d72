// Changes of a producer's epoch or id: when, why, and which partitions number anew.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/explain/finding.h"

namespace fencepost::explain {

/// Why a producer took a new epoch.
struct Cause {
  std::string topic;
  std::int64_t partition = 0;
  std::string error;    ///< Kafka's name, or "timeout"
  bool stated = false;  ///< the client's log says so; else inferred from what was answered before
  Statement trigger;    ///< the error
  std::vector<Statement> origin;  ///< why that error arose: the earlier request
};

/// A partition that numbers anew; `message_id` and `old_sequence` of its new first message.
struct NewNumbering {
  std::string topic;
  std::int64_t partition = 0;
  std::optional<std::int64_t> message_id;
  std::optional<std::int64_t> old_sequence;
  traces::Evidence seen;
};

struct Bump {
  std::string client;
  traces::ProducerEpoch from;
  traces::ProducerEpoch to;
  traces::Evidence seen;  ///< the first line that shows the new epoch
  std::size_t order = 0;
  std::optional<Cause> cause;
  std::vector<NewNumbering> partitions;
};

/// All bumps of the trace. What a client log states goes before what is inferred from a capture;
/// where both show the same bump, one Bump holds both.
std::vector<Bump> find_bumps(const traces::Trace& trace, const History& history);

/// Why sequence `next` of the partition was still to come when a later one arrived: the earlier
/// request that was refused, the message that timed out, or that it is not shown.
std::vector<Statement> why_sequence_missing(const traces::Trace& trace, const History& history,
                                            const std::string& topic, std::int64_t partition,
                                            const traces::ProducerEpoch& producer,
                                            std::int64_t next, std::size_t before);

/// The bump as a finding, without what the batches re-sent under it tell.
Finding bump_finding(const Bump& bump);

}  // namespace fencepost::explain
