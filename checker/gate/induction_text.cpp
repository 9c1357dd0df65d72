#include "checker/gate/induction_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

#include "checker/counterexample/narrate.h"
#include "checker/counterexample/talk.h"
#include "checker/explicit/explicit_search.h"
#include "spec/model/model.h"

namespace fencepost::gate {
namespace {

using checker::message_name;
using spec::Stage;
using ConcreteState = spec::State<spec::Concrete>;

/// The spec, with "is the state looked for" in place of its properties.
class Lookout : public spec::Model {
 public:
  Lookout(const spec::Rules& rules, const ConcreteState& wanted)
      : spec::Model(rules.behaviour, rules.instance), wanted_(wanted) {}
  [[nodiscard]] std::uint32_t violations(const ConcreteState& s) const {
    return std::memcmp(&s, &wanted_, sizeof s) == 0 ? 1U : 0U;
  }

 private:
  ConcreteState wanted_;
};

std::string_view mode_text(unsigned mode) {
  switch (static_cast<spec::Mode>(mode)) {
    case spec::Mode::kAssigned:
      return "assigned";
    case spec::Mode::kDraining:
      return "draining for a bump";
    case spec::Mode::kFatal:
    case spec::Mode::kFatalExcused:
      break;
  }
  return "fatal";
}

std::string_view stage_text(unsigned stage) {
  switch (static_cast<Stage>(stage)) {
    case Stage::kSent:
      return "not yet taken";
    case Stage::kWaiting:
      return "waiting for replication";
    case Stage::kOk:
      return "success on its way";
    case Stage::kNotLeader:
      return "NOT_LEADER on its way";
    case Stage::kNotLeaderAfterAppend:
      return "NOT_LEADER beside a valid offset on its way";
    case Stage::kRequestTimedOut:
      return "REQUEST_TIMED_OUT on its way";
    case Stage::kNotEnoughReplicas:
      return "NOT_ENOUGH_REPLICAS on its way";
    case Stage::kNotEnoughReplicasAfterAppend:
      return "NOT_ENOUGH_REPLICAS_AFTER_APPEND on its way";
    case Stage::kPermanentError:
      return "a permanent error on its way";
    case Stage::kOutOfOrder:
      return "OUT_OF_ORDER_SEQUENCE_NUMBER on its way";
    case Stage::kDuplicateSequence:
      return "DUPLICATE_SEQUENCE_NUMBER on its way";
    case Stage::kUnknownProducerId:
      return "UNKNOWN_PRODUCER_ID on its way";
    case Stage::kInvalidEpoch:
      break;
  }
  return "INVALID_PRODUCER_EPOCH on its way";
}

std::string broker_text(unsigned broker) {
  return broker == 0 ? std::string("none") : fmt::format("broker {}", broker);
}

std::string partition_text(const spec::Rules& rules, const ConcreteState& s, int p) {
  const auto& q = s.partition[p];
  std::vector<std::string> messages;
  messages.reserve(static_cast<std::size_t>(rules.messages()));
  for (int m = 0; m < rules.messages(); ++m) {
    messages.push_back(
        fmt::format("{} {}", message_name(p, m), checker::status_text(q.status[m].v)));
  }
  std::string text = fmt::format(
      "  partition {}: epoch {} from {}, next expected acknowledgement {}{}; leader as the client "
      "knows it: {}\n    messages: {}\n",
      p, q.epoch.v, message_name(p, q.base.v), q.next_ack.v, q.draining.v != 0 ? ", draining" : "",
      broker_text(q.view.v), fmt::join(messages, ", "));
  for (int i = 0; i < q.in_flight.v; ++i) {
    const auto& x = q.request[i];
    text +=
        fmt::format("    in flight to {}: {} (epoch {} sequence {}), {}\n", broker_text(q.target.v),
                    message_name(p, x.message.v), x.epoch.v, x.sequence.v, stage_text(x.stage.v));
  }
  for (int i = 0; i < q.late_count.v; ++i) {
    text +=
        fmt::format("    late at {}: {} (epoch {} sequence {})\n", broker_text(q.late[i].broker.v),
                    message_name(p, q.late[i].message.v), q.late[i].epoch.v, q.late[i].sequence.v);
  }
  std::vector<std::string> log;
  log.reserve(static_cast<std::size_t>(q.length.v));
  for (int i = 0; i < q.length.v; ++i) {
    log.push_back(fmt::format("{} ({},{})", message_name(p, q.log[i].message.v), q.log[i].epoch.v,
                              q.log[i].sequence.v));
  }
  return text + fmt::format("    leader: {}{}; log: {}; high watermark {}\n",
                            broker_text(q.leader.v),
                            q.leader.v != 0 && q.aware.v == 0 ? ", which does not know it" : "",
                            fmt::join(log, ", "), q.watermark.v);
}

std::string step_text(const checker::SpecSystem& system,
                      const checker::CounterexampleToInduction& failure) {
  const spec::Model model(system.rules().behaviour, system.rules().instance);
  const std::size_t a = *failure.action;
  if (a >= model.action_count()) return fmt::format("  {}\n", system.action_text(a));
  const ConcreteState before = system.concrete(failure.state);
  ConcreteState after = before;
  const spec::StepInfo info = model.effect(a, after);
  checker::Ghosts old;
  checker::Ghosts now;
  now.follow(model.action(a), before, after, model.rules());
  const auto talked = checker::talk({model, model.action(a), before, after, old, now, info.notes});
  std::string text = fmt::format("  {} {}\n", talked.actor, talked.text);
  for (const std::string& remark : talked.remarks) text += fmt::format("    ^ {}\n", remark);
  return text;
}

}  // namespace

Reachability find_state(const checker::SpecSystem& system, bool environment,
                        const std::vector<unsigned>& state, std::size_t bytes, double seconds) {
  const Lookout model(system.rules(), system.concrete(state));
  checker::SearchOptions options;
  options.properties = 1;
  options.memory_bytes = bytes;
  options.seconds = seconds;
  const checker::SearchResult found = checker::search(model, options);
  if (!found.violations.empty()) {
    return {Reachable::kYes, fmt::format("after {} steps", found.violations[0].depth),
            found.violations[0].path};
  }
  if (found.end != checker::SearchEnd::kExhausted) {
    return {Reachable::kUndecided,
            fmt::format("{} states of the instance do not include it, and there are more",
                        found.stats.distinct),
            {}};
  }
  if (environment) {
    return {Reachable::kUndecided,
            fmt::format("none of the {} states of one partition alone", found.stats.distinct),
            {}};
  }
  return {Reachable::kNo,
          fmt::format("it is none of the {} states of this instance with any number of faults",
                      found.stats.distinct),
          {}};
}

std::string state_text(const spec::Rules& rules, const ConcreteState& state) {
  std::string text =
      fmt::format("  producer: {}, epoch {}\n", mode_text(state.mode.v), state.epoch.v);
  for (int p = 0; p < rules.instance.partitions; ++p) text += partition_text(rules, state, p);
  return text;
}

std::string failure_text(const checker::SpecSystem& system,
                         const checker::CounterexampleToInduction& failure,
                         const Reachability& reachability) {
  std::string text = "Counterexample to induction. In this state all lemmas and properties hold:\n";
  if (!failure.action) text = "The initial state breaks what is to be proved:\n";
  text += state_text(system.rules(), system.concrete(failure.state));
  if (failure.action)
    text += "and this step\n" + step_text(system, failure) + "leads to\n" +
            state_text(system.rules(), system.concrete(failure.next));
  for (const std::size_t f : failure.broken) {
    const checker::Fact& fact = system.facts()[f];
    text += fmt::format(
        "which breaks the {} {}{}: {}\n", fact.property >= 0 ? "property" : "lemma", fact.name,
        fact.partition >= 0 ? fmt::format(" in partition {}", fact.partition) : "", fact.says);
  }
  if (!failure.other.empty()) text += fmt::format("where {}\n", failure.other);
  switch (reachability.known) {
    case Reachable::kYes:
      return text + fmt::format("The state is reachable, {}.\n", reachability.why);
    case Reachable::kNo:
      return text +
             fmt::format("The state is not reachable: {}. A lemma is missing.\n", reachability.why);
    case Reachable::kUndecided:
      break;
  }
  return text +
         fmt::format("Whether the state is reachable is not decided: {}.\n", reachability.why);
}

}  // namespace fencepost::gate
