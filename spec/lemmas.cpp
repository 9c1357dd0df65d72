#include "spec/lemmas.h"

namespace fencepost::spec {
namespace {

constexpr std::array<LemmaInfo, kLemmas> kTable{{
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
    {"queue-behind",
     "unless the partition drains, no message before one in flight is queued; while it drains one "
     "that is unsent was proved absent: nothing before it is pending"},
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
     "no error is answered that needs a fault which is not allowed, or an older broker; where no "
     "leader can be lost there is one, and the client knows of one"},
    {"warm", "the message that was there before the run stays committed and delivered"},
    {"never-bumps",
     "the producer stays in its first epoch and no message fails: without deferral a bump would "
     "renumber messages that may be in the log"},
    {"never-fatal", "the producer never gives up: what is refused is always a later message"},
    {"window",
     "messages are sent and acknowledged in order, and none was sent that is a window or more "
     "beyond an "
     "unresolved one: so the broker remembers what is unresolved"},
    {"acknowledged-in-order",
     "messages below the next expected acknowledgement are delivered or failed, the last of them "
     "in the partition's epoch is delivered, and those from it on are not"},
    {"refused-is-later",
     "an OUT_OF_ORDER on its way is for a sequence above the next expected one, also once the "
     "acknowledgements ahead of it are in, unless a broker lost producer state"},
    {"remembers-last",
     "a broker that lost producer state knows the last batch, one that lost none knows them all"},
    {"doubt-is-marked",
     "what stands in the log is delivered, or about to be answered, or marked as possibly "
     "persisted, and so is what a late request carries; nothing is marked where no fault leaves "
     "doubt"},
    {"ascending", "later entries of the log are later messages"},
    {"late-stamps",
     "a late request carries its partition's epoch and the distance of its message from the "
     "base; "
     "or an earlier epoch, and its message is before the base, or can never be appended any "
     "more: "
     "what its sequence must follow is in no log and on no way; the same holds of a late request "
     "of a message that is unsent, or proved absent, or behind one"},
    {"late-numbering",
     "a late request and an entry of the log, or another late request, number messages alike if "
     "they are of one epoch; the one of the later epoch carries the later message, or the other "
     "can never be appended any more"},
    {"narrow-window",
     "nothing is sent two or more beyond an unresolved message, or one that failed and stands in "
     "the log, unless a failed message in between or itself is missing in the log; and the "
     "client "
     "leaves the epoch in which such a one failed"},
}};

}  // namespace

const std::array<LemmaInfo, kLemmas>& lemmas() { return kTable; }

std::optional<Lemma> lemma_named(std::string_view name) {
  for (int i = 0; i < kLemmas; ++i) {
    if (lemmas()[static_cast<std::size_t>(i)].name == name) return static_cast<Lemma>(i);
  }
  return std::nullopt;
}

std::uint32_t provable_properties(const Rules& rules) {
  const LemmaScope scope{rules};
  if (!scope.speaks()) return 0;
  const auto bit = [](Property p) { return 1U << static_cast<unsigned>(p); };
  if (scope.stamps_are_kept()) {
    const bool marked = !scope.ambiguous() || scope.marks_doubt();
    return kLemmaProperties | (marked ? bit(Property::kHonestStatus) : 0);
  }
  return scope.ambiguous() ? 0 : bit(Property::kNoDuplicate) | bit(Property::kInOrder);
}

bool lemmas_claimed(const Rules& rules) { return provable_properties(rules) != 0; }

bool applies(Lemma lemma, const Rules& rules) {
  if (!lemmas_claimed(rules)) return false;
  const LemmaScope scope{rules};
  const bool kept = scope.stamps_are_kept();
  const Behaviour& b = rules.behaviour;
  const bool by_answers = b.out_of_order_proves_absence == ProvesAbsence::kIfGapWasAnswered;
  switch (lemma) {
    case Lemma::kLogShape:
    case Lemma::kUnsentNotInLog:
    case Lemma::kWaitingIsAppended:
    case Lemma::kOkIsCommitted:
    case Lemma::kAcknowledgedIsCommitted:
    case Lemma::kRefusedIsLater:
    case Lemma::kNeverFatal:
      return kept;
    case Lemma::kRefusedNotInLog:
      // A broker that forgot it refuses what stands in the log; a late request closes gaps.
      if (!scope.ambiguous()) return kept;
      if (applies(Lemma::kNarrowWindow, rules)) return true;
      return kept && !scope.forgets() && (!scope.late() || by_answers);
    case Lemma::kWarm:
      return rules.instance.warm > 0;
    case Lemma::kNeverBumps:
      return !scope.bumps();
    case Lemma::kWindow:
      // Where messages can fail behind an unresolved one the window moves on without it.
      return kept && !scope.fails() && !b.adopt_defers_unresolved;
    case Lemma::kRemembersLast:
      return scope.forgets() && !scope.expires();
    case Lemma::kDoubtIsMarked:
      return !scope.ambiguous() || scope.marks_doubt() || by_answers;
    case Lemma::kAscending:
      return !kept;
    case Lemma::kNarrowWindow:
      return kept && scope.forgets() && scope.ambiguous() && scope.proves_absence() &&
             b.out_of_order_proves_absence == ProvesAbsence::kYes;
    case Lemma::kLateStamps:
    case Lemma::kLateNumbering:
      return scope.late();
    default:
      return true;
  }
}

}  // namespace fencepost::spec
