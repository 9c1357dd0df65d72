#include "impl/choice.h"

#include <charconv>

#include "spec/base.h"

namespace fencepost::impl {
namespace {

using spec::Fault;

constexpr std::array<std::string_view, kChoiceKinds> kNames{
    "send",
    "receive",
    "complete-bump",
    "learn-leader",
    "take",
    "advance-watermark",
    "elect",
    "learn-leadership",
    "fetch",
    "follow",
    "requeue",
    "produce",
    "expand-isr",
    "take-late",
    "lose-leader",
    "go-stale",
    "disconnect",
    "disconnect-late",
    "disconnect-exhausted",
    "disconnect-late-exhausted",
    "request-timeout",
    "too-few-replicas",
    "too-few-replicas-after-append",
    "message-timeout",
    "message-timeout-leaderless",
    "purge",
    "receive-exhausted",
    "permanent-error",
    "cache-shrink",
    "expire",
    "shrink-isr",
    "elect-uncleanly",
};

/// Builds the list of one instance.
struct Builder {
  const spec::Instance& instance;
  const spec::Behaviour& behaviour;
  const Grain& grain;
  std::vector<Choice> list;

  void add(ChoiceKind kind, int p, int a = -1) { list.push_back({kind, p, a}); }
  [[nodiscard]] bool allows(Fault fault) const { return instance.faults.allows(fault); }

  void free_of(int p) {
    for (const auto kind :
         {ChoiceKind::kSend, ChoiceKind::kReceive, ChoiceKind::kTake, ChoiceKind::kAdvance,
          ChoiceKind::kLearnLeader, ChoiceKind::kLearnLeadership}) {
      add(kind, p);
    }
    for (int b = 0; b < instance.brokers; ++b) {
      add(ChoiceKind::kFetch, p, b);
      if (instance.faults.allows(Fault::kLeaderLost, p)) add(ChoiceKind::kElect, p, b);
      if (grain.lagging_truncation) add(ChoiceKind::kFollow, p, b);
    }
    const bool unclean = instance.faults.allows(Fault::kUncleanElection, p);
    for (int b = 0; b < instance.brokers && (grain.changing_isr || unclean); ++b) {
      add(ChoiceKind::kExpandIsr, p, b);
      const bool falls_out = unclean || instance.faults.allows(Fault::kTooFewReplicas, p);
      if (falls_out) add(ChoiceKind::kShrinkIsr, p, b);
    }
    if (behaviour.requeue_when == spec::RequeueWhen::kAfterCount) add(ChoiceKind::kRequeue, p);
    for (int i = 0; i < spec::kMaxLate && allows(Fault::kLateRequest); ++i) {
      add(ChoiceKind::kTakeLate, p, i);
    }
  }

  void per_partition(Fault fault, ChoiceKind kind) {
    for (int p = 0; p < instance.partitions; ++p) {
      if (instance.faults.allows(fault, p)) add(kind, p);
    }
  }
  void per_message(Fault fault, ChoiceKind kind) {
    for (int p = 0; p < instance.partitions; ++p) {
      if (!instance.faults.allows(fault, p)) continue;
      for (int m = instance.warm; m < instance.total_messages(); ++m) add(kind, p, m);
    }
  }

  void connections() {
    for (int b = 0; b < instance.brokers; ++b) {
      if (allows(Fault::kDisconnect)) add(ChoiceKind::kDisconnect, -1, b);
      if (allows(Fault::kLateRequest)) add(ChoiceKind::kDisconnectLate, -1, b);
    }
    exhausted(Fault::kDisconnect, ChoiceKind::kDisconnectExhausted);
    exhausted(Fault::kLateRequest, ChoiceKind::kDisconnectLateExhausted);
  }

  /// A closed connection whose first request of a partition finds no retry left.
  void exhausted(Fault closing, ChoiceKind kind) {
    const auto o = spec::Outcome::kDisconnect;
    if (!allows(closing) || behaviour.react(o) != spec::Reaction::kRetry || !behaviour.counts(o)) {
      return;
    }
    for (int p = 0; p < instance.partitions; ++p) {
      if (!instance.faults.allows(Fault::kRetriesExhausted, p)) continue;
      for (int b = 0; b < instance.brokers; ++b) add(kind, p, b);
    }
  }

  void faults() {
    per_partition(Fault::kLeaderLost, ChoiceKind::kLoseLeader);
    per_partition(Fault::kStaleView, ChoiceKind::kGoStale);
    connections();
    per_partition(Fault::kRequestTimeout, ChoiceKind::kRequestTimeout);
    per_partition(Fault::kTooFewReplicas, ChoiceKind::kTooFewReplicas);
    per_partition(Fault::kTooFewReplicasAfterAppend, ChoiceKind::kTooFewReplicasAfterAppend);
    per_message(Fault::kMessageTimeout, ChoiceKind::kMessageTimeout);
    per_message(Fault::kMessageTimeoutLeaderless, ChoiceKind::kMessageTimeoutLeaderless);
    if (behaviour.purge_offered) per_message(Fault::kPurge, ChoiceKind::kPurge);
    per_partition(Fault::kRetriesExhausted, ChoiceKind::kReceiveExhausted);
    per_partition(Fault::kPermanentError, ChoiceKind::kPermanentError);
    per_partition(Fault::kCacheShrink, ChoiceKind::kCacheShrink);
    per_partition(Fault::kExpiry, ChoiceKind::kExpire);
    unclean_elections();
  }

  void unclean_elections() {
    for (int p = 0; p < instance.partitions; ++p) {
      if (!instance.faults.allows(Fault::kUncleanElection, p)) continue;
      if (!instance.faults.allows(Fault::kLeaderLost, p)) continue;
      for (int b = 0; b < instance.brokers; ++b) {
        for (int lost = 0; lost <= instance.log; ++lost) {
          list.push_back({ChoiceKind::kElectUncleanly, p, b, lost});
        }
      }
    }
  }
};

/// Reads " key=number" off the front of `text`; false if it is not there.
bool take_number(std::string_view& text, std::string_view key, int& number) {
  if (!text.starts_with(key)) return false;
  const char* begin = text.data() + key.size();
  const char* end = text.data() + text.size();
  const auto [after, error] = std::from_chars(begin, end, number);
  if (error != std::errc{} || number < 0) return false;
  text.remove_prefix(static_cast<std::size_t>(after - text.data()));
  return true;
}

}  // namespace

std::string_view choice_name(ChoiceKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::string choice_text(const Choice& choice) {
  std::string text(choice_name(choice.kind));
  if (choice.partition >= 0) text += " partition=" + std::to_string(choice.partition);
  if (choice.a >= 0) text += " a=" + std::to_string(choice.a);
  if (choice.b >= 0) text += " b=" + std::to_string(choice.b);
  return text;
}

bool read_choice(std::string_view text, Choice& choice) {
  const std::string_view name = text.substr(0, text.find(' '));
  for (int k = 0; k < kChoiceKinds; ++k) {
    if (kNames[static_cast<std::size_t>(k)] != name) continue;
    choice = {static_cast<ChoiceKind>(k), -1, -1};
    text.remove_prefix(name.size());
    take_number(text, " partition=", choice.partition);
    take_number(text, " a=", choice.a);
    take_number(text, " b=", choice.b);
    return text.empty();
  }
  return false;
}

Grain parse_grain(std::string_view text) {
  if (text == "fine") return {true, true, true, true, true, true};
  Grain grain;
  if (text == "spec") return grain;
  const std::array<std::pair<std::string_view, bool*>, 6> names{{
      {"partial-watermark", &grain.partial_watermark},
      {"lagging-watermark", &grain.lagging_watermark},
      {"lagging-truncation", &grain.lagging_truncation},
      {"single-state-loss", &grain.single_state_loss},
      {"leader-hints", &grain.leader_hints},
      {"changing-isr", &grain.changing_isr},
  }};
  while (true) {
    const std::string_view item = text.substr(0, text.find(','));
    bool known = false;
    for (const auto& [name, flag] : names) {
      if (item != name) continue;
      *flag = true;
      known = true;
    }
    if (!known) {
      throw Error(Exit::kUsage,
                  "unknown grain \"" + std::string(item) +
                      "\": fine, spec, or a list of partial-watermark, "
                      "lagging-watermark, lagging-truncation, single-state-loss, leader-hints, "
                      "changing-isr");
    }
    if (item.size() == text.size()) return grain;
    text.remove_prefix(item.size() + 1);
  }
}

std::vector<Choice> choices(const spec::Instance& instance, const spec::Behaviour& behaviour,
                            const Grain& grain, bool produces) {
  Builder builder{instance, behaviour, grain, {}};
  for (int p = 0; p < instance.partitions; ++p) builder.free_of(p);
  builder.add(ChoiceKind::kCompleteBump, -1);
  for (int p = 0; p < instance.partitions && produces; ++p) {
    builder.add(ChoiceKind::kProduce, p);
  }
  builder.faults();
  return builder.list;
}

}  // namespace fencepost::impl
