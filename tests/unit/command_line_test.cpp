// The program as a user meets it: what it prints, where, and its exit code.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "tests/unit/scratch.h"

namespace fencepost {
namespace {

using Words = std::vector<std::string>;

struct Ran {
  int exit_code = -1;
  std::string out;
  std::string err;
};

std::string read(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class CommandLine : public ::testing::Test {
 protected:
  /// Starts the program; `finish` waits for it.
  pid_t start(Words words) {
    words.insert(words.begin(), FENCEPOST_PROGRAM);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const std::string out = (scratch_.folder() / "out").string();
    const std::string err = (scratch_.folder() / "err").string();
    const pid_t child = ::fork();
    if (child == 0) {
      ::dup2(::open(out.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), STDOUT_FILENO);
      ::dup2(::open(err.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), STDERR_FILENO);
      ::execv(arguments[0], arguments.data());
      ::_exit(127);
    }
    return child;
  }
  Ran finish(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(scratch_.folder() / "out"),
            read(scratch_.folder() / "err")};
  }
  Ran run(const Words& words) { return finish(start(words)); }

  /// The complaint must be one line on standard error, and nothing else may be said.
  void expect_complaint(const Words& words, int exit_code, const std::string& part) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.exit_code, exit_code) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_NE(ran.err.find(part), std::string::npos) << ran.err;
  }

  Scratch scratch_;
};

const Words kPurge{"check",    "--variant", "librdkafka-pr-4972", "--property", "progress",
                   "--faults", "purge",     "--budget",           "1"};

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_F(CommandLine, CheckExitsByTheKindOfWhatIsRefuted) {
  EXPECT_EQ(run(kPurge).exit_code, 13);
  EXPECT_EQ(run({"check", "--faults", "disconnect,message-timeout", "--property", "no-duplicate"})
                .exit_code,
            12);
  EXPECT_EQ(run({"check", "--faults", "none", "--budget", "0"}).exit_code, 0);
  EXPECT_EQ(run({"check", "--max-depth", "3", "--property", "no-loss"}).exit_code, 20);
}

TEST_F(CommandLine, ACounterexampleIsWrittenAndReplayed) {
  const std::string trace = (scratch_.folder() / "trace.jsonl").string();
  EXPECT_EQ(run(with(kPurge, {"--trace-out", trace})).exit_code, 13);
  const Ran replay = run({"replay", trace});
  EXPECT_EQ(replay.exit_code, 0) << replay.err;
  EXPECT_NE(replay.out.find("progress is violated"), std::string::npos);
  const std::string text = read(trace);
  scratch_.write("trace.jsonl", text.substr(0, text.size() / 2));
  expect_complaint({"replay", trace}, 65, "trace.jsonl");
  for (const char* on : {"spec", "impl"}) {
    scratch_.write("trace.jsonl", text.substr(0, text.rfind('\n', text.size() - 2) + 1));
    expect_complaint({"replay", trace, "--on", on}, 65, "events that its header promises");
  }
}

TEST_F(CommandLine, AnAnswerSaysThatItIsOfTheImplementation) {
  const Words check{"check", "--messages", "1", "--faults", "purge", "--budget", "1"};
  EXPECT_EQ(run(check).out.find("on impl"), std::string::npos);
  const Ran impl = run(with(check, {"--on", "impl"}));
  EXPECT_NE(impl.out.find("engine explicit on impl"), std::string::npos) << impl.out;
  const auto json =
      nlohmann::json::parse(run(with(check, {"--on", "impl", "--format", "json"})).out);
  EXPECT_EQ(json["answers"][0]["on"], "impl");
}

TEST_F(CommandLine, CheckNamesFaultsThatNeverHappened) {
  const Ran ran = run({"check", "--messages", "1", "--partitions", "1", "--in-flight", "1",
                       "--faults", "purge,message-timeout-leaderless"});
  EXPECT_NE(ran.out.find("never happened, so not covered: message-timeout-leaderless"),
            std::string::npos)
      << ran.out << ran.err;
}

TEST_F(CommandLine, ADuplicateIsNoViolationOfProgress) {
  const std::string trace = (scratch_.folder() / "trace.jsonl").string();
  const Words check{"check",      "--faults",     "disconnect,message-timeout",
                    "--property", "no-duplicate", "--trace-out",
                    trace};
  EXPECT_EQ(run(check).exit_code, 12);
  std::string text = read(trace);
  const auto at = text.find("\"no-duplicate\"");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 14, "\"progress\"");
  scratch_.write("trace.jsonl", text);
  for (const char* on : {"spec", "impl"}) {
    const Ran replay = run({"replay", trace, "--on", on});
    EXPECT_EQ(replay.exit_code, 65) << replay.out;
    EXPECT_NE(replay.out.find("progress is NOT violated"), std::string::npos) << replay.out;
  }
}

TEST_F(CommandLine, NothingIsWrittenWhereNothingIsRefuted) {
  const std::string trace = (scratch_.folder() / "trace.jsonl").string();
  const Ran ran = run({"check", "--faults", "none", "--budget", "0", "--trace-out", trace});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(trace));
  EXPECT_NE(ran.err.find("no counterexample"), std::string::npos);
}

TEST_F(CommandLine, JsonIsJson) {
  const Ran ran = run(with(kPurge, {"--format", "json", "--statistics"}));
  const auto json = nlohmann::json::parse(ran.out);
  const auto& answer = json["answers"][0];
  EXPECT_EQ(answer["property"], "progress");
  EXPECT_EQ(answer["verdict"], "refuted");
  EXPECT_EQ(answer["counterexample"]["steps"].size(), answer["depth"]);
  EXPECT_EQ(json["statistics"]["fired"]["complete-bump"], 0);
  for (const char* list : {"variants", "properties", "faults"}) {
    EXPECT_TRUE(nlohmann::json::accept(run({list, "--format", "json"}).out)) << list;
  }
}

TEST_F(CommandLine, ListsNameSources) {
  EXPECT_NE(run({"variants"}).out.find("out-of-order.later = retry"), std::string::npos);
  EXPECT_NE(run({"faults"}).out.find("source: "), std::string::npos);
  EXPECT_NE(run({"properties"}).out.find("no-duplicate"), std::string::npos);
}

TEST_F(CommandLine, LemmasSayWhatTheyRestOn) {
  const Ran ran = run({"lemmas", "--messages", "1", "--in-flight", "1", "--faults", "disconnect"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("inductive alone"), std::string::npos);
  EXPECT_NE(ran.out.find("The proof of each property rests on:"), std::string::npos);
  const Ran none = run({"lemmas", "--variant", "librdkafka-2.15"});
  EXPECT_EQ(none.exit_code, 64);
  EXPECT_NE(none.err.find("no lemmas are claimed of librdkafka-2.15"), std::string::npos);
}

TEST_F(CommandLine, LemmasAreFound) {
  const Words search{"lemmas",     "--search",   "--variant", "librdkafka-pr-4972", "--faults",
                     "disconnect", "--messages", "1",         "--in-flight",        "1"};
  const Ran ran = run(search);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("from no lemmas"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("of which none can be left out"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("Proved once more in fresh solvers"), std::string::npos) << ran.out;
  const Ran again = run(with(search, {"--without", "warm,window", "--format", "json"}));
  const auto json = nlohmann::json::parse(again.out);
  EXPECT_EQ(again.exit_code, 0) << again.out;
  EXPECT_TRUE(json["minimal"]);
  for (const auto& target : json["targets"]) {
    EXPECT_EQ(target["end"], "proved") << target["name"];
    EXPECT_NE(target["name"], "warm");
  }
  const Ran late = run(with(search, {"--seconds", "0.001"}));
  EXPECT_EQ(late.exit_code, 20);
  EXPECT_NE(late.out.find("not decided"), std::string::npos) << late.out;
  EXPECT_NE(late.out.find("Stopped: the time is over."), std::string::npos) << late.out;
  expect_complaint(with(search, {"--without", "warmth"}), 64, "unknown lemma \"warmth\"");
  expect_complaint(with(search, {"--property", "progress"}), 64, "no safety property");
  expect_complaint({"lemmas", "--without", "warm"}, 64, "--search");
}

TEST_F(CommandLine, LemmasOfAClientThatIsWrongAreNotFound) {
  const Ran ran = run({"lemmas", "--search", "--variant", "librdkafka-2.15", "--faults",
                       "disconnect,permanent-error", "--messages", "2"});
  EXPECT_EQ(ran.exit_code, 12) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("false: a run of"), std::string::npos) << ran.out;
}

TEST_F(CommandLine, LemmasFoundByCtrlCArePrinted) {
  const pid_t child = start({"lemmas", "--search", "--messages", "3"});
  std::this_thread::sleep_for(std::chrono::seconds(3));
  ::kill(child, SIGINT);
  const Ran ran = finish(child);
  EXPECT_EQ(ran.exit_code, 20) << ran.err;
  EXPECT_NE(ran.out.find("Stopped: interrupted."), std::string::npos) << ran.out;
}

TEST_F(CommandLine, GateRunsSelectedClaims) {
  const Ran ran = run({"gate", "--only", "fix-loops-on-gap-of-purge"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("1 claim: 1 as claimed, 0 open, 0 not met"), std::string::npos);
  EXPECT_EQ(ran.out.find('\x1b'), std::string::npos);
}

TEST_F(CommandLine, GateSaysWhatIsNotMet) {
  const auto claims = scratch_.write("claims.json", R"({"claims": [{"id": "wrong", "says": "x",
    "variant": "librdkafka-pr-4972", "instance": {}, "faults": "purge", "budget": 1,
    "property": "progress", "expect": "holds", "witnesses": ["gap-left"]}]})");
  const Ran ran = run({"gate", "--claims", claims.string()});
  EXPECT_EQ(ran.exit_code, 12);
  EXPECT_NE(ran.out.find("NOT MET"), std::string::npos);
}

TEST_F(CommandLine, AVariantOfOnesOwnIsAFile) {
  const auto mine = scratch_.write("mine.json", R"({"variant": "mine", "kind": "client",
    "says": "x", "from": "librdkafka-pr-4972",
    "entries": {"purge.bumps": {"is": "yes", "source": "an idea"}}})");
  Words words = kPurge;
  words[2] = mine.string();
  EXPECT_EQ(run(words).exit_code, 0);
  const Ran gate = run({"gate", "--variant", mine.string(), "--only", "gap-of-purge-heals"});
  EXPECT_EQ(gate.exit_code, 0) << gate.err;
  EXPECT_NE(gate.out.find("better   purge; 1"), std::string::npos) << gate.out;
  EXPECT_NE(gate.out.find("compared with librdkafka-pr-4972, from which mine starts: 1 better"),
            std::string::npos)
      << gate.out;
  const Ran worse =
      run({"gate", "--variant", "librdkafka-pr-4972", "--only", "gap-of-purge-heals"});
  EXPECT_EQ(worse.exit_code, 13) << worse.out;
  EXPECT_NE(worse.out.find("No safety property got worse; progress did."), std::string::npos);
  const Ran alone = run({"gate", "--variant", "librdkafka-2.15", "--only", "gap-of-purge-heals"});
  EXPECT_EQ(alone.exit_code, 0) << alone.out;
  EXPECT_NE(alone.out.find("librdkafka-2.15 starts from nothing, so it is compared with nothing."),
            std::string::npos);
}

TEST_F(CommandLine, MistakesAreOneSentenceWithTheirCode) {
  expect_complaint({"check", "--variant", "librdkafka"}, 65, "there is no variant");
  expect_complaint({"check", "--variant", "kafka-4.5.json"}, 65, "there is no such file");
  expect_complaint({"check", "--faults", "purg"}, 64, "did you mean \"purge\"?");
  expect_complaint({"check", "--faults", "coordinator-move"}, 64, "transactional model");
  expect_complaint({"check", "--property", "no-los"}, 64, "did you mean \"no-loss\"?");
  expect_complaint({"check", "--log", "3"}, 64, "the log must hold");
  expect_complaint({"gate", "--only", "nothing"}, 64, "no claim matches");
  expect_complaint({"gate", "--spec-dir", "/nowhere"}, 64, "--spec-dir");
  expect_complaint({"gate", "--claims", "/nowhere.json"}, 65, "there is no such file");
  expect_complaint({"replay", "/nowhere.jsonl"}, 65, "/nowhere.jsonl");
  expect_complaint({"explain"}, 64, "no input");
  expect_complaint({"frobnicate"}, 64, "there is no command \"frobnicate\"");
  const std::string broker = "\"kafka-4.5\" is a broker, not a client: name it with --broker";
  expect_complaint({"check", "--variant", "kafka-4.5"}, 64, broker + " kafka-4.5");
  expect_complaint({"simulate", "--variant", "kafka-4.5"}, 64, broker + " kafka-4.5");
  expect_complaint({"gate", "--variant", "kafka-4.5"}, 64, "the claims say which brokers");
  const std::string file = FENCEPOST_SOURCE_DIR "/spec/brokers/kafka-4.5.json";
  expect_complaint({"check", "--variant", file}, 64, broker + " " + file);
  expect_complaint({"check", "--broker", "librdkafka-2.15"}, 64,
                   "\"librdkafka-2.15\" is a client, not a broker: name it with --variant");
  expect_complaint({"gate", "--variant", "librdkafka-2.15", "--on", "impl"}, 64, "--on impl");
}

TEST_F(CommandLine, WhatCannotBeWrittenIsSaidBeforeTheWork) {
  const auto file = scratch_.write("file", "x").string();
  const Words check{"check", "--faults", "all", "--budget", "6", "--seconds", "20"};
  const Words prove{"check",    "--engine", "induction", "--property",
                    "in-order", "--faults", "purge"};
  const Words simulate{"simulate", "--steps", "100000000", "--messages", "1000000"};
  const std::string none = "/nowhere/out";
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& bad : {none, file + "/out", scratch_.folder().string()}) {
    expect_complaint(with(check, {"--trace-out", bad}), 65, bad);
    expect_complaint(with(simulate, {"--trace-out", bad}), 65, bad);
    expect_complaint(with(simulate, {"--schedule-out", bad}), 65, bad);
  }
  expect_complaint(with(prove, {"--certificate", file}), 65, "the folder for the certificate");
  expect_complaint(with(prove, {"--certificate", file + "/out"}), 65, "the folder for the");
  expect_complaint(with(prove, {"--certificate", scratch_.folder().string()}), 65, "it holds");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(15));
}

TEST_F(CommandLine, TooLittleMemoryIsUnknownNotACrash) {
  const Ran ran = run(
      {"check", "--memory", "16", "--faults", "all", "--budget", "4", "--property", "well-formed"});
  EXPECT_EQ(ran.exit_code, 20) << ran.err;
  EXPECT_NE(ran.out.find("raise --memory"), std::string::npos) << ran.out;
}

TEST_F(CommandLine, TimeIsALimit) {
  const Ran ran = run({"check", "--seconds", "0.1", "--faults", "all", "--budget", "4",
                       "--property", "well-formed"});
  EXPECT_EQ(ran.exit_code, 20);
  EXPECT_NE(ran.out.find("raise --seconds"), std::string::npos) << ran.out;
}

TEST_F(CommandLine, InterruptPrintsWhatIsKnown) {
  const pid_t child =
      start({"check", "--faults", "all", "--budget", "4", "--property", "well-formed"});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  ::kill(child, SIGINT);
  const Ran ran = finish(child);
  EXPECT_EQ(ran.exit_code, 20) << ran.err;
  EXPECT_NE(ran.out.find("interrupted"), std::string::npos) << ran.out;
}

TEST_F(CommandLine, TransactionsSearchesAClaimOrWhatIsDescribed) {
  const Ran claim = run({"transactions", "--claim", "delayed-end"});
  EXPECT_EQ(claim.exit_code, 12);
  EXPECT_NE(claim.out.find("Counterexample to atomic, 26 steps:"), std::string::npos) << claim.out;
  const Ran hanging = run({"transactions", "--claim", "hanging-transaction"});
  EXPECT_EQ(hanging.exit_code, 11);
  const Ran fine = run({"transactions", "--instance", "inputs=2", "--format", "json"});
  EXPECT_EQ(fine.exit_code, 0);
  const auto document = nlohmann::json::parse(fine.out);
  EXPECT_EQ(document["answers"].size(), 9U);
  EXPECT_EQ(document["answers"][0]["verdict"], "exhausted");
  EXPECT_EQ(run({"transactions", "--list"}).exit_code, 0);
}

TEST_F(CommandLine, AClaimWhoseWitnessWasNotReachedIsVacuousAsInTheGate) {
  const std::filesystem::path spec = scratch_.folder() / "spec";
  std::filesystem::copy(FENCEPOST_SOURCE_DIR "/spec", spec,
                        std::filesystem::copy_options::recursive);
  scratch_.write("spec/transactions/claims.json", R"({"says": "s", "instances": {"one": {}},
    "claims": [{"id": "c", "says": "s", "source": "t", "client": "java-3.9",
    "coordinator": "kip-360", "broker": "kafka-2.5", "instance": "one", "faults": "none",
    "budget": 0, "property": "atomic", "expect": "holds", "witnesses": ["fenced"]}]})");
  const Ran ran = run({"transactions", "--claim", "c", "--spec-dir", spec.string()});
  EXPECT_EQ(ran.exit_code, 20) << ran.err;
  EXPECT_NE(ran.out.find("vacuous"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("never reached: fenced"), std::string::npos) << ran.out;
  const Ran gate = run({"gate", "--only", "c", "--spec-dir", spec.string()});
  EXPECT_NE(gate.out.find("vacuous"), std::string::npos) << gate.out;
}

TEST_F(CommandLine, TheTableSaysTheBudgetThatTheImplementationWasAskedWith) {
  const Ran ran = run({"gate", "--on", "impl", "--only", "lost-init-answer", "--format", "json"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const auto document = nlohmann::json::parse(ran.out);
  ASSERT_FALSE(document["claims"].empty());
  for (const auto& row : document["claims"]) EXPECT_EQ(row["budget"], 2) << row;
}

TEST_F(CommandLine, TransactionsComplainsInOneSentence) {
  expect_complaint({"transactions", "--claim", "delayed-ends"}, 64,
                   "did you mean \"delayed-end\"?");
  expect_complaint({"transactions", "--client", "java-4.0"}, 65,
                   "the client talks transaction version 2, and the coordinator does not");
  expect_complaint({"transactions", "--instance", "producers=9"}, 64, "producers must be 1 or 2");
  expect_complaint({"transactions", "--property", "atomik"}, 64, "did you mean \"atomic\"?");
  expect_complaint({"transactions", "--faults", "crush", "--budget", "1"}, 64,
                   "did you mean \"crash\"?");
}

TEST_F(CommandLine, TheGateHasClaimsOfBothModelsInOneTable) {
  const Ran ran = run({"gate", "--only", "field-duplicate", "--only", "zombie-recovers-kip-98",
                       "--format", "json"});
  EXPECT_EQ(ran.exit_code, 0);
  const auto document = nlohmann::json::parse(ran.out);
  ASSERT_EQ(document["claims"].size(), 2U);
  EXPECT_EQ(document["claims"][0]["model"], "idempotent");
  EXPECT_EQ(document["claims"][1]["model"], "transactions");
  EXPECT_EQ(document["claims"][1]["broker"], "kip-98 and kafka-2.5");
  EXPECT_EQ(document["searches"], 2);
}

}  // namespace
}  // namespace fencepost
