#include "impl/outcome.h"

#include <optional>

#include "spec/base.h"

namespace fencepost::impl {
namespace {

using spec::Behaviour;
using spec::Outcome;

/// The entry of the variant that speaks of this error, if one does.
std::optional<Outcome> outcome_of(ErrorCode error, const Situation& at) {
  switch (error) {
    case ErrorCode::kNotLeader:
      return at.has_offset ? Outcome::kNotLeaderAfterAppend : Outcome::kNotLeader;
    case ErrorCode::kLeaderNotAvailable:
    case ErrorCode::kUnknownTopicOrPartition:
      return Outcome::kNotLeader;
    case ErrorCode::kTransport:
      if (!at.sent) return std::nullopt;
      return Outcome::kDisconnect;
    case ErrorCode::kRequestTimedOut:
      return Outcome::kRequestTimedOut;
    case ErrorCode::kNotEnoughReplicas:
      return Outcome::kNotEnoughReplicas;
    case ErrorCode::kNotEnoughReplicasAfterAppend:
      return Outcome::kNotEnoughReplicasAfterAppend;
    case ErrorCode::kMessageTooLarge:
    case ErrorCode::kTopicAuthorizationFailed:
      return Outcome::kPermanentError;
    default:
      return std::nullopt;
  }
}

Plan by_entry(Outcome outcome, const Behaviour& b) {
  Plan plan;
  plan.counts = b.counts(outcome);
  plan.possibly = b.status_of(outcome) == spec::Status::kPossiblyPersisted;
  plan.refreshes_leader = outcome == Outcome::kNotLeader ||
                          outcome == Outcome::kNotLeaderAfterAppend ||
                          outcome == Outcome::kDisconnect;
  switch (b.react(outcome)) {
    case spec::Reaction::kRetry:
      plan.decision = Decision::kRetry;
      break;
    case spec::Reaction::kFatal:
      plan.decision = Decision::kFatal;
      break;
    case spec::Reaction::kFail:
    case spec::Reaction::kFailAndBump:
      plan.bumps = b.react(outcome) == spec::Reaction::kFailAndBump;
      plan.leaves_gap = !plan.bumps;
      plan.excused = outcome == Outcome::kPermanentError;
  }
  return plan;
}

Plan retry(bool counts, bool possibly) {
  Plan plan;
  plan.decision = Decision::kRetry;
  plan.counts = counts;
  plan.possibly = possibly && counts;  // a retry that is not counted forces "not persisted"
  return plan;
}

/// The permanent branch: fail and bump for the gap.
Plan permanent(bool possibly) {
  Plan plan;
  plan.possibly = possibly;
  plan.bumps = true;
  return plan;
}

Plan fatal() {
  Plan plan;
  plan.decision = Decision::kFatal;
  plan.possibly = true;
  plan.desynchronized = true;
  return plan;
}

Plan by_reaction(spec::NextExpected reaction) {
  if (reaction == spec::NextExpected::kFatal) return fatal();
  if (reaction == spec::NextExpected::kFailAndBump) return permanent(true);
  Plan plan = retry(false, false);
  plan.bumps = reaction == spec::NextExpected::kBump;
  return plan;
}

Plan later(const Situation& at, const Behaviour& b) {
  Plan plan = retry(false, false);
  switch (b.later_out_of_order) {
    case spec::Later::kBump:
      plan.bumps = true;
      break;
    case spec::Later::kBumpIfNoEarlierPending:
      plan.bumps = !at.earlier;
      break;
    case spec::Later::kBumpIfAbsenceProved:
      // A partition that lags behind the producer's epoch has only to adopt it.
      plan.bumps = at.absent && at.current;
      break;
    case spec::Later::kFatal:
      return fatal();
    case spec::Later::kRetry:
      break;
  }
  return plan;
}

/// r = sequence - next_ack as a plain difference, as the client computes it.
Plan out_of_order(const Situation& at, const Behaviour& b) {
  Plan plan = at.sequence > at.next_ack    ? later(at, b)
              : at.sequence == at.next_ack ? by_reaction(b.next_expected_out_of_order)
                                           : by_reaction(b.earlier_out_of_order);
  plan.proves_absence = at.absent && b.out_of_order_proves_absence != spec::ProvesAbsence::kNo;
  return plan;
}

Plan unknown_producer(const Situation& at, const Behaviour& b) {
  const bool first = at.retries == 0 && at.next_err == at.sequence;
  if (b.unknown_producer == spec::UnknownProducer::kBumpOnFirstAttempt && !first) return fatal();
  Plan plan = retry(false, false);
  plan.bumps = true;
  return plan;
}

/// Rows that no entry speaks of.
Plan by_table(ErrorCode error, const Situation& at, const Behaviour& b) {
  switch (error) {
    case ErrorCode::kTransport:  // of a request that was not sent
      return retry(false, false);
    case ErrorCode::kStorageError:
    case ErrorCode::kInvalidMessage:
    case ErrorCode::kCoordinatorLoadInProgress:
      return retry(true, false);
    case ErrorCode::kTimedOut:
      return retry(true, true);
    case ErrorCode::kTimedOutQueue:
      return retry(at.sent, false);
    case ErrorCode::kRetry:
      return retry(false, false);
    case ErrorCode::kMessageTimedOut:
    case ErrorCode::kPurgeInFlight:
    case ErrorCode::kBadMessage:
      return permanent(true);
    case ErrorCode::kUnknownProducerId:
      return unknown_producer(at, b);
    default:
      return permanent(false);
  }
}

}  // namespace

Plan plan_for(ErrorCode error, const Situation& at, const Behaviour& behaviour) {
  FP_ASSERT(error != ErrorCode::kNone);
  if (!at.same_epoch && behaviour.adopt_waits_for_in_flight) return permanent(true);  // ERRPID
  if (error == ErrorCode::kDuplicateSequence) {
    Plan plan;
    plan.decision = Decision::kDelivered;
    plan.moves_next_ack = true;
    return plan;
  }
  if (error == ErrorCode::kOutOfOrderSequence) return out_of_order(at, behaviour);
  if (const auto outcome = outcome_of(error, at)) return by_entry(*outcome, behaviour);
  return by_table(error, at, behaviour);
}

}  // namespace fencepost::impl
