// Deliberate mistakes in the transactional state machines, for tests only. Mistakes that are
// entries of a variant (no last-epoch rule, markers at any epoch, ...) are set there instead.
#pragma once

#include <cstdint>

namespace fencepost::impl::transactions {

enum class Mutant : std::uint8_t {
  kNone,
  kAnswersBeforeWrite,     ///< the coordinator answers before its record is in the log
  kForgetsMarkersAtMove,   ///< the next coordinator takes a prepared transaction for written
  kRemembersLastEpoch,     ///< the last epoch survives a move although no record holds it
  kKeepsSequences,         ///< the client numbers on under a new epoch
  kRenumbersRetries,       ///< the client gives a message that it sends again a new sequence
  kKeepsQueueAfterAbort,   ///< what an aborted transaction had queued goes out in the next one
  kReadsUnstablePosition,  ///< the position is read without waiting for open transactions
  kExpiresOpen,            ///< a leader forgets a producer whose transaction is open
  kMarkerLeavesOpen,       ///< a leader writes a marker and keeps the transaction open
  kCompletesEarly,         ///< a transaction is complete when its markers are on their way
  kIgnoresGuard,           ///< a leader appends on a verification that a marker has overtaken
};

}  // namespace fencepost::impl::transactions
