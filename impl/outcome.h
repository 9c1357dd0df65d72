// The outcome table: what the client does when a Produce request ends. A pure function of the error
// and of what the partition looks like at that moment.
#pragma once

#include "impl/error_code.h"
#include "spec/behaviour.h"

namespace fencepost::impl {

enum class Decision : std::uint8_t { kDelivered, kRetry, kFail, kFatal };

/// What the decision looks at besides the error.
struct Situation {
  int sequence = 0;  ///< first sequence of the batch
  int next_ack = 0;
  int next_err = 0;
  int retries = 0;          ///< of the first message
  bool sent = true;         ///< the request had left the out-queue
  bool has_offset = false;  ///< the answer carries a valid offset
  bool same_epoch = true;   ///< the partition still numbers with the batch's epoch
  bool current = true;      ///< the partition numbers with the producer's epoch
  bool earlier = false;     ///< a lower message of the partition is queued or in flight
  bool absent = false;      ///< no earlier one, and no gap that a late request could close
};

struct Plan {
  Decision decision = Decision::kFail;
  bool counts = true;             ///< the retry is counted against `retries`
  bool possibly = false;          ///< status "possibly persisted"
  bool bumps = false;             ///< drain the instance and bump its epoch
  bool leaves_gap = false;        ///< fails and holds a sequence that nobody closes
  bool excused = false;           ///< a permanent error of the message itself
  bool proves_absence = false;    ///< the message is in no log
  bool moves_next_ack = false;    ///< DUPLICATE_SEQUENCE_NUMBER moves it, too
  bool refreshes_leader = false;  ///< asks for the partition's leader
  bool desynchronized = false;    ///< fatal because the sequences no longer fit
  bool operator==(const Plan&) const = default;
};

/// The plan for a batch whose request ended with `error`. Requires: not kNone.
///
/// Sources: rd_kafka_handle_Produce_error and its idempotent part, rd_kafka_err_action defaults,
/// librdkafka 2.15.0; entries of the variant replace the rows that they name.
Plan plan_for(ErrorCode error, const Situation& at, const spec::Behaviour& behaviour);

}  // namespace fencepost::impl
