// The cluster: one producer, its connections, brokers, controller and coordinator, stepped by
// choices. `guard` says which choices there are, `apply` takes one; whoever calls them is the
// scheduler (the exhaustive search, the simulator, a replay).
#pragma once

#include "impl/choice.h"
#include "impl/cluster_state.h"
#include "impl/producer.h"

namespace fencepost::impl {

struct ClusterRules {
  ProducerRules producer;
  spec::Instance instance;
  Grain grain;
  Mutant mutant = Mutant::kNone;
  int min_isr = 2;             ///< min.insync.replicas, where the ISR changes
  int partition_messages = 0;  ///< simulator: messages the application hands over per partition
};

/// Empty, or one sentence: what of the behaviour or of the faults the implementation does not do.
std::string without_implementation(const spec::Behaviour& behaviour, const spec::Faults& faults);

/// Rules at the grain of the spec for an instance of it.
ClusterRules rules_for(const spec::Behaviour& behaviour, const spec::Instance& instance,
                       const Grain& grain = {}, Mutant mutant = Mutant::kNone);

/// An observer that hears nothing. Others replace what they want to hear; it is called where the
/// thing takes effect.
struct NoObserver : NoSink {
  template <class W>
  void appended(int /*p*/, int /*broker*/, const W& /*wire*/, const Appended& /*done*/,
                bool /*late*/) {}
  template <class R>
  void answered(int /*broker*/, const R& /*request*/) {}
  template <class R>
  void received(int /*broker*/, const R& /*request*/) {}
  void closed(int /*broker*/, bool /*late*/) {}
  void elected(int /*p*/, int /*broker*/, int /*epoch*/, int /*lost*/) {}
  void leader_lost(int /*p*/, int /*broker*/) {}
  void leadership(int /*p*/, int /*broker*/, bool /*knows*/) {}
  void advanced(int /*p*/, int /*broker*/, int /*watermark*/) {}
  void replicated(int /*p*/, int /*broker*/, int /*end*/) {}
  void truncated(int /*p*/, int /*broker*/, int /*end*/) {}
  void learnt(int /*p*/, int /*broker*/, int /*epoch*/) {}
  void produced(int /*p*/, int /*id*/) {}
  void state_lost(int /*p*/, bool /*expired*/) {}
  /// An unclean election is about to make that broker the leader; its log ends where it will.
  void records_lost(int /*p*/, int /*broker*/, int /*end*/) {}
};

template <class Z, class Observer = NoObserver>
class Cluster {
 public:
  using State = ClusterState<Z>;

  Cluster(const ClusterRules& rules, Observer& observer) : rules_(rules), observer_(observer) {}

  /// All messages of the instance queued, leaders elected and known, the producer id assigned.
  [[nodiscard]] State initial() const;
  [[nodiscard]] bool guard(const Choice& choice, const State& s) const;
  /// Requires: `guard(choice, s)`.
  void apply(const Choice& choice, State& s) const;

  [[nodiscard]] const ClusterRules& rules() const { return rules_; }

 private:
  struct Sink;
  using Steps = ReplicaSteps<Z>;
  static constexpr int kNone = -1;

  [[nodiscard]] Replica<Z>& replica(State& s, int b, int p) const {
    return s.replica[static_cast<std::size_t>(b)][static_cast<std::size_t>(p)];
  }
  [[nodiscard]] const Replica<Z>& replica(const State& s, int b, int p) const {
    return s.replica[static_cast<std::size_t>(b)][static_cast<std::size_t>(p)];
  }
  [[nodiscard]] Controlled<Z>& controlled(State& s, int p) const {
    return s.controlled[static_cast<std::size_t>(p)];
  }
  [[nodiscard]] const Controlled<Z>& controlled(const State& s, int p) const {
    return s.controlled[static_cast<std::size_t>(p)];
  }
  [[nodiscard]] Connection<Z>& connection(State& s, int b) const {
    return s.connection[static_cast<std::size_t>(b)];
  }
  [[nodiscard]] const Connection<Z>& connection(const State& s, int b) const {
    return s.connection[static_cast<std::size_t>(b)];
  }
  [[nodiscard]] Steps steps(State& s, int b, int p) const {
    return Steps(replica(s, b, p), rules_.producer.behaviour, rules_.mutant);
  }
  [[nodiscard]] const spec::Behaviour& behaviour() const { return rules_.producer.behaviour; }
  [[nodiscard]] int brokers() const { return rules_.instance.brokers; }

  template <class F>
  auto with_producer(State& s, F&& f) const;
  /// The client's thread for that broker (1 + number) has its hands free.
  [[nodiscard]] bool free_hands(const State& s, int broker) const {
    State& reads = const_cast<State&>(s);
    return with_producer(reads, [&](auto& producer) { return !producer.busy(broker); });
  }
  [[nodiscard]] bool alive(const State& s) const {
    return !(s.producer.state == IdempotenceState::kFatal);
  }

  // The network and the client's end of it.
  [[nodiscard]] int next_taken(const State& s, int b) const;
  [[nodiscard]] int taker(const State& s, int p) const;
  [[nodiscard]] int answerer(const State& s, int p) const;
  [[nodiscard]] bool can_exhaust(const State& s, int p) const;
  void receive(State& s, int p, bool exhausted) const;
  void disconnect(State& s, int b, bool late, int exhausted) const;
  [[nodiscard]] bool in_flight_to(const State& s, int b, int p) const;
  [[nodiscard]] bool can_leave_late(const State& s, int b) const;
  [[nodiscard]] int late_count(const State& s, int p) const;
  [[nodiscard]] int late_slot(const State& s, int p, int i) const;

  // The brokers.
  void answer(State& s, int b, Request<Z>& request, ErrorCode error, bool has_offset) const;
  void answer_waiting(State& s, int b, int p, ErrorCode error) const;
  [[nodiscard]] bool waiting(const State& s, int p) const;
  void take(State& s, int p) const;
  void refuse(State& s, int p, ErrorCode error) const;
  [[nodiscard]] bool can_refuse(const State& s, int p) const;
  void take_late(State& s, int p, int i) const;

  // Replication and the controller.
  [[nodiscard]] int leading(const State& s, int p) const;
  [[nodiscard]] int replicated_end(const State& s, int p) const;
  [[nodiscard]] bool can_advance(const State& s, int p) const;
  void advance(State& s, int p) const;
  [[nodiscard]] bool can_fetch(const State& s, int p, int b) const;
  void fetch(State& s, int p, int b) const;
  [[nodiscard]] bool in_sync(const State& s, int p, int b) const {
    return ((controlled(s, p).out_of_sync >> b) & 1) == 0;
  }
  [[nodiscard]] int isr_size(const State& s, int p) const;
  [[nodiscard]] bool can_change_isr(const State& s, int p, int b, bool expand) const;
  [[nodiscard]] int hears_watermark(const State& s, int p, int b) const;
  [[nodiscard]] bool can_follow(const State& s, int p, int b) const;
  void follow(State& s, int p, int b) const;
  void hear_of_leader(State& s, int p, int b) const;
  void lose_leader(State& s, int p) const;
  void elect(State& s, int p, int b, int lost) const;
  [[nodiscard]] int behind(const State& s, int p, int b) const;
  [[nodiscard]] bool can_elect_uncleanly(const State& s, int p, int b, int lost) const;
  void elect_uncleanly(State& s, int p, int b, int lost) const;
  void change_isr(State& s, const Choice& choice) const;
  [[nodiscard]] bool shrinking_costs(int p) const {
    return rules_.grain.changing_isr &&
           rules_.instance.faults.allows(spec::Fault::kTooFewReplicas, p);
  }
  void learn_leadership(State& s, int p) const;
  [[nodiscard]] bool can_lose_state(const State& s, int p, bool expires) const;
  void lose_state(State& s, int p, bool expires) const;

  // Faults are budgeted, as the spec counts them.
  [[nodiscard]] bool affordable(const State& s, spec::Fault kind, int p, int units = 1) const;
  void spend(State& s, spec::Fault kind, int p) const;
  [[nodiscard]] bool fault_guard(const Choice& choice, const State& s) const;
  [[nodiscard]] bool queue_fault_guard(const Choice& choice, const State& s) const;
  void fault(const Choice& choice, State& s) const;
  void queue_fault(const Choice& choice, State& s) const;

  const ClusterRules& rules_;
  Observer& observer_;
};

}  // namespace fencepost::impl

#include "impl/cluster_broker.inl"   // NOLINT
#include "impl/cluster_choice.inl"   // NOLINT
#include "impl/cluster_network.inl"  // NOLINT
