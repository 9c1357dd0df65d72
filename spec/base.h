// What every folder may use: assertions that stay on in release, and the one error type for what
// is not our mistake.
#pragma once

#include <stdexcept>
#include <string>

namespace fencepost {

/// Exit codes of the command line (design, section 5).
enum class Exit {
  kOk = 0,
  kDeadlock = 11,
  kSafetyRefuted = 12,
  kLivenessRefuted = 13,
  kInconclusive = 20,
  kUsage = 64,
  kBadInput = 65,
  kInternal = 70,
};

/// An operating error: a bad file, a bad option, a resource that ran out. The text is one clear
/// sentence that names the file, line or field and the way out. Caught once, in `main`.
class Error : public std::runtime_error {
 public:
  Error(Exit code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
  [[nodiscard]] Exit code() const { return code_; }

 private:
  Exit code_;
};

/// Reports a broken assertion on standard error and aborts. Never returns.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace fencepost

/// A mistake of our own: stays on in release builds.
#define FP_ASSERT(condition)          \
  ((condition) ? static_cast<void>(0) \
               : ::fencepost::assertion_failed(#condition, __FILE__, __LINE__))
