// Variant files: the ones we ship say what they should, and every mistake in one is told with file
// and line.
#include "spec/variant.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "spec/base.h"
#include "tests/unit/scratch.h"

namespace fencepost::spec {
namespace {

namespace fs = std::filesystem;

const fs::path kVariants = fs::path(FENCEPOST_SOURCE_DIR) / "spec/variants";
const fs::path kBrokers = fs::path(FENCEPOST_SOURCE_DIR) / "spec/brokers";

/// The entries in which two behaviours differ, as "name=value of the second".
std::set<std::string> difference(const Variant& a, const Variant& b) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < entries().size(); ++i) {
    if (entries()[i].kind != a.kind) continue;
    const int value = entry_value(b.behaviour, i);
    if (value == entry_value(a.behaviour, i)) continue;
    names.insert(fmt::format("{}={}", entries()[i].name,
                             entries()[i].values[static_cast<std::size_t>(value)]));
  }
  return names;
}

std::string complaint(const std::string& name, const fs::path& folder) {
  try {
    load_variant(name, folder);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Exit::kBadInput);
    std::string text = error.what();
    const std::string prefix = folder.string() + "/";
    for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
      text.erase(at, prefix.size());
    }
    return text;
  }
  return "(no error)";
}

/// A client that starts from librdkafka-2.15, one entry per line from line 6.
std::string derived(const std::string& name, const std::string& entries) {
  return fmt::format(
      "{{\n\"variant\": \"{}\", \"kind\": \"client\",\n\"says\": \"a test\",\n\"from\": "
      "\"librdkafka-2.15\",\n\"entries\": {{\n{}\n}}}}\n",
      name, entries);
}

/// Folder with librdkafka-2.15 and, as v.json, the text.
class VariantErrors : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::copy_file(kVariants / "librdkafka-2.15.json", scratch_.folder() / "librdkafka-2.15.json");
  }
  std::string of(std::string_view text) {
    scratch_.write("v.json", text);
    return complaint("v", scratch_.folder());
  }
  std::string of_entries(const std::string& entries) { return of(derived("v", entries)); }

  Scratch scratch_;
};

TEST(Variants, DifferExactlyInTheEntriesTheyAreAbout) {
  const Variant base = load_variant("librdkafka-2.15", kVariants);
  const auto from_base = [&](const char* name) {
    return difference(base, load_variant(name, kVariants));
  };
  using Names = std::set<std::string>;
  EXPECT_EQ(from_base("librdkafka-pr-4972"), Names{"out-of-order.later=retry"});
  EXPECT_EQ(from_base("librdkafka-conditional-bump"),
            Names{"out-of-order.later=bump-if-no-earlier-pending"});
  EXPECT_EQ(from_base("librdkafka-deferred-naive"),
            (Names{"out-of-order.later=retry", "adopt.defers-unresolved=yes"}));
  EXPECT_EQ(from_base("librdkafka-deferred"),
            (Names{"out-of-order.later=bump-if-no-earlier-pending", "adopt.defers-unresolved=yes",
                   "out-of-order.proves-absence=yes"}));
  for (const std::string client : {"librdkafka-2.15", "librdkafka-pr-4972",
                                   "librdkafka-conditional-bump", "librdkafka-deferred"}) {
    EXPECT_EQ(
        difference(load_variant(client, kVariants), load_variant(client + "-race", kVariants)),
        Names{"requeue.when=after-count"});
  }
  EXPECT_EQ(
      difference(load_variant("kafka-2.5-to-4.4", kBrokers), load_variant("kafka-4.5", kBrokers)),
      Names{"broker.no-entry=zero-on-fresh-log"});
}

TEST(Variants, TheRootHasTheValuesOfTheFacts) {
  const Behaviour b = load_variant("librdkafka-2.15", kVariants).behaviour;
  EXPECT_EQ(b.react(Outcome::kNotLeaderAfterAppend), Reaction::kRetry);
  EXPECT_EQ(b.status_of(Outcome::kNotLeaderAfterAppend), Status::kNotPersisted);
  EXPECT_FALSE(b.counts(Outcome::kNotLeaderAfterAppend));
  EXPECT_EQ(b.status_of(Outcome::kDisconnect), Status::kPossiblyPersisted);
  EXPECT_TRUE(b.counts(Outcome::kNotEnoughReplicas));
  EXPECT_EQ(b.react(Outcome::kPermanentError), Reaction::kFailAndBump);
  EXPECT_EQ(b.next_expected_out_of_order, NextExpected::kFatal);
  EXPECT_EQ(b.later_out_of_order, Later::kBump);
  EXPECT_TRUE(b.message_timeout_bumps);
  EXPECT_FALSE(b.leaderless_timeout_bumps);
  EXPECT_EQ(b.bump_waits_for, BumpWaits::kNothingInFlight);
  EXPECT_EQ(b.implicit_ack, ImplicitAck::kLower);
}

TEST(Variants, EveryShippedFileLoadsAndCitesASourceForEveryEntry) {
  for (const fs::path& folder : {kVariants, kBrokers}) {
    for (const Variant& variant : load_variants(folder)) {
      EXPECT_EQ(variant.lineage.front(), variant.name);
      EXPECT_FALSE(variant.says.empty());
      for (const EntryInfo& info : entries()) {
        EXPECT_EQ(variant.source.contains(std::string(info.name)), info.kind == variant.kind)
            << variant.name << ' ' << info.name;
      }
    }
  }
}

TEST(Variants, ComeSortedByNameWithTheirLineage) {
  std::vector<std::string> names;
  for (const Variant& variant : load_variants(kVariants)) names.push_back(variant.name);
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(load_variant("librdkafka-deferred-naive", kVariants).lineage,
            (std::vector<std::string>{"librdkafka-deferred-naive", "librdkafka-pr-4972",
                                      "librdkafka-2.15"}));
}

TEST(Variants, EveryValueOfEveryEntryRoundTripsThroughAFile) {
  Scratch scratch;
  const Variant client = load_variant("librdkafka-2.15", kVariants);
  const Variant broker = load_variant("kafka-2.5-to-4.4", kBrokers);
  fs::copy(kVariants, scratch.folder());
  fs::copy(kBrokers, scratch.folder());
  for (std::size_t i = 0; i < entries().size(); ++i) {
    const EntryInfo& info = entries()[i];
    const Variant& root = info.kind == VariantKind::kClient ? client : broker;
    for (std::size_t v = 0; v < info.values.size(); ++v) {
      scratch.write("flip.json",
                    fmt::format(R"({{"variant": "flip", "kind": "{}", "says": "x", "from": "{}",
                                "entries": {{"{}": {{"is": "{}", "source": "test"}}}}}})",
                                info.kind == VariantKind::kClient ? "client" : "broker", root.name,
                                info.name, info.values[v]));
      if (entry_value(root.behaviour, i) == static_cast<int>(v)) {
        EXPECT_NE(complaint("flip", scratch.folder()).find("already"), std::string::npos);
        continue;
      }
      Behaviour alone = root.behaviour;
      set_entry(alone, i, static_cast<int>(v));
      if (info.kind == VariantKind::kClient && without_effect(alone)) {
        const std::string said = complaint("flip", scratch.folder());
        EXPECT_NE(said.find("flip.json:2"), std::string::npos) << said;
        EXPECT_NE(said.find("has no effect here"), std::string::npos) << said;
        continue;
      }
      const Variant flipped = load_variant("flip", scratch.folder());
      EXPECT_EQ(difference(root, flipped),
                std::set<std::string>{fmt::format("{}={}", info.name, info.values[v])});
      EXPECT_EQ(flipped.source.at(std::string(info.name)), "test");
    }
  }
}

TEST(Variants, CombineTakesEachSideFromItsVariant) {
  const Variant client = load_variant("librdkafka-pr-4972", kVariants);
  const Behaviour b = combine(client, load_variant("kafka-4.5", kBrokers));
  EXPECT_EQ(b.later_out_of_order, Later::kRetry);
  EXPECT_EQ(b.no_entry, NoEntry::kZeroOnFreshLog);
  EXPECT_EQ(b.cache_size, 5);
}

TEST(Variants, APathLoadsAFileAndItsBaseFromBesideItOrFromTheFolder) {
  Scratch scratch;
  const fs::path path = scratch.write(
      "mine.json", derived("mine", R"("requeue": {"is": "behind", "source": "test"})"));
  EXPECT_EQ(load_variant(path.string(), kVariants).behaviour.requeue, Requeue::kBehind);
}

TEST_F(VariantErrors, OfTheFileItself) {
  EXPECT_EQ(complaint("librdkafka-2.16", scratch_.folder()),
            fmt::format("there is no variant \"librdkafka-2.16\" in {}; did you mean "
                        "\"librdkafka-2.15\"?",
                        scratch_.folder().string()));
  EXPECT_EQ(complaint((scratch_.folder() / "none.json").string(), scratch_.folder()),
            "none.json: there is no such file");
  fs::create_directory(scratch_.folder() / "dir.json");
  EXPECT_EQ(complaint("dir", scratch_.folder()), "dir.json: this is not a file");
  EXPECT_EQ(of(""), "v.json:1: the file is empty");
  EXPECT_EQ(of("\n \n"), "v.json:1: the file is empty");
  EXPECT_EQ(of(std::string_view("\n\x7f"
                                "ELF\0\0",
                                7)),
            "v.json:2: the file is binary, not JSON text");
  EXPECT_EQ(of(std::string((1U << 20) + 1, ' ')), "v.json:1: the file is larger than 1 MB");
  EXPECT_EQ(of("{\n\"variant\":\n\n"),
            "v.json:3: not JSON: unexpected end of input; expected '[', '{', or a literal");
  EXPECT_EQ(of("{\n\"variant\": \"v\",\n\"variant\": \"v\"}"),
            "v.json:3: \"variant\" stands twice in one object");
  EXPECT_EQ(of(std::string(100, '[')), "v.json:1: nested more than 32 levels deep");
  EXPECT_EQ(of("\n[]"), "v.json:2: a variant must be an object {...}");
  EXPECT_EQ(of("{\"variant\": \"\xff\"}").substr(0, 19), "v.json:1: not JSON:");
}

TEST_F(VariantErrors, OfTheHead) {
  EXPECT_EQ(of("{\n\"kind\": \"client\"}"), "v.json:1: \"variant\" is missing");
  EXPECT_EQ(of("{\"variant\":\n7}"), "v.json:2: \"variant\" must be text");
  EXPECT_EQ(of("{\"variant\":\n\"\"}"), "v.json:2: \"variant\" must not be empty");
  EXPECT_EQ(of("{\n\"variant\": \"w\"}"),
            "v.json:2: the variant is named \"w\", its file \"v.json\"");
  EXPECT_EQ(of("{\"variant\": \"v\",\n\"kind\": \"clint\"}"),
            "v.json:2: \"kind\" must be client or broker, not \"clint\"");
  EXPECT_EQ(of("{\"variant\": \"v\",\n\"kidn\": \"client\"}"),
            "v.json:2: unknown key \"kidn\" in a variant; did you mean \"kind\"?");
  EXPECT_EQ(of("{\"variant\": \"v\", \"kind\": \"client\",\n\"says\": \"x\"}"),
            "v.json:1: \"entries\" is missing");
  EXPECT_EQ(of("{\"variant\": \"v\", \"kind\": \"client\", \"says\": \"x\",\n\"entries\": []}"),
            "v.json:2: \"entries\" must be an object {...}");
  EXPECT_EQ(of("{\"variant\": \"v\", \"kind\": \"client\", \"says\": \"x\",\n\"entries\": {}}"),
            "v.json:2: \"not-leader.reaction\" is left out, and there is no \"from\" to take it "
            "from");
}

TEST_F(VariantErrors, OfEntries) {
  EXPECT_EQ(of_entries("\n\"requeu\": {\"is\": \"behind\", \"source\": \"x\"}"),
            "v.json:7: unknown entry \"requeu\"; did you mean \"requeue\"?");
  EXPECT_EQ(of_entries("\"requeue\": {\n\"is\": \"front\", \"source\": \"x\"}"),
            "v.json:7: \"requeue\" cannot be \"front\", only sorted, behind");
  EXPECT_EQ(of_entries("\"requeue\": {\n\"is\": true, \"source\": \"x\"}"),
            "v.json:7: the value of \"requeue\" must be text");
  EXPECT_EQ(of_entries("\"requeue\": \"behind\""), "v.json:6: \"requeue\" must be an object {...}");
  EXPECT_EQ(of_entries("\"requeue\": {\"is\": \"behind\"}"), "v.json:6: \"source\" is missing");
  EXPECT_EQ(of_entries("\"requeue\": {\"source\": \"x\"}"), "v.json:6: \"is\" is missing");
  EXPECT_EQ(of_entries("\"requeue\": {\"is\": \"behind\",\n\"source\": \" \"}"),
            "v.json:7: \"source\" must not be empty");
  EXPECT_EQ(of_entries("\"requeue\": {\"is\": \"behind\", \"source\": \"x\",\n\"note\": 12\n}"),
            "v.json:7: unknown key \"note\" in \"requeue\"; known: is, source");
  EXPECT_EQ(of_entries("\"broker.cache-size\": {\"is\": \"1\", \"source\": \"x\"}"),
            "v.json:6: \"broker.cache-size\" is an entry of a broker, and this is a client");
  EXPECT_EQ(of_entries("\"requeue\": {\"is\": \"sorted\", \"source\": \"x\"}"),
            "v.json:6: \"requeue\" is \"sorted\" already in \"librdkafka-2.15\": leave it out");
  EXPECT_EQ(of_entries(""), "v.json:5: a variant that changes no entry is no variant");
}

TEST_F(VariantErrors, OfTheChain) {
  const std::string head = R"({"variant": "v", "kind": "client", "says": "x",)";
  EXPECT_EQ(of(head + "\n\"from\": \"v\", \"entries\": {}}"),
            "v.json:2: \"v\" starts from itself by way of \"v\"");
  scratch_.write("w.json", R"({"variant": "w", "kind": "client", "says": "x",

    "from": "v", "entries": {}})");
  EXPECT_EQ(of(head + "\n\"from\": \"w\", \"entries\": {}}"),
            "w.json:3: \"v\" starts from itself by way of \"w\"");
  EXPECT_EQ(of(head + "\n\"from\": \"x\", \"entries\": {}}"),
            fmt::format("v.json:2: there is no variant \"x\" in {}; known: librdkafka-2.15, v, w",
                        scratch_.folder().string()));
  fs::copy(kBrokers, scratch_.folder());
  EXPECT_EQ(of(head + "\n\"from\": \"kafka-4.5\", \"entries\": {}}"),
            "v.json:2: a client cannot start from the broker \"kafka-4.5\"");
  scratch_.write("w.json", "{");
  EXPECT_EQ(of(head + "\n\"from\": \"w\", \"entries\": {}}").substr(0, 9), "w.json:1:");
}

}  // namespace
}  // namespace fencepost::spec
