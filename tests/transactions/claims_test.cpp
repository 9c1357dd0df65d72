// The file of claims on the transactional model, and the verdicts of its rows.
#include "checker/transactions/claims.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <new>

#include "checker/transactions/run.h"
#include "spec/base.h"
#include "tests/support/transaction_cases.h"
#include "tests/unit/scratch.h"

namespace fencepost::testing::transactions {
namespace {

namespace fs = std::filesystem;
using checker::Verdict;
using fencepost::transactions::bit;
using fencepost::transactions::Claim;
using fencepost::transactions::Found;
using fencepost::transactions::Question;
using fencepost::transactions::read_claims;
using model::Property;

Question question(const std::string& client, const std::string& shape, const std::string& faults,
                  int budget) {
  return {client,
          "kip-360",
          "kafka-2.5",
          behaviour(client),
          instance(shape, faults, budget),
          faults,
          (1U << model::kProperties) - 1};
}

checker::Answer answer(const Question& question, Property property, std::uint64_t witnesses = 0) {
  const gate::Limits limits;
  const Found found = fencepost::transactions::search(question, limits);
  return fencepost::transactions::judge(question, found, limits, property, witnesses);
}

std::uint64_t note(model::Note n) { return std::uint64_t{1} << static_cast<unsigned>(n); }

TEST(TransactionVerdicts, HoldOnlyIfEverythingWasSeen) {
  const Question fine = question("java-3.9", "attempts=3,epochs=6,log=9", "message-timeout", 1);
  EXPECT_EQ(answer(fine, Property::kAtomic, note(model::Note::kAborted)).verdict,
            Verdict::kExhausted);
  const checker::Answer vacuous = answer(fine, Property::kAtomic, note(model::Note::kDeduplicated));
  EXPECT_EQ(vacuous.verdict, Verdict::kVacuous);
  EXPECT_EQ(vacuous.reason, "never reached: deduplicated");
  EXPECT_EQ(answer(fine, Property::kProgress).verdict, Verdict::kExhausted);
}

TEST(TransactionVerdicts, ABoundForbidsThem) {
  const checker::Answer bounded =
      answer(question("java-3.9", "attempts=1", "message-timeout", 1), Property::kAtomic);
  EXPECT_EQ(bounded.verdict, Verdict::kUnknown);
  EXPECT_EQ(bounded.reason.rfind("the bound on attempts was hit", 0), 0U) << bounded.reason;
  EXPECT_NE(bounded.reason.find("raise attempts"), std::string::npos) << bounded.reason;
}

TEST(TransactionVerdicts, NameWhatNeverHappened) {
  const checker::Answer answered =
      answer(question("java-3.9", "attempts=3,epochs=6,log=9", "message-timeout,late-bump", 1),
             Property::kAtomic);
  EXPECT_EQ(answered.remark, "never happened, so not covered: late-bump");
}

TEST(TransactionVerdicts, TellADeadlockFromALasso) {
  const Question hanging =
      question("java-3.9", "attempts=4,epochs=6,log=12", "late-produce,message-timeout,crash", 3);
  EXPECT_EQ(answer(hanging, Property::kProgress).kind, checker::PropertyKind::kDeadlock);
  const Question endless =
      question("librdkafka-2.15", "attempts=4,epochs=4,exhausted-at=1,ids=3,log=12",
               "answer-lost,message-timeout", 2);
  const checker::Answer loop = answer(endless, Property::kProgress);
  EXPECT_EQ(loop.verdict, Verdict::kRefuted);
  EXPECT_EQ(loop.kind, checker::PropertyKind::kLiveness);
}

/// The file's own claims, without the slow ones.
gate::GateResult run_all(const std::vector<Claim>& claims, unsigned parallel,
                         std::vector<gate::Claim>& copies) {
  std::vector<const gate::Claim*> selected;
  for (const Claim& claim : claims) copies.push_back(claim.claim);
  for (const gate::Claim& claim : copies) {
    if (!claim.slow) selected.push_back(&claim);
  }
  gate::GateOptions options;
  options.parallel = parallel;
  gate::GateResult result;
  fencepost::transactions::run_claims(claims, selected, options, result);
  return result;
}

TEST(TransactionClaims, AreAllMet) {
  const std::vector<Claim> claims = read_claims(data_folder());
  EXPECT_GE(claims.size(), 60U);
  std::vector<gate::Claim> copies;
  const gate::GateResult result = run_all(claims, 2, copies);
  for (const gate::RowResult& row : result.rows) {
    EXPECT_TRUE(row.status == gate::RowStatus::kAsClaimed || row.status == gate::RowStatus::kOpen)
        << row.claim->id << " " << row.answer.variant << " " << row.answer.property << ": "
        << name_of(row.answer.verdict) << " " << row.answer.reason;
    EXPECT_EQ(row.row->model, "transactions");
  }
}

TEST(TransactionClaims, ComeOutTheSameForAnyNumberOfThreads) {
  std::vector<Claim> claims = read_claims(data_folder());
  claims.resize(8);
  std::vector<gate::Claim> first;
  std::vector<gate::Claim> second;
  const gate::GateResult one = run_all(claims, 1, first);
  const gate::GateResult two = run_all(claims, 2, second);
  ASSERT_EQ(one.rows.size(), two.rows.size());
  for (std::size_t r = 0; r < one.rows.size(); ++r) {
    EXPECT_EQ(one.rows[r].answer.property, two.rows[r].answer.property);
    EXPECT_EQ(one.rows[r].answer.depth, two.rows[r].answer.depth);
    EXPECT_EQ(one.rows[r].answer.states, two.rows[r].answer.states);
  }
}

/// The file's claims with these ids, asked by `searcher`.
gate::GateResult ask(const std::vector<std::string>& ids, std::vector<gate::Claim>& copies,
                     const gate::GateOptions& options,
                     const fencepost::transactions::Searcher& searcher) {
  const std::vector<Claim> claims = read_claims(data_folder());
  for (const Claim& claim : claims) copies.push_back(claim.claim);
  std::vector<const gate::Claim*> selected;
  for (const gate::Claim& claim : copies) {
    if (std::find(ids.begin(), ids.end(), claim.id) != ids.end()) selected.push_back(&claim);
  }
  gate::GateResult result;
  fencepost::transactions::run_claims(claims, selected, options, result, searcher);
  return result;
}

TEST(TransactionClaims, WhatAnInterruptLeftOutCountsAsNotChecked) {
  std::atomic<bool> stop{true};
  gate::GateOptions options;
  options.limits.stop = &stop;
  int searched = 0;
  const auto searcher = [&](const Question&, const gate::Limits&) {
    ++searched;
    return Found{};
  };
  std::vector<gate::Claim> copies;
  const gate::GateResult result = ask({"lost-init-answer", "late-init"}, copies, options, searcher);
  EXPECT_EQ(searched, 0);
  EXPECT_TRUE(result.interrupted);
  ASSERT_GE(result.rows.size(), 3U);
  EXPECT_EQ(result.not_checked(), result.rows.size());
  EXPECT_EQ(result.count(gate::RowStatus::kUndecided), 0U);
  EXPECT_EQ(result.rows[0].answer.verdict, Verdict::kUnknown);
  EXPECT_EQ(result.rows[0].answer.reason, "interrupted");
  EXPECT_EQ(result.exit_code(), Exit::kInconclusive);
}

TEST(TransactionClaims, ASearchThatGetsNoMemoryIsUnknown) {
  const gate::GateOptions options;
  const auto searcher = [](const Question&, const gate::Limits&) -> Found {
    throw std::bad_alloc();
  };
  std::vector<gate::Claim> copies;
  const gate::GateResult result = ask({"lost-init-answer"}, copies, options, searcher);
  ASSERT_FALSE(result.rows.empty());
  for (const gate::RowResult& row : result.rows) {
    EXPECT_EQ(row.answer.verdict, Verdict::kUnknown);
    EXPECT_EQ(row.answer.reason.rfind("the system gave no more memory", 0), 0U)
        << row.answer.reason;
    EXPECT_EQ(row.status, gate::RowStatus::kUndecided);
    EXPECT_FALSE(row.interrupted);
  }
}

/// Without a fault a request of EndTxn is answered once: one that passes for a retry is that of an
/// instance whose transaction another one aborted.
TEST(TransactionClaims, AZombiesAbortPassesForARetryWithOneBumpOnly) {
  const gate::Limits limits;
  int asked = 0;
  for (const Claim& claim : read_claims(data_folder())) {
    if (claim.claim.id != "fenced-zombie-aborts" && claim.claim.id != "fenced-zombie-is-fenced") {
      continue;
    }
    for (const Question& q : claim.questions) {
      const Found found = fencepost::transactions::search(q, limits);
      EXPECT_EQ((found.facts.notes & note(model::Note::kEndRetryRecognised)) != 0,
                q.coordinator == "kip-890")
          << q.coordinator;
      EXPECT_FALSE(found.facts.stats.bounded()) << q.coordinator;
      ++asked;
    }
  }
  EXPECT_GE(asked, 3);
}

/// A copy of the data with this file of claims; what the reader says of it.
std::string complaint_about(const std::string& claim) {
  const Scratch scratch;
  for (const char* folder : {"clients", "coordinators", "brokers"}) {
    fs::copy(fs::path(data_folder()) / folder, scratch.folder() / folder,
             fs::copy_options::recursive);
  }
  scratch.write("claims.json", R"({"says": "s", "instances": {"one": {"attempts": 3}}, "claims": [)"
                               "\n" +
                                   claim + "]}");
  try {
    static_cast<void>(read_claims(scratch.folder()));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string claim_with(const std::string& client, const std::string& coordinator,
                       const std::string& faults, const std::string& rest) {
  return R"({"id": "c", "says": "s", "source": "t", "client": ")" + client +
         R"(", "coordinator": ")" + coordinator +
         R"(", "broker": "kafka-2.5", "instance": "one", "faults": ")" + faults +
         R"(", "budget": 1, "property": "atomic", )" + rest + "}";
}

TEST(TransactionClaims, MistakesAreToldWithTheirLine) {
  const std::string open = R"("expect": "open")";
  const auto expect = [](const std::string& claim, const std::string& part) {
    const std::string text = complaint_about(claim);
    EXPECT_NE(text.find("claims.json:2: " + part), std::string::npos) << text;
  };
  EXPECT_EQ(complaint_about(claim_with("java-3.9", "kip-360", "none", open)), "");
  expect(claim_with("java-3", "kip-360", "none", open), "unknown client \"java-3\"");
  expect(claim_with("java-3.9", "kip-36", "none", open), "unknown coordinator \"kip-36\"");
  expect(claim_with("java-3.9", "kip-360", "nothing", open), "unknown fault \"nothing\"");
  expect(claim_with("java-4.0", "kip-360", "none", open), "java-4.0 with kip-360 and kafka-2.5:");
  expect(claim_with("java-3.9", "kip-360", "none", R"("expect": "holds")"),
         "a claim that holds must list the witnesses it has to reach");
  expect(claim_with("java-3.9", "kip-360", "none", open + R"(, "witnesses": ["seen"])"),
         "unknown witness \"seen\"");
  expect(claim_with("java-3.9", "kip-360", "none", open + R"(, "witness": [])"),
         "unknown key \"witness\" in a claim");
  const std::string one = claim_with("java-3.9", "kip-360", "none", open);
  expect(one + "," + one, "the claim \"c\" stands on line 2 already");
}

}  // namespace
}  // namespace fencepost::testing::transactions
