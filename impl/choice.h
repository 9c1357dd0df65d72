// Every nondeterministic choice of the cluster, as data. A scheduler picks one of those enabled;
// nothing else in impl/ chooses.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/behaviour.h"
#include "spec/instance.h"

namespace fencepost::impl {

enum class ChoiceKind : std::uint8_t {
  // Free, weakly fair.
  kSend,             ///< the leader's thread of `partition` builds and sends a batch
  kReceive,          ///< the client takes the next answer off the connection
  kCompleteBump,     ///< the client's main thread finds everything drained
  kLearnLeader,      ///< metadata reaches the client
  kTake,             ///< a broker takes the next request off the connection
  kAdvance,          ///< the leader sees what followers hold and moves the high watermark
  kElect,            ///< the controller elects broker `a`
  kLearnLeadership,  ///< the elected broker hears of it
  kFetch,            ///< follower `a` takes over one batch
  kFollow,           ///< replica `a` hears of a new leader and truncates (lagging truncation only)
  kRequeue,          ///< a batch in limbo is put back (requeue.when: after-count)
  kProduce,          ///< the application hands over a message (simulator only)
  kExpandIsr,        ///< follower `a` has caught up and is in sync again (where the ISR changes)
  // Free, but nobody is obliged to.
  kTakeLate,  ///< a broker reads the `a`-th request that outlived its connection
  // Faults.
  kLoseLeader,
  kGoStale,
  kDisconnect,      ///< connection to broker `a`
  kDisconnectLate,  ///< the same, and requests not yet taken may still be
  kDisconnectExhausted,
  kDisconnectLateExhausted,
  kRequestTimeout,
  kTooFewReplicas,
  kTooFewReplicasAfterAppend,
  kMessageTimeout,  ///< up to message `a`
  kMessageTimeoutLeaderless,
  kPurge,
  kReceiveExhausted,
  kPermanentError,
  kCacheShrink,
  kExpire,
  kShrinkIsr,       ///< follower `a` falls out of the in-sync replicas (where the ISR changes)
  kElectUncleanly,  ///< broker `a`, outside the ISR: it lags (`b` 0), or lost its last `b` entries
};
inline constexpr int kChoiceKinds = 32;
inline constexpr bool is_fair(ChoiceKind kind) { return kind < ChoiceKind::kTakeLate; }

struct Choice {
  ChoiceKind kind{};
  int partition = -1;
  int a = -1;  ///< broker, message or slot
  int b = -1;  ///< unclean elections: entries that the broker's own log has lost
  bool operator==(const Choice&) const = default;
};

/// "elect", "fetch", ...: where the spec has the same step, its name.
std::string_view choice_name(ChoiceKind kind);
/// "elect partition=0 a=1".
std::string choice_text(const Choice& choice);
/// The inverse; false if the text names no choice.
bool read_choice(std::string_view text, Choice& choice);

/// How finely replication and metadata are told apart. All false: the grain of the spec, at which
/// every step is one of the spec's or a stutter. impl/README.md says what each one lets happen that
/// the spec has no step for.
struct Grain {
  bool partial_watermark = false;   ///< the watermark may stop short of the log's end
  bool lagging_watermark = false;   ///< followers hear of the watermark with their next fetch
  bool lagging_truncation = false;  ///< followers hear of a new leader one by one, later
  bool single_state_loss = false;   ///< producer state is lost on the leader's replica only
  bool leader_hints = false;        ///< NOT_LEADER tells whom the broker thinks the leader is
  bool changing_isr = false;        ///< followers fall out of the in-sync replicas and come back
  bool operator==(const Grain&) const = default;
};

/// "fine" (all), "spec" (none), or a list of names: partial-watermark, lagging-watermark,
/// lagging-truncation, single-state-loss, leader-hints, changing-isr. Throws Error(kUsage) for
/// anything else.
Grain parse_grain(std::string_view text);

/// All choices of an instance, in a fixed order, whether enabled or not. `produces`: the
/// application hands over messages step by step instead of all before the start.
std::vector<Choice> choices(const spec::Instance& instance, const spec::Behaviour& behaviour,
                            const Grain& grain, bool produces);

}  // namespace fencepost::impl
