// A counterexample to induction in Kafka's words: the state in which all lemmas and properties
// hold, the step, what it breaks, and whether that state can be reached at all.
#pragma once

#include <string>

#include "checker/core/path.h"
#include "checker/symbolic/induction.h"
#include "checker/symbolic/spec_system.h"

namespace fencepost::gate {

/// What is known of the state in which an induction step fails.
enum class Reachable : std::uint8_t { kYes, kNo, kUndecided };

struct Reachability {
  Reachable known = Reachable::kUndecided;
  std::string why;           ///< one clause
  checker::ActionPath path;  ///< to the state, if it is reachable
};

/// Searches the instance of the proof, with its unlimited faults, for exactly this state, within
/// so many bytes and seconds. Without an environment the answer is that of the instance; with one
/// it is that of a single partition left alone, and a state not found there stays undecided.
Reachability find_state(const checker::SpecSystem& system, bool environment,
                        const std::vector<unsigned>& state, std::size_t bytes, double seconds);

/// The producer, every partition's client, requests in flight, leader and log, a line each.
std::string state_text(const spec::Rules& rules, const spec::State<spec::Concrete>& state);

/// Several lines: the state, the step, what broke and what it says, whether it is reachable.
std::string failure_text(const checker::SpecSystem& system,
                         const checker::CounterexampleToInduction& failure,
                         const Reachability& reachability);

}  // namespace fencepost::gate
