// A variant beside its base: which questions are asked, which rows are better or worse, and what is
// said of that in the end.
#include "checker/gate/compare.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "checker/gate/gate_json.h"
#include "checker/gate/gate_table.h"
#include "spec/instance_text.h"
#include "tests/unit/gate_fixture.h"

namespace fencepost::gate {
namespace {

using checker::Verdict;
using spec::Property;

const std::filesystem::path kVariants = kData / "variants";

/// A variant that starts from librdkafka-2.15 and does not bump on a later OUT_OF_ORDER.
spec::Variant mine(const Scratch& scratch) {
  const auto file = scratch.write("mine.json", R"({"variant": "mine", "kind": "client", "says": "x",
    "from": "librdkafka-2.15",
    "entries": {"out-of-order.later": {"is": "retry", "source": "an idea"}}})");
  return spec::load_variant(file.string(), kVariants);
}

bool is_mine(const Task& task) {
  const spec::Variant base = spec::load_variant("librdkafka-2.15", kVariants);
  const spec::Variant broker = spec::load_variant("kafka-2.5-to-4.4", kData / "brokers");
  return task.behaviour != spec::combine(base, broker);
}

/// Refutes no-duplicate of the base, and of the other one what is asked for.
Checker changing(std::optional<Property> worse) {
  return [worse](const Task& task) {
    if (!is_mine(task)) return refuting(task, Property::kNoDuplicate);
    if (!worse) return clean(task);
    TaskResult result = refuting(task, *worse);
    if (*worse == Property::kProgress) result.findings[0].loop = {1};
    return result;
  };
}

class Compare : public ::testing::Test {
 protected:
  GateResult run_mine(const std::string& list, const Checker& checker,
                      const std::atomic<bool>* stop = nullptr) {
    const spec::Variant variant = mine(scratch_);
    asked_ = ask_of(claims_of(scratch_, list), variant, base_of(variant, kVariants, "unused"));
    GateOptions options;
    options.limits.stop = stop;
    return run_gate(asked_, select(asked_, {}, true), checker, options);
  }

  Scratch scratch_;
  Claims asked_;  ///< results point into it
};

const std::string kTwo = claim("first", R"(["no-duplicate", "no-loss"])", "refuted") + "," +
                         claim("second", R"(["no-duplicate", "progress"])", "refuted",
                               R"("faults": "disconnect", "budget": 1)");

TEST(AskOf, AskingAnotherVariantRemarksOnMissingWitnesses) {
  const Scratch scratch;
  const Claims claims = claims_of(scratch, claim("a", R"(["no-loss", "in-order"])", "holds"));
  const Claims asked = ask_of(claims, claims.clients.at("librdkafka-2.15"));
  const GateResult result = run(asked, [](const Task& task) {
    TaskResult r = clean(task);
    r.notes = 0;
    return r;
  });
  EXPECT_EQ(result.rows[0].answer.verdict, Verdict::kExhausted);
  EXPECT_EQ(result.rows[0].answer.remark, "never reached: adopts");
  EXPECT_EQ(result.exit_code(), Exit::kOk);
  const std::string table = gate_table(result, {});
  EXPECT_NE(table.find("all 2"), std::string::npos) << table;
  EXPECT_NE(table.find("never reached: adopts"), std::string::npos) << table;
}

TEST(AskOf, AsksTheClaimsQuestionsOfAnotherVariantOnce) {
  const Claims claims = read_claims(kData / "claims.json", kData);
  spec::Variant mine = claims.clients.at("librdkafka-2.15");
  mine.name = "mine";
  const Claims asked = ask_of(claims, mine);
  std::set<std::string> questions;
  for (const Claim& c : asked.list) {
    EXPECT_EQ(c.expect, Expect::kOpen);
    EXPECT_FALSE(c.rows.empty());
    for (const ClaimRow& row : c.rows) {
      EXPECT_EQ(row.variant, "mine");
      const spec::Instance& i = row.instance;
      EXPECT_TRUE(questions
                      .insert(fmt::format("{} {} {} {} {}", row.broker, spec::instance_text(i),
                                          spec::faults_text(i.faults), i.faults.budget,
                                          static_cast<int>(row.property)))
                      .second);
    }
  }
}

TEST(AskOf, EveryClaimIsAQuestionToOthers) {
  for (const Claim& claim : read_claims(kData / "claims.json", kData).list) {
    EXPECT_TRUE(claim.asks.ends_with('?')) << claim.id;
    EXPECT_EQ(claim.asks.find("hold?"), std::string::npos) << claim.id << " has none of its own";
  }
  const Scratch scratch;
  const Claims claims = claims_of(scratch, claim("a", R"(["no-loss", "in-order"])", "holds"));
  EXPECT_EQ(claims.list[0].asks, "do no-loss, in-order hold?");
  const Claims asked = ask_of(claims, claims.clients.at("librdkafka-2.15"));
  EXPECT_EQ(asked.list[0].says, "do no-loss, in-order hold?");
}

TEST(BaseOf, IsWhatAVariantStartsFromOrTheUsualClient) {
  const Scratch scratch;
  const Base base = base_of(mine(scratch), kVariants, "unused");
  ASSERT_TRUE(base.variant.has_value());
  EXPECT_EQ(base.variant->name, "librdkafka-2.15");
  EXPECT_EQ(base.why, "from which mine starts");

  spec::Variant root = spec::load_variant("librdkafka-2.15", kVariants);
  EXPECT_FALSE(base_of(root, kVariants, "librdkafka-2.15").variant.has_value());
  root.name = "copy";
  const Base same = base_of(root, kVariants, "librdkafka-2.15");
  EXPECT_FALSE(same.variant.has_value());
  EXPECT_EQ(same.why,
            "copy starts from nothing and has the entries of librdkafka-2.15, so there is nothing "
            "to compare");
  root.behaviour = mine(scratch).behaviour;
  const Base usual = base_of(root, kVariants, "librdkafka-2.15");
  ASSERT_TRUE(usual.variant.has_value());
  EXPECT_EQ(usual.variant->name, "librdkafka-2.15");
  EXPECT_EQ(usual.why, "the client of the field, as copy starts from nothing");
}

TEST(BaseOf, MayStandBesideTheVariant) {
  const Scratch scratch;
  mine(scratch);
  const auto file = scratch.write("next.json", R"({"variant": "next", "kind": "client", "says": "x",
    "from": "mine", "entries": {"purge.bumps": {"is": "yes", "source": "an idea"}}})");
  const Base base = base_of(spec::load_variant(file.string(), kVariants), kVariants, "unused");
  ASSERT_TRUE(base.variant.has_value());
  EXPECT_EQ(base.variant->name, "mine");
}

TEST_F(Compare, MarksEveryRowByWhatChanged) {
  const GateResult result = run_mine(kTwo, changing(Property::kProgress));
  ASSERT_EQ(result.rows.size(), 4U);
  const std::vector<Change> changes{result.rows[0].change, result.rows[1].change,
                                    result.rows[2].change, result.rows[3].change};
  EXPECT_EQ(changes,
            (std::vector<Change>{Change::kBetter, Change::kSame, Change::kBetter, Change::kWorse}));
  EXPECT_EQ(result.rows[0].answer.variant, "mine");
  EXPECT_EQ(result.rows[0].base->variant, "librdkafka-2.15");
  EXPECT_EQ(result.rows[0].base->verdict, Verdict::kRefuted);
  EXPECT_EQ(result.exit_code(), Exit::kLivenessRefuted);
  EXPECT_EQ(
      comparison_lines(result),
      (std::vector<std::string>{
          "4 rows compared with librdkafka-2.15, from which mine starts: 2 better, 1 worse, 1 "
          "the same.",
          "better: was refuted, now holds", "  no-duplicate: first, second",
          "worse: held, is now refuted", "  progress: second",
          "No safety property got worse; progress did."}));
}

TEST_F(Compare, SaysWhenSafetyGotWorse) {
  const GateResult result = run_mine(kTwo, changing(Property::kNoLoss));
  EXPECT_EQ(result.exit_code(), Exit::kSafetyRefuted);
  EXPECT_EQ(comparison_lines(result).back(), "Safety got worse: no-loss.");
}

TEST_F(Compare, IsContentWhenNothingGotWorse) {
  GateResult result = run_mine(kTwo, changing({}));
  EXPECT_EQ(result.exit_code(), Exit::kOk);
  EXPECT_EQ(comparison_lines(result).back(), "Nothing got worse.");
  result = run_mine(kTwo, clean);
  EXPECT_EQ(result.exit_code(), Exit::kOk);
  EXPECT_EQ(comparison_lines(result).back(), "Nothing changed.");
}

TEST_F(Compare, ARowWithoutAnAnswerIsNotCompared) {
  const GateResult result = run_mine(kTwo, [](const Task& task) {
    TaskResult found = clean(task);
    const bool disconnect = task.instance.faults.allows(spec::Fault::kDisconnect);
    if (disconnect && !is_mine(task)) found.end = checker::SearchEnd::kTime;
    return found;
  });
  EXPECT_EQ(result.rows[2].change, Change::kNoAnswer);
  EXPECT_EQ(result.exit_code(), Exit::kInconclusive);
  const std::vector<std::string> lines = comparison_lines(result);
  EXPECT_EQ(
      lines.front(),
      "4 rows compared with librdkafka-2.15, from which mine starts: 0 better, 0 worse, 2 the "
      "same, 2 without an answer.");
  EXPECT_EQ(lines.back(), "Of the rows with an answer: Nothing changed.");
}

TEST_F(Compare, AFailedCheckOfTheBaseIsOurFailure) {
  const GateResult result = run_mine(kTwo, [](const Task& task) {
    TaskResult found = clean(task);
    if (!is_mine(task)) found.error = "broken";
    return found;
  });
  EXPECT_EQ(result.exit_code(), Exit::kInternal);
}

TEST_F(Compare, TheTableShowsBothVerdictsAndAssertsNothingElse) {
  const std::string table = gate_table(run_mine(kTwo, changing(Property::kProgress)), {});
  EXPECT_NE(table.find("first (W, kafka-2.5-to-4.4): do no-duplicate, no-loss hold?\n"),
            std::string::npos)
      << table;
  EXPECT_EQ(table.find("said"), std::string::npos) << table;
  EXPECT_NE(table.find("better   purge; 1       no-duplicate -     refuted   exhausted explicit"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("worse    disconnect; 1  progress     1     exhausted refuted   explicit"),
            std::string::npos)
      << table;
  EXPECT_TRUE(table.ends_with("No safety property got worse; progress did.\n")) << table;
}

TEST_F(Compare, AFoldedSweepNamesTheSetsThatChanged) {
  const std::string sweep =
      claim("sweep", "\"no-duplicate\"", "open",
            R"("faults": {"choose": 2, "with": "late-request"}, "budget": 2)");
  const std::string table =
      gate_table(run_mine(sweep,
                          [](const Task& task) {
                            const auto allows = [&](spec::Fault fault) {
                              return task.instance.faults.allows(fault);
                            };
                            const bool bad = is_mine(task) ? allows(spec::Fault::kPurge)
                                                           : allows(spec::Fault::kExpiry);
                            return bad ? refuting(task, Property::kNoDuplicate) : clean(task);
                          }),
                 {});
  EXPECT_NE(table.find("mixed    13 sets with late-request; 2"), std::string::npos) << table;
  EXPECT_NE(table.find("better in 1: expiry\n"), std::string::npos) << table;
  EXPECT_NE(table.find("worse in 1: purge\n"), std::string::npos) << table;
}

TEST_F(Compare, AnInterruptedRunComparesWhatItHas) {
  std::atomic<bool> stop{false};
  int searches = 0;
  const GateResult result = run_mine(
      kTwo,
      [&](const Task& task) {
        if (++searches == 2) stop = true;
        return clean(task);
      },
      &stop);
  EXPECT_EQ(result.not_checked(), 2U);
  EXPECT_EQ(result.exit_code(), Exit::kInconclusive);
  const std::string table = gate_table(result, {});
  EXPECT_NE(table.find("2 rows compared"), std::string::npos) << table;
  EXPECT_TRUE(
      table.ends_with("Of the rows with an answer: Nothing changed.\ninterrupted: 2 of 4 "
                      "claims were not checked, and their verdict is unknown\n"))
      << table;
}

TEST_F(Compare, JsonHasBothVerdictsAndTheSentence) {
  const auto json = nlohmann::json::parse(gate_json(run_mine(kTwo, changing(Property::kProgress))));
  ASSERT_EQ(json["claims"].size(), 4U);
  EXPECT_EQ(json["claims"][0]["change"], "better");
  EXPECT_EQ(json["claims"][0]["base"]["verdict"], "refuted");
  EXPECT_EQ(json["claims"][3]["change"], "worse");
  EXPECT_EQ(json["comparison"]["base"], "librdkafka-2.15");
  EXPECT_EQ(json["comparison"]["better"], 2);
  EXPECT_EQ(json["comparison"]["worse"], 1);
  EXPECT_EQ(
      json["comparison"]["says"],
      "4 rows compared with librdkafka-2.15, from which mine starts: 2 better, 1 worse, 1 the "
      "same. No safety property got worse; progress did.");
}

}  // namespace
}  // namespace fencepost::gate
