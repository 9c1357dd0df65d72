#include <fmt/format.h>

#include <algorithm>

#include "checker/explain/bump.h"
#include "checker/explain/duplicate.h"
#include "checker/explain/finding.h"
#include "checker/explain/hints.h"
#include "checker/explain/progress.h"
#include "checker/explain/words.h"
#include "traces/record_batch.h"

namespace fencepost::explain {
namespace {

// Whole batches whose printed records do not give the printed CRC: a line of them is damaged, or
// they are not printed as they were sent.
void check_crcs(const traces::Trace& trace, Report& report) {
  Statement statement;
  std::size_t times = 0;
  const auto check = [&](const traces::Batch& batch, const traces::Evidence& seen) {
    const bool whole = batch.count == static_cast<std::int64_t>(batch.records.size());
    if (!batch.crc || !whole) return;
    const std::optional<std::string> crc = traces::encoded_crc(batch);
    if (!crc || crc == batch.crc) return;
    if (++times <= 8) statement.evidence.push_back(seen);
  };
  for (const traces::Event& event : trace.events) {
    if (const auto* request = std::get_if<traces::ProduceRequest>(&event.payload)) {
      check(request->batch, event.evidence);
    } else if (const auto* read = std::get_if<traces::RecordsRead>(&event.payload)) {
      for (const traces::Batch& batch : read->batches) check(batch, event.evidence);
    }
  }
  if (times == 0) return;
  statement.text = fmt::format(
      "{} batch{} not rebuilt to the printed CRC from what is printed: a field of it was changed "
      "or "
      "lost on the way, or its times are not printed in UTC",
      times, times == 1 ? " is" : "es are");
  report.notes.push_back(std::move(statement));
}

void check_empty(const traces::Trace& trace, Report& report) {
  if (!trace.events.empty()) return;
  report.notes.push_back({"the input holds no event of the idempotent producer", {}});
}

}  // namespace

Report analyse(const traces::Trace& trace) {
  Report report;
  report.inputs = trace.inputs;
  report.problems = trace.problems;
  report.history = build_history(trace);
  const std::vector<Bump> bumps = find_bumps(trace, report.history);
  const auto add = [&](std::vector<Finding> found) {
    for (Finding& finding : found) report.findings.push_back(std::move(finding));
  };
  const std::vector<Resend> resends = find_resends(report.history);
  add(find_duplicates(trace, report.history, bumps, resends));
  add(find_loops(trace, report.history, bumps));
  add(find_gaps(trace));
  for (const Bump& bump : bumps) {
    Finding finding = bump_finding(bump);
    for (const Resend& resend : resends) {
      const traces::Stamp& stamp = resend.new_stamp;
      if (resend.absent && bump.to == traces::ProducerEpoch{stamp.producer_id, stamp.epoch}) {
        finding.shown.push_back(*resend.absent);
      }
    }
    report.findings.push_back(std::move(finding));
  }
  add(find_hints(trace, report.history));
  std::stable_sort(report.findings.begin(), report.findings.end(),
                   [](const Finding& a, const Finding& b) {
                     return std::pair(a.kind, a.certainty) < std::pair(b.kind, b.certainty);
                   });
  check_crcs(trace, report);
  check_empty(trace, report);
  return report;
}

}  // namespace fencepost::explain
