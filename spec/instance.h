// An instance: how many of everything there is. All bounds of the model live here. Reaching
// one disables the action, is counted, and forbids every verdict that claims all runs.
#pragma once

#include "spec/faults.h"

namespace fencepost::spec {

/// Capacities of the state's arrays, fixed at compile time; an `Instance` uses a part of them.
inline constexpr int kMaxPartitions = 4;
inline constexpr int kMaxMessages = 7;  // warm ones included
inline constexpr int kMaxInFlight = 5;  // max.in.flight.requests.per.connection with idempotence
inline constexpr int kMaxBrokers = 3;
inline constexpr int kMaxLog = 15;
inline constexpr int kMaxEpochs = 15;  // highest producer epoch
inline constexpr int kMaxLate = 2;     // late requests per partition

struct Instance {
  int partitions = 2;  ///< 1..kMaxPartitions
  int messages = 3;    ///< new messages per partition, 1..kMaxMessages - warm
  int warm = 1;        ///< 1: the partition already holds one acknowledged message; 0: cold
  int in_flight = 2;   ///< per partition, 1..kMaxInFlight
  int brokers = 2;     ///< 1..kMaxBrokers
  int epochs = 3;      ///< highest producer epoch of the instance, 1..kMaxEpochs
  int max_epoch = 0;   ///< the protocol's highest (32767 in Kafka), 1..epochs; 0: out of reach
  int log = 8;         ///< entries per partition log, total messages..kMaxLog
  Faults faults;

  [[nodiscard]] int total_messages() const { return messages + warm; }
  bool operator==(const Instance&) const = default;
};

/// The bounds that a step can hit, in the order of `bounds_hit` bits.
enum class Bound : std::uint8_t { kEpochs, kLog };
inline constexpr int kBounds = 2;
inline constexpr std::array<std::string_view, kBounds> kBoundNames{"epochs", "log"};

/// The whole sentence of what is wrong with an instance, or empty if it can be checked.
std::string_view instance_fault(const Instance& instance);

}  // namespace fencepost::spec
