// Deliberate mistakes in the state machines, for tests only: what must be refuted to show that the
// checks have teeth. Entries of a variant that are mistakes by themselves are set there instead.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace fencepost::impl {

enum class Mutant : std::uint8_t {
  kNone,
  kNextAckOnPossiblyPersisted,  ///< a possibly persisted error moves the next acknowledgement
  kBackoffCutsBatch,            ///< per-message backoff: a retried batch loses its last message
  kPartitionRecreated,          ///< a partition object made anew at a leader change: ids from 1
  kNoDrainOnJoin,               ///< the new leader's thread sends beside what the old one holds
  kTruncateToWatermark,         ///< a follower cuts to its watermark instead of the leader epoch
  kSnapshotWithoutLast,         ///< a snapshot leaves the last batch out
  kAcknowledgeBeforeWatermark,  ///< an append is answered at once
  kForgetsBaseOnBump,           ///< adopts a new epoch and keeps the old base
  kDropsImplicitAck,            ///< acknowledges an id and forgets the lower ones in its queue
  kFollowerForgets,             ///< a follower does not keep producer state while replicating
  kNoWalkBack,                  ///< a follower asks for one leader epoch only and cuts once
  kJoinsAtWatermark,            ///< a follower is in sync again at the watermark alone
  kKeepsStateWhenCut,           ///< a replica whose log is cut remembers the batches that are gone
};
inline constexpr int kMutants = 14;

/// Their names, indexed by `Mutant`, as the catalogue of defects writes them.
inline constexpr std::array<std::string_view, kMutants> kMutantNames{
    "none",
    "next-ack-on-possibly-persisted",
    "backoff-cuts-batch",
    "partition-recreated",
    "no-drain-on-join",
    "truncate-to-watermark",
    "snapshot-without-last",
    "acknowledge-before-watermark",
    "forgets-base-on-bump",
    "drops-implicit-acknowledgement",
    "follower-forgets",
    "no-walk-back",
    "joins-at-watermark",
    "keeps-state-when-cut",
};

}  // namespace fencepost::impl
