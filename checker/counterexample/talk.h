// One step in Kafka's words.
#pragma once

#include "checker/counterexample/ghosts.h"
#include "checker/counterexample/narrate.h"

namespace fencepost::checker {

/// Everything there is to know of a step. `notes`: what its effect noted.
struct Step {
  const spec::Model& model;
  const spec::Action& action;
  const spec::Model::State& before;
  const spec::Model::State& after;
  const Ghosts& ghosts_before;
  const Ghosts& ghosts_after;
  std::uint64_t notes = 0;

  [[nodiscard]] bool noted(spec::Note note) const {
    return ((notes >> static_cast<unsigned>(note)) & 1U) != 0;
  }
};

TalkedStep talk(const Step& step);

/// "delivered", "to be retried", ... Requires: a MessageStatus.
std::string_view status_text(unsigned status);

}  // namespace fencepost::checker
