#include "checker/symbolic/unroller.h"

#include <fmt/format.h>

#include <bit>
#include <map>
#include <tuple>

namespace fencepost::checker {

using Bool = Symbolic::Bool;

Unroller::Unroller(const FormulaSystem& system, z3::context& context)
    : system_(system), context_(context) {
  states_.push_back(state_variables(system, context, "0"));
  localities_ = localities(system, states_.front());
}

z3::expr Unroller::initial() const { return is_initial(system_, states_[0]).in(context_); }

z3::expr Unroller::selected(std::size_t time, std::size_t action) const {
  const z3::expr& selector = selectors_[time];
  return selector == context_.bv_val(static_cast<unsigned>(action), selector.get_sort().bv_size());
}

// Actions are grouped by what decides whether they commute, so there are few pairs of groups.
void Unroller::add_order(z3::expr_vector& facts) {
  const std::size_t time = selectors_.size() - 1;
  if (time == 0) return;
  std::map<std::tuple<int, bool, bool>, std::vector<std::size_t>> groups;
  for (std::size_t a = 0; a < localities_.size(); ++a) {
    const Locality& l = localities_[a];
    if (l.partition >= 0) groups[{l.partition, l.reads_shared, l.writes_shared}].push_back(a);
  }
  const auto any = [&](const std::vector<std::size_t>& actions, std::size_t when) {
    z3::expr_vector some(context_);
    for (const std::size_t a : actions) some.push_back(selected(when, a));
    return z3::mk_or(some);
  };
  for (const auto& [higher, first] : groups) {
    for (const auto& [lower, second] : groups) {
      if (std::get<0>(higher) <= std::get<0>(lower)) continue;
      if (!commute(localities_[first[0]], localities_[second[0]])) continue;
      facts.push_back(!(any(first, time - 1) && any(second, time)));
    }
  }
}

z3::expr_vector Unroller::add_step() {
  const std::size_t time = selectors_.size();
  const auto count = static_cast<unsigned>(system_.action_count());
  const auto width = static_cast<unsigned>(std::bit_width(count));
  const z3::expr selector = context_.bv_const(fmt::format("action_{}", time).c_str(), width);
  selectors_.push_back(selector);
  const Values& now = states_[time];
  Values muxed = now;
  z3::expr_vector facts(context_);
  facts.push_back(z3::ult(selector, context_.bv_val(count, width)));
  for (std::size_t a = 0; a < count; ++a) {
    const FormulaStep step = system_.step(a, now);
    const Bool taken(selected(time, a));
    const Bool possible = !taken || step.enabled();
    facts.push_back(possible.in(context_));
    if (step.enabled().is(false)) continue;
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (step.next[i].same(now[i])) continue;
      muxed[i] = Symbolic::pick(taken, step.next[i], muxed[i]);
    }
  }
  add_order(facts);
  states_.push_back(state_variables(system_, context_, std::to_string(time + 1)));
  const Values& next = states_.back();
  for (std::size_t i = 0; i < next.size(); ++i) {
    const Bool tied = next[i] == muxed[i];
    if (!tied.is(true)) facts.push_back(tied.in(context_));
  }
  return facts;
}

std::vector<std::uint32_t> Unroller::path(const z3::model& model) const {
  std::vector<std::uint32_t> actions;
  for (const z3::expr& selector : selectors_) {
    actions.push_back(model.eval(selector, true).get_numeral_uint());
  }
  return actions;
}

}  // namespace fencepost::checker
