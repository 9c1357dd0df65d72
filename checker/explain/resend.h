// Batches that were sent again under another stamp, and what the earlier attempts tell about them.
#pragma once

#include <vector>

#include "checker/explain/bump.h"
#include "checker/explain/finding.h"

namespace fencepost::explain {

/// A batch whose attempts from `split` on carry another producer id or epoch, while no attempt
/// before it was acknowledged.
struct Resend {
  const BatchHistory* batch = nullptr;
  std::size_t split = 0;
  traces::Stamp old_stamp;
  traces::Stamp new_stamp;
  /// What shows that the log did not hold the batch: an OUT_OF_ORDER_SEQUENCE_NUMBER for it, or
  /// for the batch right behind it (with it in the log, that sequence would have been in order),
  /// once a broker had judged every attempt under the old stamp.
  std::optional<Statement> absent;
  /// Such an answer while an earlier attempt was still under way: it proves nothing.
  std::optional<Statement> mitigating;
};

/// All of them, in the order of the history.
std::vector<Resend> find_resends(const History& history);

/// The attempts [from, to) of a batch as sentences; equal ones in a row make one.
std::vector<Statement> attempt_statements(const History& history, const BatchHistory& batch,
                                          std::size_t from, std::size_t to);

/// How the duplicate came about: attempts, the new stamp, the trigger of the bump.
std::vector<Statement> resend_statements(const History& history, const Resend& resend,
                                         const std::vector<Bump>& bumps);

}  // namespace fencepost::explain
