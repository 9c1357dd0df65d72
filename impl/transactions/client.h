// A transactional client instance and the loop that uses it: InitProducerId, begin, add partitions,
// send, commit, and what the client does about errors, driven by the entries of a variant. It does
// no I/O: it is stepped by events and puts what it sends into an outbox. Sources: librdkafka 2.15.0
// (rdkafka_txnmgr, rdkafka_idempotence), Kafka's TransactionManager and Sender.
#pragma once

#include "impl/transactions/state.h"

namespace fencepost::impl::transactions {

/// What a step sends: at most one request of each kind.
struct Outbox {
  bool calls = false;
  Call call;
  bool sends = false;
  int partition = 0;
  Batch batch;
};

/// What a step tells the application, and an observer.
struct Heard {
  bool restarts_sequences = false;
  bool resets_inside = false;  ///< and that inside a transaction
  bool ended = false;          ///< the instance is over
  int told = 0;                ///< of the present transaction: 1 committed, 2 aborted
  int attempt = 0;             ///< which that is
};

/// What the instance is told.
struct ClientEvent {
  enum class Kind : std::uint8_t {
    kStart,
    kPosition,  ///< `value`: the input that the committed offsets stand for
    kBegin,     ///< the application begins a transaction and hands over its messages
    kRegister,  ///< asks the coordinator to add `partition`
    kSend,      ///< sends the next message of `partition`
    kCommit,
    kAbort,           ///< after an error
    kGiveUp,          ///< the application aborts of its own accord
    kBumpInside,      ///< asks for an epoch inside the transaction
    kCoordinator,     ///< its request was answered
    kResend,          ///< its request is sent again (CONCURRENT_TRANSACTIONS, an answer lost)
    kProduced,        ///< the oldest request of `partition` was answered with `answer.code`
    kDisconnected,    ///< all requests of `partition` failed
    kMessageTimeout,  ///< the next message of `partition` has run out of time
    kCrash,
  };
  Kind kind{};
  int partition = 0;
  int value = 0;
  Answer answer;
};

/// Steps instance `i` in place.
class ClientSteps {
 public:
  ClientSteps(Client& state, const Rules& rules, int i) : c_(state), rules_(rules), i_(i) {}

  /// Requires: the event can happen here.
  void step(const ClientEvent& event);
  [[nodiscard]] const Outbox& out() const { return out_; }
  [[nodiscard]] const Heard& heard() const { return heard_; }

  [[nodiscard]] bool in(ClientState state) const { return c_.state == state; }
  [[nodiscard]] bool over() const { return c_.state >= static_cast<int>(ClientState::kCrashed); }
  [[nodiscard]] bool calls() const { return !(c_.calling == Api::kNone); }
  [[nodiscard]] bool can_begin() const {
    return in(ClientState::kReady) && c_.input < rules_.instance.inputs;
  }
  [[nodiscard]] bool can_register(int p) const;
  [[nodiscard]] bool can_send(int p) const;
  [[nodiscard]] bool can_commit() const;
  [[nodiscard]] bool can_abort() const;
  [[nodiscard]] bool can_give_up() const;
  [[nodiscard]] bool can_bump_inside() const;
  [[nodiscard]] bool can_time_out(int p) const;

 private:
  [[nodiscard]] const shared::Behaviour& behaviour() const { return rules_.behaviour; }
  [[nodiscard]] ClientPartition& at(int p) { return c_.partition[static_cast<std::size_t>(p)]; }
  [[nodiscard]] const ClientPartition& at(int p) const {
    return c_.partition[static_cast<std::size_t>(p)];
  }
  [[nodiscard]] bool working() const {
    return in(ClientState::kInTransaction) || in(ClientState::kBumpingInside);
  }
  [[nodiscard]] bool idle_everywhere() const;
  [[nodiscard]] bool settled(int p) const;
  [[nodiscard]] bool has_turn(int p) const;
  [[nodiscard]] bool must_register(int p) const;
  [[nodiscard]] bool registered_any() const;

  void call(Api api, bool bump, bool commit, int partition);
  void resend();
  void hand_over();
  void send(int p);
  void put_back(int p, int id);
  void finished(int p, int id, bool acknowledged);
  void produced(int p, Code code);
  void out_of_order(int p, int id);
  void react(int p, int id, shared::OutOfOrder reaction);
  void disconnected(int p);
  void message_timeout(int p);

  void abortable(bool bump);
  void error(shared::OnError reaction);
  void mapping_refused();
  void stop(ClientState state);

  void commit();
  void abort();
  void aborted();
  void write_again();
  void finish(bool committed);
  void clear();
  void restart_sequences();
  void go_on_inside();

  void coordinator_answered(const Answer& answer);
  void init_answered(const Answer& answer, bool bump);
  void add_answered(Code code, int partition);
  void end_answered(const Answer& answer, bool commit);
  void take_id(const Answer& answer);

  Client& c_;
  const Rules& rules_;
  int i_;
  Outbox out_;
  Heard heard_;
};

}  // namespace fencepost::impl::transactions
