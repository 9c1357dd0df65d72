// Counterexamples as they are told: a change of the wording is a change of these files.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "checker/transactions/claims.h"
#include "checker/transactions/narrate.h"
#include "tests/support/transaction_cases.h"

namespace fencepost::testing::transactions {
namespace {

std::string told(const std::string& id) {
  for (const auto& claim : fencepost::transactions::read_claims(data_folder())) {
    if (claim.claim.id != id) continue;
    const auto& question = claim.questions.front();
    const auto found = fencepost::transactions::search(question, {});
    EXPECT_EQ(found.findings.size(), 1U);
    const auto& finding = found.findings.front();
    checker::ActionPath path = finding.stem;
    path.insert(path.end(), finding.loop.begin(), finding.loop.end());
    return checker::narration_text(fencepost::transactions::narrate(
        model::Model(question.behaviour, question.instance), path));
  }
  return "";
}

std::string golden(const std::string& id) {
  std::ostringstream text;
  text << std::ifstream(FENCEPOST_SOURCE_DIR "/tests/golden/transactions/" + id + ".txt").rdbuf();
  return text.str();
}

TEST(TransactionGolden, CounterexamplesAreToldAsTheyWere) {
  for (const char* id :
       {"delayed-end", "zombie-fences-successor", "hanging-transaction", "restart-idempotent"}) {
    EXPECT_EQ(told(id), golden(id)) << id;
  }
}

}  // namespace
}  // namespace fencepost::testing::transactions
