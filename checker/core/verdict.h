// The verdict vocabulary that all engines share (design, section 5), and the answer that carries
// one: everything somebody needs to repeat it, and what it does not cover.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "spec/base.h"

namespace fencepost::checker {

enum class Verdict : std::uint8_t {
  kRefuted,    ///< a counterexample exists; it has been replayed on the concrete spec
  kExhausted,  ///< every reachable state of this instance was visited exactly, none violates
  kProved,     ///< inductive for this instance at any depth
  kBounded,    ///< no violation within so many steps
  kProbable,   ///< all states visited, but remembered by fingerprint
  kVacuous,    ///< holds, but a required witness was never reached
  kUnknown,    ///< stopped, with the reason
  kError,      ///< a check of our own failed
};
inline constexpr int kVerdicts = 8;

struct VerdictInfo {
  std::string_view name;
  std::string_view says;  ///< one sentence
};
/// All verdicts, indexed by `Verdict`.
const std::array<VerdictInfo, kVerdicts>& verdicts();
std::string_view name_of(Verdict verdict);

/// Only these two speak of all runs.
[[nodiscard]] constexpr bool holds(Verdict verdict) {
  return verdict == Verdict::kExhausted || verdict == Verdict::kProved;
}

enum class PropertyKind : std::uint8_t { kSafety, kLiveness, kDeadlock };

/// The exit code of a run that ends with this verdict on a property of that kind.
Exit exit_code(Verdict verdict, PropertyKind kind);

/// The worse of two exit codes of one run: a failed check of our own first, then refuted, then
/// inconclusive.
Exit worse(Exit a, Exit b);

/// One verdict with all it was found under.
struct Answer {
  Verdict verdict = Verdict::kUnknown;
  PropertyKind kind = PropertyKind::kSafety;
  std::string property;
  std::string variant;
  std::string broker;
  std::string instance;
  std::string faults;
  std::string engine;
  std::string on = "spec";       ///< what was searched: the spec, or "impl"
  std::optional<int> partition;  ///< where a counterexample violates; none: all, or not known
  std::uint32_t depth = 0;       ///< of the counterexample, else of the search
  std::uint64_t states = 0;
  int permutations = 1;  ///< above 1: states are representatives, each of up to so many states
  std::uint64_t transitions = 0;
  double seconds = 0;
  std::string version;
  std::string reason;       ///< why unknown, vacuous or error; else empty
  std::string remark;       ///< what was allowed or hoped for and did not happen; else empty
  std::string not_covered;  ///< one sentence: what the verdict does not speak of
};

/// "explicit", or "explicit on impl": the engine, and what it searched if that is not the spec.
std::string engine_text(const Answer& answer);

/// "79219", or "39610/2" where states are representatives of up to 2 states each.
std::string states_text(const Answer& answer);

/// What a verdict on an instance does not cover, in one sentence.
std::string not_covered(Verdict verdict, std::uint32_t depth, PropertyKind kind);

/// The version of this program, e.g. "0.1.0".
std::string_view version();

}  // namespace fencepost::checker
