#include "checker/explain/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "checker/explain/words.h"

namespace fencepost::explain {
namespace {

struct Hint {
  std::string broker;
  std::optional<std::int64_t> node;
  std::int64_t leader = 0;
  std::int64_t leader_epoch = 0;
  std::vector<traces::Evidence> seen;
};

bool points_back_and_forth(const std::vector<Hint>& hints) {
  return std::any_of(hints.begin(), hints.end(), [&](const Hint& a) {
    return std::any_of(hints.begin(), hints.end(), [&](const Hint& b) {
      return a.node && b.node && a.leader == *b.node && b.leader == *a.node && *a.node != *b.node;
    });
  });
}

Finding hint_finding(const traces::Trace& trace, const History& history, const std::string& topic,
                     std::int64_t partition, const std::vector<Hint>& hints) {
  Finding finding;
  finding.kind = Kind::kLeaderHints;
  finding.topic = topic;
  finding.partition = partition;
  finding.headline = fmt::format("{}: the brokers' leader hints point back and forth",
                                 partition_words(topic, partition));
  std::int64_t newest = -1;
  for (const Hint& hint : hints) newest = std::max(newest, hint.leader_epoch);
  for (const Hint& hint : hints) {
    const auto times = static_cast<std::int64_t>(hint.seen.size());
    finding.why.push_back(
        {fmt::format("{} said {}: leader {}, leader epoch {}{}", broker_words(history, hint.broker),
                     times_words(times), hint.leader, hint.leader_epoch,
                     hint.leader_epoch < newest ? " (stale)" : ""),
         hint.seen});
  }
  for (const traces::Event& event : trace.events) {
    const auto* seen = std::get_if<traces::LeaderSeen>(&event.payload);
    if (seen == nullptr || seen->topic != topic || seen->partition != partition) continue;
    finding.shown.push_back(
        {fmt::format("Metadata: leader {}, leader epoch {}", seen->leader, seen->leader_epoch),
         {event.evidence}});
  }
  return finding;
}

}  // namespace

std::vector<Finding> find_hints(const traces::Trace& trace, const History& history) {
  std::map<std::pair<std::string, std::int64_t>, std::vector<Hint>> places;
  for (const traces::Event& event : trace.events) {
    const auto* answer = std::get_if<traces::ProduceAnswer>(&event.payload);
    if (answer == nullptr || !answer->hint) continue;
    std::vector<Hint>& hints = places[{answer->topic, answer->partition}];
    const traces::LeaderHint& said = *answer->hint;
    if (hints.empty() || hints.back().broker != answer->broker ||
        hints.back().leader != said.leader || hints.back().leader_epoch != said.leader_epoch) {
      hints.push_back(
          {answer->broker, node_of(history, answer->broker), said.leader, said.leader_epoch, {}});
    }
    hints.back().seen.push_back(event.evidence);
  }
  std::vector<Finding> findings;
  for (const auto& [place, hints] : places) {
    if (!points_back_and_forth(hints)) continue;
    findings.push_back(hint_finding(trace, history, place.first, place.second, hints));
  }
  return findings;
}

}  // namespace fencepost::explain
