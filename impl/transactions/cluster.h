// The transactional cluster: client instances, their connections, the coordinator and the leaders
// of the partitions, stepped by choices. Whoever calls `guard` and `apply` is the scheduler.
#pragma once

#include <optional>

#include "impl/transactions/choice.h"
#include "impl/transactions/client.h"
#include "impl/transactions/leader.h"

namespace fencepost::impl::transactions {

class Cluster {
 public:
  /// Requires: `rules` outlives the cluster.
  explicit Cluster(const Rules& rules) : rules_(rules) {}

  /// The first instance asks for its producer id; nothing else has happened.
  [[nodiscard]] State initial() const;
  [[nodiscard]] bool guard(const Choice& choice, const State& s) const;
  /// Requires: `guard(choice, s)`.
  void apply(const Choice& choice, State& s) const;

  [[nodiscard]] const Rules& rules() const { return rules_; }
  /// What the coordinator makes of a request of instance `i`: nothing changes for kConcurrent.
  [[nodiscard]] Decision decision_for(const State& s, const Call& call) const;
  /// Position in the connection of the next request that the leader takes, or -1.
  [[nodiscard]] static int next_taken(const State& s, int i, int p);
  /// What a move of the coordinator costs besides a record that is being written.
  [[nodiscard]] bool move_is_seen(const State& s) const;

 private:
  [[nodiscard]] ClientSteps client(const State& s, int i) const {
    return {const_cast<Client&>(s.client[static_cast<std::size_t>(i)]), rules_, i};
  }
  [[nodiscard]] CoordinatorSteps coordinator(const State& s) const {
    return {const_cast<Coordinator&>(s.coordinator), rules_};
  }
  [[nodiscard]] LeaderSteps leader(const State& s, int p) const {
    return {const_cast<Leader&>(s.leader[static_cast<std::size_t>(p)]), rules_, p};
  }

  // Guards.
  [[nodiscard]] bool can_start(const State& s, int i) const;
  [[nodiscard]] bool can_take_request(const State& s, int i) const;
  [[nodiscard]] bool can_receive(const State& s, int i) const;
  [[nodiscard]] bool can_take_produce(const State& s, int i, int p) const;
  [[nodiscard]] bool can_receive_produce(const State& s, int i, int p) const;
  [[nodiscard]] bool is_written_for(const State& s, int i) const;
  [[nodiscard]] bool can_take_late_request(const State& s, int k) const;
  [[nodiscard]] bool is_abandoned(const State& s) const;
  [[nodiscard]] bool client_guard(const Choice& x, const State& s) const;
  [[nodiscard]] bool fault_guard(const Choice& x, const State& s) const;
  [[nodiscard]] bool affordable(const State& s, shared::Fault fault) const;
  [[nodiscard]] bool can_leave(const State& s, int i, ChoiceKind kind) const;
  [[nodiscard]] bool in_flight(const State& s, int i, int p) const;
  [[nodiscard]] bool can_expire(const State& s) const;
  [[nodiscard]] Marker marker(const State& s) const;

  // Effects.
  void step(State& s, int i, const ClientEvent& event) const;
  void take_request(State& s, int i) const;
  void take_late_request(State& s, int k) const;
  void drop_late_call(State& s, int k) const;
  void end_write(State& s) const;
  void receive(State& s, int i) const;
  void take_produce(State& s, int i, int p) const;
  bool write(State& s, int p, const Batch& batch, Int& guard, Code& code) const;
  void receive_produce(State& s, int i, int p) const;
  void take_late_produce(State& s, int p) const;
  void write_marker(State& s, int p) const;
  void take_late_marker(State& s, int p) const;
  void client_effect(const Choice& x, State& s) const;
  void fault_effect(const Choice& x, State& s) const;
  void spend(State& s, shared::Fault fault) const;
  void leave_call(State& s, int i) const;
  void leave_produce(State& s, int i, int p) const;
  void disconnect(State& s, int i, int p) const;
  void move(State& s) const;

  // Observers.
  void challenge(State& s, int owner) const;
  void excuse_holders(State& s, bool of_epoch) const;
  void end_excuses(State& s, int i) const;
  void establish(State& s, int i, bool first) const;
  [[nodiscard]] bool is_stale(const State& s, const Batch& batch) const;

  const Rules& rules_;
};

}  // namespace fencepost::impl::transactions
