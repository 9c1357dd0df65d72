#include "spec/transactions/instance.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "spec/base.h"
#include "spec/located_json.h"

namespace fencepost::spec::transactions {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Error(Exit::kUsage, sentence); }

Fault kind_named(std::string_view name) {
  if (const auto kind = fault_named(name)) return *kind;
  std::vector<std::string_view> known;
  for (const FaultInfo& info : fault_kinds()) known.push_back(info.name);
  refuse(fmt::format("unknown fault \"{}\"{}", name, suggestion(name, known)));
}

int cap_of(std::string_view digits, std::string_view item) {
  int value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value < 0 || value > 15) {
    refuse(fmt::format("\"{}\" needs a number from 0 to 15 behind =", item));
  }
  return value;
}

std::string plural(int count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

Faults parse_faults(std::string_view text, int budget) {
  Faults faults;
  faults.budget = budget;
  if (text == "none") return faults;
  while (true) {
    const auto comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    const auto equals = item.find('=');
    const Fault kind = kind_named(item.substr(0, equals));
    if ((faults.allowed >> static_cast<unsigned>(kind) & 1U) != 0) {
      refuse(fmt::format("\"{}\" stands twice in the faults", item.substr(0, equals)));
    }
    faults.allow(kind);
    if (equals != std::string_view::npos) {
      faults.cap[static_cast<std::size_t>(kind)] = cap_of(item.substr(equals + 1), item);
    }
    if (comma == std::string_view::npos) return faults;
    text.remove_prefix(comma + 1);
  }
}

std::string_view instance_fault(const Instance& i) {
  if (i.producers < 1 || i.producers > kMaxProducers) return "producers must be 1 or 2";
  if (i.partitions < 1 || i.all_partitions() > kMaxPartitions) {
    return "partitions must be at least 1, and with the offsets partition at most 3";
  }
  if (i.messages < 1 || i.messages > kMaxMessages) return "messages must be 1 or 2";
  if (i.in_flight < 1 || i.in_flight > kMaxInFlight) return "in flight must be 1 or 2";
  if (i.inputs < 1 || i.inputs > kMaxInputs) return "inputs must be 1 to 3";
  if (i.attempts < i.inputs || i.attempts > kMaxAttempts) {
    return "attempts must be at least the inputs, and at most 6";
  }
  if (i.epochs < 1 || i.epochs > kMaxEpochs) return "epochs must be 1 to 12";
  if (i.exhausted_at < 0 || i.exhausted_at >= i.epochs) {
    return "the exhausted epoch must be below the highest one: fencing goes one beyond it";
  }
  if (i.ids < 1 || i.ids > kMaxIds) return "ids must be 1 to 3";
  if (i.log < 1 || i.log > kMaxLog) return "the log must have 1 to 14 entries";
  if (i.late < 1 || i.late > kMaxLate) return "late must be 1 or 2";
  if (i.rereads && !i.offsets) return "only a loop with offsets can read its position again";
  if (i.faults.budget < 0 || i.faults.budget > 15) return "the fault budget must be 0 to 15";
  return {};
}

std::string instance_text(const Instance& i) {
  std::string text =
      fmt::format("{}, {}{}, {} of {} message{}, {} in flight", plural(i.producers, "producer"),
                  plural(i.partitions, "partition"), i.offsets ? " and offsets" : "",
                  plural(i.inputs, i.offsets ? "input" : "transaction"), i.messages,
                  i.messages == 1 ? "" : "s", i.in_flight);
  if (i.producers > 1 && !i.overlap) text += ", one after the other";
  if (i.rereads) text += ", position read again";
  if (i.endless) text += ", endless";
  text += fmt::format(", attempts {}, epochs {}", i.attempts, i.epochs);
  if (i.exhausted_at > 0) text += fmt::format(" (exhausted at {})", i.exhausted_at);
  return text + fmt::format(", ids {}, log {}{}", i.ids, i.log,
                            i.late > 1 ? fmt::format(", {} late", i.late) : "");
}

}  // namespace fencepost::spec::transactions
