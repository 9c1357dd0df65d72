// Every entry of a variant matters: flipped alone it changes a count or a verdict on an instance
// named here, or the combination is refused with the reason.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "spec/base.h"
#include "tests/support/transaction_cases.h"

namespace fencepost::testing::transactions {
namespace {

using model::VariantKind;

struct Named {
  std::string name;
  model::Instance instance;
};

/// From small to large; the first on which a flip shows is enough.
const std::vector<Named>& instances() {
  static const std::vector<Named> kInstances{
      {"answers lost", instance("attempts=4,epochs=7,log=12", "answer-lost,message-timeout", 2)},
      {"messages fail",
       instance("messages=2,inputs=2,attempts=5,epochs=7,log=14", "message-timeout,disconnect", 2)},
      {"refused, two in flight",
       instance("messages=2,in-flight=2,inputs=2,attempts=5,epochs=7,log=14", "not-leader", 1)},
      {"coordinator moves",
       instance("attempts=4,epochs=7,log=12", "answer-lost,message-timeout,coordinator-move", 3)},
      {"transaction times out",
       instance("messages=2,attempts=4,epochs=7,log=12", "transaction-timeout,message-timeout", 2)},
      {"markers again",
       instance("partitions=2,inputs=2,attempts=5,epochs=7,log=14", "late-marker", 1)},
      {"late requests",
       instance("inputs=2,attempts=5,epochs=7,log=14", "late-request,application-abort", 2)},
      {"late writes", instance("attempts=4,epochs=7,log=12", "late-produce,message-timeout", 2)},
      {"producer forgotten", instance("messages=2,in-flight=2,inputs=2,attempts=5,epochs=7,log=14",
                                      "producer-id-expiry", 1)},
      {"two producers", instance("producers=2,attempts=5,epochs=7,log=14", "message-timeout", 1)},
      {"expiry", instance("producers=2,offsets,ids=3,attempts=4,epochs=7,log=12",
                          "transactional-id-expiry", 1)},
      {"last epoch", instance("inputs=2,exhausted-at=1,ids=3,attempts=5,epochs=4,log=14",
                              "answer-lost,message-timeout", 3)},
  };
  return kInstances;
}

std::string fingerprint(const model::Behaviour& behaviour, const model::Instance& shape) {
  const auto result = run(behaviour, shape);
  std::string text =
      fmt::format("{} {} {}", result.stats.distinct, result.stats.transitions, result.stats.depth);
  for (int p = 0; p < model::kProperties; ++p) {
    text += fmt::format(" {}", depth_of(result, static_cast<model::Property>(p)));
  }
  return text;
}

/// The instance on which the two behaviours differ, or "".
std::string where_it_shows(const std::string& label, const model::Behaviour& base,
                           const model::Behaviour& flipped) {
  static std::map<std::string, std::string> known;
  for (const Named& named : instances()) {
    std::string& print = known[label + "/" + named.name];
    if (print.empty()) print = fingerprint(base, named.instance);
    if (print != fingerprint(flipped, named.instance)) return named.name;
  }
  return "";
}

struct Base {
  const char* client;
  const char* coordinator;
  const char* broker;
};

/// Flips every entry of a kind in `bases`; each value must show in one of them or be refused in
/// all. Returns how many were refused in all.
int flip_all(VariantKind kind, const std::vector<Base>& bases) {
  int refused = 0;
  for (std::size_t e = 0; e < model::entries().size(); ++e) {
    const model::EntryInfo& entry = model::entries()[e];
    if (entry.kind != kind) continue;
    for (std::size_t v = 0; v < entry.values.size(); ++v) {
      bool shows = false;
      bool possible = false;
      bool differs = false;
      for (const Base& names : bases) {
        const model::Behaviour base = behaviour(names.client, names.coordinator, names.broker);
        if (model::entry_value(base, e) == static_cast<int>(v)) continue;
        differs = true;
        model::Behaviour flipped = base;
        model::set_entry(flipped, e, static_cast<int>(v));
        if (model::without_effect(flipped, kind) || model::impossible(flipped)) continue;
        // It acts on clients of transaction version 2 only.
        if (entry.name == "end.bumps" && !flipped.version_two) continue;
        possible = true;
        const std::string label =
            fmt::format("{} {} {}", names.client, names.coordinator, names.broker);
        shows = shows || !where_it_shows(label, base, flipped).empty();
      }
      if (!differs) continue;
      EXPECT_TRUE(shows || !possible) << entry.name << " = " << entry.values[v];
      if (!possible) ++refused;
    }
  }
  return refused;
}

const std::vector<Base> kBases{{"java-3.9", "kip-360", "kafka-2.5"},
                               {"java-4.0", "kip-890", "kafka-4.0"},
                               {"idempotent-loop", "kip-360", "kafka-2.5"},
                               {"java-3.9", "kip-360", "kafka-3.6"}};

TEST(TransactionFlip, EveryEntryOfTheClientShows) {
  // Version two against a coordinator of version one.
  EXPECT_EQ(flip_all(VariantKind::kClient, kBases), 1);
}

TEST(TransactionFlip, EveryEntryOfTheCoordinatorShows) {
  // An ignored epoch beside the rules that read it, and both ways of end.bumps.
  EXPECT_EQ(flip_all(VariantKind::kCoordinator, kBases), 3);
}

TEST(TransactionFlip, EveryEntryOfTheBrokerShows) {
  // Leaders that add partitions for a coordinator of version one.
  EXPECT_EQ(flip_all(VariantKind::kBroker, kBases), 1);
}

}  // namespace
}  // namespace fencepost::testing::transactions
