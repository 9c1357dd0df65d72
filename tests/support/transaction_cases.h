// What tests of the transactional model share: behaviours by name, instances by a short text, one
// search, random states.
#pragma once

#include <random>
#include <string>
#include <string_view>

#include "checker/core/search.h"
#include "spec/transactions/model.h"

namespace fencepost::testing::transactions {

namespace model = spec::transactions;

/// The folder of the transactional model's data.
std::string data_folder();

/// From the project's own files.
model::Behaviour behaviour(const std::string& client, const std::string& coordinator = "kip-360",
                           const std::string& broker = "kafka-2.5");

/// "producers=2,inputs=2", with faults.
model::Instance instance(std::string_view shape, std::string_view faults = "none", int budget = 0);

/// Searches for everything, to the end.
checker::SearchResult run(const model::Behaviour& behaviour, const model::Instance& instance);

/// The depth at which the property is violated, or -1.
int depth_of(const checker::SearchResult& result, model::Property property);

/// Each cell uniform in 0..max. The same generator state gives the same state.
model::Model::State random_state(const model::Rules& rules, std::mt19937& random);

}  // namespace fencepost::testing::transactions
