#include "spec/lemmas/scope.h"

#include <algorithm>

namespace fencepost::spec {
namespace {

template <std::size_t N>
bool any_of(const Rules& r, const std::array<Fault, N>& faults) {
  return std::any_of(faults.begin(), faults.end(), [&](Fault f) { return r.allows(f); });
}

/// Whether messages can fail in that way, and whether the client then bumps.
struct Failure {
  bool happens = false;
  bool bumps = false;
};
std::array<Failure, 5> failures(const Rules& r) {
  const Behaviour& b = r.behaviour;
  // A message expires without a leader only if the leader can be lost.
  const bool leaderless =
      r.allows(Fault::kMessageTimeoutLeaderless) && r.allows(Fault::kLeaderLost);
  return {{{r.allows(Fault::kMessageTimeout), b.message_timeout_bumps},
           {leaderless, b.leaderless_timeout_bumps},
           {r.allows(Fault::kPurge), b.purge_bumps},
           {LemmaScope{r}.retries_end(), b.retries_exhausted_bumps},
           {r.allows(Fault::kPermanentError),
            b.react(Outcome::kPermanentError) == Reaction::kFailAndBump}}};
}

}  // namespace

bool LemmaScope::speaks() const {
  if (r.many_ids() || r.instance.max_epoch > 0 || r.numbers_at_send()) return false;
  // Nor of a leader that lacks committed batches, or a message neither in flight nor queued.
  if (r.allows(Fault::kUncleanElection) || r.requeues_later()) return false;
  if (r.allows(Fault::kRetention) || r.behaviour.later_out_of_order == Later::kFatal) return false;
  return r.behaviour.no_entry != NoEntry::kUnknownProducerId &&
         r.behaviour.older_duplicate != OlderDuplicate::kDuplicateSequence;
}

bool LemmaScope::fails() const {
  const auto all = failures(r);
  return std::any_of(all.begin(), all.end(), [](const Failure& f) { return f.happens; });
}

bool LemmaScope::retries_end() const {
  if (!r.allows(Fault::kRetriesExhausted)) return false;
  const auto counted = [&](Fault fault, Outcome outcome) {
    return r.allows(fault) && r.behaviour.counts(outcome);
  };
  // NOT_LEADER needs no fault of its own.
  return r.behaviour.counts(Outcome::kNotLeader) ||
         counted(Fault::kLeaderLost, Outcome::kNotLeaderAfterAppend) ||
         r.allows(Fault::kDisconnect) || r.allows(Fault::kLateRequest) ||
         counted(Fault::kRequestTimeout, Outcome::kRequestTimedOut) ||
         counted(Fault::kTooFewReplicas, Outcome::kNotEnoughReplicas) ||
         counted(Fault::kTooFewReplicasAfterAppend, Outcome::kNotEnoughReplicasAfterAppend);
}

bool LemmaScope::ambiguous() const {
  return any_of(r, std::array{Fault::kLeaderLost, Fault::kDisconnect, Fault::kLateRequest,
                              Fault::kRequestTimeout, Fault::kTooFewReplicasAfterAppend});
}

bool LemmaScope::bumps() const {
  const Behaviour& b = r.behaviour;
  const auto gives_up = [](NextExpected n) {
    return n == NextExpected::kBump || n == NextExpected::kFailAndBump;
  };
  if (gives_up(b.next_expected_out_of_order) || gives_up(b.earlier_out_of_order)) return true;
  if (b.later_out_of_order == Later::kBump) return true;
  // With no earlier message pending a refused one is the next expected, unless one failed.
  const auto all = failures(r);
  const auto bumped = [](const Failure& f) { return f.happens && f.bumps; };
  return fails() &&
         (b.later_out_of_order != Later::kRetry || std::any_of(all.begin(), all.end(), bumped));
}

bool LemmaScope::marks_doubt() const {
  const Behaviour& b = r.behaviour;
  const auto marked = [&](Fault fault, Outcome outcome) {
    return !r.allows(fault) || b.status_of(outcome) == Status::kPossiblyPersisted;
  };
  return marked(Fault::kLeaderLost, Outcome::kNotLeaderAfterAppend) &&
         marked(Fault::kDisconnect, Outcome::kDisconnect) &&
         marked(Fault::kLateRequest, Outcome::kDisconnect) &&
         marked(Fault::kRequestTimeout, Outcome::kRequestTimedOut) &&
         marked(Fault::kTooFewReplicasAfterAppend, Outcome::kNotEnoughReplicasAfterAppend);
}

bool LemmaScope::nothing_new_behind_failures() const {
  const auto all = failures(r);
  return r.instance.in_flight <= 2 && r.behaviour.bump_waits_for == BumpWaits::kNothingInFlight &&
         std::all_of(all.begin(), all.end(),
                     [](const Failure& f) { return !f.happens || f.bumps; });
}

bool LemmaScope::absence_is_proved() const {
  switch (r.behaviour.out_of_order_proves_absence) {
    case ProvesAbsence::kNo:
      return true;
    case ProvesAbsence::kYes:
      return !late() && (!forgets() || nothing_new_behind_failures());
    case ProvesAbsence::kIfGapWasAnswered:
      return !forgets() || marks_doubt();
  }
  return false;
}

bool LemmaScope::stamps_are_kept() const {
  if (expires()) return false;
  // A cold partition may accept any first sequence.
  if (r.instance.warm == 0 && r.behaviour.no_entry == NoEntry::kAnySequence) return false;
  if (!bumps() || !ambiguous()) return true;
  return r.behaviour.adopt_defers_unresolved && absence_is_proved();
}

}  // namespace fencepost::spec
