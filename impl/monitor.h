// Checks the safety properties while a run of any length goes on: each at the event that could
// break it, without looking at the whole state.
#pragma once

#include <optional>
#include <vector>

#include "impl/trace_observer.h"
#include "spec/properties.h"

namespace fencepost::impl {

struct Broken {
  spec::Property property{};
  int partition = 0;
  int message_id = 0;  ///< 0: none in particular
  bool operator==(const Broken&) const = default;
};

/// What a run has done so far.
struct RunCounts {
  std::uint64_t delivered = 0;
  std::uint64_t implicit = 0;
  std::uint64_t failed = 0;
  std::uint64_t appended = 0;
  std::uint64_t recognised = 0;
  std::uint64_t bumps = 0;
  std::uint64_t elections = 0;
  std::uint64_t closed = 0;
  bool operator==(const RunCounts&) const = default;
};

/// Observes a cluster of `Large`. The properties are those of spec/properties.h, stated on the
/// implementation itself.
class Monitor : public TraceObserver {
 public:
  using State = ClusterState<Large>;

  /// Requires: `state` outlives the monitor; it is the state being stepped.
  Monitor(const State& state, const ClusterRules& rules, fp_tracer* tracer);

  /// The first property broken, if any.
  [[nodiscard]] const std::optional<Broken>& broken() const { return broken_; }
  [[nodiscard]] const RunCounts& counts() const { return counts_; }

  template <class W>
  void appended(int p, int b, const W& wire, const Appended& done, bool late) {
    TraceObserver::appended(p, b, wire, done, late);
    if (done.duplicate) {
      ++counts_.recognised;
    } else {
      ++counts_.appended;
      check_append(p, b);
    }
  }
  template <class M>
  void delivered(int p, const M& message, bool implicit) {
    TraceObserver::delivered(p, message, implicit);
    ++counts_.delivered;
    if (implicit) ++counts_.implicit;
    seen(p, message.id).delivered = true;
    if (seen(p, message.id).copies == 0) breaks(spec::Property::kNoLoss, p, message.id);
  }
  template <class M>
  void failed(int p, const M& message, Why why, ErrorCode error) {
    TraceObserver::failed(p, message, why, error);
    ++counts_.failed;
    check_failure(p, message.id, message.possibly == 1, why);
  }
  void fatal(int p);
  void bumped(int id, int epoch);
  void elected(int p, int b, int epoch, int lost);
  void advanced(int p, int b, int watermark);
  void closed(int b, bool late);
  void records_lost(int p, int b, int end);

 private:
  struct Seen {
    std::uint8_t copies = 0;  ///< below the watermark, at most 2 counted
    bool absent = false;      ///< reported failed and not persisted
    bool delivered = false;   ///< reported delivered
  };
  struct PerPartition {
    std::vector<Seen> messages;
    int committed = 0;
    int newest_first = 0;  ///< the highest id of which a first copy stands in the log
  };

  [[nodiscard]] Seen& seen(int p, int id);
  [[nodiscard]] const Replica<Large>& replica(int b, int p) const {
    return state_.replica[static_cast<std::size_t>(b)][static_cast<std::size_t>(p)];
  }
  [[nodiscard]] const Controlled<Large>& controlled(int p) const {
    return state_.controlled[static_cast<std::size_t>(p)];
  }
  void breaks(spec::Property property, int p, int id) {
    if (!broken_) broken_ = Broken{property, p, id};
  }
  /// Nothing excuses a failure: the partition lost neither producer state nor committed entries.
  [[nodiscard]] bool nothing_lost(int p) const {
    return controlled(p).cache_loss == 0 && controlled(p).unclean == 0;
  }
  void check_append(int p, int b);
  void check_failure(int p, int id, bool possibly, Why why);
  void commit_message(int p, int id);

  const State& state_;
  const ClusterRules& rules_;
  std::vector<PerPartition> partitions_;
  std::optional<Broken> broken_;
  RunCounts counts_;
};

}  // namespace fencepost::impl
