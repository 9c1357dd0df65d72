// Where the lemmas speak: what the behaviour and the faults allowed can come to. Every answer is
// about the rules alone, not about a state.
#pragma once

#include "spec/model/rules.h"

namespace fencepost::spec {

struct LemmaScope {
  const Rules& r;

  /// The lemmas speak of one producer id, of sequences that are distances from a base, and of
  /// brokers that answer what does not fit with OUT_OF_ORDER.
  [[nodiscard]] bool speaks() const;

  [[nodiscard]] bool late() const { return r.allows(Fault::kLateRequest); }
  /// A broker may forget batches, or the producer.
  [[nodiscard]] bool forgets() const { return r.cache_can_be_lost(); }
  [[nodiscard]] bool expires() const { return r.allows(Fault::kExpiry); }
  /// A message may fail.
  [[nodiscard]] bool fails() const;
  /// An attempt may have been appended without an acknowledgement for it. Where none may, nothing
  /// that is sent again stands in a log.
  [[nodiscard]] bool ambiguous() const;
  /// A request can fail for want of retries.
  [[nodiscard]] bool retries_end() const;
  /// The client may come to a new epoch.
  [[nodiscard]] bool bumps() const;
  /// What may stand in a log and is not delivered is marked as possibly persisted.
  [[nodiscard]] bool marks_doubt() const;
  /// The client may take a message that it sent for absent, and go on.
  [[nodiscard]] bool proves_absence() const {
    return bumps() && r.behaviour.out_of_order_proves_absence != ProvesAbsence::kNo;
  }
  /// At most two requests are in flight, and every failure bumps: in the epoch in which a message
  /// failed nothing new is sent behind what is unresolved, so that is the last batch of the log.
  [[nodiscard]] bool nothing_new_behind_failures() const;
  /// Where the client takes an OUT_OF_ORDER for a proof of absence it is right.
  [[nodiscard]] bool absence_is_proved() const;
  /// A stamp says which message it is for ever: the client never leaves its epoch, or never gives
  /// a message that may be in a log another stamp; and a broker always knows its last batch.
  [[nodiscard]] bool stamps_are_kept() const;
};

}  // namespace fencepost::spec
