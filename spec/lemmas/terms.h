// What the lemmas are made of: the state, the rules, and the terms that several of them use.
#pragma once

#include "spec/lemmas/scope.h"
#include "spec/model/rules.h"

namespace fencepost::spec {

template <class D>
struct LemmaTerms {
  using Num = typename D::Num;
  using Bool = typename D::Bool;
  using Part = Partition<D>;

  const State<D>& s;
  const Rules& r;

  [[nodiscard]] LemmaScope scope() const { return {r}; }
  [[nodiscard]] static Bool implies(const Bool& a, const Bool& b) { return !a || b; }
  [[nodiscard]] static Bool queued(const Num& status) {
    return status == MessageStatus::kUnsent || status == MessageStatus::kRetry;
  }
  [[nodiscard]] static Bool over(const Num& status) { return status >= MessageStatus::kDelivered; }
  /// The producer has not given up.
  [[nodiscard]] Bool alive() const { return s.mode < Mode::kFatal; }
  [[nodiscard]] Bool used(const Part& q, int i) const { return Num(i) < q.in_flight; }
  [[nodiscard]] Bool in_log(const Part& q, int j) const { return Num(j) < q.length; }
  [[nodiscard]] Bool is_late(const Part& q, int i) const { return Num(i) < q.late_count; }
  /// The broker lost nothing of what it knew of the producer.
  [[nodiscard]] Bool remembers_all(const Part& q) const { return q.cache_loss == CacheLoss::kNone; }
  [[nodiscard]] Bool stands_below(const Part& q, const Num& message, const Num& end) const {
    Bool stands(false);
    for (int j = 0; j < r.instance.log; ++j) {
      stands = stands || (Num(j) < end && q.log[j].message == message);
    }
    return stands;
  }
};

}  // namespace fencepost::spec
