// The implementation's answers beside the spec's: which row gets which, and what is taken over.
#include "checker/gate/beside.h"

#include <gtest/gtest.h>

#include "tests/unit/gate_fixture.h"

namespace fencepost::gate {
namespace {

using checker::Verdict;
using spec::Property;

const std::string kTwo = claim("a", R"("no-duplicate")", "holds") + "," +
                         claim("b", R"(["no-loss", "in-order"])", "refuted");

GateResult refute_b(const Claims& claims) {
  return run(claims, [](const Task& task) {
    TaskResult result = clean(task);
    for (const Property p : {Property::kNoLoss, Property::kInOrder}) {
      if (task.asks(p)) result.findings.push_back({p, 1, {0, 1, 2}, {}});
    }
    return result;
  });
}

TEST(Beside, EveryRowGetsTheAnswerToItsOwnQuestion) {
  const Scratch scratch;
  const Claims claims = claims_of(scratch, kTwo);
  GateResult spec = refute_b(claims);
  GateResult impl = refute_b(claims);
  impl.rows.erase(impl.rows.begin() + 1);  // not asked there
  EXPECT_EQ(put_beside(spec, impl), 2U);
  EXPECT_EQ(spec.rows[0].beside,
            "implementation: exhausted, 100 states, every step compared; budget 1, 3 new messages");
  EXPECT_EQ(spec.rows[1].beside, "");
  EXPECT_EQ(spec.rows[2].beside,
            "implementation: refuted at depth 3, 100 states, every step compared; budget 1, 3 new "
            "messages");
  EXPECT_EQ(spec.exit_code(), Exit::kOk);
}

TEST(Beside, WhatIsNotAsClaimedThereIsNotMet) {
  const Scratch scratch;
  const Claims claims = claims_of(scratch, kTwo);
  GateResult spec = refute_b(claims);
  const GateResult impl = run(claims, clean);  // refutes nothing
  EXPECT_EQ(put_beside(spec, impl), 3U);
  EXPECT_EQ(spec.rows[0].status, RowStatus::kAsClaimed);
  EXPECT_EQ(spec.rows[1].status, RowStatus::kNotMet);
  EXPECT_EQ(spec.rows[1].answer.verdict, Verdict::kRefuted);
  EXPECT_NE(spec.rows[1].beside.find("(NOT as claimed)"), std::string::npos);
  EXPECT_EQ(spec.exit_code(), Exit::kSafetyRefuted);
}

TEST(Beside, AStepThatIsNotOneOfTheSpecIsOurError) {
  const Scratch scratch;
  const Claims claims = claims_of(scratch, kTwo);
  GateResult spec = refute_b(claims);
  const GateResult impl = run(claims, [](const Task& task) {
    TaskResult result = clean(task);
    result.error = "a step of the implementation is not one of the spec";
    return result;
  });
  put_beside(spec, impl);
  EXPECT_EQ(spec.rows[0].answer.verdict, Verdict::kError);
  EXPECT_EQ(spec.rows[0].beside, "implementation: a check of our own failed");
  EXPECT_EQ(spec.exit_code(), Exit::kInternal);
}

}  // namespace
}  // namespace fencepost::gate
