// One vocabulary: names, what counts as holding, and exit codes.
#include "checker/core/verdict.h"

#include <gtest/gtest.h>

#include <set>

namespace fencepost::checker {
namespace {

TEST(Verdict, OnlyTwoSpeakOfAllRuns) {
  for (int v = 0; v < kVerdicts; ++v) {
    const auto verdict = static_cast<Verdict>(v);
    EXPECT_EQ(holds(verdict), verdict == Verdict::kExhausted || verdict == Verdict::kProved);
    EXPECT_EQ(exit_code(verdict, PropertyKind::kSafety) == Exit::kOk, holds(verdict));
  }
}

TEST(Verdict, NamesAreDistinct) {
  std::set<std::string_view> names;
  for (const VerdictInfo& info : verdicts()) names.insert(info.name);
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kVerdicts));
  EXPECT_EQ(name_of(Verdict::kError), "error");
}

TEST(Verdict, ExitCodesFollowTheKindOfTheProperty) {
  EXPECT_EQ(exit_code(Verdict::kRefuted, PropertyKind::kSafety), Exit::kSafetyRefuted);
  EXPECT_EQ(exit_code(Verdict::kRefuted, PropertyKind::kLiveness), Exit::kLivenessRefuted);
  EXPECT_EQ(exit_code(Verdict::kRefuted, PropertyKind::kDeadlock), Exit::kDeadlock);
  EXPECT_EQ(exit_code(Verdict::kVacuous, PropertyKind::kSafety), Exit::kInconclusive);
  EXPECT_EQ(exit_code(Verdict::kError, PropertyKind::kSafety), Exit::kInternal);
}

TEST(Verdict, TheWorseExitCodeWins) {
  EXPECT_EQ(worse(Exit::kOk, Exit::kOk), Exit::kOk);
  EXPECT_EQ(worse(Exit::kInconclusive, Exit::kLivenessRefuted), Exit::kLivenessRefuted);
  EXPECT_EQ(worse(Exit::kSafetyRefuted, Exit::kInternal), Exit::kInternal);
}

TEST(Verdict, EveryVerdictSaysWhatItDoesNotCover) {
  for (int v = 0; v < kVerdicts; ++v) {
    EXPECT_FALSE(not_covered(static_cast<Verdict>(v), 7, PropertyKind::kSafety).empty());
  }
  EXPECT_NE(not_covered(Verdict::kBounded, 7, PropertyKind::kSafety).find("7 steps"),
            std::string::npos);
}

TEST(Verdict, OnlyTheWayToALoopIsShortest) {
  const std::string run = not_covered(Verdict::kRefuted, 7, PropertyKind::kSafety);
  EXPECT_EQ(run.find("loop"), std::string::npos);
  EXPECT_EQ(not_covered(Verdict::kRefuted, 7, PropertyKind::kDeadlock), run);
  EXPECT_NE(not_covered(Verdict::kRefuted, 7, PropertyKind::kLiveness).find("shorter loop"),
            std::string::npos);
}

TEST(Verdict, TheEngineSaysWhatItSearchedIfNotTheSpec) {
  Answer answer;
  answer.engine = "explicit";
  EXPECT_EQ(engine_text(answer), "explicit");
  answer.on = "impl";
  EXPECT_EQ(engine_text(answer), "explicit on impl");
}

}  // namespace
}  // namespace fencepost::checker
