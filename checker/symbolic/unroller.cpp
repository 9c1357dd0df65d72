#include "checker/symbolic/unroller.h"

#include <fmt/format.h>

#include <bit>

namespace fencepost::checker {

using Bool = Symbolic::Bool;

Unroller::Unroller(const FormulaSystem& system, z3::context& context)
    : system_(system), context_(context) {
  states_.push_back(state_variables(system, context, "0"));
}

z3::expr Unroller::initial() const { return is_initial(system_, states_[0]).in(context_); }

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
    const Bool selected(selector == context_.bv_val(static_cast<unsigned>(a), width));
    const Bool possible = !selected || step.enabled();
    facts.push_back(possible.in(context_));
    if (step.enabled().is(false)) continue;
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (step.next[i].same(now[i])) continue;
      muxed[i] = Symbolic::pick(selected, step.next[i], muxed[i]);
    }
  }
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
