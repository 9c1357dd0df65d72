#include "spec/transactions/behaviour.h"

#include <array>

#include "spec/entry_slots.h"

namespace fencepost::spec::transactions {
namespace {

using Values = std::vector<std::string_view>;

using Slot = EntrySlot<Behaviour, EntryInfo>;

template <class T>
Slot field(std::string_view name, VariantKind kind, std::string_view says, Values values,
           T Behaviour::*member) {
  return member_slot(EntryInfo{name, kind, says, std::move(values)}, member);
}

const Values kNoYes{"no", "yes"};
const Values kOnError{"fatal", "abort-and-bump"};
const Values kOnOutOfOrder{"fatal", "abort-and-bump", "retry", "bump-inside-transaction"};

void add_client(std::vector<Slot>& slots) {
  const auto c = VariantKind::kClient;
  slots.push_back(field("transactional", c,
                        "writes in transactions; no: idempotent only, and the loop commits its "
                        "position on its own",
                        kNoYes, &Behaviour::transactional));
  slots.push_back(field("transaction-version-two", c,
                        "takes a new epoch from every EndTxn and leaves adding partitions to the "
                        "brokers",
                        kNoYes, &Behaviour::version_two));
  slots.push_back(field("init.sends-epoch", c,
                        "InitProducerId carries the producer id and epoch when it asks for a new "
                        "epoch",
                        kNoYes, &Behaviour::sends_epoch));
  slots.push_back(field("abort.ends-first", c,
                        "EndTxn(abort) is answered before a new epoch is asked for", kNoYes,
                        &Behaviour::end_before_bump));
  slots.push_back(field("bump.alone", c, "raises the epoch without asking the coordinator", kNoYes,
                        &Behaviour::bumps_alone));
  slots.push_back(field("invalid-mapping", c, "INVALID_PRODUCER_ID_MAPPING", kOnError,
                        &Behaviour::mapping_recovers));
  slots.push_back(field("end.errors", c, "what the application is told of a refused EndTxn",
                        {"success", "error"}, &Behaviour::end_errors_honoured));
  slots.push_back(field("out-of-order.next-expected", c,
                        "OUT_OF_ORDER for the next expected message", kOnOutOfOrder,
                        &Behaviour::next_expected));
  slots.push_back(field("out-of-order.later", c,
                        "OUT_OF_ORDER while an earlier message is unresolved", kOnOutOfOrder,
                        &Behaviour::later));
  slots.push_back(field("message-failure", c, "a message of the transaction failed for good",
                        {"abort-and-bump", "abort", "ignore"}, &Behaviour::message_failure));
  slots.push_back(field("produce.invalid-epoch", c, "INVALID_PRODUCER_EPOCH on Produce", kOnError,
                        &Behaviour::invalid_epoch));
  slots.push_back(field("produce.unverified", c,
                        "TRANSACTION_ABORTABLE or INVALID_TXN_STATE on Produce", kOnError,
                        &Behaviour::unverified));
  slots.push_back(field("bump.at-last-epoch", c,
                        "an idempotent producer that bumps alone at the last epoch",
                        {"new-id", "wraps"}, &Behaviour::wraps));
  slots.push_back(field("init.unexpected-error", c, "an unexpected error of InitProducerId",
                        {"fatal", "retry"}, &Behaviour::retries_unexpected));
}

void add_coordinator(std::vector<Slot>& slots) {
  const auto c = VariantKind::kCoordinator;
  slots.push_back(field("init.expected-epoch", c,
                        "whether the producer id and epoch of InitProducerId are looked at",
                        {"ignored", "checked"}, &Behaviour::expects_epoch));
  slots.push_back(field("init.last-epoch", c,
                        "InitProducerId with the last epoch gets the current one", kNoYes,
                        &Behaviour::last_epoch_rule));
  slots.push_back(field("init.last-epoch-persisted", c,
                        "the last epoch survives a move of the coordinator", kNoYes,
                        &Behaviour::last_epoch_persisted));
  slots.push_back(field("init.plain-forgets-last", c,
                        "InitProducerId without an epoch leaves no last epoch", kNoYes,
                        &Behaviour::plain_init_forgets_last));
  slots.push_back(field("init.unknown-gets-id", c,
                        "without an entry InitProducerId gets a new id, whatever it expects",
                        kNoYes, &Behaviour::unknown_gets_id));
  slots.push_back(field("init.foreign-id", c,
                        "InitProducerId expects a producer id that is not installed",
                        {"fenced", "fenced-unless-previous", "accepted"}, &Behaviour::foreign_id));
  slots.push_back(field("init.exhausted-throws", c,
                        "at the last epoch the increment throws before an unequal expected epoch "
                        "is looked at",
                        kNoYes, &Behaviour::exhausted_throws));
  slots.push_back(field("init.ongoing-compares", c,
                        "InitProducerId with an old epoch is fenced before it aborts a transaction "
                        "under way",
                        kNoYes, &Behaviour::ongoing_compares));
  slots.push_back(field("init.ongoing-bumps", c,
                        "epochs added when InitProducerId aborts a transaction under way",
                        {"0", "1", "2"}, &Behaviour::ongoing_bumps));
  slots.push_back(field("timeout.bumps", c, "epochs added when a transaction times out",
                        {"0", "1", "2"}, &Behaviour::timeout_bumps));
  slots.push_back(field("end.bumps", c,
                        "transaction version 2: every EndTxn raises the epoch, and retries of it "
                        "are recognised",
                        kNoYes, &Behaviour::end_bumps));
  slots.push_back(field("end.retry-needs-last-epoch", c,
                        "an EndTxn of the epoch before passes for a retry only if that is the last "
                        "epoch, which an abort by the coordinator leaves empty",
                        kNoYes, &Behaviour::retry_needs_last));
  slots.push_back(field("end.rotation-answer", c,
                        "what EndTxn of transaction version 2 answers with at the last epoch",
                        {"old-id", "new-id"}, &Behaviour::rotation_answered));
}

void add_broker(std::vector<Slot>& slots) {
  const auto b = VariantKind::kBroker;
  slots.push_back(field("verification", b,
                        "the first write of a transaction: nothing is asked; the coordinator must "
                        "know the partition; the leader adds it (transaction version 2)",
                        {"none", "verify", "add"}, &Behaviour::verification));
  slots.push_back(field("verification.older-open-counts", b,
                        "a transaction of an older epoch that is still open makes it unnecessary",
                        kNoYes, &Behaviour::older_open_counts));
  slots.push_back(field("marker.epoch", b,
                        "the epoch of a marker against the one known (transaction version 2)",
                        {"at-least", "above", "above-unless-closed"}, &Behaviour::marker_epoch));
  slots.push_back(field("produce.epoch-check", b, "a write of an older epoch is refused", kNoYes,
                        &Behaviour::epoch_check));
  slots.push_back(field("produce.duplicate-check", b,
                        "a sequence that is in the cache is acknowledged and not appended", kNoYes,
                        &Behaviour::duplicate_check));
  slots.push_back(field("produce.no-entry", b, "what a partition without producer state accepts",
                        {"any-sequence", "zero-on-fresh-log", "zero"}, &Behaviour::no_entry));
}

const std::vector<Slot>& slots() {
  static const std::vector<Slot> kSlots = [] {
    std::vector<Slot> all;
    add_client(all);
    add_coordinator(all);
    add_broker(all);
    return all;
  }();
  return kSlots;
}

}  // namespace

std::string_view name_of(VariantKind kind) {
  static constexpr std::array<std::string_view, kVariantKinds> kNames{"client", "coordinator",
                                                                      "broker"};
  return kNames[static_cast<std::size_t>(kind)];
}

const std::vector<EntryInfo>& entries() {
  static const std::vector<EntryInfo> kInfos = infos_of(slots());
  return kInfos;
}

int entry_value(const Behaviour& behaviour, std::size_t entry) {
  return value_in(slots(), behaviour, entry);
}

void set_entry(Behaviour& behaviour, std::size_t entry, int value) {
  set_in(slots(), behaviour, entry, value);
}

std::optional<WithoutEffect> without_effect(const Behaviour& b, VariantKind kind) {
  if (kind == VariantKind::kClient) {
    if (b.bumps_alone && b.version_two) {
      return WithoutEffect{"bump.alone", "with transaction version 2 nobody asks for a bump"};
    }
    if (b.bumps_alone && !b.end_before_bump) {
      return WithoutEffect{"abort.ends-first", "the client asks nobody for its new epoch"};
    }
    return std::nullopt;
  }
  if (kind == VariantKind::kBroker) {
    if (b.older_open_counts && b.verification != Verification::kAdd) {
      return WithoutEffect{"verification.older-open-counts",
                           "only a leader that adds its partition looks at the epoch"};
    }
    return std::nullopt;
  }
  if (!b.expects_epoch && b.last_epoch_rule) {
    return WithoutEffect{"init.last-epoch", "the expected epoch is not looked at"};
  }
  if (!b.expects_epoch && b.ongoing_compares) {
    return WithoutEffect{"init.ongoing-compares", "the expected epoch is not looked at"};
  }
  if (!b.expects_epoch && b.end_bumps) {
    return WithoutEffect{"end.bumps",
                         "transaction version 2 needs a coordinator that checks the epoch of "
                         "InitProducerId (KIP-360)"};
  }
  if (!b.expects_epoch && b.foreign_id != ForeignId::kAccepted) {
    return WithoutEffect{"init.foreign-id", "the expected producer id is not looked at"};
  }
  if (b.last_epoch_persisted && !b.last_epoch_rule) {
    return WithoutEffect{"init.last-epoch-persisted", "without the rule nobody reads it"};
  }
  return std::nullopt;
}

std::optional<std::string_view> impossible(const Behaviour& b) {
  if (b.version_two && !b.transactional) {
    return "transaction version 2 needs a client that writes in transactions";
  }
  if (b.version_two && !b.end_bumps) {
    return "the client talks transaction version 2, and the coordinator does not: it would have "
           "told the client so, which then talks version 1";
  }
  if (b.version_two && b.verification != Verification::kAdd) {
    return "the client talks transaction version 2 and adds no partition, and the brokers do not "
           "add it either";
  }
  if (b.verification == Verification::kAdd && !b.end_bumps) {
    return "the brokers add partitions themselves (transaction version 2), and the coordinator "
           "does not know that version";
  }
  if (b.marker_epoch != MarkerEpoch::kAtLeast && !b.end_bumps) {
    return "the brokers expect markers of transaction version 2, and the coordinator does not "
           "write such";
  }
  return std::nullopt;
}

}  // namespace fencepost::spec::transactions
