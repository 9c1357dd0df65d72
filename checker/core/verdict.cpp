#include "checker/core/verdict.h"

#include <fmt/format.h>

namespace fencepost::checker {

const std::array<VerdictInfo, kVerdicts>& verdicts() {
  static constexpr std::array<VerdictInfo, kVerdicts> kTable{{
      {"refuted", "a counterexample exists, and it replays on the spec"},
      {"exhausted", "every reachable state of the instance was visited exactly; none violates"},
      {"proved", "inductive for the instance at any depth"},
      {"bounded", "no violation within the depth that was searched"},
      {"probable", "all states visited, but remembered by fingerprint"},
      {"vacuous", "holds, but a required witness was never reached"},
      {"unknown", "stopped before an answer; the reason is given"},
      {"error", "a check of our own failed"},
  }};
  return kTable;
}

std::string_view name_of(Verdict verdict) {
  return verdicts()[static_cast<std::size_t>(verdict)].name;
}

Exit exit_code(Verdict verdict, PropertyKind kind) {
  switch (verdict) {
    case Verdict::kExhausted:
    case Verdict::kProved:
      return Exit::kOk;
    case Verdict::kRefuted:
      if (kind == PropertyKind::kLiveness) return Exit::kLivenessRefuted;
      if (kind == PropertyKind::kDeadlock) return Exit::kDeadlock;
      return Exit::kSafetyRefuted;
    case Verdict::kBounded:
    case Verdict::kProbable:
    case Verdict::kVacuous:
    case Verdict::kUnknown:
      return Exit::kInconclusive;
    case Verdict::kError:
      break;
  }
  return Exit::kInternal;
}

Exit worse(Exit a, Exit b) {
  static constexpr std::array kWorstFirst{
      Exit::kInternal,        Exit::kBadInput, Exit::kUsage,       Exit::kSafetyRefuted,
      Exit::kLivenessRefuted, Exit::kDeadlock, Exit::kInconclusive};
  for (const Exit code : kWorstFirst) {
    if (a == code || b == code) return code;
  }
  return Exit::kOk;
}

std::string states_text(const Answer& answer) {
  if (answer.permutations == 1) return fmt::format("{}", answer.states);
  return fmt::format("{}/{}", answer.states, answer.permutations);
}

std::string engine_text(const Answer& answer) {
  return answer.on == "spec" ? answer.engine : fmt::format("{} on {}", answer.engine, answer.on);
}

std::string not_covered(Verdict verdict, std::uint32_t depth, PropertyKind kind) {
  switch (verdict) {
    case Verdict::kExhausted:
      return "says nothing of more partitions, messages, requests in flight, brokers or faults";
    case Verdict::kProved:
      return "says nothing of more partitions, messages, requests in flight or brokers";
    case Verdict::kBounded:
      return fmt::format(
          "says nothing of runs longer than {} steps or beyond a bound of the instance (epochs, "
          "log), nor of larger instances",
          depth);
    case Verdict::kProbable:
      return "may have missed states whose fingerprints collide; says nothing of larger instances";
    case Verdict::kRefuted:
      if (kind == PropertyKind::kLiveness) {
        return "one fair loop, reached in the smallest number of steps; a shorter loop may go on "
               "from there, and other causes may exist";
      }
      return "one counterexample of the smallest number of steps; other causes may exist";
    case Verdict::kVacuous:
      return "the situation that the property is about never arose in this instance";
    case Verdict::kUnknown:
    case Verdict::kError:
      break;
  }
  return "says nothing";
}

std::string_view version() { return FENCEPOST_VERSION; }

}  // namespace fencepost::checker
