// Every entry of a variant file matters: flipped alone, in a file written at run time, it changes a
// state count or a verdict on an instance named here, or loading refuses the combination.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "spec/base.h"
#include "spec/variant.h"
#include "tests/support/spec_cases.h"

namespace fencepost::testing {
namespace {

struct Named {
  std::string name;
  spec::Instance instance;
};

/// From small to large; the first on which a flip shows is enough.
const std::vector<Named>& instances() {
  static const std::vector<Named> kInstances = [] {
    std::vector<Named> all;
    all.push_back({"leader lost, one partition", instance(1, 2, 2, "leader-lost", 1)});
    all.push_back({"disconnect, one partition", instance(1, 2, 2, "disconnect", 1)});
    all.push_back({"too few replicas", instance(1, 2, 2, "too-few-replicas", 1)});
    all.push_back({"refused after append",
                   instance(1, 2, 2, "request-timeout,too-few-replicas-after-append", 1)});
    all.push_back({"queue loses messages", instance(1, 2, 2, "purge,message-timeout", 1)});
    all.push_back({"permanent error", instance(1, 2, 2, "permanent-error", 1)});
    all.push_back({"expired while leaderless",
                   instance(1, 2, 2, "leader-lost,message-timeout-leaderless", 2)});
    all.push_back({"retries exhausted",
                   instance(1, 2, 2,
                            "retries-exhausted,disconnect,too-few-replicas,request-timeout,"
                            "too-few-replicas-after-append,leader-lost",
                            2)});
    all.push_back({"stale view, three in flight", instance(1, 3, 3, "stale-view", 1)});
    all.push_back({"producer state lost", instance(1, 2, 2, "disconnect,cache-shrink,expiry", 2)});
    all.push_back({"four appended, then disconnect", instance(1, 4, 3, "disconnect", 1)});
    all.push_back({"five in flight, then disconnect", instance(1, 5, 5, "disconnect", 1)});
    all.push_back(
        {"late request of a failed message", instance(1, 2, 2, "late-request,message-timeout", 2)});
    all.push_back({"two partitions, bump", instance(2, 2, 2, "disconnect,permanent-error", 2)});
    all.push_back({"records deleted", instance(1, 2, 2, "retention,disconnect", 2)});
    all.push_back(
        {"expired in doubt, three in flight", instance(1, 3, 3, "stale-view,message-timeout", 2)});
    all.push_back({"two partitions, one expires in doubt",
                   instance(2, 2, 2, "stale-view,message-timeout", 3)});
    Named ends{"epochs end", instance(1, 3, 2, "permanent-error", 3)};
    ends.instance.max_epoch = 1;
    all.push_back(ends);
    Named cold{"cold partition", instance(1, 2, 2, "leader-lost,stale-view", 2)};
    cold.instance.warm = 0;
    all.push_back(cold);
    for (Named& named : all) named.instance.log = 9;
    return all;
  }();
  return kInstances;
}

std::string fingerprint_of(const std::string& label, const spec::Behaviour& behaviour,
                           const Named& named) {
  static std::map<std::string, std::string> known;
  const std::string key = label + "/" + named.name;
  if (!label.empty() && known.contains(key)) return known[key];
  const std::string print = fingerprint(run(behaviour, named.instance, {.progress = true}));
  if (!label.empty()) known[key] = print;
  return print;
}

/// The instance on which the two behaviours differ, or "".
std::string where_it_shows(const std::string& base_name, const spec::Behaviour& base,
                           const spec::Behaviour& flipped) {
  for (const Named& named : instances()) {
    if (fingerprint_of(base_name, base, named) != fingerprint_of("", flipped, named)) {
      return named.name;
    }
  }
  return "";
}

class Flip : public ::testing::Test {
 protected:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("fencepost-flip-" + std::to_string(::getpid()));
  const std::string root_ = FENCEPOST_SOURCE_DIR;
  int refused_ = 0;
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// Writes a file that starts from `from` and changes one entry; reads it back. None if the reader
  /// says that the entry has no effect there: then the test must agree.
  std::optional<spec::Variant> written(const std::string& from, spec::VariantKind kind,
                                       const spec::EntryInfo& entry, std::size_t value) {
    const auto file = folder_ / "flipped.json";
    std::ofstream(file) << "{\"variant\": \"flipped\", \"kind\": \""
                        << (kind == spec::VariantKind::kClient ? "client" : "broker")
                        << "\", \"says\": \"one entry flipped\", \"from\": \"" << from
                        << "\", \"entries\": {\"" << entry.name << "\": {\"is\": \""
                        << entry.values[value] << "\", \"source\": \"this test\"}}}";
    const bool client = kind == spec::VariantKind::kClient;
    try {
      return spec::load_variant(file.string(),
                                root_ + (client ? "/spec/variants" : "/spec/brokers"));
    } catch (const Error& refused) {
      EXPECT_NE(std::string(refused.what()).find("has no effect here"), std::string::npos)
          << refused.what();
      ++refused_;
      return std::nullopt;
    }
  }

  void flip_all(const spec::Variant& client, const spec::Variant& broker,
                const spec::Variant& flipped_one, const std::vector<std::size_t>& which) {
    const spec::Behaviour base = spec::combine(client, broker);
    for (const std::size_t e : which) {
      const spec::EntryInfo& entry = spec::entries()[e];
      const auto now = static_cast<std::size_t>(spec::entry_value(base, e));
      for (std::size_t v = 0; v < entry.values.size(); ++v) {
        if (v == now) continue;
        const auto other = written(flipped_one.name, entry.kind, entry, v);
        if (!other) continue;
        const spec::Behaviour behaviour = entry.kind == spec::VariantKind::kClient
                                              ? spec::combine(*other, broker)
                                              : spec::combine(client, *other);
        std::string where = where_it_shows(client.name + broker.name, base, behaviour);
        if (where.empty() && entry.name == "unknown-producer-id") {
          // Only some brokers say so.
          const auto old = spec::load_variant("kafka-2.0-to-2.4", root_ + "/spec/brokers");
          where = where_it_shows(client.name + old.name, spec::combine(client, old),
                                 spec::combine(*other, old));
        }
        EXPECT_NE(where, "") << entry.name << " = " << entry.values[v] << " from "
                             << flipped_one.name;
      }
    }
  }

  std::vector<std::size_t> entries_of(spec::VariantKind kind) {
    std::vector<std::size_t> which;
    for (std::size_t e = 0; e < spec::entries().size(); ++e) {
      if (spec::entries()[e].kind == kind) which.push_back(e);
    }
    return which;
  }
};

TEST_F(Flip, EveryEntryOfTheClientShows) {
  const auto client = spec::load_variant("librdkafka-2.15", root_ + "/spec/variants");
  const auto broker = spec::load_variant("kafka-2.5-to-4.4", root_ + "/spec/brokers");
  flip_all(client, broker, client, entries_of(spec::VariantKind::kClient));
  // Adopting with requests in flight, a bump by proof without proofs, three ways to take an earlier
  // OUT_OF_ORDER, answers that outlive a bump, and six values of entries about given stamps.
  EXPECT_EQ(refused_, 11);
}

TEST_F(Flip, EveryEntryOfTheBrokerShows) {
  const auto client = spec::load_variant("librdkafka-2.15", root_ + "/spec/variants");
  const auto broker = spec::load_variant("kafka-2.5-to-4.4", root_ + "/spec/brokers");
  flip_all(client, broker, broker, entries_of(spec::VariantKind::kBroker));
}

TEST_F(Flip, EveryEntryOfAClientWithGivenStampsShows) {
  const auto client = spec::load_variant("java-3.9", root_ + "/spec/variants");
  const auto broker = spec::load_variant("kafka-2.5-to-4.4", root_ + "/spec/brokers");
  std::vector<std::size_t> about_stamps;
  for (const std::size_t e : entries_of(spec::VariantKind::kClient)) {
    for (const char* name :
         {"out-of-order.next-expected", "out-of-order.earlier", "unknown-producer-id",
          "retries-exhausted.bumps", "expired-in-doubt", "lost-sequence", "bump.waits-for",
          "bump.takes", "epoch-exhausted", "bump.restamps", "adopt.waits-for-in-flight",
          "adopt.defers-unresolved", "adopt.when", "old-epoch.retries", "sequences",
          "retry.only-lowest"}) {
      if (spec::entries()[e].name == name) about_stamps.push_back(e);
    }
  }
  flip_all(client, broker, client, about_stamps);
  EXPECT_EQ(refused_, 1);  // sequences by message, beside entries about given stamps
}

TEST_F(Flip, EveryOverrideOfTheOtherBrokersShows) {
  const auto client = spec::load_variant("librdkafka-2.15", root_ + "/spec/variants");
  for (const spec::Variant& broker : spec::load_variants(root_ + "/spec/brokers")) {
    if (broker.lineage.size() < 2) continue;
    const auto parent = spec::load_variant(broker.lineage[1], root_ + "/spec/brokers");
    std::vector<std::size_t> overridden;
    for (std::size_t e = 0; e < spec::entries().size(); ++e) {
      if (spec::entry_value(broker.behaviour, e) != spec::entry_value(parent.behaviour, e)) {
        overridden.push_back(e);
      }
    }
    ASSERT_FALSE(overridden.empty()) << broker.name;
    flip_all(client, broker, broker, overridden);
  }
}

TEST_F(Flip, EveryOverrideOfTheOtherClientsShows) {
  const auto broker = spec::load_variant("kafka-2.5-to-4.4", root_ + "/spec/brokers");
  for (const spec::Variant& client : spec::load_variants(root_ + "/spec/variants")) {
    if (client.lineage.size() < 2) continue;
    const auto parent = spec::load_variant(client.lineage[1], root_ + "/spec/variants");
    std::vector<std::size_t> overridden;
    for (std::size_t e = 0; e < spec::entries().size(); ++e) {
      if (spec::entry_value(client.behaviour, e) != spec::entry_value(parent.behaviour, e)) {
        overridden.push_back(e);
      }
    }
    ASSERT_FALSE(overridden.empty()) << client.name;
    flip_all(client, broker, client, overridden);
  }
}

}  // namespace
}  // namespace fencepost::testing
