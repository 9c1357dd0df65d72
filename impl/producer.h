// The producer's state machine: librdkafka's idempotent producer, driven by the entries of a
// variant. It does no I/O: it is stepped by events and tells a sink what it sends and reports.
//
// Sources, all librdkafka 2.15.0: rd_kafka_toppar_producer_serve (order of tests before sending),
// rd_kafka_msgset_writer (batches), rd_kafka_handle_Produce_error and _success (answers),
// rd_kafka_retry_msgq (re-insertion), rd_kafka_toppar_pid_change (adoption),
// rd_kafka_idemp_drain_epoch_bump and rd_kafka_idemp_check_drain_done (the bump),
// rd_kafka_broker_internal_serve (partitions without a leader).
#pragma once

#include "impl/mutant.h"
#include "impl/outcome.h"
#include "impl/producer_state.h"

namespace fencepost::impl {

struct ProducerRules {
  spec::Behaviour behaviour;
  int partitions = 1;
  int max_in_flight = 5;  ///< messages, as the window counts them
  int batch = 1;          ///< batch.num.messages
  int max_retries = 0x7fffffff;
  bool eager = false;  ///< the leader's thread serves after every step (impl/README.md)
  Mutant mutant = Mutant::kNone;
};

/// Why a message failed.
enum class Why : std::uint8_t { kPermanent, kTimedOut, kPurged, kRetriesExhausted, kOther, kFatal };

/// How a request ended, as the client is told.
struct Ending {
  ErrorCode error = ErrorCode::kNone;
  bool has_offset = false;
  bool sent = true;
  bool exhausted = false;  ///< a counted retry finds no retry left
};

/// What the producer is told. `kAnswer`, `kClosed`: `broker`; the ids are of the partition.
struct ProducerEvent {
  enum class Kind : std::uint8_t {
    kProduce,  ///< the application hands over one message
    kServe,    ///< the leader's thread looks at the partition and sends if it may
    kAnswer,   ///< the oldest request in flight to `broker` ended
    kRequeue,  ///< a batch in limbo is put back
    kLeader,   ///< metadata or a hint says who leads: `broker` (1 + number, 0 nobody), `epoch`
    kDrained,  ///< the main thread looks whether a drain is done
    kExpire,   ///< messages up to `last` have run out of time
    kPurge,    ///< the application purges what is queued up to `last`
    kId,       ///< InitProducerId answered with `last` as id and `epoch`
  };
  Kind kind{};
  int partition = 0;
  int broker = 0;
  int epoch = 0;
  int last = 0;
  Ending ending;
};

/// A sink that hears nothing; others replace what they want to hear.
struct NoSink {
  template <class B>
  void send(int /*p*/, const B& /*batch*/) {}
  template <class M>
  void delivered(int /*p*/, const M& /*message*/, bool /*implicit*/) {}
  template <class M>
  void failed(int /*p*/, const M& /*message*/, Why /*why*/, ErrorCode /*error*/) {}
  void drain(int /*p*/, int /*epoch*/) {}
  void bumped(int /*id*/, int /*epoch*/) {}
  void renumbered(int /*p*/, int /*epoch*/, int /*base*/) {}
  void partition_drain(int /*p*/) {}
  void fatal(int /*p*/) {}
};

/// Steps a producer in place. Holds nothing of its own.
template <class Z, class Sink>
class Producer {
 public:
  using Part = ClientPartition<Z>;

  Producer(ProducerState<Z>& state, const ProducerRules& rules, Sink& sink)
      : s_(state), rules_(rules), sink_(sink) {}

  /// Requires: the event can happen here (`can_send` for kServe that shall send, ...). kServe of a
  /// partition that may not send only tidies its queues.
  void step(const ProducerEvent& event) {
    using Kind = ProducerEvent::Kind;
    switch (event.kind) {
      case Kind::kProduce:
        return produce(event.partition);
      case Kind::kServe:
        settle(event.partition);
        if (can_send(event.partition)) send(event.partition);
        return;
      case Kind::kAnswer:
        return answer(event.partition, event.broker, event.ending);
      case Kind::kRequeue:
        return requeue_limbo(event.partition);
      case Kind::kLeader:
        return leader(event.partition, event.broker, event.epoch);
      case Kind::kDrained:
        if (can_complete_bump()) bump();
        return;
      case Kind::kExpire:
        return expire(event.partition, event.last);
      case Kind::kPurge:
        return purge(event.partition, event.last);
      case Kind::kId:
        s_.id = event.last;
        s_.epoch = event.epoch;
        s_.state = IdempotenceState::kAssigned;
        return;
    }
  }

  [[nodiscard]] bool alive() const { return !(s_.state == IdempotenceState::kFatal); }
  /// The thread of that broker (1 + number) has a batch in limbo: it does nothing else.
  [[nodiscard]] bool busy(int broker) const {
    if (behaviour().requeue_when == spec::RequeueWhen::kAtomic) return false;
    for (int p = 0; p < rules_.partitions; ++p) {
      const auto& limbo = at(p).limbo;
      if (!limbo.empty() && limbo[0].broker == broker) return true;
    }
    return false;
  }

  /// Whether serving the partition would send a batch.
  [[nodiscard]] bool can_send(int p) const;
  [[nodiscard]] bool can_complete_bump() const;
  /// Some message with that id waits in the partition's queues.
  [[nodiscard]] bool is_queued(int p, int id) const;

  /// Requires: `can_send(p)`.
  void send(int p);
  void produce(int p);
  /// The oldest request in flight to `broker` (1 + number) of this partition ended.
  void answer(int p, int broker, const Ending& ending);
  void requeue_limbo(int p);
  /// Ignored if it is older than what is known (toppar_leader_update).
  void leader(int p, int broker, int epoch);
  void bump();
  void expire(int p, int last);
  void purge(int p, int last);

 private:
  [[nodiscard]] const spec::Behaviour& behaviour() const { return rules_.behaviour; }
  [[nodiscard]] Part& at(int p) { return s_.partition[static_cast<std::size_t>(p)]; }
  [[nodiscard]] const Part& at(int p) const { return s_.partition[static_cast<std::size_t>(p)]; }
  /// The sum, wrapped to 31 bits; unsigned, because the sum of two ints may not fit into one.
  [[nodiscard]] static int wrap(int sequence, int plus = 0) {
    const unsigned sum = static_cast<unsigned>(sequence) + static_cast<unsigned>(plus);
    return static_cast<int>(sum & static_cast<unsigned>(Z::kSequenceMask));
  }

  [[nodiscard]] const Message<Z>* head(const Part& q) const;
  [[nodiscard]] bool before(const Message<Z>& a, const Message<Z>& b) const;
  [[nodiscard]] bool stale(const Part& q) const;
  [[nodiscard]] bool deferred(const Part& q, const Message<Z>& head) const {
    return behaviour().adopt_defers_unresolved && head.unresolved == 1 && q.has_id == 1;
  }
  [[nodiscard]] bool earlier_pending(const Part& q, int id) const;
  [[nodiscard]] bool gap_may_close(const Part& q, int id) const;
  [[nodiscard]] bool nothing_unresolved() const;
  [[nodiscard]] Situation situation(const Part& q, const Batch<Z>& batch,
                                    const Ending& ending) const;

  template <class Queue>
  void insert(Queue& queue, const Message<Z>& message) const;
  void merge(Part& q);
  void settle(int p);
  void adopt(int p, int first_id);
  void build(Part& q, Batch<Z>& batch);
  void success(int p, const Batch<Z>& batch);
  void implicit(int p, int last);
  template <class Queue>
  void implicit_in(int p, Queue& queue, int last);
  void error(int p, Batch<Z>& batch, const Ending& ending);
  void put_back(int p, Batch<Z>& batch, bool counts, bool exhausted);
  void requeue(int p, const Batch<Z>& batch);
  void give_up(int p, const Batch<Z>& batch, const Plan& plan, ErrorCode error);
  void fail(int p, const Message<Z>& message, Why why, ErrorCode error);
  template <class Queue>
  void fail_prefix(int p, Queue& queue, int last, Why why, ErrorCode error);
  void remove_prefix(int p, int last, Why why, ErrorCode error, bool bumps);
  void request_bump(int p);
  void fatal(int p);

  ProducerState<Z>& s_;
  const ProducerRules& rules_;
  Sink& sink_;
};

}  // namespace fencepost::impl

#include "impl/producer_answer.inl"  // NOLINT
#include "impl/producer_send.inl"    // NOLINT
