// What tests of the transactional model share: behaviours by name, instances by a short text, one
// search, random states.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <random>
#include <string>
#include <string_view>

#include "checker/core/search.h"
#include "spec/transactions/model.h"

namespace fencepost::testing::transactions {

namespace model = spec::transactions;

/// Shapes of instances that several tests ask about.
inline constexpr const char* kOne = "attempts=4,epochs=7,log=12";
inline constexpr const char* kTwoMessages = "messages=2,inputs=2,attempts=5,epochs=7,log=14";
inline constexpr const char* kZombies = "producers=2,attempts=5,epochs=7,log=14";
inline constexpr const char* kLoop = "producers=2,offsets,ids=3,attempts=4,epochs=7,log=12";

/// What must be refuted: who runs together, by what property, in how many steps.
struct Refuted {
  const char* name;
  const char* client;
  const char* coordinator;
  const char* broker;
  const char* shape;
  const char* faults;
  int budget;
  model::Property property;
  std::uint32_t depth;
};

void PrintTo(const Refuted& refuted, std::ostream* out);

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
