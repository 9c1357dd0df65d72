#include "spec/instance_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "spec/base.h"
#include "spec/located_json.h"

namespace fencepost::spec {
namespace {

constexpr std::string_view kAllBut = "all-but:";
// A kind that is allowed but in some partitions keeps the bits above the last partition, so that it
// stays apart from one allowed in each of the others by name.
constexpr std::uint8_t kEveryPartition = 0xff;
constexpr std::uint8_t kNamedPartitions = (1U << kMaxPartitions) - 1;

bool excludes(std::uint8_t mask) {
  return mask != kEveryPartition && (mask & ~kNamedPartitions) != 0;
}

[[noreturn]] void refuse(const std::string& sentence) { throw Error(Exit::kUsage, sentence); }

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> items;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    std::string_view item = text.substr(at, comma - at);
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    items.push_back(item);
    at = comma + 1;
  }
  return items;
}

int number_in(std::string_view digits, int high, std::string_view item) {
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || number < 0 || number > high) {
    refuse(fmt::format("\"{}\" in the faults needs a number from 0 to {}", item, high));
  }
  return number;
}

Fault kind_named(std::string_view name) {
  if (const auto kind = fault_named(name)) return *kind;
  if (name == "coordinator-move") {
    refuse(
        "the fault \"coordinator-move\" is one of the transactional model: ask `fencepost "
        "transactions`");
  }
  std::vector<std::string_view> known;
  for (const FaultInfo& info : fault_kinds()) known.push_back(info.name);
  refuse(fmt::format("unknown fault \"{}\"{} (`fencepost faults` lists them)", name,
                     suggestion(name, known)));
}

/// Reads the items one by one into a `Faults`.
class Reader {
 public:
  explicit Reader(int budget) { faults_.budget = budget; }

  void item(std::string_view text) {
    if (text.empty()) refuse("the faults have an empty item");
    if (text == "all") return allow_all();
    if (text.starts_with(kAllBut)) {
      allow_all();
      excluding_ = true;
      text.remove_prefix(kAllBut.size());
    }
    std::string_view name = text;
    int cap = Faults::kNoCap;
    if (const auto equals = text.find('='); equals != std::string_view::npos) {
      cap = number_in(text.substr(equals + 1), faults_.budget, text);
      name = text.substr(0, equals);
    }
    if (name.size() == 2 && name[0] == 'p' && name[1] >= '0' && name[1] <= '9') {
      return partition_cap(name, cap, text);
    }
    kind(name, cap, text);
  }
  Faults take() { return faults_; }

 private:
  void allow_all() {
    for (std::size_t k = 0; k < kFaultKinds; ++k) {
      if (!fault_kinds()[k].by_name_only) faults_.partitions[k] = kEveryPartition;
    }
  }

  void partition_cap(std::string_view name, int cap, std::string_view text) {
    if (cap == Faults::kNoCap) refuse(fmt::format("\"{}\" needs a cap, as in {}=1", text, name));
    const int p = number_in(name.substr(1), kMaxPartitions - 1, text);
    faults_.partition_cap[static_cast<std::size_t>(p)] = cap;
  }

  void kind(std::string_view name, int cap, std::string_view text) {
    std::uint8_t mask = kEveryPartition;
    if (const auto at = name.find('@'); at != std::string_view::npos) {
      const int p = number_in(name.substr(at + 1), kMaxPartitions - 1, text);
      mask = static_cast<std::uint8_t>(1U << p);
      name = name.substr(0, at);
    }
    const auto k = static_cast<std::size_t>(kind_named(name));
    if (excluding_ && cap == Faults::kNoCap) {
      if ((faults_.partitions[k] & mask) == 0) refuse(fmt::format("\"{}\" stands twice", text));
      const auto left = static_cast<std::uint8_t>(faults_.partitions[k] & ~mask);
      faults_.partitions[k] = (left & kNamedPartitions) == 0 ? std::uint8_t{0} : left;
      return;
    }
    if (!excluding_ && (faults_.partitions[k] & mask) != 0) {
      refuse(fmt::format("\"{}\" stands twice in the faults", text));
    }
    if (!excluding_)
      faults_.partitions[k] = static_cast<std::uint8_t>(faults_.partitions[k] | mask);
    if (cap != Faults::kNoCap) faults_.cap[k] = cap;
  }

  Faults faults_;
  bool excluding_ = false;
};

void add_partition_caps(const Faults& faults, std::vector<std::string>& items) {
  for (std::size_t p = 0; p < faults.partition_cap.size(); ++p) {
    if (faults.partition_cap[p] == Faults::kNoCap) continue;
    items.push_back(fmt::format("p{}={}", p, faults.partition_cap[p]));
  }
}

std::string kind_text(const Faults& faults, std::size_t k) {
  const std::string_view name = fault_kinds()[k].name;
  const std::string cap =
      faults.cap[k] == Faults::kNoCap ? std::string() : fmt::format("={}", faults.cap[k]);
  if (faults.partitions[k] == kEveryPartition) return fmt::format("{}{}", name, cap);
  std::vector<std::string> items;
  for (int p = 0; p < kMaxPartitions; ++p) {
    if (((faults.partitions[k] >> p) & 1) != 0)
      items.push_back(fmt::format("{}@{}{}", name, p, cap));
  }
  return fmt::format("{}", fmt::join(items, ","));
}

/// The text of faults of which some kind leaves out partitions: only "all-but" can say that.
std::vector<std::string> all_but_items(const Faults& faults) {
  std::vector<std::string> items, caps;
  for (std::size_t k = 0; k < kFaultKinds; ++k) {
    const std::string_view name = fault_kinds()[k].name;
    if (fault_kinds()[k].by_name_only) continue;
    if (faults.partitions[k] == 0) items.emplace_back(name);
    for (int p = 0; p < kMaxPartitions && excludes(faults.partitions[k]); ++p) {
      if (((faults.partitions[k] >> p) & 1) == 0) items.push_back(fmt::format("{}@{}", name, p));
    }
    if (faults.cap[k] != Faults::kNoCap) caps.push_back(fmt::format("{}={}", name, faults.cap[k]));
  }
  items.front().insert(0, kAllBut);
  items.insert(items.end(), caps.begin(), caps.end());
  return items;
}

}  // namespace

Faults parse_faults(std::string_view text, int budget) {
  if (budget < 0 || budget > 15) refuse("the fault budget must be 0 to 15");
  if (text == "none" || text.empty()) {
    if (budget > 0) refuse("a fault budget above 0 needs faults: name kinds, or \"all\"");
    return {};
  }
  if (budget == 0) refuse("faults need a budget of at least 1");
  Reader reader(budget);
  for (const std::string_view item : split(text)) reader.item(item);
  return reader.take();
}

std::string faults_text(const Faults& faults) {
  if (faults.budget == 0) return "none";
  std::vector<std::string> allowed, named, left_out;
  bool plain = true;
  for (std::size_t k = 0; k < kFaultKinds; ++k) {
    if (fault_kinds()[k].by_name_only) {
      if (faults.partitions[k] != 0) named.push_back(kind_text(faults, k));
      continue;
    }
    const bool whole = faults.partitions[k] == kEveryPartition;
    plain = plain && (whole || faults.partitions[k] == 0) && faults.cap[k] == Faults::kNoCap;
    if (faults.partitions[k] == 0) {
      left_out.emplace_back(fault_kinds()[k].name);
    } else {
      allowed.push_back(kind_text(faults, k));
    }
  }
  std::vector<std::string> items = allowed;
  if (std::any_of(faults.partitions.begin(), faults.partitions.end(), excludes)) {
    items = all_but_items(faults);
  }
  if (plain && left_out.empty()) items = {"all"};
  if (plain && !left_out.empty() && left_out.size() < allowed.size() / 2) {
    items = {fmt::format("{}{}", kAllBut, fmt::join(left_out, ","))};
  }
  items.insert(items.begin(), named.begin(), named.end());
  add_partition_caps(faults, items);
  return fmt::format("{}", fmt::join(items, ","));
}

std::string instance_text(const Instance& i) {
  const auto count = [](int n, std::string_view noun) {
    return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
  };
  const std::string end =
      i.max_epoch == 0 ? std::string() : fmt::format(", epochs end at {}", i.max_epoch);
  return fmt::format("{}, {}{}, {} in flight, {}{}", count(i.partitions, "partition"),
                     count(i.messages, "new message"),
                     i.warm != 0 ? " after a warm one" : " on a cold partition", i.in_flight,
                     count(i.brokers, "broker"), end);
}

void require_checkable(const Instance& instance) {
  if (const std::string_view fault = instance_fault(instance); !fault.empty()) {
    refuse(std::string(fault));
  }
  const Faults& faults = instance.faults;
  for (int p = instance.partitions; p < kMaxPartitions; ++p) {
    bool named = faults.partition_cap[static_cast<std::size_t>(p)] != Faults::kNoCap;
    for (const std::uint8_t mask : faults.partitions) {
      named = named || (mask != kEveryPartition && (((mask >> p) & 1) != 0) != excludes(mask));
    }
    if (named) {
      refuse(fmt::format("the faults speak of partition {}, but the instance has {}", p,
                         instance.partitions));
    }
  }
}

}  // namespace fencepost::spec
