// Counterexamples of endless instances, replayed where nothing is forgotten.
#include "checker/transactions/history.h"

#include <gtest/gtest.h>

#include "tests/support/transaction_cases.h"

namespace fencepost::testing::transactions {
namespace {

using checker::Verdict;
using fencepost::transactions::Finding;
using fencepost::transactions::finding_for;
using fencepost::transactions::Found;
using fencepost::transactions::HistoryReplay;
using fencepost::transactions::Question;
using fencepost::transactions::remark_of;
using fencepost::transactions::replay_with_history;
using model::Property;
using End = HistoryReplay::End;

Question endless(const std::string& client, const std::string& coordinator,
                 const std::string& broker, const std::string& shape, const std::string& faults,
                 int budget) {
  Question question{client,
                    coordinator,
                    broker,
                    behaviour(client, coordinator, broker),
                    instance(shape, faults, budget),
                    faults,
                    ((1U << model::kProperties) - 1) & ~model::needs_history()};
  question.instance.endless = true;
  return question;
}

/// The zombie that goes on aborting: progress is refuted by a loop.
Question waiting() {
  return endless("java-4.0", "kip-890", "kafka-4.0",
                 "producers=2,offsets,attempts=4,epochs=12,log=12", "none", 0);
}

checker::Answer answer(const Question& question, const Found& found, Property property) {
  return fencepost::transactions::judge(question, found, {}, property, 0);
}

TEST(HistoryReplay, ConfirmsALoopThatFits) {
  const Question question = waiting();
  const Found found = fencepost::transactions::search(question, {});
  EXPECT_EQ(found.facts.error, "");
  const Finding* loop = finding_for(found, Property::kProgress);
  ASSERT_NE(loop, nullptr);
  ASSERT_FALSE(loop->loop.empty());
  const model::Model system(question.behaviour, question.instance);
  const HistoryReplay replay = replay_with_history(system, *loop);
  EXPECT_EQ(replay.end, End::kShows);
  EXPECT_EQ(replay.steps, loop->depth());
  const checker::Answer answered = answer(question, found, Property::kProgress);
  EXPECT_EQ(answered.verdict, Verdict::kRefuted);
  EXPECT_EQ(answered.remark, "");
}

TEST(HistoryReplay, SaysWhichBoundEndsIt) {
  const Question question = waiting();
  Found found = fencepost::transactions::search(question, {});
  const Finding* loop = finding_for(found, Property::kProgress);
  ASSERT_NE(loop, nullptr);
  const model::Model system(question.behaviour, question.instance);
  Finding often = *loop;  // as much a loop as the one round
  for (int round = 0; round < 20; ++round) {
    often.loop.insert(often.loop.end(), loop->loop.begin(), loop->loop.end());
  }
  const HistoryReplay replay = replay_with_history(system, often);
  EXPECT_EQ(replay.end, End::kBound);
  EXPECT_GT(replay.steps, loop->depth());
  EXPECT_LT(replay.steps, often.depth());
  EXPECT_NE(replay.bounds, 0U);
  Found again;
  fencepost::transactions::add_confirmed(system, often, "shows nothing", again);
  EXPECT_EQ(again.facts.error, "");
  const std::string remark = answer(question, again, Property::kProgress).remark;
  EXPECT_EQ(remark, remark_of(replay, often));
  EXPECT_NE(remark.find("without forgetting replayed for"), std::string::npos) << remark;
  EXPECT_NE(remark.find("the bound on "), std::string::npos) << remark;
}

TEST(HistoryReplay, ConfirmsWhatViolatesAndRefusesWhatDoesNot) {
  const Question question = endless(
      "bump-inside-transaction", "kip-98", "kafka-2.5",
      "partitions=2,messages=2,in-flight=2,inputs=2,attempts=5,epochs=7,log=14", "not-leader", 1);
  const Found found = fencepost::transactions::search(question, {});
  EXPECT_EQ(found.facts.error, "");
  const model::Model system(question.behaviour, question.instance);
  const Finding* reset = finding_for(found, Property::kNoResetInside);
  ASSERT_NE(reset, nullptr);
  EXPECT_EQ(replay_with_history(system, *reset).end, End::kShows);
  Finding wrong = *reset;
  wrong.property = Property::kFencing;
  EXPECT_EQ(replay_with_history(system, wrong).end, End::kDiffers);
  wrong = *reset;
  wrong.stem.pop_back();
  EXPECT_EQ(replay_with_history(system, wrong).end, End::kDiffers);
}

}  // namespace
}  // namespace fencepost::testing::transactions
