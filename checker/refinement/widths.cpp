#include "checker/refinement/widths.h"

#include <bit>

namespace fencepost::refinement {
namespace {

using impl::Small;
using Int = Small::Int;

/// Greatest values of an instance.
struct Most {
  explicit Most(const impl::ClusterRules& rules)
      : partitions(rules.instance.partitions),
        brokers(rules.instance.brokers),
        id(rules.instance.total_messages()),
        epoch(rules.instance.epochs + 1),  // one beyond, in a step that the bound then disables
        leader_epoch(rules.instance.faults.budget),
        log(rules.instance.log),
        in_flight(rules.instance.in_flight),
        window(rules.producer.behaviour.requeue_when == spec::RequeueWhen::kAfterCount),
        doubts(rules.producer.behaviour.out_of_order_proves_absence ==
               spec::ProvesAbsence::kIfGapWasAnswered) {
    const spec::Behaviour& b = rules.producer.behaviour;
    const bool wraps = b.requeue == spec::Requeue::kBehind || !b.adopt_waits_for_in_flight ||
                       rules.mutant != impl::Mutant::kNone || window;
    sequence = wraps ? Small::kSequenceMask : id;
  }

  int partitions;
  int brokers;
  int id;
  int epoch;
  int leader_epoch;
  int log;
  int in_flight;
  bool window;
  bool doubts;
  int sequence = 0;
};

class Widths {
 public:
  explicit Widths(const impl::ClusterRules& rules) : most_(rules), rules_(rules) {
    widths_.resize(sizeof(ImplState), 0);
  }

  spec::ByteWidths all() {
    const SmallCluster& c = state_.cluster;
    use(c.producer.state, static_cast<int>(impl::IdempotenceState::kFatal));
    use(c.producer.epoch, most_.epoch);
    // Counted a second time while a batch is in limbo.
    use(c.producer.partitions_in_flight, most_.partitions * (most_.window ? 2 : 1));
    for (std::size_t p = 0; p < static_cast<std::size_t>(most_.partitions); ++p) partition(p);
    for (std::size_t b = 0; b < static_cast<std::size_t>(most_.brokers); ++b) {
      connection(c.connection[b]);
    }
    if (rules_.instance.faults.allows(spec::Fault::kLateRequest)) late(c.late);
    use(c.fatal_excused, 1);
    use(c.faults_used, rules_.instance.faults.budget);
    for (const Int& used : c.kind_used) use(used, rules_.instance.faults.budget);
    for (const Int& used : c.partition_used) use(used, rules_.instance.faults.budget);
    use_byte(state_.diverged, 1);
    return widths_;
  }

 private:
  void use_byte(const std::uint8_t& byte, int most) {
    const auto at =
        reinterpret_cast<const std::byte*>(&byte) - reinterpret_cast<const std::byte*>(&state_);
    widths_[static_cast<std::size_t>(at)] =
        static_cast<std::uint8_t>(std::bit_width(static_cast<unsigned>(most)));
  }
  void use(const Int& cell, int most) { use_byte(cell.v, most); }
  /// The first `items` of a sequence, each by `f`.
  template <class T, int N, class F>
  void each(const impl::FixedSeq<T, N>& seq, int items, F&& f) {
    use_byte(seq.count, std::min(items, N));
    for (int i = 0; i < std::min(items, N); ++i) f(seq.item[i]);
  }

  void message(const impl::Message<Small>& m) {
    use(m.id, most_.id);
    use(m.unresolved, 1);
    use(m.possibly, 1);
  }
  void batch(const impl::Batch<Small>& b) {
    each(b.messages, 1, [&](const auto& m) { message(m); });
    use(b.epoch, most_.epoch);
    use(b.sequence, most_.sequence);
    use(b.broker, most_.brokers);
  }
  void wire(const impl::WireBatch<Small>& w) {
    use(w.id, most_.id);
    use(w.count, 1);
    use(w.epoch, most_.epoch);
    use(w.sequence, most_.sequence);
  }

  void partition(std::size_t p) {
    const SmallCluster& c = state_.cluster;
    client(c.producer.partition[p]);
    each(c.reports[p], most_.id, [&](const auto& report) {
      use(report.told, static_cast<int>(impl::Told::kFatalAbsent));
      use(report.possibly, 1);
    });
    use(c.controlled[p].leader, most_.brokers);
    use(c.controlled[p].leader_epoch, most_.leader_epoch);
    const bool unclean = rules_.instance.faults.allows(spec::Fault::kUncleanElection);
    const bool changes = rules_.grain.changing_isr || unclean;
    use(c.controlled[p].out_of_sync, changes ? (1 << most_.brokers) - 1 : 0);
    use(c.controlled[p].unclean, unclean ? 1 : 0);
    use(c.controlled[p].log_of, most_.brokers);
    use(c.controlled[p].committed, most_.log);
    use(c.controlled[p].cache_loss, 2);
    for (std::size_t b = 0; b < static_cast<std::size_t>(most_.brokers); ++b) {
      replica(c.replica[b][p]);
    }
  }

  void client(const impl::ClientPartition<Small>& q) {
    use(q.last_id, most_.id);
    each(q.xmit, most_.id, [&](const auto& m) { message(m); });
    each(q.in_flight, most_.in_flight, [&](const auto& b) { batch(b); });
    each(q.limbo, most_.window ? 1 : 0, [&](const auto& b) { batch(b); });
    use(q.messages_in_flight, most_.in_flight);
    use(q.has_id, 1);
    use(q.epoch, most_.epoch);
    use(q.base, most_.id);
    use(q.acked_id, most_.id);
    use(q.next_ack, most_.sequence + 1);
    use(q.next_err, most_.sequence + 1);
    use(q.wait_drain, 1);
    use(q.asked, 1);
    use(q.leader, most_.brokers);
    use(q.leader_epoch, most_.leader_epoch);
    each(q.doubtful, most_.doubts ? most_.id : 0, [&](const auto& id) { use(id, most_.id); });
  }

  void replica(const impl::Replica<Small>& r) {
    use(r.leads, 1);
    use(r.leader_epoch, most_.leader_epoch);
    use(r.thinks, rules_.grain.leader_hints ? most_.brokers : 0);
    use(r.thinks_epoch, rules_.grain.leader_hints ? most_.leader_epoch : 0);
    use(r.watermark, most_.log);
    use(r.state_from, most_.log);
    use(r.expired, 1);
    each(r.log, most_.log, [&](const auto& entry) {
      use(entry.id, most_.id);
      use(entry.count, 1);
      use(entry.epoch, most_.epoch);
      use(entry.sequence, most_.sequence);
      use(entry.leader_epoch, most_.leader_epoch);
      use(entry.unchecked, 1);
    });
    use(r.producer.known, 1);
    use(r.producer.epoch, most_.epoch);
    each(r.producer.batches, rules_.producer.behaviour.cache_size, [&](const auto& cached) {
      use(cached.sequence, most_.sequence);
      use(cached.last, most_.sequence);
      use(cached.offset, most_.log);
    });
  }

  void connection(const impl::Connection<Small>& c) {
    each(c.requests, most_.partitions * most_.in_flight, [&](const auto& request) {
      use(request.partition, most_.partitions - 1);
      wire(request.wire);
      use(request.stage, static_cast<int>(impl::RequestStage::kAnswered));
      use(request.required, most_.log);
      use(request.error, impl::kErrorCodes - 1);
      use(request.has_offset, 1);
      use(request.hint, rules_.grain.leader_hints ? most_.brokers : 0);
      use(request.hint_epoch, rules_.grain.leader_hints ? most_.leader_epoch : 0);
    });
  }

  template <class Seq>
  void late(const Seq& requests) {
    each(requests, most_.partitions * spec::kMaxLate, [&](const auto& request) {
      use(request.broker, most_.brokers);
      use(request.partition, most_.partitions - 1);
      wire(request.wire);
      use(request.follows, 1);
    });
  }

  Most most_;
  const impl::ClusterRules& rules_;
  ImplState state_{};
  spec::ByteWidths widths_;
};

}  // namespace

spec::ByteWidths state_widths(const impl::ClusterRules& rules) { return Widths(rules).all(); }

}  // namespace fencepost::refinement
