// The text of one step of the transactional model.
#pragma once

#include <cstdint>
#include <string>

#include "checker/counterexample/narrate.h"
#include "spec/transactions/model.h"

namespace fencepost::transactions {

struct TalkInput {
  const spec::transactions::Model& model;
  const spec::transactions::Action& action;
  const spec::transactions::Model::State& before;
  const spec::transactions::Model::State& after;
  std::uint64_t notes = 0;  ///< bit = Note
};

checker::TalkedStep talk(const TalkInput& step);

/// "partition 0", or "offsets" for the partition that positions are committed to.
std::string partition_name(const spec::transactions::Rules& rules, int p);
/// "T1.2": the second transaction of producer 1.
std::string transaction_name(int owner, int attempt);

}  // namespace fencepost::transactions
