// How many bits of each byte of a transactional cluster's state an instance can use: 4 for what it
// has, 0 for what it has not. No value of the state exceeds 15: the packing asserts it.
#include "checker/refinement/transactions/system.h"

namespace fencepost::refinement::transactions {
namespace {

constexpr std::uint8_t kBits = 4;

class Widths {
 public:
  Widths() { widths_.resize(sizeof(SystemState), kBits); }

  /// The instance never sets these bytes.
  template <class T>
  void unused(const T& part) {
    const auto at =
        reinterpret_cast<const std::byte*>(&part) - reinterpret_cast<const std::byte*>(&state_);
    for (std::size_t k = 0; k < sizeof part; ++k) widths_[static_cast<std::size_t>(at) + k] = 0;
  }
  [[nodiscard]] const SystemState& state() const { return state_; }
  [[nodiscard]] fencepost::spec::ByteWidths take() { return std::move(widths_); }

 private:
  SystemState state_{};
  fencepost::spec::ByteWidths widths_;
};

}  // namespace

fencepost::spec::ByteWidths System::widths() const {
  Widths w;
  const impl::State& c = w.state().cluster;
  const spec::Instance& n = rules_.instance;
  for (std::size_t i = 0; i < c.client.size(); ++i) {
    const bool used = static_cast<int>(i) < n.producers;
    if (!used) w.unused(c.client[i]);
    if (!used) w.unused(c.call[i]);
    for (std::size_t p = 0; p < c.leader.size(); ++p) {
      const bool has = used && static_cast<int>(p) < rules_.partitions();
      if (!has) w.unused(c.client[i].partition[p]);
      if (!has) w.unused(c.produce[i][p]);
    }
  }
  for (std::size_t p = 0; p < c.leader.size(); ++p) {
    const bool used = static_cast<int>(p) < rules_.partitions();
    if (!used) w.unused(c.leader[p]);
    if (!used || !n.faults.allows(spec::Fault::kLateProduce)) w.unused(c.late_batch[p]);
    if (!used || !rules_.verification_window) w.unused(c.late_guard[p]);
    if (!used || !n.faults.allows(spec::Fault::kLateMarker)) w.unused(c.late_marker[p]);
    for (int e = n.log + 1; e < spec::kMaxLog; ++e) w.unused(c.leader[p].log.item[e]);
  }
  if (!n.faults.allows_late()) w.unused(c.late_calls);
  w.unused(w.state().padding);
  return w.take();
}

}  // namespace fencepost::refinement::transactions
