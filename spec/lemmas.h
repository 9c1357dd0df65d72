// Lemmas: what is true of every reachable state beside the properties, so that the properties can
// be proved by induction: if the lemmas and properties hold in a state, they hold after any step.
// They are claims about the protocol, in words and formula; the explicit engine checks each on
// every state it visits, so a false one dies at once.
//
// The argument in short. A request carries the epoch of its partition and the distance of its
// message from the partition's base, and both change only with nothing in flight (stamps). So the
// entries of the log that carry one epoch are consecutive messages, and later epochs stand for
// later messages (log-shape). A leader appends only what follows the log's end; hence nothing
// twice and nothing out of order, if a partition that adopts a new epoch starts with a message
// beyond all that stands in the log: its head was never appended (unsent-not-in-log).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "spec/lemmas/broker_lemmas.h"
#include "spec/lemmas/client_lemmas.h"
#include "spec/lemmas/late_lemmas.h"
#include "spec/properties.h"

namespace fencepost::spec {

enum class Lemma : std::uint8_t {
  kCanonical,
  kAnswersFirst,
  kStamps,
  kInFlightOnce,
  kQueueBehind,
  kBaseIsHead,
  kLogShape,
  kStampsOfLog,
  kUnsentNotInLog,
  kWaitingIsAppended,
  kOkIsCommitted,
  kRefusedNotInLog,
  kAcknowledgedIsCommitted,
  kAnswersOfFaults,
  kWarm,
  kNeverBumps,
  kNeverFatal,
  kWindow,
  kAcknowledgedInOrder,
  kRefusedIsLater,
  kRemembersLast,
  kDoubtIsMarked,
  kAscending,
  kLateStamps,
  kLateNumbering,
  kNarrowWindow,
};
inline constexpr int kLemmas = 26;

struct LemmaInfo {
  std::string_view name;
  std::string_view says;
};

/// All lemmas, indexed by `Lemma`.
const std::array<LemmaInfo, kLemmas>& lemmas();
std::optional<Lemma> lemma_named(std::string_view name);

/// What the lemmas are made for, bit = Property; honest-status comes along where failures are
/// marked.
inline constexpr std::uint32_t kLemmaProperties =
    1U << static_cast<unsigned>(Property::kNoDuplicate) |
    1U << static_cast<unsigned>(Property::kInOrder) |
    1U << static_cast<unsigned>(Property::kNoLoss) |
    1U << static_cast<unsigned>(Property::kNoFalseFailure) |
    1U << static_cast<unsigned>(Property::kWellFormed);

/// The safety properties for which the lemmas are claimed to be enough, bit = Property; 0: none.
std::uint32_t provable_properties(const Rules& rules);
/// Whether lemmas are claimed to be true, and enough for some property.
bool lemmas_claimed(const Rules& rules);

/// Whether the lemma is claimed of the behaviour and faults at all. The others are false there, or
/// nobody has asked.
bool applies(Lemma lemma, const Rules& rules);

template <class D>
struct Lemmas {
  using Bool = typename D::Bool;
  using Part = Partition<D>;

  const State<D>& s;
  const Rules& r;

  [[nodiscard]] ClientLemmas<D> client() const { return {{s, r}}; }
  [[nodiscard]] BrokerLemmas<D> broker() const { return {{s, r}}; }
  [[nodiscard]] LateLemmas<D> late() const { return {{s, r}}; }

  /// The lemma holds in partition `p`.
  [[nodiscard]] Bool holds(Lemma lemma, int p) const {
    const Part& q = s.partition[p];
    switch (lemma) {
      case Lemma::kAnswersFirst:
        return client().answers_first(q);
      case Lemma::kStamps:
        return client().stamps(q);
      case Lemma::kInFlightOnce:
        return client().in_flight_once(q);
      case Lemma::kQueueBehind:
        return client().queue_behind(q);
      case Lemma::kBaseIsHead:
        return client().base_is_head(q);
      case Lemma::kAnswersOfFaults:
        return client().answers_of_faults(q);
      case Lemma::kNeverBumps:
        return client().never_bumps(q);
      case Lemma::kNeverFatal:
        return client().never_fatal();
      case Lemma::kWindow:
        return client().window(q);
      case Lemma::kAcknowledgedInOrder:
        return client().acknowledged_in_order(q);
      case Lemma::kRefusedIsLater:
        return client().refused_is_later(q);
      case Lemma::kLateStamps:
        return late().late_stamps(q);
      case Lemma::kLateNumbering:
        return late().late_numbering(q);
      default:
        return of_broker(lemma, q);
    }
  }

 private:
  [[nodiscard]] Bool of_broker(Lemma lemma, const Part& q) const {
    switch (lemma) {
      case Lemma::kCanonical:
        return broker().canonical(q);
      case Lemma::kLogShape:
        return broker().log_shape(q);
      case Lemma::kStampsOfLog:
        return broker().stamps_of_log(q);
      case Lemma::kUnsentNotInLog:
        return broker().unsent_not_in_log(q);
      case Lemma::kWaitingIsAppended:
        return broker().waiting_is_appended(q);
      case Lemma::kOkIsCommitted:
        return broker().ok_is_committed(q);
      case Lemma::kRefusedNotInLog:
        return broker().refused_not_in_log(q);
      case Lemma::kAcknowledgedIsCommitted:
        return broker().acknowledged_is_committed(q);
      case Lemma::kWarm:
        return broker().warm(q);
      case Lemma::kRemembersLast:
        return broker().remembers_last(q);
      case Lemma::kDoubtIsMarked:
        return broker().doubt_is_marked(q);
      case Lemma::kAscending:
        return broker().ascending(q);
      case Lemma::kNarrowWindow:
        return broker().narrow_window(q);
      default:
        return Bool(true);
    }
  }
};

}  // namespace fencepost::spec
