#include "checker/transactions/talk.h"

#include <fmt/format.h>

#include <array>

namespace fencepost::transactions {
namespace {

namespace model = spec::transactions;
using checker::TalkedStep;
using model::ActionKind;
using model::Mode;
using model::Note;
using model::RequestKind;
using model::Result;
using State = model::Model::State;

constexpr std::array<std::string_view, model::kModes> kModeTexts{
    "not started",
    "waits for its producer id",
    "has to read its position",
    "is ready",
    "is in a transaction",
    "wants a new epoch inside the transaction",
    "commits",
    "must abort",
    "aborts",
    "asks for a new epoch",
    "is gone",
    "is fenced for good",
    "is fenced for good, although nobody replaced it",
    "is fatal",
    "is fatal, which is excused"};
constexpr std::array<std::string_view, model::kTransactionStates> kStateTexts{
    "Empty", "Ongoing", "PrepareCommit", "PrepareAbort", "CompleteCommit", "CompleteAbort"};
constexpr std::array<std::string_view, model::kResults> kResultTexts{"",
                                                                     "success",
                                                                     "PRODUCER_FENCED",
                                                                     "INVALID_PRODUCER_ID_MAPPING",
                                                                     "INVALID_TXN_STATE",
                                                                     "UNKNOWN_SERVER_ERROR"};
constexpr std::array<std::string_view, model::kStages> kStageTexts{"",
                                                                   "",
                                                                   "success",
                                                                   "NOT_LEADER_OR_FOLLOWER",
                                                                   "OUT_OF_ORDER_SEQUENCE_NUMBER",
                                                                   "INVALID_PRODUCER_EPOCH",
                                                                   "INVALID_PRODUCER_ID_MAPPING",
                                                                   "TRANSACTION_ABORTABLE"};

std::string stamp(int pid, int epoch) { return fmt::format("id {} epoch {}", pid, epoch); }

/// Tells one step; `i` and `p` are those of the action.
class Talk {
 public:
  explicit Talk(const TalkInput& step) : step_(step), x_(step.action) {}

  TalkedStep tell() {
    if (x_.kind >= ActionKind::kTakeLateRequest) return late_or_fault();
    switch (x_.kind) {
      case ActionKind::kTakeRequest:
        return with_notes("coordinator", request_taken());
      case ActionKind::kTakeProduce:
        return with_notes(here(), produce_taken());
      case ActionKind::kWriteMarker:
        return with_notes(here(), marker());
      case ActionKind::kComplete:
        return with_notes("coordinator", fmt::format("all markers are written: {}", state_text()));
      case ActionKind::kTimeOutAbandoned:
        return with_notes("coordinator",
                          fmt::format("nobody ends the transaction, its time is over: {}, epoch {}",
                                      state_text(), step_.after.coordinator.epoch.v));
      default:
        return with_notes(producer(x_.i), client());
    }
  }

 private:
  [[nodiscard]] bool noted(Note note) const {
    return (step_.notes >> static_cast<unsigned>(note) & 1U) != 0;
  }
  [[nodiscard]] static std::string producer(int i) { return fmt::format("producer {}", i + 1); }
  [[nodiscard]] std::string here() const { return partition_name(step_.model.rules(), x_.p); }
  [[nodiscard]] std::string_view state_text() const {
    return kStateTexts[step_.after.coordinator.state.v];
  }
  [[nodiscard]] const auto& was() const { return step_.before.producer[x_.i]; }
  [[nodiscard]] const auto& is() const { return step_.after.producer[x_.i]; }
  [[nodiscard]] std::string transaction() const { return transaction_name(x_.i, is().attempt.v); }
  [[nodiscard]] std::string message(int m) const {
    const model::Rules& rules = step_.model.rules();
    if (rules.instance.is_offsets(x_.p)) return fmt::format("the position of {}", transaction());
    return fmt::format("message {} of {}", m, transaction());
  }

  [[nodiscard]] std::string request_text(int kind, int pid, int epoch, int partition) const {
    switch (static_cast<RequestKind>(kind)) {
      case RequestKind::kInit:
        return "InitProducerId without an epoch";
      case RequestKind::kInitBump:
        return step_.model.rules().behaviour.sends_epoch
                   ? fmt::format("InitProducerId({})", stamp(pid, epoch))
                   : std::string("InitProducerId without an epoch");
      case RequestKind::kAdd:
        return fmt::format("AddPartitionsToTxn({}, {})", stamp(pid, epoch),
                           partition_name(step_.model.rules(), partition));
      case RequestKind::kCommit:
        return fmt::format("EndTxn({}, commit)", stamp(pid, epoch));
      case RequestKind::kAbort:
        return fmt::format("EndTxn({}, abort)", stamp(pid, epoch));
      case RequestKind::kNone:
        break;
    }
    return "nothing";
  }
  template <class Q>
  [[nodiscard]] std::string request_of(const Q& q) const {
    return request_text(q.request.v, q.pid.v, q.epoch.v, q.request_partition.v);
  }

  [[nodiscard]] std::string request_taken() const {
    const std::string request = request_of(was());
    if (is().result.v == static_cast<int>(Result::kSent)) {
      return fmt::format(
          "{}: a transaction is under way, {} with epoch {}; "
          "CONCURRENT_TRANSACTIONS, the client asks again",
          request, state_text(), step_.after.coordinator.epoch.v);
    }
    std::string text = fmt::format("{}: {}", request, kResultTexts[is().result.v]);
    if (is().result_pid.v != 0) {
      text += fmt::format(", {}", stamp(is().result_pid.v, is().result_epoch.v));
    }
    return text + fmt::format(" ({})", state_text());
  }

  [[nodiscard]] std::string client() const {
    switch (x_.kind) {
      case ActionKind::kStart:
        return "starts and sends InitProducerId without an epoch";
      case ActionKind::kReadPosition:
        return fmt::format("reads its position: input {} is next", is().input.v);
      case ActionKind::kBegin:
        return fmt::format("begins {} for input {}", transaction(),
                           is().input.v + step_.model.rules().input_base(x_.i));
      case ActionKind::kSend:
        return sent();
      case ActionKind::kReceive:
        return fmt::format("gets the answer to {}: {}; {}", request_of(was()),
                           kResultTexts[was().result.v], mode_text());
      case ActionKind::kReceiveProduce:
        return fmt::format("gets the answer for {}: {}; {}",
                           message(was().partition[x_.p].message[0].v),
                           kStageTexts[was().partition[x_.p].stage[0].v], mode_text());
      case ActionKind::kCommit:
        return fmt::format("commits {}: {}", transaction(), asks_text());
      case ActionKind::kAbort:
        return fmt::format("aborts {}: {}", transaction(), asks_text());
      default:
        return fmt::format("sends {}", request_of(is()));
    }
  }
  [[nodiscard]] std::string asks_text() const {
    if (is().request.v == static_cast<int>(RequestKind::kNone)) return std::string(mode_text());
    return fmt::format("sends {}", request_of(is()));
  }
  [[nodiscard]] std::string mode_text() const {
    std::string text(kModeTexts[is().mode.v]);
    if (is().request.v != static_cast<int>(RequestKind::kNone) &&
        was().request.v != is().request.v) {
      text += fmt::format(", sends {}", request_of(is()));
    }
    return text;
  }
  [[nodiscard]] std::string sent() const {
    const auto& q = is().partition[x_.p];
    const int m = q.message[q.in_flight.v - 1].v;
    if (step_.model.rules().instance.is_offsets(x_.p)) {
      return fmt::format("sends {} ({})", message(m), stamp(is().pid.v, is().epoch.v));
    }
    return fmt::format("sends {} to {}: {} sequence {}", message(m), here(),
                       stamp(is().pid.v, is().epoch.v), q.stamp[m].v);
  }
  [[nodiscard]] std::string produce_taken() const {
    const int m = was().partition[x_.p].message[x_.k].v;
    if (noted(Note::kAppended)) {
      return fmt::format("appends {} at offset {}", message(m),
                         step_.before.partition[x_.p].length.v);
    }
    if (noted(Note::kDeduplicated)) return fmt::format("recognises {} as a duplicate", message(m));
    return fmt::format("refuses {}: {}", message(m),
                       kStageTexts[is().partition[x_.p].stage[x_.k].v]);
  }
  [[nodiscard]] std::string marker() const {
    const auto& c = step_.before.coordinator;
    const bool commit = c.state.v == static_cast<int>(model::TransactionState::kPrepareCommit);
    return fmt::format("gets the {} marker, {}", commit ? "commit" : "abort",
                       stamp(c.pid.v, c.epoch.v));
  }

  TalkedStep late_or_fault() {
    switch (x_.kind) {
      case ActionKind::kTakeLateRequest: {
        const auto& late = step_.before.late[x_.k];
        return with_notes(
            "coordinator",
            fmt::format("takes the late copy of {} ({}, epoch {})",
                        request_text(late.kind.v, late.pid.v, late.epoch.v, late.partition.v),
                        state_text(), step_.after.coordinator.epoch.v));
      }
      case ActionKind::kTakeLateProduce: {
        const auto& late = step_.before.partition[x_.p].late;
        return with_notes(here(), fmt::format("takes the late message {} of {}: {}", late.message.v,
                                              transaction_name(late.owner.v, late.attempt.v),
                                              noted(Note::kAppended) ? "appended" : "dropped"));
      }
      case ActionKind::kTakeLateMarker:
        return with_notes(here(), "gets the late copy of a marker");
      default:
        return with_notes("fault", fault());
    }
  }
  [[nodiscard]] std::string fault() const {
    switch (model::fault_of(x_.kind)) {
      case model::Fault::kAnswerLost:
        return fmt::format("the answer to {} of {} is lost; it is sent again", request_of(was()),
                           producer(x_.i));
      case model::Fault::kLateInit:
      case model::Fault::kLateBump:
      case model::Fault::kLateRequest:
        return fmt::format("{} of {} is sent again; a copy stays behind", request_of(was()),
                           producer(x_.i));
      case model::Fault::kDisconnect:
        return fmt::format("{} loses its connection to {}", producer(x_.i), here());
      case model::Fault::kLateProduce:
        return fmt::format("{} loses its connection to {}; {} stays behind", producer(x_.i), here(),
                           message(was().partition[x_.p].message[x_.k].v));
      case model::Fault::kNotLeader:
        return fmt::format("{} refuses {} with NOT_LEADER_OR_FOLLOWER", here(),
                           message(was().partition[x_.p].message[x_.k].v));
      case model::Fault::kMessageTimeout:
        return fmt::format("a message of {} for {} fails for good; {} {}", transaction(), here(),
                           producer(x_.i), kModeTexts[is().mode.v]);
      case model::Fault::kApplicationAbort:
        return fmt::format("the application of {} aborts {}", producer(x_.i), transaction());
      case model::Fault::kCoordinatorMove:
        return "another broker becomes the coordinator";
      case model::Fault::kTransactionTimeout:
        return fmt::format("the transaction's time is over: {}, epoch {}", state_text(),
                           step_.after.coordinator.epoch.v);
      case model::Fault::kTransactionalIdExpiry:
        return "the coordinator forgets the transactional id";
      case model::Fault::kProducerIdExpiry:
        return fmt::format("{} forgets producer id {}", here(), x_.k);
      case model::Fault::kLateMarker:
        return fmt::format("the answer to {}'s marker is lost; a second copy stays behind", here());
      case model::Fault::kCrash:
        return fmt::format("{} crashes", producer(x_.i));
    }
    return {};
  }

  /// The remarks that a reader must not miss.
  [[nodiscard]] TalkedStep with_notes(std::string actor, std::string text) const {
    static constexpr std::array<Note, 14> kWorthSaying{
        Note::kRetryRecognised,     Note::kExpectedEpochRefused, Note::kForeignIdRefused,
        Note::kNewIdForUnknown,     Note::kNewIdAtExhaustion,    Note::kUnexpectedError,
        Note::kEndRefused,          Note::kMappingRefused,       Note::kAcceptedWithoutEntry,
        Note::kVerificationRefused, Note::kAddedByBroker,        Note::kLateRequestDecides,
        Note::kLateProduceAppended, Note::kMarkerRepeated};
    TalkedStep told{std::move(actor), std::move(text), {}};
    for (const Note note : kWorthSaying) {
      if (!noted(note)) continue;
      told.remarks.emplace_back(model::notes()[static_cast<std::size_t>(note)].says);
    }
    if (noted(Note::kCommitted)) told.remarks.emplace_back("the application is told: committed");
    if (noted(Note::kAborted)) told.remarks.emplace_back("the application is told: aborted");
    return told;
  }

  const TalkInput& step_;
  const model::Action& x_;
};

}  // namespace

TalkedStep talk(const TalkInput& step) { return Talk(step).tell(); }

std::string partition_name(const model::Rules& rules, int p) {
  return rules.instance.is_offsets(p) ? "offsets" : fmt::format("partition {}", p);
}

std::string transaction_name(int owner, int attempt) {
  return fmt::format("T{}.{}", owner + 1, attempt);
}

}  // namespace fencepost::transactions
