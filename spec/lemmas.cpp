#include "spec/lemmas.h"

namespace fencepost::spec {

const std::array<LemmaInfo, kLemmas>& lemmas() {
  static constexpr std::array<LemmaInfo, kLemmas> kTable{{
      {"canonical",
       "slots not in use are zero, there is a broker in flight exactly if something is in flight, "
       "a partition drains only what is in flight, and the watermark is within the log"},
      {"answers-first",
       "in the queue of requests in flight the answered ones come first, then at most one that "
       "waits, then those not yet taken; and none was refused for its epoch"},
      {"stamps",
       "a request in flight carries its partition's epoch and the distance of its message from the "
       "partition's base, and later requests carry later messages"},
      {"in-flight-once", "a message is marked in flight exactly if a request in flight carries it"},
      {"queue-behind", "unless the partition drains, no message before one in flight is queued"},
      {"base-is-head", "all messages before a partition's base are delivered or failed"},
      {"log-shape",
       "the log starts with sequence 0; the next entry is the next message with the next sequence "
       "of the same epoch, or a later message that starts a later epoch with sequence 0"},
      {"stamps-of-log",
       "an entry of the partition's epoch holds the message that the client gives that sequence; "
       "an entry of an earlier epoch holds a message before the partition's base"},
      {"unsent-not-in-log",
       "neither an unsent message, or one proved absent, nor any later one stands in the log"},
      {"waiting-is-appended",
       "a request that waits for replication stands in the log of a leader that knows it leads"},
      {"ok-is-committed",
       "a message whose acknowledgement is on its way stands below the high watermark"},
      {"refused-not-in-log",
       "while an OUT_OF_ORDER is on its way, neither its message, nor the one before, nor any "
       "later one stands in the log"},
      {"acknowledged-is-committed",
       "the last acknowledged sequence of the partition's epoch stands below the high watermark"},
      {"answers-of-faults",
       "no error is answered that needs a fault which is not allowed, or an older broker"},
      {"warm", "the message that was there before the run stays committed and delivered"},
      {"never-bumps",
       "the producer stays in its first epoch and no message fails: without deferral a bump would "
       "renumber messages that may be in the log"},
      {"never-fatal", "the producer never gives up: what is refused is always a later message"},
      {"window",
       "messages are sent and acknowledged in order, and none was sent that is a window or more "
       "beyond an "
       "unresolved one: so the broker remembers what is unresolved"},
  }};
  return kTable;
}

std::optional<Lemma> lemma_named(std::string_view name) {
  for (int i = 0; i < kLemmas; ++i) {
    if (lemmas()[static_cast<std::size_t>(i)].name == name) return static_cast<Lemma>(i);
  }
  return std::nullopt;
}

bool lemmas_claimed(const Rules& rules) {
  if (!applies(Lemma::kCanonical, rules)) return false;
  if (rules.behaviour.adopt_defers_unresolved) return true;
  // Without deferral only a client that never bumps is safe: nothing may fail, and nothing that
  // may be refused on the way may ask for a bump.
  for (const Fault fault : {Fault::kMessageTimeout, Fault::kMessageTimeoutLeaderless, Fault::kPurge,
                            Fault::kRetriesExhausted, Fault::kPermanentError}) {
    if (rules.allows(fault)) return false;
  }
  const Later later = rules.behaviour.later_out_of_order;
  return later != Later::kBump && later != Later::kFatal;
}

bool applies(Lemma lemma, const Rules& rules) {
  // A late request carries a stamp that the client has left behind, and a broker that forgot
  // batches appends what follows nothing: the argument of this file is about neither.
  if (rules.allows(Fault::kLateRequest) || rules.cache_can_be_lost()) return false;
  // Nor about one that lacks committed batches, or a message that is neither in flight nor queued.
  if (rules.allows(Fault::kUncleanElection) || rules.requeues_later()) return false;
  // They speak of one producer id, and of sequences that are distances from a base.
  if (rules.many_ids() || rules.instance.max_epoch > 0 || rules.numbers_at_send()) return false;
  if (rules.behaviour.no_entry == NoEntry::kUnknownProducerId ||
      rules.behaviour.older_duplicate == OlderDuplicate::kDuplicateSequence) {
    return false;
  }
  // A cold partition may accept any first sequence.
  if (rules.instance.warm == 0) return false;
  // Where messages can fail behind an unresolved one the window moves on without it.
  if (lemma == Lemma::kNeverBumps || lemma == Lemma::kWindow)
    return !rules.behaviour.adopt_defers_unresolved;
  return true;
}

}  // namespace fencepost::spec
