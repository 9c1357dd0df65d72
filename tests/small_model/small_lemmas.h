// Lemmas of the small model, variant B: what is true of every reachable state, so that "no log
// holds an id twice" can be proved by induction.
//
// The argument: within an epoch sequences are ids but for a constant, and the log is a prefix of
// the ids; a message is renumbered only if it is known not to be in the log, and then all later
// ones are not in it either.
#pragma once

#include <array>
#include <string_view>

#include "tests/small_model/small_model.h"

namespace fencepost::small_model {

struct LemmaText {
  std::string_view name;
  std::string_view says;
};
inline constexpr std::array<LemmaText, 7> kLemmaTexts{{
    {"queue",
     "the slots in flight are answers, then requests, then empty ones, which are zero; "
     "each holds another message, in flight, and each message in flight is in one"},
    {"epochs", "no leader is ahead of the client's epoch"},
    {"sequences", "unacknowledged messages are as far apart in their sequences as in their ids"},
    {"log", "the log holds ids in ascending order, and in the client's epoch its end is `next`"},
    {"acknowledged", "what is acknowledged, or about to be, is in the log"},
    {"absent",
     "what may not have been persisted, and is queued, is not in the log, nor is "
     "anything after it"},
    {"refused",
     "what is refused as out of order is not in the log, and the message before it "
     "neither is acknowledged nor about to be"},
}};

template <class D>
struct SmallLemmas {
  using Bool = typename D::Bool;
  using Num = typename D::Num;

  const Parameters& p;
  const State<D>& s;

  [[nodiscard]] Bool holds(std::size_t lemma, int partition) const {
    const Partition<D>& part = s.partition[partition];
    switch (lemma) {
      case 0:
        return queue(part);
      case 1:
        return part.epoch <= s.epoch && s.drain == 0;
      case 2:
        return sequences(part);
      case 3:
        return log(part);
      case 4:
        return acknowledged(part);
      case 5:
        return absent(part);
      default:
        return refused(part);
    }
  }

 private:
  static Bool implies(const Bool& a, const Bool& b) { return !a || b; }
  Bool open(const Partition<D>& part, int m) const {
    return part.status[m] != Status::kAcknowledged;
  }
  Bool logged(const Partition<D>& part, const Num& message) const {
    Bool is(false);
    for (int i = 0; i <= p.messages; ++i) {
      is = is || (Num(i) < part.length && part.log[i] == message);
    }
    return is;
  }

  Bool queue(const Partition<D>& part) const {
    Bool ok(true);
    for (int k = 0; k < p.in_flight; ++k) {
      const Bool empty = part.stage[k] == Stage::kNone;
      ok = ok && implies(empty, part.message[k] == 0) && part.stage[k] != Stage::kInvalidEpoch;
      for (int m = 0; m < p.messages; ++m) {
        ok =
            ok && implies(!empty && part.message[k] == Num(m), part.status[m] == Status::kInFlight);
      }
      if (k == 0) continue;
      ok = ok && implies(part.stage[k - 1] == Stage::kNone, empty);
      ok = ok &&
           implies(part.stage[k - 1] == Stage::kRequest, empty || part.stage[k] == Stage::kRequest);
      for (int j = 0; j < k; ++j) {
        ok = ok && (empty || part.message[j] != part.message[k]);
      }
    }
    for (int m = 0; m < p.messages; ++m) {
      Bool somewhere(false);
      for (int k = 0; k < p.in_flight; ++k) {
        somewhere = somewhere || (part.stage[k] != Stage::kNone && part.message[k] == Num(m));
      }
      ok = ok && implies(part.status[m] == Status::kInFlight, somewhere);
    }
    return ok;
  }
  Bool sequences(const Partition<D>& part) const {
    Bool ok(true);
    for (int m = 0; m < p.messages; ++m) {
      for (int n = m + 1; n < p.messages; ++n) {
        ok = ok && implies(open(part, m) && open(part, n),
                           part.sequence[n] == part.sequence[m] + Num(n - m));
      }
    }
    return ok;
  }
  // Position of each message relative to the log's end, by epoch.
  Bool log(const Partition<D>& part) const {
    Bool ok = part.length <= Num(p.messages);
    for (int i = 0; i < p.messages; ++i) {
      ok = ok && implies(Num(i) < part.length, part.log[i] == Num(i));
    }
    for (int m = 0; m < p.messages; ++m) {
      const Bool same = open(part, m) && part.epoch == s.epoch;
      // The distance of the message from the end of the log is that of its sequence.
      ok = ok && implies(same, Num(m) + part.next == part.length + part.sequence[m]);
      const Bool older = open(part, m) && part.epoch < s.epoch;
      ok = ok && implies(older, Num(m) == part.length + part.sequence[m]);
    }
    return ok;
  }
  Bool acknowledged(const Partition<D>& part) const {
    Bool ok(true);
    for (int m = 0; m < p.messages; ++m) {
      ok = ok && implies(!open(part, m), Num(m) < part.length);
    }
    for (int k = 0; k < p.in_flight; ++k) {
      ok = ok && implies(part.stage[k] == Stage::kOk, part.message[k] < part.length);
    }
    return ok;
  }
  // So an answer out of order finds a lower message that is not acknowledged yet.
  Bool refused(const Partition<D>& part) const {
    Bool ok(true);
    for (int k = 0; k < p.in_flight; ++k) {
      const Bool out = part.stage[k] == Stage::kOutOfOrder;
      ok = ok && implies(out, part.length <= part.message[k] && part.message[k] > 0);
      for (int m = 0; m + 1 < p.messages; ++m) {
        const Bool next = out && part.message[k] == Num(m + 1);
        ok = ok && implies(next, open(part, m));
        for (int j = 0; j < k; ++j) {
          ok = ok && implies(next && part.message[j] == Num(m), part.stage[j] != Stage::kOk);
        }
      }
    }
    return ok;
  }
  Bool absent(const Partition<D>& part) const {
    Bool ok(true);
    for (int m = 0; m < p.messages; ++m) {
      const Bool may_not = part.status[m] == Status::kQueued && part.possibly[m] == 0;
      ok = ok && implies(may_not, part.length <= Num(m));
    }
    return ok;
  }
};

}  // namespace fencepost::small_model
