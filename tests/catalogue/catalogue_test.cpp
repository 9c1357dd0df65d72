// Every defect of the catalogue is found, by the property and at the depth it states, or says why
// it is outside; and the reader refuses what it cannot mean.
#include "checker/catalogue/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>

#include "checker/catalogue/catalogue_text.h"
#include "spec/base.h"
#include "tests/unit/scratch.h"

namespace fencepost::testing {
namespace {

namespace fs = std::filesystem;
using catalogue::Outcome;

const fs::path kSource = FENCEPOST_SOURCE_DIR;

const std::vector<catalogue::Row>& rows() {
  static const auto all =
      catalogue::read_catalogue(kSource / "tests" / "catalogue", kSource / "spec");
  return all;
}

class CatalogueRow : public ::testing::TestWithParam<std::size_t> {};

TEST_P(CatalogueRow, IsKilledOrOutside) {
  const catalogue::Row& row = rows()[GetParam()];
  const catalogue::RowAnswer answer = catalogue::check_row(row, {});
  EXPECT_EQ(answer.outcome, row.outside.empty() ? Outcome::kKilled : Outcome::kOutside)
      << row.id << ": " << answer.reason;
  EXPECT_GT(row.outside.size() + row.questions.size(), 0U);
}

std::string test_name(const ::testing::TestParamInfo<std::size_t>& info) {
  std::string name = rows()[info.param].id;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Field, CatalogueRow, ::testing::Range(std::size_t{0}, rows().size()),
                         test_name);

/// The one row of a catalogue with this question.
catalogue::RowAnswer ask(const std::string& question) {
  const Scratch scratch;
  scratch.write("rows.json", R"({"says": "s", "rows": [{"row": "T1", "defect": "d", "shape": "s",
    "breaks": "b", "shown": [)" + question +
                                 "]}]}");
  const auto read = catalogue::read_catalogue(scratch.folder(), kSource / "spec");
  catalogue::RowAnswer answer = catalogue::check_row(read.at(0), {});
  answer.row = nullptr;
  return answer;
}

TEST(Catalogue, ADefectThatBreaksNothingSurvives) {
  const auto answer = ask(R"({"change": {"purge.bumps": "yes"}, "instance": {"partitions": 1,
    "messages": 2}, "faults": "purge", "budget": 1, "property": "no-duplicate", "depth": 3})");
  EXPECT_EQ(answer.outcome, Outcome::kSurvived) << answer.reason;
}

TEST(Catalogue, ADepthThatIsNotTheShortestIsNoticed) {
  const auto answer = ask(R"({"instance": {"partitions": 2, "messages": 3, "in-flight": 2},
    "faults": "leader-lost,stale-view", "budget": 2, "property": "no-duplicate", "depth": 17})");
  EXPECT_EQ(answer.outcome, Outcome::kMoved);
  EXPECT_EQ(answer.reason, "no-duplicate breaks at 18, not at 17");
}

TEST(Catalogue, AnInstanceThatRefutesTheSoundProtocolShowsNothing) {
  const auto answer = ask(R"({"change": {"purge.bumps": "yes"}, "instance": {"partitions": 2,
    "messages": 3, "in-flight": 2}, "faults": "leader-lost,stale-view", "budget": 2,
    "property": "no-duplicate", "depth": 18})");
  EXPECT_EQ(answer.outcome, Outcome::kNotShown) << answer.reason;
}

std::string complaint(const std::string& text) {
  const Scratch scratch;
  scratch.write("rows.json", text);
  try {
    static_cast<void>(catalogue::read_catalogue(scratch.folder(), kSource / "spec"));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Exit::kBadInput);
    const std::string said = error.what();
    return said.substr(std::min(said.find("rows.json"), said.size()));
  }
  return "no complaint";
}

TEST(Catalogue, ARowNeedsAQuestionOrAReason) {
  const std::string row = R"("row": "T1", "defect": "d", "shape": "s", "breaks": "b")";
  EXPECT_EQ(complaint(R"({"says": "s", "rows": [{)" + row + "}]}"),
            "rows.json:1: row T1 needs either \"shown\" or \"outside\": how it is found, or why it "
            "cannot be");
  EXPECT_EQ(complaint(R"({"says": "s", "rows": [{)" + row + R"(, "outside": "x"},
    {)" + row + R"(, "outside": "x"}]})"),
            "rows.json:2: the row T1 stands twice");
  EXPECT_EQ(complaint(R"({"says": "s", "rows": [{)" + row + R"(, "shown": []}]})"),
            "rows.json:1: \"shown\" must be a list of questions [...]");
}

TEST(Catalogue, AQuestionNamesWhatThereIs) {
  const auto with = [](const std::string& extra) {
    return complaint(R"({"says": "s", "rows": [{"row": "T1", "defect": "d", "shape": "s",
      "breaks": "b", "shown": [{)" +
                     extra + R"("instance": {"partitions": 1},
      "faults": "purge", "budget": 1, "property": "progress", "depth": 3}]}]})");
  };
  EXPECT_EQ(with(R"("mutant": "no-drain-on-join", )"),
            "rows.json:2: a mutant needs \"model\": \"impl\"");
  EXPECT_EQ(with(R"("grain": "changing-isr", )"), "rows.json:2: a grain needs \"model\": \"impl\"");
  EXPECT_TRUE(with(R"("model": "impl", "grain": "coarse", )")
                  .starts_with("rows.json:2: unknown grain \"coarse\""));
  EXPECT_EQ(
      with(R"("model": "impl", "mutant": "no-drain-on-joint", )"),
      "rows.json:2: unknown mutant \"no-drain-on-joint\"; did you mean \"no-drain-on-join\"?");
  EXPECT_EQ(with(R"("change": {"purge.bumps": "no"}, )"),
            "rows.json:2: \"purge.bumps\" is \"no\" already");
  EXPECT_EQ(with(R"("change": {"purge.bump": "no"}, )"),
            "rows.json:2: unknown entry \"purge.bump\"");
  EXPECT_EQ(with(R"("model": "tla", )"),
            "rows.json:2: unknown model \"tla\"; known: spec, impl, transactions, "
            "impl-transactions");
}

TEST(Catalogue, AQuestionOnTransactionsNamesWhatThereIs) {
  const auto with = [](const std::string& extra, const std::string& instance = "{}") {
    return complaint(R"({"says": "s", "rows": [{"row": "T1", "defect": "d", "shape": "s",
      "breaks": "b", "shown": [{"model": "transactions", )" +
                     extra + R"("faults": "none", "instance": )" + instance +
                     R"(, "budget": 0, "property": "atomic", "depth": 3}]}]})");
  };
  EXPECT_EQ(with(R"("mutant": "ignores-guard", )"),
            "rows.json:2: a mutant needs \"model\": \"impl-transactions\"");
  EXPECT_EQ(with(R"("grain": "verification-window", )"),
            "rows.json:2: a grain needs \"model\": \"impl-transactions\"");
  EXPECT_TRUE(with(R"("coordinator": "kip-361", )").starts_with("rows.json:2: "));
  EXPECT_EQ(with(R"("change": {"purge.bumps": "yes"}, )"),
            "rows.json:2: unknown entry \"purge.bumps\"");
  EXPECT_EQ(with(R"("change": {"bump.alone": "perhaps"}, )"),
            "rows.json:2: \"bump.alone\" cannot be \"perhaps\", only no, yes");
  EXPECT_EQ(with(R"("change": {"end.bumps": "no"}, )"),
            "rows.json:2: \"end.bumps\" is \"no\" already");
  EXPECT_EQ(with(R"("change": {"verification": "add"}, )"),
            "rows.json:2: the brokers add partitions themselves (transaction version 2), and the "
            "coordinator does not know that version");
  EXPECT_EQ(with(R"("change": {"verification.older-open-counts": "yes"}, )"),
            "rows.json:2: \"verification.older-open-counts\" makes no difference here: only a "
            "leader that adds its partition looks at the epoch");
  EXPECT_EQ(with("", "[]"), "rows.json:2: an instance must be an object {...}");
  EXPECT_EQ(with("", R"({"producers": 3})"), "rows.json:2: producers must be 1 or 2");
}

TEST(Catalogue, AMistakeInTheTransactionalImplementationIsComparedWithNone) {
  const std::string question = R"({"model": "impl-transactions", "client": "java-3.9", MUTANT
    "instance": {"inputs": 2, "attempts": 3, "epochs": 7, "ids": 2, "log": 12}, "faults": "none",
    "budget": 0, "property": "progress", "depth": 37})";
  const auto with = [&](const std::string& mutant) {
    std::string text = question;
    return ask(text.replace(text.find("MUTANT"), 6, mutant));
  };
  const auto mistaken = with(R"("mutant": "marker-leaves-open",)");
  EXPECT_EQ(mistaken.outcome, Outcome::kKilled) << mistaken.reason;
  EXPECT_EQ(with("").outcome, Outcome::kSurvived);
  EXPECT_THROW(with(R"("mutant": "marker-leaves-opened",)"), Error);
  EXPECT_THROW(with(R"("grain": "coarse",)"), Error);
}

TEST(Catalogue, ATransactionalDefectThatBreaksNothingSurvives) {
  const auto answer = ask(R"({"model": "transactions", "change": {"bump.alone": "yes"},
    "instance": {"attempts": 3, "epochs": 6, "log": 9}, "faults": "none", "budget": 0,
    "property": "no-self-fencing", "depth": 9})");
  EXPECT_EQ(answer.outcome, Outcome::kSurvived) << answer.reason;
}

TEST(Catalogue, ATransactionalInstanceThatMeetsABoundDecidesNothing) {
  const auto answer = ask(R"({"model": "transactions", "change": {"bump.alone": "yes"},
    "instance": {"attempts": 1}, "faults": "message-timeout", "budget": 1,
    "property": "atomic", "depth": 9})");
  EXPECT_EQ(answer.outcome, Outcome::kUndecided) << answer.reason;
}

/// The rows of the lists that the catalogue is made of are all there.
TEST(Catalogue, EveryNumberHasItsRow) {
  const std::vector<std::pair<std::string, int>> lists{{"K", 67}, {"L", 32}, {"U", 10}, {"M", 12}};
  for (const auto& [letter, last] : lists) {
    for (int n = 1; n <= last; ++n) {
      const std::string id = letter + std::to_string(n);
      EXPECT_TRUE(std::any_of(rows().begin(), rows().end(),
                              [&](const catalogue::Row& row) { return row.id == id; }))
          << "no row " << id;
    }
  }
}

TEST(Catalogue, TheTableCountsItsRows) {
  const catalogue::Row outside{"T1", "a defect", "a shape", "DUP", {}, "no disks", 1};
  const auto answer = catalogue::check_row(outside, {});
  EXPECT_EQ(catalogue::catalogue_text({answer}, true),
            "row  outcome    by  defect\n"
            "T1   outside    -   a defect\n"
            "                    breaks: DUP\n"
            "                    shape: a shape\n"
            "                    outside: no disks\n"
            "\n"
            "1 rows: 0 killed, 1 outside, 0 survived\n");
}

}  // namespace
}  // namespace fencepost::testing
