// Deliberate mistakes in the transactional state machines, for tests only. Mistakes that are
// entries of a variant (no last-epoch rule, markers at any epoch, ...) are set there instead.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

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
inline constexpr int kMutants = 12;

/// Their names, indexed by `Mutant`, as the catalogue of defects writes them.
inline constexpr std::array<std::string_view, kMutants> kMutantNames{
    "none",
    "answers-before-write",
    "forgets-markers-at-move",
    "remembers-last-epoch",
    "keeps-sequences",
    "renumbers-retries",
    "keeps-queue-after-abort",
    "reads-unstable-position",
    "expires-open",
    "marker-leaves-open",
    "completes-early",
    "ignores-guard",
};

}  // namespace fencepost::impl::transactions
