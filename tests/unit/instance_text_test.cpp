// The text of faults and instances reads back as written, and mistakes get one clear sentence.
#include "spec/instance_text.h"

#include <gtest/gtest.h>

#include "spec/base.h"

namespace fencepost::spec {
namespace {

std::string complaint(std::string_view text, int budget) {
  try {
    parse_faults(text, budget);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Exit::kUsage);
    return error.what();
  }
  return "(no error)";
}

TEST(FaultsText, NamesKindsCapsAndPartitions) {
  const Faults f = parse_faults("leader-lost, disconnect,purge=1,stale-view@1,p0=1", 2);
  EXPECT_EQ(f.budget, 2);
  EXPECT_TRUE(f.allows(Fault::kLeaderLost, 3));
  EXPECT_TRUE(f.allows(Fault::kStaleView, 1));
  EXPECT_FALSE(f.allows(Fault::kStaleView, 0));
  EXPECT_FALSE(f.allows(Fault::kExpiry));
  EXPECT_EQ(f.cap[static_cast<std::size_t>(Fault::kPurge)], 1);
  EXPECT_EQ(f.cap[static_cast<std::size_t>(Fault::kDisconnect)], Faults::kNoCap);
  EXPECT_EQ(f.partition_cap[0], 1);
  EXPECT_EQ(f.partition_cap[1], Faults::kNoCap);
}

TEST(FaultsText, AllButLeavesOutKindsAndTakesCaps) {
  const Faults f = parse_faults("all-but:late-request,cache-shrink,purge=1,p1=1", 2);
  EXPECT_FALSE(f.allows(Fault::kLateRequest));
  EXPECT_FALSE(f.allows(Fault::kCacheShrink));
  EXPECT_TRUE(f.allows(Fault::kPurge));
  EXPECT_EQ(f.cap[static_cast<std::size_t>(Fault::kPurge)], 1);
  EXPECT_EQ(f.partition_cap[1], 1);
}

TEST(FaultsText, RoundTrips) {
  for (const std::string_view text :
       {"none", "leader-lost", "leader-lost,stale-view", "leader-lost,disconnect,purge=1,p0=1",
        "stale-view@1", "stale-view@0,stale-view@2,purge@1=2", "all",
        "all-but:late-request,cache-shrink,expiry", "all-but:expiry,p0=0,p3=2", "all-but:purge@0",
        "all-but:late-request,purge@0,purge@2,expiry,disconnect=1,p1=2", "purge@1,purge@2,purge@3",
        "retention,all", "retention@1,all-but:expiry",
        "retention=1,producer-restart,all-but:purge@0", "state-rebuilt,purge",
        "unclean-election@1=1,all"}) {
    const int budget = text == "none" ? 0 : 3;
    const Faults f = parse_faults(text, budget);
    EXPECT_EQ(faults_text(f), text);
    EXPECT_EQ(parse_faults(faults_text(f), budget), f);
  }
}

TEST(FaultsText, AllLeavesOutWhatMustBeNamed) {
  for (const char* text : {"all", "all-but:expiry"}) {
    const Faults f = parse_faults(text, 1);
    for (int k = 0; k < kFaultKinds; ++k) {
      const bool named = fault_kinds()[static_cast<std::size_t>(k)].by_name_only;
      const bool left_out =
          named || (std::string(text) != "all" && k == static_cast<int>(Fault::kExpiry));
      EXPECT_EQ(f.allows(static_cast<Fault>(k)), !left_out) << text << " " << k;
    }
  }
  EXPECT_TRUE(parse_faults("all,retention", 1).allows(Fault::kRetention));
}

TEST(FaultsText, AllPartitionsLeftOutIsTheKindLeftOut) {
  const Faults f = parse_faults("all-but:purge@0,purge@1,purge@2,purge@3", 1);
  EXPECT_EQ(f, parse_faults("all-but:purge", 1));
}

TEST(FaultsText, Mistakes) {
  EXPECT_EQ(
      complaint("leader-lots", 1),
      "unknown fault \"leader-lots\"; did you mean \"leader-lost\"? (`fencepost faults` lists "
      "them)");
  EXPECT_EQ(complaint("purge,coordinator-move", 1),
            "the fault \"coordinator-move\" is one of the transactional model: ask `fencepost "
            "transactions`");
  EXPECT_EQ(complaint("purge=2", 1), "\"purge=2\" in the faults needs a number from 0 to 1");
  EXPECT_EQ(complaint("purge=x", 1), "\"purge=x\" in the faults needs a number from 0 to 1");
  EXPECT_EQ(complaint("purge=", 1), "\"purge=\" in the faults needs a number from 0 to 1");
  EXPECT_EQ(complaint("purge@4", 1), "\"purge@4\" in the faults needs a number from 0 to 3");
  EXPECT_EQ(complaint("p7=1", 1), "\"p7=1\" in the faults needs a number from 0 to 3");
  EXPECT_EQ(complaint("p0", 1), "\"p0\" needs a cap, as in p0=1");
  EXPECT_EQ(complaint("purge,purge", 1), "\"purge\" stands twice in the faults");
  EXPECT_EQ(complaint("all-but:purge,purge", 1), "\"purge\" stands twice");
  EXPECT_EQ(complaint("purge,", 1), "the faults have an empty item");
  EXPECT_EQ(complaint("none", 1), "a fault budget above 0 needs faults: name kinds, or \"all\"");
  EXPECT_EQ(complaint("purge", 0), "faults need a budget of at least 1");
  EXPECT_EQ(complaint("purge", 16), "the fault budget must be 0 to 15");
}

TEST(InstanceText, SaysWhatThereIs) {
  Instance w;
  EXPECT_EQ(instance_text(w),
            "2 partitions, 3 new messages after a warm one, 2 in flight, 2 brokers");
  w.partitions = 1;
  w.warm = 0;
  w.messages = 1;
  w.brokers = 1;
  EXPECT_EQ(instance_text(w),
            "1 partition, 1 new message on a cold partition, 2 in flight, 1 broker");
}

TEST(InstanceText, RefusesWhatCannotBeChecked) {
  Instance w;
  EXPECT_NO_THROW(require_checkable(w));
  w.faults = parse_faults("purge@2", 1);
  EXPECT_THROW(require_checkable(w), Error);
  w.partitions = 3;
  EXPECT_NO_THROW(require_checkable(w));
  w.partitions = 2;
  w.faults = parse_faults("all-but:purge@0,disconnect=1", 1);
  EXPECT_NO_THROW(require_checkable(w));
  EXPECT_TRUE(w.faults.allows(Fault::kPurge, 1));
  EXPECT_FALSE(w.faults.allows(Fault::kPurge, 0));
  w.faults = parse_faults("all-but:purge@2", 1);
  EXPECT_THROW(require_checkable(w), Error);
  w.partitions = 3;
  EXPECT_NO_THROW(require_checkable(w));
  w.in_flight = 6;
  EXPECT_THROW(require_checkable(w), Error);
}

}  // namespace
}  // namespace fencepost::spec
