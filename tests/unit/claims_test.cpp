// claims.json: lists are multiplied out in order, and every mistake is told with file and line.
#include "checker/gate/claims.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "spec/base.h"
#include "spec/instance_text.h"
#include "tests/unit/scratch.h"

namespace fencepost::gate {
namespace {

namespace fs = std::filesystem;

const fs::path kData = fs::path(FENCEPOST_SOURCE_DIR) / "spec";

std::string claim_text(const std::string& rest) {
  return fmt::format(
      "{{\"instances\": {{\"W\": {{}}}},\n\"claims\": [\n{{\"id\": \"a\", \"says\": \"x\", {}}}]}}",
      rest);
}

class ClaimErrors : public ::testing::Test {
 protected:
  std::string of(std::string_view text) {
    const fs::path path = scratch_.write("c.json", text);
    try {
      read_claims(path, kData);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Exit::kBadInput);
      return std::string(error.what()).substr(scratch_.folder().string().size() + 1);
    }
    return "(no error)";
  }
  std::string of_claim(const std::string& rest) { return of(claim_text(rest)); }

  Scratch scratch_;
};

std::size_t rows_of(const Claims& claims, const std::string& id) {
  for (const Claim& claim : claims.list) {
    if (claim.id == id) return claim.rows.size();
  }
  return 0;
}

TEST(Claims, TheShippedFileLoads) {
  const Claims claims = read_claims(kData / "claims.json", kData);
  EXPECT_GE(claims.list.size(), 20U);
  EXPECT_EQ(rows_of(claims, "late-requests"), 7U * 13U * spec::kProperties);
  EXPECT_EQ(rows_of(claims, "conditional-bump-every-two-faults"), 14U * 13U / 2U);
  EXPECT_EQ(rows_of(claims, "conditional-bump-every-three-faults"), 14U * 13U * 12U / 6U);
  EXPECT_EQ(rows_of(claims, "cold-partitions"), 2U * 2U * 2U * spec::kProperties);
  EXPECT_EQ(rows_of(claims, "fix-leaves-other-bumps"), 2U * 4U);
  for (const Claim& claim : claims.list) {
    EXPECT_EQ(claim.expect == Expect::kHolds, claim.witnesses != 0) << claim.id;
  }
}

TEST(Claims, EveryRowsFaultsCanBePasted) {
  for (const Claim& claim : read_claims(kData / "claims.json", kData).list) {
    for (const ClaimRow& row : claim.rows) {
      EXPECT_EQ(spec::parse_faults(row.faults, row.instance.faults.budget), row.instance.faults);
    }
  }
}

TEST(Claims, ListsAreMultipliedOutInOrder) {
  Scratch scratch;
  const Claims claims = read_claims(
      scratch.write("c.json", claim_text(R"("variant": ["librdkafka-pr-4972", "librdkafka-2.15"],
        "instance": ["W", {"from": "W", "partitions": 1}], "faults": ["purge", "disconnect=1"],
        "budget": 1, "property": ["progress", "no-loss"], "expect": "open", "slow": true)")),
      kData);
  ASSERT_EQ(claims.list.size(), 1U);
  const std::vector<ClaimRow>& rows = claims.list[0].rows;
  ASSERT_EQ(rows.size(), 16U);
  EXPECT_TRUE(claims.list[0].slow);
  EXPECT_EQ(rows[0].variant, "librdkafka-pr-4972");
  EXPECT_EQ(rows[0].broker, "kafka-2.5-to-4.4");
  EXPECT_EQ(rows[0].property, spec::Property::kProgress);
  EXPECT_EQ(rows[1].property, spec::Property::kNoLoss);
  EXPECT_EQ(rows[2].faults, "disconnect=1");
  EXPECT_EQ(rows[4].instance_name, "");
  EXPECT_EQ(rows[4].instance.partitions, 1);
  EXPECT_EQ(rows[8].variant, "librdkafka-2.15");
}

TEST(Claims, ChooseTakesTheSharedFaultIntoEverySet) {
  Scratch scratch;
  const Claims claims = read_claims(
      scratch.write("c.json", claim_text(R"("variant": "librdkafka-2.15", "instance": "W",
        "faults": {"choose": 2, "with": "expiry", "of": "purge,disconnect"},
        "budget": 2, "property": "no-loss", "expect": "open")")),
      kData);
  const Claim& claim = claims.list.at(0);
  EXPECT_EQ(claim.shared_fault, "expiry");
  ASSERT_EQ(claim.rows.size(), 2U);
  EXPECT_EQ(claim.rows[0].faults, "expiry,disconnect");
  EXPECT_EQ(claim.rows[1].faults, "expiry,purge");
}

TEST(Claims, AFurtherVariantCountsAsOneOfEvery) {
  spec::Variant mine = spec::load_variant("librdkafka-2.15", kData / "variants");
  mine.name = "mine";
  const Claims claims = read_claims(kData / "claims.json", kData, {mine});
  EXPECT_TRUE(claims.clients.contains("mine"));
  EXPECT_EQ(rows_of(claims, "lost-producer-state"), 2 * spec::kProperties * claims.clients.size());
}

TEST_F(ClaimErrors, OfTheFile) {
  EXPECT_EQ(of(""), "c.json:1: the file is empty");
  EXPECT_EQ(of("{\"claims\":\n{}}"), "c.json:2: \"claims\" must be a list [...]");
  EXPECT_EQ(of("{\n\"claim\": []}"),
            "c.json:2: unknown key \"claim\" in a file of claims; did you mean \"claims\"?");
  EXPECT_EQ(of("{}"), "c.json:1: \"claims\" is missing");
  EXPECT_EQ(of("{\"claims\": [\n1]}"), "c.json:2: a claim must be an object {...}");
}

TEST_F(ClaimErrors, OfInstances) {
  EXPECT_EQ(of("{\"instances\": {\n\"W\": {\"partitions\": 5}}, \"claims\": []}"),
            "c.json:2: partitions must be 1 to 4");
  EXPECT_EQ(of("{\"instances\": {\n\"W\": {\"partitions\": 1.5}}, \"claims\": []}"),
            "c.json:2: \"partitions\" must be a whole number from 0 to 15");
  EXPECT_EQ(of("{\"instances\": {\n\"W\": {\"from\": \"V\"}}, \"claims\": []}"),
            "c.json:2: unknown instance \"V\"");
  EXPECT_EQ(of("{\"instances\": {\n\"W\": {\"warm\": 1}}, \"claims\": []}").substr(0, 45),
            "c.json:2: unknown key \"warm\" in an instance; ");
}

TEST_F(ClaimErrors, OfNames) {
  EXPECT_EQ(of_claim("\n\"expect\": \"open\", \"asks\": \"that\", \"variant\": \"every\", "
                     "\"instance\": \"W\", \"faults\": \"none\", \"budget\": 0, "
                     "\"property\": \"every\""),
            "c.json:4: \"asks\" must be a question that ends in ?");
  EXPECT_EQ(of_claim("\n\"expect\": \"hold\""),
            "c.json:4: \"expect\" must be holds, refuted or open, not \"hold\"");
  EXPECT_EQ(of_claim("\"expect\": \"holds\""),
            "c.json:3: a claim that holds must list the witnesses it has to reach");
  EXPECT_EQ(of_claim("\"expect\": \"holds\",\n\"witnesses\": [\"adopt\"]"),
            "c.json:4: unknown witness \"adopt\"; did you mean \"adopts\"?");
  EXPECT_EQ(of_claim("\"expect\": \"open\",\n\"variant\": \"librdkafka-2.16\""),
            "c.json:4: unknown variant \"librdkafka-2.16\"; did you mean \"librdkafka-2.15\"?");
  EXPECT_EQ(of_claim("\"expect\": \"open\",\n\"variant\": []"),
            "c.json:4: the list of variants is empty");
  const std::string client = "\"expect\": \"open\", \"variant\": \"librdkafka-2.15\",";
  EXPECT_EQ(of_claim(client + "\n\"broker\": \"kafka-4.6\""),
            "c.json:4: unknown broker \"kafka-4.6\"; did you mean \"kafka-4.5\"?");
  EXPECT_EQ(of_claim(client + "\n\"property\": [\"no-los\"]"),
            "c.json:4: unknown property \"no-los\"; did you mean \"no-loss\"?");
  EXPECT_EQ(of_claim(client + "\n\"property\": [\"no-loss\", \"no-loss\"]"),
            "c.json:4: the property \"no-loss\" stands twice");
}

TEST_F(ClaimErrors, OfFaultsAndBudgets) {
  const std::string head =
      R"("expect": "open", "variant": "librdkafka-2.15", "property": "every", "instance": "W",)";
  EXPECT_EQ(of_claim(head + "\n\"budget\": 16"),
            "c.json:4: \"budget\" must be a whole number from 0 to 15");
  EXPECT_EQ(of_claim(head + "\"budget\": 1,\n\"faults\": [\"purge\",\n\"purg\"]"),
            "c.json:5: unknown fault \"purg\"; did you mean \"purge\"? (`fencepost faults` lists "
            "them)");
  EXPECT_EQ(of_claim(head + "\"budget\": 1,\n\"faults\": [\"purge@3\"]"),
            "c.json:3: the faults speak of partition 3, but the instance has 2");
  EXPECT_EQ(of_claim(head + "\"budget\": 1,\n\"faults\": {\"choose\": 20}"),
            "c.json:4: \"choose\" must be a whole number from 1 to 14");
}

TEST_F(ClaimErrors, OfListsThatAskNothing) {
  const std::string head =
      R"("expect": "open", "variant": "librdkafka-2.15", "budget": 1, "property": "no-loss",)";
  EXPECT_EQ(of_claim(head + "\"faults\": \"purge\",\n\"instance\": []"),
            "c.json:4: the list of instances is empty");
  EXPECT_EQ(of_claim(head + "\"instance\": \"W\",\n\"faults\": []"),
            "c.json:4: \"faults\" must not be an empty list");
}

TEST_F(ClaimErrors, OfTwoClaimsWithOneId) {
  const std::string claim = R"({"id": "a", "says": "x", "expect": "open", "variant": "every",
    "property": "every", "instance": {}, "faults": "none", "budget": 0})";
  EXPECT_EQ(of("{\"claims\": [" + claim + ",\n" + claim + "]}"),
            "c.json:3: the claim \"a\" stands on line 1 already");
}

}  // namespace
}  // namespace fencepost::gate
