// The gate against a checker made up for the test: sharing, judging, order, interruption.
#include "checker/gate/gate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

#include "checker/gate/explicit_task.h"
#include "checker/gate/gate_json.h"
#include "checker/gate/gate_table.h"
#include "checker/gate/judge.h"
#include "spec/instance_text.h"
#include "spec/model/model.h"
#include "tests/unit/gate_fixture.h"

namespace fencepost::gate {
namespace {

using checker::SearchEnd;
using checker::Verdict;
using spec::Property;

TEST(Gate, ClaimsOnOneQuestionShareASearch) {
  const Scratch scratch;
  const Claims claims = claims_of(
      scratch, claim("a", R"("no-duplicate")", "holds") + "," +
                   claim("b", R"("progress")", "refuted") + "," +
                   claim("c", R"("no-loss")", "open", R"("faults": "purge", "budget": 2)"));
  std::vector<std::uint32_t> asked;
  const GateResult result = run(claims, [&](const Task& task) {
    asked.push_back(task.properties);
    return clean(task);
  });
  EXPECT_EQ(asked,
            (std::vector<std::uint32_t>{bit(Property::kNoDuplicate) | bit(Property::kProgress),
                                        bit(Property::kNoLoss)}));
  EXPECT_EQ(result.searches, 2U);
  ASSERT_EQ(result.rows.size(), 3U);
  EXPECT_EQ(result.rows[0].status, RowStatus::kAsClaimed);
  EXPECT_EQ(result.rows[1].status, RowStatus::kNotMet);
  EXPECT_EQ(result.rows[2].status, RowStatus::kOpen);
  EXPECT_EQ(result.summary(), "3 claims: 1 as claimed, 1 open, 1 not met");
  EXPECT_EQ(result.exit_code(), Exit::kSafetyRefuted);
}

TEST(Gate, ARefutationMeetsAClaimOfOne) {
  const Scratch scratch;
  const Claims claims = claims_of(scratch, claim("a", R"("no-duplicate")", "refuted"));
  const GateResult result =
      run(claims, [](const Task& t) { return refuting(t, Property::kNoDuplicate); });
  EXPECT_EQ(result.rows[0].status, RowStatus::kAsClaimed);
  EXPECT_EQ(result.rows[0].answer.depth, 3U);
  EXPECT_EQ(result.rows[0].answer.partition, 1);
  EXPECT_EQ(result.exit_code(), Exit::kOk);
}

TEST(Gate, ARefutationAsClaimedIsAskedOfTheOtherEngine) {
  const Scratch scratch;
  const Claims claims = claims_of(scratch, claim("a", R"("no-duplicate")", "refuted") + "," +
                                               claim("b", R"("no-duplicate")", "open"));
  const Checker checker = [](const Task& t) { return refuting(t, Property::kNoDuplicate); };
  GateOptions options;
  int asked = 0;
  options.refuter = [&](const Task& task, Property property, std::uint32_t depth) {
    ++asked;
    EXPECT_EQ(task.properties, bit(property));
    return fmt::format("{} too", depth);
  };
  GateResult result = run_gate(claims, select(claims, {}, true), checker, options);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(result.rows[0].proof, "3 too");
  EXPECT_EQ(result.rows[1].proof, "") << "an open claim says nothing to confirm";
  options.refuter = [](const Task&, Property, std::uint32_t) -> std::string {
    throw Error(Exit::kInternal, "they disagree");
  };
  result = run_gate(claims, select(claims, {}, true), checker, options);
  EXPECT_EQ(result.rows[0].answer.verdict, Verdict::kError);
  EXPECT_EQ(result.rows[0].answer.reason, "they disagree");
  EXPECT_EQ(result.rows[1].answer.verdict, Verdict::kRefuted);
  EXPECT_EQ(result.exit_code(), Exit::kInternal);
}

TEST(Gate, AMissingWitnessMakesAHoldingClaimVacuous) {
  const Scratch scratch;
  const Claims claims = claims_of(scratch, claim("a", R"("no-loss")", "holds"));
  const GateResult result = run(claims, [](const Task& task) {
    TaskResult r = clean(task);
    r.notes &= ~(std::uint64_t{1} << static_cast<unsigned>(spec::Note::kAdopts));
    return r;
  });
  EXPECT_EQ(result.rows[0].answer.verdict, Verdict::kVacuous);
  EXPECT_EQ(result.rows[0].answer.reason, "never reached: adopts");
  EXPECT_EQ(result.rows[0].status, RowStatus::kNotMet);
}

TEST(Gate, AFaultThatNeverHappenedIsNamedWhereSomethingHolds) {
  const Scratch scratch;
  const Claims claims = claims_of(
      scratch,
      claim("a", R"("no-loss")", "holds", R"("faults": "disconnect,purge,expiry", "budget": 1)"));
  const Checker checker = [](const Task& task) {
    TaskResult r = clean(task);
    const spec::Model model(task.behaviour, task.instance);
    for (std::size_t a = 0; a < model.action_count(); ++a) {
      r.stats.fired.push_back(model.action(a).kind == spec::ActionKind::kPurge ? 1 : 0);
    }
    return r;
  };
  const GateResult result = run(claims, checker);
  const std::string remark = "never happened, so not covered: disconnect, expiry";
  EXPECT_EQ(result.rows[0].answer.remark, remark);
  EXPECT_NE(gate_table(result, {}).find(remark), std::string::npos);
  const GateResult refuted = run(claims, [&](const Task& task) {
    TaskResult r = checker(task);
    r.findings = refuting(task, Property::kNoLoss).findings;
    return r;
  });
  EXPECT_EQ(refuted.rows[0].answer.remark, "");
}

TEST(Gate, AHitBoundForbidsHolding) {
  const Scratch scratch;
  const Claims claims = claims_of(scratch, claim("a", R"("no-loss")", "holds"));
  const GateResult result = run(claims, [](const Task& task) {
    TaskResult r = clean(task);
    r.stats.bound_hits[0] = 7;
    return r;
  });
  EXPECT_EQ(result.rows[0].answer.verdict, Verdict::kUnknown);
  EXPECT_EQ(result.rows[0].answer.reason, "the bound on epochs was hit 7 times: raise --epochs");
  EXPECT_EQ(result.rows[0].status, RowStatus::kUndecided);
  EXPECT_EQ(result.exit_code(), Exit::kInconclusive);
}

TEST(Gate, AHitBoundForbidsBoundedToo) {
  const Scratch scratch;
  const Claims claims = claims_of(scratch, claim("a", R"(["no-loss", "progress"])", "open"));
  TaskResult found;
  const Checker checker = [&found](const Task&) { return found; };
  found.end = SearchEnd::kDepth;
  GateResult result = run(claims, checker);
  EXPECT_EQ(result.rows[0].answer.verdict, Verdict::kBounded);
  EXPECT_EQ(result.rows[1].answer.verdict, Verdict::kUnknown);
  found.stats.bound_hits[0] = 7;
  result = run(claims, checker);
  EXPECT_EQ(result.rows[0].answer.verdict, Verdict::kUnknown);
  EXPECT_EQ(result.rows[0].answer.reason, "the bound on epochs was hit 7 times: raise --epochs");
  EXPECT_EQ(result.rows[1].answer.verdict, Verdict::kUnknown);
}

TEST(Gate, ARunThatCannotGoOnIsADeadlock) {
  const Scratch scratch;
  const Claims claims = claims_of(scratch, claim("a", R"("progress")", "refuted"));
  for (const bool loops : {false, true}) {
    const GateResult result = run(claims, [loops](const Task& task) {
      TaskResult r = clean(task);
      r.findings.push_back({Property::kProgress, -1, {0, 1}, {}});
      if (loops) r.findings[0].loop = {2};
      return r;
    });
    const checker::Answer& answer = result.rows[0].answer;
    EXPECT_EQ(answer.kind,
              loops ? checker::PropertyKind::kLiveness : checker::PropertyKind::kDeadlock);
    EXPECT_EQ(checker::exit_code(answer.verdict, answer.kind),
              loops ? Exit::kLivenessRefuted : Exit::kDeadlock);
  }
}

TEST(Gate, ASearchThatStoppedSaysWhyAndNeverHolds) {
  const Scratch scratch;
  const Claims claims = claims_of(scratch, claim("a", R"(["no-loss", "progress"])", "holds"));
  for (const SearchEnd end :
       {SearchEnd::kMemory, SearchEnd::kTime, SearchEnd::kInterrupted, SearchEnd::kDepth}) {
    const GateResult result = run(claims, [end](const Task& task) {
      TaskResult r = clean(task);
      r.end = end;
      r.progress_checked = false;
      return r;
    });
    for (const RowResult& row : result.rows) {
      EXPECT_FALSE(checker::holds(row.answer.verdict));
      EXPECT_FALSE(row.answer.reason.empty());
      EXPECT_EQ(row.status, RowStatus::kUndecided);
    }
    EXPECT_EQ(result.exit_code(), Exit::kInconclusive);
  }
}

TEST(Gate, ProgressThatWasNotLookedAtIsAnErrorOfOurs) {
  const Scratch scratch;
  const Claims claims = claims_of(scratch, claim("a", R"("progress")", "open"));
  const GateResult result = run(claims, [](const Task& task) {
    TaskResult r = clean(task);
    r.progress_checked = false;
    return r;
  });
  EXPECT_EQ(result.rows[0].answer.verdict, Verdict::kError);
  EXPECT_EQ(result.exit_code(), Exit::kInternal);
}

TEST(Gate, MemoryThatTheSystemRefusesIsUnknown) {
  const Scratch scratch;
  const Claims claims = claims_of(scratch, claim("a", R"("no-loss")", "holds"));
  const GateResult result = run(claims, [](const Task&) -> TaskResult { throw std::bad_alloc(); });
  EXPECT_EQ(result.rows[0].answer.verdict, Verdict::kUnknown);
  EXPECT_EQ(result.rows[0].answer.reason,
            "the system gave no more memory after 0 states: lower --memory or --threads");
  EXPECT_EQ(result.exit_code(), Exit::kInconclusive);
}

TEST(Gate, AnExceptionOfTheCheckerBecomesAnErrorOfItsRowsOnly) {
  const Scratch scratch;
  const Claims claims = claims_of(
      scratch, claim("a", R"("no-loss")", "open") + "," +
                   claim("b", R"("no-loss")", "holds", R"("faults": "expiry", "budget": 1)"));
  const GateResult result = run(claims, [](const Task& task) {
    if (task.instance.faults.allows(spec::Fault::kPurge)) throw std::runtime_error("broken");
    return clean(task);
  });
  EXPECT_EQ(result.rows[0].answer.verdict, Verdict::kError);
  EXPECT_EQ(result.rows[0].answer.reason, "broken");
  EXPECT_EQ(result.rows[1].status, RowStatus::kAsClaimed);
  EXPECT_EQ(result.exit_code(), Exit::kInternal);
}

TEST(Gate, StopLeavesTheRestUnknown) {
  const Scratch scratch;
  const Claims claims = claims_of(
      scratch, claim("a", R"("no-loss")", "open", R"("faults": {"choose": 1}, "budget": 1)"));
  std::atomic<bool> stop{false};
  int searched = 0;
  GateOptions options;
  options.limits.stop = &stop;
  const GateResult result = run_gate(
      claims, select(claims, {}, false),
      [&](const Task& task) {
        if (++searched == 3) stop = true;
        return clean(task);
      },
      options);
  EXPECT_EQ(searched, 3);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.rows[2].answer.verdict, Verdict::kExhausted);
  EXPECT_EQ(result.rows[3].answer.verdict, Verdict::kUnknown);
  EXPECT_EQ(result.rows[3].answer.reason, "interrupted");
  EXPECT_EQ(result.exit_code(), Exit::kInconclusive);
  // What is known, and one line for the rest.
  const std::string table = gate_table(result, {});
  EXPECT_NE(table.find("3 sets (11 not checked); 1"), std::string::npos) << table;
  EXPECT_NE(
      table.find("3 claims: 0 as claimed, 3 open, 0 not met\ninterrupted: 11 of 14 claims were "
                 "not checked, and their verdict is unknown\n"),
      std::string::npos)
      << table;
  EXPECT_EQ(table.find("interrupted"), table.rfind("interrupted")) << table;
  const auto json = nlohmann::json::parse(gate_json(result));
  EXPECT_EQ(json["claims"].size(), 14U);
  EXPECT_EQ(json["summary"]["not-checked"], 11);
}

TEST(Gate, TheTableDoesNotDependOnThreads) {
  const Claims claims = read_claims(kData / "claims.json", kData);
  const Checker checker = [](const Task& task) {
    const bool bad = task.instance.faults.allows(spec::Fault::kDisconnect);
    return bad ? refuting(task, Property::kNoDuplicate) : clean(task);
  };
  const GateResult one = run(claims, checker, 1);
  const GateResult four = run(claims, checker, 4);
  EXPECT_EQ(gate_table(one, {}), gate_table(four, {}));
}

TEST(Gate, SelectsByIdAndPatternAndLeavesOutSlowClaims) {
  const Scratch scratch;
  const Claims claims = claims_of(
      scratch,
      claim("a-1", R"("no-loss")", "open") + "," + claim("a-2", R"("no-loss")", "open") + "," +
          claim("b", R"("no-loss")", "open", R"("slow": true, "faults": "purge", "budget": 1)"));
  EXPECT_EQ(select(claims, {}, false).size(), 2U);
  EXPECT_EQ(select(claims, {}, true).size(), 3U);
  EXPECT_EQ(select(claims, {"a-?"}, false).size(), 2U);
  EXPECT_EQ(select(claims, {"b"}, false).size(), 1U);
  EXPECT_EQ(select(claims, {"*"}, false).size(), 3U);
  try {
    select(claims, {"a-3"}, false);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Exit::kUsage);
    EXPECT_STREQ(error.what(), "no claim matches \"a-3\"; did you mean \"a-1\"?");
  }
}

TEST(GateTable, FoldsASweepAndNamesWhatRefutes) {
  const Scratch scratch;
  const Claims claims =
      claims_of(scratch, claim("sweep", R"(["no-duplicate", "no-loss", "in-order"])", "open",
                               R"("faults": {"choose": 2, "with": "late-request"}, "budget": 2)"));
  const GateResult result = run(claims, [](const Task& task) {
    const bool bad = task.instance.faults.allows(spec::Fault::kDisconnect) ||
                     task.instance.faults.allows(spec::Fault::kPurge);
    return bad ? refuting(task, Property::kNoDuplicate) : clean(task);
  });
  const std::string table = gate_table(result, {});
  EXPECT_NE(table.find("13 sets with late-request; 2"), std::string::npos) << table;
  EXPECT_NE(table.find("refuted in 2: disconnect, purge\n"), std::string::npos) << table;
  EXPECT_NE(table.find("the other 2"), std::string::npos) << table;
  EXPECT_NE(table.find("39 claims: 0 as claimed, 39 open, 0 not met\n"), std::string::npos);
}

TEST(GateTable, AFoldedSweepSaysNoMoreThanTheWeakestOfItsRows) {
  const Scratch scratch;
  const Claims claims =
      claims_of(scratch, claim("sweep", "\"no-duplicate\"", "open",
                               R"("faults": {"choose": 2, "with": "late-request"}, "budget": 2)"));
  const auto row_of = [&](bool refuted) {
    const GateResult result = run(claims, [&](const Task& task) {
      if (task.instance.faults.allows(spec::Fault::kPurge) && refuted) {
        return refuting(task, Property::kNoDuplicate);
      }
      TaskResult one = clean(task);
      if (task.instance.faults.allows(spec::Fault::kDisconnect)) one.end = SearchEnd::kTime;
      return one;
    });
    const std::string table = gate_table(result, {});
    const auto at = table.find("13 sets");
    EXPECT_NE(table.find("unknown in 1: disconnect"), std::string::npos) << table;
    return table.substr(at, table.find('\n', at) - at);
  };
  EXPECT_NE(row_of(false).find("unknown"), std::string::npos) << row_of(false);
  EXPECT_NE(row_of(true).find("refuted"), std::string::npos) << row_of(true);
}

TEST(GateTable, KeepsItsWidth) {
  const Claims claims = read_claims(kData / "claims.json", kData);
  const std::string table = gate_table(run(claims, clean), {});
  std::size_t longest = 0;
  for (std::size_t at = 0; at < table.size();) {
    const std::size_t end = table.find('\n', at);
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  EXPECT_LE(longest, 130U);
}

TEST(GateTable, ColoursOnlyWhenAsked) {
  const Scratch scratch;
  const Claims claims = claims_of(scratch, claim("a", R"("no-loss")", "holds"));
  EXPECT_EQ(gate_table(run(claims, clean), {}).find('\x1b'), std::string::npos);
  EXPECT_NE(gate_table(run(claims, clean), {true, 130}).find("\x1b[32mok"), std::string::npos);
}

TEST(GateJson, HasEveryRowAndTheSummary) {
  const Scratch scratch;
  const Claims claims = claims_of(scratch, claim("a", R"(["no-loss", "progress"])", "holds"));
  const auto json = nlohmann::json::parse(gate_json(run(claims, clean)));
  ASSERT_EQ(json["claims"].size(), 2U);
  const auto& row = json["claims"][1];
  EXPECT_EQ(row["claim"], "a");
  EXPECT_EQ(row["status"], "as claimed");
  EXPECT_EQ(row["property"], "progress");
  EXPECT_EQ(row["verdict"], "exhausted");
  EXPECT_EQ(row["faults"], "purge");
  EXPECT_EQ(row["budget"], 1);
  EXPECT_EQ(row["bounds"]["partitions"], 2);
  EXPECT_TRUE(row["partition"].is_null());
  EXPECT_EQ(json["summary"]["as-claimed"], 2);
}

TEST(ExplicitChecker, TakesOverWhyProgressWasNotChecked) {
  checker::SearchResult found;
  found.progress_end = SearchEnd::kMemory;
  found.notes = 5;
  const TaskResult result = result_of(found);
  EXPECT_EQ(result.progress_end, SearchEnd::kMemory);
  EXPECT_EQ(result.notes, 5U);
  Task task;
  task.properties = bit(Property::kProgress);
  EXPECT_EQ(judge(task, result, Property::kProgress, 0).verdict, Verdict::kUnknown);
}

TEST(ExplicitChecker, ACounterexampleThatShowsNothingIsAnError) {
  const Task task{spec::combine(spec::load_variant("librdkafka-2.15", kData / "variants"),
                                spec::load_variant("kafka-2.5-to-4.4", kData / "brokers")),
                  {},
                  bit(Property::kNoLoss),
                  "spec",
                  {}};
  const spec::Model model(task.behaviour, task.instance);
  TaskResult result;
  add_confirmed(model, task, {Property::kNoLoss, -1, {}, {}}, result);
  EXPECT_EQ(judge(task, result, Property::kNoLoss, 0).verdict, Verdict::kError);
}

TEST(ExplicitChecker, FindsAndReplaysACounterexampleOfTheSpec) {
  Task task;
  task.behaviour = spec::combine(spec::load_variant("librdkafka-2.15", kData / "variants"),
                                 spec::load_variant("kafka-2.5-to-4.4", kData / "brokers"));
  task.instance.faults = spec::parse_faults("disconnect,message-timeout", 2);
  task.properties = bit(Property::kNoDuplicate);
  const TaskResult result = check_explicitly(task);
  EXPECT_EQ(result.error, "");
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].property, Property::kNoDuplicate);
  EXPECT_GE(result.findings[0].partition, 0);
}

}  // namespace
}  // namespace fencepost::gate
