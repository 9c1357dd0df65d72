// The command line becomes values, and every mistake in it a sentence and exit code 64.
#include "checker/cli/options.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fencepost::cli {
namespace {

Parsed parse_words(std::vector<const char*> words) {
  words.insert(words.begin(), "fencepost");
  return parse(static_cast<int>(words.size()), words.data());
}

TEST(Options, DefaultsAnswerTheFirstQuestion) {
  const Parsed parsed = parse_words({"check"});
  ASSERT_TRUE(parsed.run);
  const CheckArguments& c = parsed.arguments.check;
  EXPECT_EQ(parsed.arguments.command, Command::kCheck);
  EXPECT_EQ(c.variant, "librdkafka-2.15");
  EXPECT_EQ(c.budget, 2);
  EXPECT_EQ(c.instance, spec::Instance{});
  EXPECT_TRUE(c.properties.empty());
}

TEST(Options, CheckTakesAnInstance) {
  const Parsed parsed = parse_words({"check",       "--partitions",
                                     "1",           "--messages",
                                     "2",           "--cold",
                                     "--in-flight", "3",
                                     "--property",  "no-loss",
                                     "--property",  "progress",
                                     "--faults",    "purge",
                                     "--budget",    "1",
                                     "--threads",   "2",
                                     "--format",    "json",
                                     "--spec-dir",  "x"});
  ASSERT_TRUE(parsed.run) << parsed.text;
  const CheckArguments& c = parsed.arguments.check;
  EXPECT_EQ(c.instance.partitions, 1);
  EXPECT_EQ(c.instance.messages, 2);
  EXPECT_EQ(c.instance.warm, 0);
  EXPECT_EQ(c.instance.in_flight, 3);
  EXPECT_EQ(c.properties, (std::vector<std::string>{"no-loss", "progress"}));
  EXPECT_EQ(parsed.arguments.limits.threads, 2U);
  EXPECT_EQ(parsed.arguments.format, Format::kJson);
  EXPECT_EQ(parsed.arguments.spec_folder, "x");
}

TEST(Options, GateSelectsClaims) {
  const Parsed parsed = parse_words({"gate", "--only", "a*", "--only", "b", "--all"});
  ASSERT_TRUE(parsed.run);
  EXPECT_EQ(parsed.arguments.gate.only, (std::vector<std::string>{"a*", "b"}));
  EXPECT_TRUE(parsed.arguments.gate.all);
}

TEST(Options, ExplainTakesFilesAndLogs) {
  const Parsed parsed = parse_words({"explain", "a.txt", "--log", "c.log", "b.txt"});
  ASSERT_TRUE(parsed.run);
  EXPECT_EQ(parsed.arguments.explain.files, (std::vector<std::string>{"a.txt", "b.txt"}));
  EXPECT_EQ(parsed.arguments.explain.logs, (std::vector<std::string>{"c.log"}));
}

TEST(Options, HelpAndVersionAreNoMistakes) {
  for (const char* command :
       {"gate", "check", "transactions", "explain", "replay", "variants", "properties", "faults"}) {
    const Parsed help = parse_words({command, "--help"});
    EXPECT_FALSE(help.run);
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_NE(help.text.find("Example:\n  fencepost " + std::string(command)), std::string::npos);
  }
  EXPECT_EQ(parse_words({"--version"}).exit_code, 0);
  EXPECT_EQ(parse_words({"--version"}).text.rfind("fencepost ", 0), 0U);
}

TEST(Options, MistakesAreOneLineAndExitCode64) {
  const std::vector<std::vector<const char*>> mistakes{
      {},
      {"chek"},
      {"check", "--partition", "1"},
      {"check", "--partitions", "9"},
      {"check", "--partitions", "two"},
      {"check", "--budget", "-1"},
      {"check", "--engine", "guess"},
      {"check", "--format", "yaml"},
      {"check", "--variant"},
      {"gate", "--seconds", "0"},
      {"replay"},
      {"gate", "field-duplicate"},
  };
  for (const auto& words : mistakes) {
    const Parsed parsed = parse_words(words);
    EXPECT_FALSE(parsed.run);
    EXPECT_EQ(parsed.exit_code, 64) << parsed.text;
    EXPECT_EQ(std::count(parsed.text.begin(), parsed.text.end(), '\n'), 1) << parsed.text;
    EXPECT_EQ(parsed.text.rfind("fencepost: ", 0), 0U) << parsed.text;
  }
}

struct Mistake {
  std::vector<const char*> words;
  const char* says;
};

void expect_named(const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    const Parsed parsed = parse_words(mistake.words);
    EXPECT_EQ(parsed.exit_code, 64) << mistake.says;
    EXPECT_EQ(parsed.text, std::string("fencepost: ") + mistake.says + "\n");
  }
}

TEST(Options, AWrongNameIsAnsweredWithTheNearestRightOnesAndWhereToLook) {
  expect_named({
      {{},
       "no command is given; known: gate, check, matrix, transactions, explain, simulate, mutants, "
       "replay, trace, variants, properties, faults, lemmas (fencepost --help lists the commands)"},
      {{"chek"},
       "there is no command \"chek\"; did you mean \"check\"? (fencepost --help lists the "
       "commands)"},
      {{"frobnicate"},
       "there is no command \"frobnicate\"; known: gate, check, matrix, transactions, explain, "
       "simulate, mutants, replay, trace, variants, properties, faults, lemmas (fencepost --help "
       "lists the commands)"},
      {{"--budget", "2"},
       "\"--budget\" is an option of check, matrix, transactions, lemmas: name the command first "
       "(fencepost --help lists the commands)"},
      {{"check", "--partition", "1"},
       "check has no option \"--partition\"; did you mean \"--partitions\"? (fencepost check "
       "--help "
       "lists its options)"},
      {{"gate", "--budget=2"},
       "gate has no option \"--budget\"; check, matrix, transactions, lemmas have it (fencepost "
       "gate "
       "--help "
       "lists its options)"},
      {{"gate", "field-duplicate"},
       "gate takes no argument \"field-duplicate\" (fencepost gate --help lists its options)"},
  });
}

TEST(Options, AWrongValueIsAnsweredWithTheRightOnesAndWhereToLook) {
  expect_named({
      {{"replay", "a", "b"},
       "replay takes no further argument \"b\" (fencepost replay --help lists its options)"},
      {{"replay"},
       "replay needs a file: fencepost replay FILE (fencepost replay --help lists its options)"},
      {{"check", "--format", "yaml"},
       "--format cannot be \"yaml\"; known: text, json (fencepost check --help lists its options)"},
      {{"check", "--engine", "induktion"},
       "--engine cannot be \"induktion\"; did you mean \"induction\"? (fencepost check --help "
       "lists "
       "its options)"},
      {{"check", "--partitions", "9"},
       "--partitions must be a whole number from 1 to 4, not \"9\" (fencepost check --help lists "
       "its "
       "options)"},
      {{"check", "--partitions", "two"},
       "--partitions must be a whole number from 1 to 4, not \"two\" (fencepost check --help lists "
       "its options)"},
      {{"simulate", "--seed", "-1"},
       "--seed must be a whole number from 0 to 18446744073709551615, not \"-1\" (fencepost "
       "simulate "
       "--help lists its options)"},
      {{"gate", "--seconds", "0"},
       "--seconds must be a number from 0.001 to 1000000000, not \"0\" (fencepost gate --help "
       "lists "
       "its options)"},
      {{"check", "--variant"},
       "--variant needs a value (NAME) (fencepost check --help lists its options)"},
      {{"check", "--variant", "a", "--variant", "b"},
       "--variant is given twice (fencepost check --help lists its options)"},
      {{"gate", "--all=maybe"},
       "--all cannot be \"maybe\" (fencepost gate --help lists its options)"},
  });
}

TEST(Options, NamesOfValuesAreTakenInAnyCase) {
  EXPECT_EQ(parse_words({"check", "--format", "JSON"}).arguments.format, Format::kJson);
  EXPECT_EQ(parse_words({"check", "--engine", "BMC"}).arguments.check.engine, "bmc");
}

TEST(Options, NamesAreListedByCommand) {
  const std::vector<std::string> names = option_names();
  EXPECT_NE(std::find(names.begin(), names.end(), "check --budget"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "gate --only"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "--spec-dir"), names.end());
}

}  // namespace
}  // namespace fencepost::cli
