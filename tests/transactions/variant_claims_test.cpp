// A variant of the transactional model in the place of what it starts from.
#include "checker/transactions/variant_claims.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "checker/gate/compare.h"
#include "checker/transactions/run.h"
#include "spec/base.h"
#include "tests/support/transaction_cases.h"
#include "tests/unit/scratch.h"

namespace fencepost::testing::transactions {
namespace {

using fencepost::transactions::AskedOfVariant;
using fencepost::transactions::read_claims;
using fencepost::transactions::variant_named;
using model::VariantKind;

const std::string kSpec = FENCEPOST_SOURCE_DIR "/spec";

std::string file_of(const std::string& kind, const std::string& from, const std::string& entry,
                    const std::string& value) {
  return R"({"variant": "mine", "kind": ")" + kind + R"(", "says": "mine", "from": ")" + from +
         R"(", "entries": {")" + entry + R"(": {"is": ")" + value +
         R"(", "source": "this test"}}})";
}

AskedOfVariant asked_of(const std::string& text) {
  const Scratch scratch;
  const auto variant = variant_named(scratch.write("mine.json", text), kSpec);
  FP_ASSERT(variant.has_value());
  return fencepost::transactions::ask_of(read_claims(data_folder()), *variant, data_folder());
}

TEST(TransactionVariantClaims, TheModelOfAFileIsFound) {
  const Scratch scratch;
  const auto kind = [&](const std::string& text) -> int {
    const auto variant = variant_named(scratch.write("mine.json", text), kSpec);
    return variant ? static_cast<int>(variant->kind) : -1;
  };
  EXPECT_EQ(kind(file_of("coordinator", "kip-360", "init.last-epoch", "no")),
            static_cast<int>(VariantKind::kCoordinator));
  EXPECT_EQ(kind(file_of("client", "java-3.9", "end.errors", "success")),
            static_cast<int>(VariantKind::kClient));
  EXPECT_EQ(kind(file_of("client", "java-3.9", "unknown-producer-id", "bump-on-first-attempt")),
            -1);
  EXPECT_EQ(kind(file_of("broker", "kafka-4.2", "produce.duplicate-check", "no")),
            static_cast<int>(VariantKind::kBroker));
  EXPECT_FALSE(variant_named("librdkafka-2.15", kSpec).has_value()) << "both models have it";
  EXPECT_TRUE(variant_named("kip-890", kSpec).has_value());
  EXPECT_FALSE(variant_named("nobody", kSpec).has_value());
}

TEST(TransactionVariantClaims, AreAskedOfItAndOfWhatItStartsFrom) {
  const AskedOfVariant asked = asked_of(file_of("coordinator", "kip-360", "init.last-epoch", "no"));
  EXPECT_EQ(asked.comparison.variant, "mine");
  EXPECT_EQ(asked.comparison.base, "kip-360");
  ASSERT_EQ(asked.claims.size() % 2, 0U);
  for (std::size_t c = 0; c < asked.claims.size(); c += 2) {
    const auto& mine = asked.claims[c];
    const auto& base = asked.claims[c + 1];
    EXPECT_FALSE(mine.claim.of_base);
    EXPECT_TRUE(base.claim.of_base);
    ASSERT_EQ(mine.questions.size(), base.questions.size());
    for (std::size_t r = 0; r < mine.questions.size(); ++r) {
      EXPECT_EQ(mine.questions[r].coordinator, "mine");
      EXPECT_EQ(base.questions[r].coordinator, "kip-360");
      EXPECT_FALSE(mine.questions[r].behaviour.last_epoch_rule);
      EXPECT_TRUE(base.questions[r].behaviour.last_epoch_rule);
      EXPECT_EQ(mine.questions[r].instance, base.questions[r].instance);
    }
  }
}

/// Without the rule for the last epoch a lost answer fences the only producer: worse.
TEST(TransactionVariantClaims, AreComparedRowByRow) {
  AskedOfVariant asked = asked_of(file_of("coordinator", "kip-360", "init.last-epoch", "no"));
  std::vector<gate::Claim> copies;
  for (const auto& claim : asked.claims) copies.push_back(claim.claim);
  std::vector<const gate::Claim*> selected;
  for (const gate::Claim& claim : copies) {
    if (claim.id == "lost-init-answer") selected.push_back(&claim);
  }
  ASSERT_EQ(selected.size(), 2U);
  gate::GateResult result;
  result.comparison = asked.comparison;
  const gate::GateOptions options;
  fencepost::transactions::run_claims(asked.claims, selected, options, result);
  gate::compare_rows(result);
  ASSERT_FALSE(result.rows.empty());
  for (const gate::RowResult& row : result.rows) {
    const bool fenced = row.answer.property == "no-self-fencing";
    EXPECT_EQ(row.change, fenced ? gate::Change::kWorse : gate::Change::kSame)
        << row.answer.property;
  }
  EXPECT_EQ(result.exit_code(), Exit::kSafetyRefuted);
  const std::vector<std::string> lines = gate::comparison_lines(result);
  EXPECT_NE(std::find(lines.begin(), lines.end(), "  no-self-fencing: lost-init-answer (2 rows)"),
            lines.end());
  EXPECT_EQ(lines.back(), "Safety got worse: no-self-fencing.");
}

TEST(TransactionVariantClaims, WhatCannotRunIsLeftOutOrRefused) {
  const auto complaint = [](const std::string& text) -> std::string {
    try {
      static_cast<void>(asked_of(text));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  // Transaction version 2 with the coordinators that java-3.9 is asked with: only one has it.
  const AskedOfVariant two =
      asked_of(file_of("client", "java-3.9", "transaction-version-two", "yes"));
  for (const auto& claim : two.claims) {
    if (claim.claim.of_base) continue;
    for (const auto& question : claim.questions) EXPECT_EQ(question.coordinator, "kip-890");
  }
  EXPECT_NE(two.comparison.why.find("rows that cannot be asked of it ("), std::string::npos);
  EXPECT_NE(two.comparison.why.find("the client talks transaction version 2"), std::string::npos);
  // Of KIP-98 there are only clients of version 1, and brokers that add nothing.
  EXPECT_NE(complaint(file_of("client", "idempotent-loop", "transaction-version-two", "yes")), "");
  const Scratch scratch;
  try {
    static_cast<void>(variant_named(scratch.folder().string() + "/kip-890", kSpec));
    static_cast<void>(model::load_variant(VariantKind::kCoordinator,
                                          scratch.folder().string() + "/mine", data_folder()));
    FAIL() << "a file without .json is no name";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("must end in .json"), std::string::npos);
  }
}

}  // namespace
}  // namespace fencepost::testing::transactions
