#include "checker/explain/duplicate.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/explain/reads.h"
#include "checker/explain/resend.h"
#include "checker/explain/words.h"
#include "traces/error_names.h"

namespace fencepost::explain {
namespace {

using traces::ConsumerReport;

std::string copy_words(const Copy& copy) {
  std::vector<std::string> parts;
  if (copy.leader_epoch) parts.push_back(fmt::format("leader epoch {}", *copy.leader_epoch));
  if (copy.stamp) parts.push_back(stamp_words(*copy.stamp, false));
  if (copy.crc) parts.push_back(fmt::format("CRC {}", *copy.crc));
  std::string inside;
  for (const std::string& part : parts) inside += (inside.empty() ? "" : ", ") + part;
  const std::string range = range_words(copy.first_offset, copy.last_offset);
  return inside.empty() ? range : fmt::format("{} ({})", range, inside);
}

bool holds(const BatchHistory& batch, const traces::Record& record) {
  return std::any_of(
      batch.batch.records.begin(), batch.batch.records.end(), [&](const traces::Record& own) {
        return own.time_ms == record.time_ms && own.key == record.key && own.value == record.value;
      });
}

bool holds_value(const BatchHistory& batch, std::int64_t value) {
  return std::any_of(
      batch.batch.records.begin(), batch.batch.records.end(),
      [&](const traces::Record& record) { return value_as_number(record) == value; });
}

// Equal records under two stamps are one message sent twice. Under one stamp, or none, they may be
// two reads of different logs, or two messages.
bool under_two_stamps(const ReadTwice& twice) {
  return twice.first.stamp && twice.second.stamp && *twice.first.stamp != *twice.second.stamp;
}

// One of the copies carries the new epoch, or a stamp that is not shown.
bool may_explain(const Resend& resend, const ReadTwice& twice) {
  const auto fits = [&](const Copy& copy) {
    return !copy.stamp || (copy.stamp->producer_id == resend.new_stamp.producer_id &&
                           copy.stamp->epoch == resend.new_stamp.epoch);
  };
  return fits(twice.first) || fits(twice.second);
}

class Finder {
 public:
  Finder(const traces::Trace& trace, const History& history, const std::vector<Bump>& bumps,
         const std::vector<Resend>& resends)
      : trace_(trace), history_(history), bumps_(bumps), resends_(resends) {
    explained_.resize(resends_.size(), false);
  }

  std::vector<Finding> find() {
    for (const ReadTwice& twice : find_read_twice(trace_, history_)) add_read(twice);
    for (const traces::Event& event : trace_.events) {
      if (const auto* report = std::get_if<ConsumerReport>(&event.payload)) {
        add_report(*report, event.evidence);
      }
    }
    for (std::size_t i = 0; i < resends_.size(); ++i) {
      if (!explained_[i] && !resends_[i].absent) add_suspected(resends_[i]);
    }
    return std::move(findings_);
  }

 private:
  Finding start(Certainty certainty, const std::string& topic, std::int64_t partition) {
    Finding finding;
    finding.kind = Kind::kDuplicate;
    finding.certainty = certainty;
    finding.topic = topic;
    finding.partition = partition;
    return finding;
  }

  void explain(const Resend& resend, Finding& finding) {
    finding.old_stamp = resend.old_stamp;
    finding.new_stamp = resend.new_stamp;
    finding.why = resend_statements(history_, resend, bumps_);
  }

  void add_read(const ReadTwice& twice) {
    const Certainty certainty =
        under_two_stamps(twice) ? Certainty::kConfirmed : Certainty::kSuspected;
    Finding finding = start(certainty, twice.topic, twice.partition);
    finding.copies = {twice.first, twice.second};
    finding.headline = fmt::format(
        "{}: {} at {} and again at {}", partition_words(twice.topic, twice.partition),
        value_words(twice.records), range_words(twice.first.first_offset, twice.first.last_offset),
        range_words(twice.second.first_offset, twice.second.last_offset));
    bool explained = false;
    for (std::size_t i = 0; i < resends_.size() && !explained; ++i) {
      const BatchHistory& batch = *resends_[i].batch;
      if (batch.topic != twice.topic || batch.partition != twice.partition) continue;
      if (!holds(batch, twice.records.front()) || !may_explain(resends_[i], twice)) continue;
      explain(resends_[i], finding);
      explained_[i] = explained = true;
      add_counterfactual(resends_[i], twice, finding);
    }
    if (!explained) add_unexplained(twice, finding);
    for (const Copy& copy : finding.copies) {
      finding.shown.push_back({fmt::format("read: {}", copy_words(copy)), {copy.seen}});
    }
    add_epoch_ends(twice, finding);
    findings_.push_back(std::move(finding));
  }

  void add_unexplained(const ReadTwice& twice, Finding& finding) {
    if (!twice.first.stamp || !twice.second.stamp) {
      finding.why.push_back(
          {"not both copies show a stamp, which a producer without idempotence never "
           "gives: one message sent twice is not told from two messages with the same "
           "content and time",
           {}});
    } else if (twice.first.stamp == twice.second.stamp) {
      finding.why.push_back(
          {"both copies carry one stamp: a broker has to recognise such a repetition, "
           "as long as the batch is one of the producer's last five there and what it "
           "keeps of the producer has not expired; else the reads are of two logs",
           {}});
    } else if (twice.first.stamp->producer_id != twice.second.stamp->producer_id) {
      finding.why.push_back(
          {"the copies come from two producer ids, so from two producer "
           "instances: what idempotence does not cover",
           {}});
    } else {
      finding.why.push_back({"how the second copy came about is outside this input", {}});
    }
  }

  void add_counterfactual(const Resend& resend, const ReadTwice& twice, Finding& finding) {
    if (twice.first.stamp != resend.old_stamp) {
      add_advice(resend, finding);
      return;
    }
    finding.why.push_back(
        {fmt::format("had the client kept {}, the leader, whose log holds that batch, would have "
                     "answered success with offset {} and appended nothing (as long as the batch "
                     "is one of the producer's last five there)",
                     stamp_words(resend.old_stamp, false), twice.first.first_offset),
         {twice.first.seen}});
  }

  void add_advice(const Resend& resend, Finding& finding) {
    finding.why.push_back({fmt::format("had the client kept {} until it was answered, a leader "
                                       "that holds the batch would have known the repetition",
                                       stamp_words(resend.old_stamp, false)),
                           {}});
  }

  void add_epoch_ends(const ReadTwice& twice, Finding& finding) {
    for (const traces::Event& event : trace_.events) {
      const auto* end = std::get_if<traces::EpochEnd>(&event.payload);
      if (end == nullptr || end->topic != twice.topic || end->partition != twice.partition)
        continue;
      if (end->error != traces::error::kNone || end->end_offset <= twice.first.last_offset)
        continue;
      if (twice.first.leader_epoch != end->leader_epoch) continue;
      finding.shown.push_back(
          {fmt::format(
               "{} says that leader epoch {} ends at {}: the first copy survived the change "
               "of leader",
               broker_words(history_, end->broker), end->leader_epoch, end->end_offset),
           {event.evidence}});
    }
  }

  // A consumer's line confirms the partition, value and offsets that it names, nothing else.
  void add_report(const ConsumerReport& report, const traces::Evidence& seen) {
    const Statement said{
        fmt::format("a consumer of {} read value {} at offset {} (leader epoch {}) and value {} at "
                    "offset {} (leader epoch {})",
                    partition_words(report.topic, report.partition), report.previous_value,
                    report.previous_offset, report.previous_leader_epoch, report.value,
                    report.offset, report.leader_epoch),
        {seen}};
    if (report.previous_value != report.value || report.previous_offset == report.offset) {
      Finding finding = start(Certainty::kConfirmed, report.topic, report.partition);
      finding.kind = Kind::kConsumerReport;
      finding.headline = fmt::format("{}: a consumer met value {} after value {}, no repetition",
                                     partition_words(report.topic, report.partition), report.value,
                                     report.previous_value);
      finding.shown.push_back(said);
      findings_.push_back(std::move(finding));
      return;
    }
    for (Finding& finding : findings_) {
      const bool same = finding.topic == report.topic && finding.partition == report.partition &&
                        finding.copies.size() == 2 &&
                        finding.copies[0].first_offset <= report.previous_offset &&
                        report.previous_offset <= finding.copies[0].last_offset &&
                        finding.copies[1].first_offset <= report.offset &&
                        report.offset <= finding.copies[1].last_offset;
      if (!same) continue;
      finding.certainty = Certainty::kConfirmed;
      finding.shown.push_back(said);
      return;
    }
    add_reported(report, said);
  }

  void add_reported(const ConsumerReport& report, const Statement& said) {
    Finding finding = start(Certainty::kConfirmed, report.topic, report.partition);
    finding.copies = {
        {report.previous_offset,
         report.previous_offset,
         report.previous_leader_epoch,
         {},
         {},
         said.evidence.front()},
        {report.offset, report.offset, report.leader_epoch, {}, {}, said.evidence.front()}};
    finding.headline = fmt::format("{}: value {} at {} and again at {}, as a consumer reported",
                                   partition_words(report.topic, report.partition), report.value,
                                   report.previous_offset, report.offset);
    finding.shown.push_back(said);
    for (std::size_t i = 0; i < resends_.size(); ++i) {
      const BatchHistory& batch = *resends_[i].batch;
      if (batch.topic != report.topic || batch.partition != report.partition) continue;
      if (explained_[i] || !holds_value(batch, report.value)) continue;
      explain(resends_[i], finding);
      add_advice(resends_[i], finding);
      explained_[i] = true;
      break;
    }
    if (finding.why.empty()) add_bumps_of(finding);
    findings_.push_back(std::move(finding));
  }

  // Without the requests, a bump that numbered the partition anew is what the input can tell.
  void add_bumps_of(Finding& finding) {
    for (const Bump& bump : bumps_) {
      for (const NewNumbering& one : bump.partitions) {
        if (one.topic != finding.topic || one.partition != finding.partition) continue;
        std::string text = fmt::format("the partition was numbered anew in epoch {} (before: {})",
                                       bump.to.epoch, bump.from.epoch);
        if (one.message_id) {
          text += fmt::format(", from message {}", *one.message_id);
          if (one.old_sequence) text += fmt::format(", until then sequence {}", *one.old_sequence);
        }
        finding.why.push_back({text, {one.seen}});
      }
      if (finding.why.empty()) continue;
      if (bump.cause) {
        Statement trigger = bump.cause->trigger;
        trigger.text = "trigger of that epoch: " + trigger.text;
        finding.why.push_back(std::move(trigger));
        for (const Statement& origin : bump.cause->origin) finding.why.push_back(origin);
      }
      finding.why.push_back(
          {"the requests are not in this input: whether the repeated message was "
           "the unresolved one that got a new stamp is not shown",
           {}});
      return;
    }
    finding.why.push_back({"how the second copy came about is outside this input", {}});
  }

  // A capture and a client log may show one re-send: it is told once.
  bool add_second_source(const Resend& resend) {
    const BatchHistory& batch = *resend.batch;
    for (Finding& finding : findings_) {
      if (finding.topic != batch.topic || finding.partition != batch.partition) continue;
      if (finding.old_stamp != resend.old_stamp || finding.new_stamp != resend.new_stamp) continue;
      for (Statement& statement : attempt_statements(history_, batch, 0, batch.attempts.size())) {
        statement.text =
            fmt::format("{} has it as {}: {}", batch.from_log ? "the client's log" : "the capture",
                        batch_words(batch), statement.text);
        finding.shown.push_back(std::move(statement));
      }
      return true;
    }
    return false;
  }

  void add_suspected(const Resend& resend) {
    if (add_second_source(resend)) return;
    const BatchHistory& batch = *resend.batch;
    Finding finding = start(Certainty::kSuspected, batch.topic, batch.partition);
    finding.copies = copies_read(trace_, batch);
    finding.headline = fmt::format("{}: {}, unresolved under {}, re-sent under {}",
                                   partition_words(batch.topic, batch.partition),
                                   batch_words(batch), stamp_words(resend.old_stamp, false),
                                   stamp_words(resend.new_stamp, resend.new_stamp.producer_id !=
                                                                     resend.old_stamp.producer_id));
    explain(resend, finding);
    add_advice(resend, finding);
    if (resend.mitigating) finding.shown.push_back(*resend.mitigating);
    for (const Copy& copy : finding.copies) {
      finding.shown.push_back(
          {fmt::format("one copy was read: {}", copy_words(copy)), {copy.seen}});
    }
    finding.why.push_back(
        {fmt::format("not shown: both copies. If no attempt under the first stamp was appended, "
                     "there is one only; a read of {} that shows the records at two offsets would "
                     "confirm the duplicate",
                     partition_words(batch.topic, batch.partition)),
         {}});
    findings_.push_back(std::move(finding));
  }

  const traces::Trace& trace_;
  const History& history_;
  const std::vector<Bump>& bumps_;
  const std::vector<Resend>& resends_;
  std::vector<bool> explained_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> find_duplicates(const traces::Trace& trace, const History& history,
                                     const std::vector<Bump>& bumps,
                                     const std::vector<Resend>& resends) {
  return Finder(trace, history, bumps, resends).find();
}

}  // namespace fencepost::explain
