// Variant files of the transactional model, combinations, instances and faults as text.
#include <gtest/gtest.h>

#include "spec/base.h"
#include "spec/transactions/variant.h"
#include "tests/support/transaction_cases.h"
#include "tests/unit/scratch.h"

namespace fencepost::testing::transactions {
namespace {

using model::VariantKind;

/// The complaint of a call, or "".
template <class Call>
std::string complaint(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_in(const std::string& part, const std::string& text) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

/// Reads a coordinator's file with that content.
std::string of_file(const std::string& text) {
  const Scratch scratch;
  const std::string path = scratch.write("mine.json", text);
  return complaint([&] {
    static_cast<void>(model::load_variant(VariantKind::kCoordinator, path, data_folder()));
  });
}

std::string changing(const std::string& from, const std::string& entry, const std::string& value) {
  return R"({"variant": "mine", "kind": "coordinator", "says": "mine", "from": ")" + from +
         R"(", "entries": {)" + "\n" + R"(")" + entry + R"(": {"is": ")" + value +
         R"(", "source": "this test"}}})";
}

TEST(TransactionVariants, AllAreReadWithASourceForEveryEntry) {
  std::size_t count = 0;
  for (int k = 0; k < model::kVariantKinds; ++k) {
    const auto kind = static_cast<VariantKind>(k);
    for (const model::Variant& variant : model::load_variants(kind, data_folder())) {
      ++count;
      for (const model::EntryInfo& info : model::entries()) {
        EXPECT_EQ(variant.source.contains(std::string(info.name)), info.kind == kind)
            << variant.name << " " << info.name;
      }
    }
  }
  EXPECT_EQ(count, 36U);
}

TEST(TransactionVariants, EntriesAreWrittenAndReadBack) {
  for (std::size_t e = 0; e < model::entries().size(); ++e) {
    for (std::size_t v = 0; v < model::entries()[e].values.size(); ++v) {
      model::Behaviour behaviour;
      model::set_entry(behaviour, e, static_cast<int>(v));
      EXPECT_EQ(model::entry_value(behaviour, e), static_cast<int>(v));
    }
  }
}

TEST(TransactionVariants, MistakesAreToldWithFileAndLine) {
  expect_in("mine.json:2: unknown entry \"init.last-epich\"; did you mean \"init.last-epoch\"?",
            of_file(changing("kip-360", "init.last-epich", "no")));
  expect_in("mine.json:2: \"init.last-epoch\" cannot be \"maybe\", only no, yes",
            of_file(changing("kip-360", "init.last-epoch", "maybe")));
  expect_in("\"init.last-epoch\" is \"yes\" already in \"kip-360\": leave it out",
            of_file(changing("kip-360", "init.last-epoch", "yes")));
  expect_in("\"verification\" is an entry of a broker, and this is a coordinator",
            of_file(changing("kip-360", "verification", "add")));
  expect_in("there is no variant \"kip-361\"",
            of_file(changing("kip-361", "init.last-epoch", "no")));
  expect_in("\"mine\" starts from itself by way of \"mine\"",
            of_file(changing("mine", "init.last-epoch", "no")));
  expect_in("\"kind\" must be client, coordinator or broker, not \"server\"",
            of_file(R"({"variant": "mine", "kind": "server"})"));
  expect_in(
      "\"java-3.9\" is a client, not a coordinator", complaint([] {
        static_cast<void>(model::load_variant(
            VariantKind::kCoordinator, data_folder() + "/clients/java-3.9.json", data_folder()));
      }));
}

TEST(TransactionVariants, AnEntryWithoutEffectIsRefused) {
  expect_in("mine.json:2: \"end.bumps\" has no effect here: transaction version 2 needs",
            of_file(changing("kip-98", "end.bumps", "yes")));
  expect_in("\"init.last-epoch\" has no effect here",
            of_file(changing("kip-98", "init.last-epoch", "yes")));
  expect_in("\"init.foreign-id\" has no effect here",
            of_file(changing("kip-98", "init.foreign-id", "fenced")));
  expect_in("\"init.ongoing-compares\" has no effect here",
            of_file(changing("kip-98", "init.ongoing-compares", "yes")));
  expect_in("\"init.last-epoch-persisted\" has no effect here",
            of_file(changing("expected-epoch-only", "init.last-epoch-persisted", "yes")));
}

TEST(TransactionVariants, ImpossibleCombinationsAreRefusedWithTheReason) {
  const auto combined = [](const char* client, const char* coordinator, const char* broker) {
    return complaint([&] { static_cast<void>(behaviour(client, coordinator, broker)); });
  };
  EXPECT_EQ(combined("java-4.0", "kip-98", "kafka-2.5"),
            "java-4.0 with kip-98 and kafka-2.5: the client talks transaction version 2, and the "
            "coordinator does not: it would have told the client so, which then talks version 1");
  expect_in("the brokers do not add it either", combined("java-4.0", "kip-890", "kafka-3.6"));
  expect_in("the coordinator does not know that version",
            combined("java-3.9", "kip-360", "kafka-4.0"));
  EXPECT_EQ(combined("java-3.9", "kip-890", "kafka-4.0"), "");
  EXPECT_EQ(combined("java-3.9", "kip-890", "kafka-2.5"), "");
  model::Behaviour two = behaviour("java-4.0", "kip-890", "kafka-4.0");
  EXPECT_FALSE(model::impossible(two).has_value());
  two.transactional = false;
  EXPECT_TRUE(model::impossible(two).has_value());
}

TEST(TransactionInstances, AreReadAsText) {
  const model::Instance i =
      instance("producers=2,offsets,overlap=0,inputs=2,attempts=3", "answer-lost=1,crash", 2);
  EXPECT_EQ(i.producers, 2);
  EXPECT_TRUE(i.offsets);
  EXPECT_FALSE(i.overlap);
  EXPECT_TRUE(i.faults.allows(model::Fault::kCrash));
  EXPECT_FALSE(i.faults.allows(model::Fault::kLateInit));
  EXPECT_EQ(i.faults.cap[static_cast<std::size_t>(model::Fault::kAnswerLost)], 1);
  EXPECT_EQ(model::instance_text(i),
            "2 producers, 1 partition and offsets, 2 inputs of 1 message, 1 in flight, one after "
            "the other, attempts 3, epochs 4, ids 1, log 6");
}

TEST(TransactionInstances, MistakesAreTold) {
  const auto shape = [](const char* text) {
    return complaint([&] { static_cast<void>(instance(text)); });
  };
  expect_in("an instance has no \"producer\"; did you mean \"producers\"?", shape("producer=2"));
  expect_in("\"inputs=x\" needs a number from 0 to 15", shape("inputs=x"));
  expect_in("\"offsets=2\" needs a number from 0 to 1", shape("offsets=2"));
  const auto faults = [](const char* text) {
    return complaint([&] { static_cast<void>(model::parse_faults(text, 1)); });
  };
  expect_in("unknown fault \"crush\"; did you mean \"crash\"?", faults("crush"));
  expect_in("\"crash\" stands twice in the faults", faults("crash,crash"));
  expect_in("\"crash=-1\" needs a number", faults("crash=-1"));
  expect_in("unknown fault \"\"", faults(""));
  model::Instance i;
  for (const auto& [change, part] :
       std::vector<std::pair<std::function<void(model::Instance&)>, std::string>>{
           {[](model::Instance& x) { x.producers = 3; }, "producers must be 1 or 2"},
           {[](model::Instance& x) { x.partitions = 4; }, "partitions must be"},
           {[](model::Instance& x) { x.attempts = 0; }, "attempts must be"},
           {[](model::Instance& x) { x.exhausted_at = 4; }, "the exhausted epoch must be below"},
           {[](model::Instance& x) { x.ids = 4; }, "ids must be 1 to 3"},
           {[](model::Instance& x) { x.log = 15; }, "the log must have"},
           {[](model::Instance& x) { x.rereads = true; }, "only a loop with offsets"}}) {
    model::Instance changed = i;
    change(changed);
    expect_in(part, std::string(model::instance_fault(changed)));
  }
}

}  // namespace
}  // namespace fencepost::testing::transactions
