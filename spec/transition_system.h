// What an engine sees of a model: an initial state, numbered actions with guard and effect, safety
// properties, the states a run may end in, and which bits of a state are in use. The spec, the
// small model and the implementation's state machines all have this shape.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace fencepost::spec {

/// What an effect says besides the new state: notes (bit per note, for witnesses) and the bounds
/// that it would have exceeded (bit per bound). A non-zero `bounds` disables the step.
struct StepInfo {
  std::uint64_t notes = 0;
  std::uint32_t bounds = 0;
};

/// How many of the low bits of each byte of a state can be non-zero, 0..8. Bytes with width 0 are
/// always zero. Requires: one entry per byte of the state.
using ByteWidths = std::vector<std::uint8_t>;

/// The fairness class of an action that no run is obliged to take (faults, late requests).
inline constexpr int kUnfair = -1;

/// A transition system. `State` is a trivially copyable array of byte-sized cells, a multiple of 8
/// bytes long, canonical: equal states are equal bytes.
///
/// - `guard(a, s)` is total and cheap: engines call it on every state.
/// - `effect(a, s)` changes `s` in place. Requires: `guard(a, s)`.
/// - `violations(s)` is a mask of the safety properties that `s` violates, bit = property number.
/// - `ended(s)`: a run may stop here, and stays in such states once it is in one.
/// - `fairness(a)`: class number of a free action (0, 1, ...), all actions of a class being one
///   obligation of weak fairness, or `kUnfair`.
template <class S>
concept TransitionSystem =
    std::is_trivially_copyable_v<typename S::State> && sizeof(typename S::State) % 8 == 0 &&
    requires(const S& sys, const typename S::State& s, typename S::State& out, std::size_t a) {
  { sys.initial() } -> std::same_as<typename S::State>;
  { sys.action_count() } -> std::same_as<std::size_t>;
  { sys.guard(a, s) } -> std::same_as<bool>;
  { sys.effect(a, out) } -> std::same_as<StepInfo>;
  { sys.violations(s) } -> std::same_as<std::uint32_t>;
  { sys.ended(s) } -> std::same_as<bool>;
  { sys.fairness(a) } -> std::same_as<int>;
  { sys.fairness_classes() } -> std::same_as<int>;
  { sys.widths() } -> std::same_as<ByteWidths>;
};

}  // namespace fencepost::spec
