#include "checker/symbolic/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "spec/base.h"

namespace fencepost::checker {

using Bool = Symbolic::Bool;

Frames::Frames(const FormulaSystem& system, std::size_t fact, z3::context& context)
    : system_(system), context_(context), facts_(context) {
  state_ = state_variables(system, context, "start");
  localities_ = localities(system, state_);
  matters_ = cone(system, fact, state_);
  int partitions = 0;
  for (std::size_t a = 0; a < system.action_count(); ++a) {
    partitions = std::max(partitions, system.action_partition(a) + 1);
  }
  groups_.resize(static_cast<std::size_t>(partitions) + 1);
  for (std::size_t a = 0; a < system.action_count(); ++a) {
    const int partition = system.action_partition(a);
    (partition < 0 ? groups_.back() : groups_[static_cast<std::size_t>(partition)]).push_back(a);
  }
  // A single initial state is folded into what follows from it.
  if (system.initials().size() == 1) {
    state_ = constant_state(system.initial());
  } else {
    facts_.push_back(is_initial(system, state_).in(context));
  }
}

template <class F>
z3::expr Frames::any(const Slot& slot, F which) const {
  z3::expr_vector some(context_);
  for (std::size_t i = 0; i < slot.actions.size(); ++i) {
    if (which(localities_[slot.actions[i]])) some.push_back(slot.taken[i]);
  }
  return z3::mk_or(some);
}

z3::expr Frames::any(const Slot& slot) const {
  return any(slot, [](const Locality&) { return true; });
}

// At most one action is taken because each taken one fixes the same number.
Frames::Slot Frames::fill(std::size_t slot, const std::string& tag) {
  Slot filled;
  filled.actions = groups_[slot];
  Values muxed = state_;
  const auto width = static_cast<unsigned>(std::bit_width(filled.actions.size()));
  for (std::size_t i = 0; i < filled.actions.size(); ++i) {
    const FormulaStep step = system_.step(filled.actions[i], state_);
    const z3::expr taken = context_.bool_const(fmt::format("take_{}_{}", tag, i).c_str());
    filled.taken.push_back(taken);
    facts_.push_back((!Bool(taken) || step.enabled()).in(context_));
    if (step.enabled().is(false)) continue;
    for (unsigned bit = 0; bit < width; ++bit) {
      const z3::expr one = context_.bool_const(fmt::format("number_{}_{}", tag, bit).c_str());
      facts_.push_back(z3::implies(taken, (((i + 1) >> bit) & 1U) != 0 ? one : !one));
    }
    for (std::size_t c = 0; c < state_.size(); ++c) {
      if (!matters_[c] || step.next[c].same(state_[c])) continue;
      muxed[c] = Symbolic::pick(Bool(taken), step.next[c], muxed[c]);
    }
  }
  // No more than the steps so far can have written: a log that is still short has few bits.
  for (std::size_t c = 0; c < state_.size(); ++c) {
    if (muxed[c].same(state_[c])) continue;
    const unsigned max = std::min(system_.cells()[c].max, muxed[c].max());
    const std::string name = fmt::format("{}_{}", system_.cells()[c].name, tag);
    const Symbolic::Num next(
        context_.bv_const(name.c_str(), static_cast<unsigned>(std::bit_width(max))), max);
    facts_.push_back((next == muxed[c]).in(context_));
    state_[c] = next;
  }
  return filled;
}

// For the action of a slot to stand no earlier, something that it depends on must stand between the
// same slot of the frame before, inclusive, and its own.
void Frames::require_earliest(const Frame& before, const Frame& now) {
  const auto writes = [&](std::size_t slot) {
    return [this, slot](const Locality& l) { return !is_local(l, slot) || l.writes_shared; };
  };
  const auto shares = [&](std::size_t slot) {
    return [this, slot](const Locality& l) {
      return !is_local(l, slot) || l.writes_shared || l.reads_shared;
    };
  };
  for (std::size_t s = 0; s < now.size(); ++s) {
    z3::expr own = any(before[s]);
    if (s + 1 < now.size()) own = own || any(before.back());
    z3::expr written = own;
    z3::expr shared = own;
    z3::expr anything = own;
    for (std::size_t q = 0; q + 1 < now.size(); ++q) {
      if (q == s) continue;
      const Slot& other = q > s ? before[q] : now[q];
      written = written || any(other, writes(q));
      shared = shared || any(other, shares(q));
      anything = anything || any(other);
    }
    const auto require = [&](const z3::expr& need, bool local, bool reads, bool writing) {
      const z3::expr some = any(now[s], [&](const Locality& l) {
        if (is_local(l, s) != local) return false;
        if (!local) return true;
        return writing ? l.writes_shared : !l.writes_shared && l.reads_shared == reads;
      });
      facts_.push_back(z3::implies(some, need));
    };
    require(own, true, false, false);
    require(written, true, true, false);
    require(shared, true, false, true);
    require(anything, false, false, false);
  }
}

void Frames::add_frame() {
  Frame frame;
  for (std::size_t s = 0; s < groups_.size(); ++s) {
    frame.push_back(fill(s, fmt::format("{}_{}", frames_.size(), s)));
  }
  if (!frames_.empty()) require_earliest(frames_.back(), frame);
  frames_.push_back(std::move(frame));
}

// A sequential counter: output j after slot i is true if more than j of the slots up to i are
// taken.
void Frames::limit_actions(std::uint32_t most) {
  std::vector<z3::expr> before(most + 1, context_.bool_val(false));
  std::size_t i = 0;
  for (const Frame& frame : frames_) {
    for (const Slot& slot : frame) {
      const z3::expr taken = any(slot);
      std::vector<z3::expr> after;
      for (std::uint32_t j = 0; j <= most; ++j) {
        after.push_back(context_.bool_const(fmt::format("count_{}_{}", i, j).c_str()));
        facts_.push_back(z3::implies(before[j], after[j]));
        const z3::expr fewer = j == 0 ? context_.bool_val(true) : before[j - 1];
        facts_.push_back(z3::implies(fewer && taken, after[j]));
      }
      facts_.push_back(!after[most]);
      before = std::move(after);
      ++i;
    }
  }
}

std::vector<std::uint32_t> Frames::path(const Clauses& clauses,
                                        const std::vector<bool>& assignment) const {
  std::vector<std::uint32_t> actions;
  for (const Frame& frame : frames_) {
    for (const Slot& slot : frame) {
      for (std::size_t i = 0; i < slot.actions.size(); ++i) {
        const auto variable = clauses.named.find(slot.taken[i].decl().name().str());
        if (variable == clauses.named.end()) continue;  // never possible there
        if (!assignment[static_cast<std::size_t>(variable->second)]) continue;
        actions.push_back(static_cast<std::uint32_t>(slot.actions[i]));
      }
    }
  }
  return actions;
}

}  // namespace fencepost::checker
