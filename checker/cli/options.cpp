#include "checker/cli/options.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <memory>

#include "checker/cli/usage.h"
#include "checker/core/verdict.h"
#include "spec/base.h"

namespace fencepost::cli {
namespace {

/// Where a limit is said later, with its reason.
constexpr std::uint64_t kAnyNumber = std::uint64_t{1} << 30;

void add_format(CLI::App& command, Arguments& a) {
  const auto take = [&a](const std::string& name) {
    a.format = name == "json" ? Format::kJson : Format::kText;
  };
  command.add_option_function<std::string>("--format", take, "text or json (default: text)")
      ->transform(one_of({"text", "json"}))
      ->type_name("FORMAT");
}

void add_limits(CLI::App& command, SearchLimits& limits) {
  command.add_option("--threads", limits.threads, "threads to use (default: one per core)")
      ->check(whole_number(1, 256))
      ->type_name("N");
  command.add_option("--memory", limits.memory_mib, "MiB for a search (default: 2048)")
      ->check(whole_number(16, 1 << 20))
      ->type_name("MIB");
  command.add_option("--seconds", limits.seconds, "time limit of a search (default: none)")
      ->check(number(0.001, 1e9))
      ->type_name("S");
}

void add_symmetry(CLI::App& command, SearchLimits& limits) {
  const auto take = [&limits](const std::string& word) { limits.symmetry = word == "on"; };
  command
      .add_option_function<std::string>(
          "--symmetry", take,
          "on (default): in the transactional model visit one state of those that differ only in "
          "the numbers of partitions; off: all")
      ->transform(one_of({"on", "off"}))
      ->type_name("WHEN");
}

void add_on(CLI::App& command, std::string& on) {
  command.add_option("--on", on, "spec (default), or impl: the implementation in impl/")
      ->transform(one_of({"spec", "impl"}))
      ->type_name("WHAT");
}

void add_claim(CLI::App& command, std::string& claim, int& row) {
  command
      .add_option("--claim", claim,
                  "what this claim asks, row by row; no option that describes a question beside it")
      ->type_name("ID");
  command.add_option("--row", row, "only this row of the claim, from 1 (default: all)")
      ->check(whole_number(1, kAnyNumber))
      ->type_name("N");
}

/// A claim brings its question: an option that describes one beside it would not be heard.
void claim_excludes(CLI::App& command, std::initializer_list<const char*> names) {
  CLI::Option* claim = command.get_option("--claim");
  for (const char* name : names) claim->excludes(command.get_option(name));
}

CLI::App& add_command(CLI::App& app, Arguments& a, Command command, const std::string& name,
                      const std::string& says, const std::string& example) {
  CLI::App* sub = app.add_subcommand(name, says);
  sub->footer("\nExample:\n  " + example);
  sub->callback([&a, command] { a.command = command; });
  return *sub;
}

void add_gate(CLI::App& app, Arguments& a) {
  CLI::App& gate = add_command(app, a, Command::kGate, "gate",
                               "check all claims and print the table of verdicts",
                               "fencepost gate --only 'field-*'");
  gate.add_option("--only", a.gate.only, "claims with this id, or matching * and ?; repeatable")
      ->allow_extra_args(false)
      ->type_name("ID");
  gate.add_flag("--all", a.gate.all, "the slow claims, too");
  gate.add_flag("--prove", a.gate.prove,
                "what holds: proved for any depth and any number of partitions, too? What is "
                "refuted as claimed: by bounded checking, too?");
  gate.add_flag("--full", a.gate.full,
                "--prove, and what the implementation in impl/ says of each claim beside it");
  gate.add_option("--variant", a.gate.variant,
                  "ask the claims' questions of this variant (a name or a .json file)")
      ->type_name("NAME");
  gate.add_option("--claims", a.gate.claims, "a file of claims instead of spec/claims.json")
      ->type_name("FILE");
  add_on(gate, a.gate.on);
  add_symmetry(gate, a.limits);
  add_limits(gate, a.limits);
  add_format(gate, a);
}

template <class A>
void add_instance(CLI::App& check, A& c) {
  const std::string messages =
      "new messages a partition (default: " + std::to_string(c.instance.messages) + ")";
  const std::string epochs =
      "highest producer epoch (default: " + std::to_string(c.instance.epochs) + ")";
  const auto size = [&check](const char* name, int& value, const char* says, int high) {
    check.add_option(name, value, says)
        ->check(whole_number(1, static_cast<std::uint64_t>(high)))
        ->type_name("N");
  };
  size("--partitions", c.instance.partitions, "partitions (default: 2)", spec::kMaxPartitions);
  size("--messages", c.instance.messages, messages.c_str(), spec::kMaxMessages);
  check.add_flag("--cold", c.cold, "no message is acknowledged at the start");
  size("--in-flight", c.instance.in_flight, "requests in flight a partition (default: 2)",
       spec::kMaxInFlight);
  size("--epochs", c.instance.epochs, epochs.c_str(), spec::kMaxEpochs);
  size("--max-epoch", c.instance.max_epoch,
       "the protocol's highest epoch, 32767 in Kafka (default: out of reach)", spec::kMaxEpochs);
  size("--log", c.instance.log, "entries a partition's log can hold (default: 8)", spec::kMaxLog);
}

void add_engine(CLI::App& check, Arguments& a) {
  CheckArguments& c = a.check;
  check
      .add_option("--engine", c.engine,
                  "explicit (default); bmc: bounded by depth, with Z3; induction: a proof at any "
                  "depth, with Z3; z3: induction, and bmc for what it does not prove")
      ->transform(one_of({"explicit", "z3", "bmc", "induction"}))
      ->type_name("NAME");
  check.add_option("--k", a.limits.max_depth, "the same as --max-depth, for bmc (default: 40)")
      ->check(whole_number(1, kAnyNumber))
      ->type_name("N");
  check.add_option("--lemmas", c.lemmas, "induction: only these lemmas (default: all claimed)")
      ->delimiter(',')
      ->type_name("NAMES");
  check
      .add_option("--certificate", c.certificate,
                  "induction: write the proof as SMT-LIB files to this folder, and let cvc5 "
                  "confirm it where it is installed")
      ->type_name("DIR");
  check.add_flag("--any-partitions", c.any_partitions,
                 "induction: for any number of partitions, whatever --partitions says");
}

void add_check(CLI::App& app, Arguments& a) {
  CheckArguments& c = a.check;
  CLI::App& check =
      add_command(app, a, Command::kCheck, "check", "search one instance of one variant",
                  "fencepost check --variant librdkafka-pr-4972 --property progress --faults purge "
                  "--budget 1");
  add_claim(check, c.claim, c.row);
  check.add_option("--variant", c.variant, "client: a name or a .json file")->type_name("NAME");
  check.add_option("--broker", c.broker, "broker: a name or a .json file")->type_name("NAME");
  check.add_option("--property", c.properties, "property; repeatable (default: all)")
      ->allow_extra_args(false)
      ->type_name("NAME");
  add_instance(check, c);
  check.add_option("--brokers", c.instance.brokers, "brokers (default: 2)")
      ->check(whole_number(1, spec::kMaxBrokers))
      ->type_name("N");
  check
      .add_option("--faults", c.faults,
                  "kinds that may happen: a,b=1,c@0,p0=1, all, all-but:a,b or none (default: "
                  "leader-lost,stale-view,disconnect)")
      ->type_name("FAULTS");
  check.add_option("--budget", c.budget, "faults in all (default: 2)")
      ->check(whole_number(0, 15))
      ->type_name("N");
  add_engine(check, a);
  add_on(check, c.on);
  check.add_option("--max-depth", a.limits.max_depth, "search no deeper (default: no limit)")
      ->check(whole_number(1, kAnyNumber))
      ->type_name("N");
  check.add_option("--trace-out", c.trace_out, "write the first counterexample to this file")
      ->type_name("FILE");
  check.add_flag("--statistics", c.statistics, "counts of states, actions and witnesses, too");
  claim_excludes(check, {"--variant", "--broker", "--property", "--partitions", "--messages",
                         "--cold", "--in-flight", "--epochs", "--max-epoch", "--log", "--brokers",
                         "--faults", "--budget"});
  add_limits(check, a.limits);
  add_format(check, a);
}

void add_matrix(CLI::App& app, Arguments& a) {
  MatrixArguments& m = a.matrix;
  CLI::App& matrix = add_command(
      app, a, Command::kMatrix, "matrix", "clients x brokers x properties, all verdicts",
      "fencepost matrix --clients java-3.9,librdkafka-2.15 --faults disconnect --budget "
      "1");
  matrix.add_option("--clients", m.clients, "clients: names or .json files (default: all)")
      ->delimiter(',')
      ->type_name("NAMES");
  matrix.add_option("--brokers", m.brokers, "brokers: names or .json files (default: all)")
      ->delimiter(',')
      ->type_name("NAMES");
  matrix.add_option("--property", m.properties, "property; repeatable (default: all)")
      ->allow_extra_args(false)
      ->type_name("NAME");
  add_instance(matrix, m);
  matrix
      .add_option("--faults", m.faults,
                  "kinds that may happen, as for check (default: leader-lost,disconnect,"
                  "permanent-error)")
      ->type_name("FAULTS");
  matrix.add_option("--budget", m.budget, "faults in all (default: 2)")
      ->check(whole_number(0, 15))
      ->type_name("N");
  add_on(matrix, m.on);
  add_limits(matrix, a.limits);
  add_format(matrix, a);
}

void add_transactions(CLI::App& app, Arguments& a) {
  TransactionsArguments& t = a.transactions;
  CLI::App& run = add_command(app, a, Command::kTransactions, "transactions",
                              "search one instance of the transactional model",
                              "fencepost transactions --claim zombie-recovers-kip-98");
  add_claim(run, t.claim, t.row);
  run.add_option("--trace-out", t.trace_out,
                 "write the answers with their counterexamples, action by action, to this file "
                 "(JSON)")
      ->type_name("FILE");
  run.add_flag("--list", t.list,
               "only list variants with their sources, properties, witnesses and faults");
  run.add_option("--client", t.client, "client: a name or a .json file")->type_name("NAME");
  run.add_option("--coordinator", t.coordinator, "coordinator: a name or a .json file")
      ->type_name("NAME");
  run.add_option("--broker", t.broker, "brokers: a name or a .json file")->type_name("NAME");
  run.add_option("--instance", t.shape,
                 "what differs from one producer, one partition, one transaction of one message: "
                 "producers=2,offsets,inputs=2,attempts=4,...")
      ->type_name("FIELDS");
  run.add_option("--property", t.properties, "property; repeatable (default: all)")
      ->allow_extra_args(false)
      ->type_name("NAME");
  run.add_option("--faults", t.faults, "kinds that may happen: a,b=1 or none (default: none)")
      ->type_name("FAULTS");
  run.add_option("--budget", t.budget, "faults in all (default: 0)")
      ->check(whole_number(0, 15))
      ->type_name("N");
  claim_excludes(run, {"--client", "--coordinator", "--broker", "--instance", "--property",
                       "--faults", "--budget"});
  add_symmetry(run, a.limits);
  add_limits(run, a.limits);
  add_format(run, a);
}

void add_explain(CLI::App& app, Arguments& a) {
  CLI::App& explain =
      add_command(app, a, Command::kExplain, "explain",
                  "say why a record of a capture or client log is there twice, with the evidence",
                  "fencepost explain capture.txt --log client.log");
  explain.add_option("file", a.explain.files, "Wireshark text print-out or librdkafka log")
      ->type_name("FILE");
  explain.add_option("--log", a.explain.logs, "a client log beside it; repeatable")
      ->allow_extra_args(false)
      ->type_name("FILE");
  explain.add_option("--trace-out", a.explain.trace_out, "write the imported trace to this file")
      ->type_name("FILE");
  add_format(explain, a);
}

void add_simulate(CLI::App& app, Arguments& a) {
  SimulateArguments& c = a.simulate;
  CLI::App& run =
      add_command(app, a, Command::kSimulate, "simulate",
                  "run the implementation at random, check the properties, shrink what breaks one",
                  "fencepost simulate --seed 7 --faults disconnect,permanent-error");
  run.add_option("--variant", c.variant, "client: a name or a .json file")->type_name("NAME");
  run.add_option("--broker", c.broker, "broker: a name or a .json file")->type_name("NAME");
  run.add_option("--seed", c.seed, "the same seed gives the same run (default: 1)")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->type_name("N");
  run.add_option("--steps", c.steps, "steps at most (default: 100000)")
      ->check(whole_number(1, std::uint64_t{1} << 40))
      ->type_name("N");
  run.add_option("--partitions", c.partitions, "partitions (default: 4)")
      ->check(whole_number(1, kAnyNumber))
      ->type_name("N");
  run.add_option("--messages", c.messages, "messages a partition (default: 1000)")
      ->check(whole_number(1, kAnyNumber))
      ->type_name("N");
  run.add_option("--brokers", c.brokers, "brokers (default: 3)")
      ->check(whole_number(1, kAnyNumber))
      ->type_name("N");
  run.add_option("--in-flight", c.in_flight, "messages in flight a partition (default: 5)")
      ->check(whole_number(1, kAnyNumber))
      ->type_name("N");
  run.add_option("--batch", c.batch, "messages a batch at most (default: 1)")
      ->check(whole_number(1, kAnyNumber))
      ->type_name("N");
  run.add_option("--faults", c.faults, "kinds that may happen, as for check")->type_name("FAULTS");
  run.add_option("--fault-rate", c.faults_per_mille, "faults in 1000 steps (default: 5)")
      ->check(whole_number(0, 1000))
      ->type_name("N");
  run.add_option("--grain", c.grain,
                 "fine (default), spec, or a list of what is finer than the spec's steps")
      ->type_name("WHAT");
  run.add_option("--compare", c.compare,
                 "every step with the spec: auto (default: where it fits), always, never")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""))
      ->type_name("WHEN");
  run.add_option("--runs", c.runs, "runs, each with the next seed (default: 1)")
      ->check(CLI::Range(1, 1'000'000).description(""))
      ->type_name("N");
  run.add_option("--trace-out", c.trace_out, "write the run as a trace to this file")
      ->type_name("FILE");
  run.add_option("--schedule", c.schedule, "take the choices of this file")->type_name("FILE");
  run.add_option("--schedule-out", c.schedule_out, "write the shrunk schedule to this file")
      ->type_name("FILE");
  run.add_flag("!--no-shrink", c.shrink, "do not shrink what breaks a property");
  add_format(run, a);
}

void add_mutants(CLI::App& app, Arguments& a) {
  CLI::App& mutants = add_command(app, a, Command::kMutants, "mutants",
                                  "the catalogue of known defects, each of which must be found",
                                  "fencepost mutants --only 'K4*' --details");
  mutants.add_option("--only", a.mutants.only, "rows with this id, or matching * and ?")
      ->type_name("ROW");
  mutants.add_flag("--details", a.mutants.details, "the interleaving and what was searched, too");
  mutants.add_option("--catalogue", a.mutants.catalogue, "a folder instead of tests/catalogue")
      ->type_name("DIR");
  add_symmetry(mutants, a.limits);
  add_limits(mutants, a.limits);
  add_format(mutants, a);
}

void add_lists(CLI::App& app, Arguments& a) {
  CLI::App& replay =
      add_command(app, a, Command::kReplay, "replay", "step through a counterexample on the spec",
                  "fencepost replay counterexample.jsonl");
  replay.add_option("file", a.replay_file, "trace file of a counterexample")
      ->required()
      ->type_name("FILE");
  CLI::App& trace = add_command(app, a, Command::kTrace, "trace",
                                "check a file that the tracer wrote", "fencepost trace run.jsonl");
  trace.add_option("file", a.trace_file, "trace file")->required()->type_name("FILE");
  add_format(trace, a);
  add_on(replay, a.replay_on);
  add_format(replay, a);
  add_format(add_command(app, a, Command::kVariants, "variants",
                         "clients and brokers, entry by entry, with sources", "fencepost variants"),
             a);
  add_format(add_command(app, a, Command::kProperties, "properties",
                         "what can be checked, and the witnesses", "fencepost properties"),
             a);
  add_format(add_command(app, a, Command::kFaults, "faults", "what can go wrong, with sources",
                         "fencepost faults"),
             a);
}

void add_lemma_search(CLI::App& lemmas, Arguments& a) {
  LemmasArguments& c = a.lemmas;
  CLI::Option* search = lemmas.add_flag(
      "--search", c.search, "find lemmas that prove the properties, beginning with none");
  const auto needs_search = [search](CLI::Option* option, const char* type) {
    option->needs(search)->type_name(type);
    return option;
  };
  needs_search(lemmas.add_option("--without", c.without,
                                 "search: begin with all lemmas but these, for others that do"),
               "NAMES")
      ->delimiter(',');
  needs_search(lemmas.add_option("--property", c.properties,
                                 "search: property; repeatable (default: those of the proofs)"),
               "NAME")
      ->allow_extra_args(false);
  needs_search(lemmas.add_option("--certificate", c.certificate,
                                 "search: write the proof as SMT-LIB files to this folder, and let "
                                 "cvc5 confirm it where it is installed"),
               "DIR");
  needs_search(lemmas.add_option("--partitions", c.partitions, "search: partitions (default: 1)"),
               "N")
      ->check(whole_number(1, spec::kMaxPartitions));
  needs_search(
      lemmas.add_option("--epochs", c.epochs, "search: highest producer epoch (default: 3)"), "N")
      ->check(whole_number(1, spec::kMaxEpochs));
  needs_search(lemmas.add_option("--budget", c.budget,
                                 "search: faults in the states that candidates are held against "
                                 "(default: any number, and 2 with several partitions)"),
               "N")
      ->check(whole_number(0, 15));
  needs_search(lemmas.add_option("--memory", a.limits.memory_mib,
                                 "search: MiB for those states (default: 2048)"),
               "MIB")
      ->check(whole_number(16, 1 << 20));
  needs_search(lemmas.add_option("--seconds", a.limits.seconds,
                                 "search: time limit, without that for the states (default: none)"),
               "S")
      ->check(number(0.001, 1e9));
}

void add_lemmas(CLI::App& app, Arguments& a) {
  LemmasArguments& c = a.lemmas;
  CLI::App& lemmas =
      add_command(app, a, Command::kLemmas, "lemmas",
                  "the lemmas of the proofs, and which of them the proof of each needs",
                  "fencepost lemmas --variant librdkafka-pr-4972 --faults leader-lost,disconnect");
  lemmas.add_option("--variant", c.variant, "client (default: librdkafka-deferred)")
      ->type_name("NAME");
  lemmas.add_option("--broker", c.broker, "broker: a name or a .json file")->type_name("NAME");
  lemmas.add_option("--faults", c.faults, "kinds that may happen, as for check")
      ->type_name("FAULTS");
  lemmas.add_option("--messages", c.messages, "new messages a partition (default: 2)")
      ->check(CLI::Range(1, spec::kMaxMessages).description(""))
      ->type_name("N");
  lemmas.add_option("--in-flight", c.in_flight, "requests in flight a partition (default: 2)")
      ->check(CLI::Range(1, spec::kMaxInFlight).description(""))
      ->type_name("N");
  add_lemma_search(lemmas, a);
  add_format(lemmas, a);
}

std::unique_ptr<CLI::App> make_app(Arguments& a) {
  auto app = std::make_unique<CLI::App>(
      "fencepost: checks clients of Kafka's idempotent-producer protocol", "fencepost");
  app->set_version_flag("--version", "fencepost " + std::string(checker::version()));
  app->add_option("--spec-dir", a.spec_folder, "folder of variants, brokers and claims.json")
      ->envname("FENCEPOST_SPEC")
      ->type_name("DIR");
  app->require_subcommand(1);
  app->fallthrough();
  app->footer("\nExample:\n  fencepost gate");
  add_gate(*app, a);
  add_check(*app, a);
  add_matrix(*app, a);
  add_transactions(*app, a);
  add_explain(*app, a);
  add_simulate(*app, a);
  add_mutants(*app, a);
  add_lists(*app, a);
  add_lemmas(*app, a);
  return app;
}

std::string text_of(CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() != 0) return "fencepost: " + usage_sentence(app, error) + "\n";
  std::ostringstream out;
  std::ostringstream err;
  app.exit(error, out, err);
  return out.str() + err.str();
}

}  // namespace

Parsed parse(int argc, const char* const* argv) {
  Parsed parsed;
  const std::unique_ptr<CLI::App> app = make_app(parsed.arguments);
  try {
    app->parse(argc, argv);
    parsed.run = true;
    parsed.arguments.check.instance.warm = parsed.arguments.check.cold ? 0 : 1;
  } catch (const CLI::ParseError& error) {
    parsed.text = text_of(*app, error);
    parsed.exit_code = error.get_exit_code() == 0 ? 0 : static_cast<int>(Exit::kUsage);
  }
  return parsed;
}

std::vector<std::string> option_names() {
  Arguments a;
  const std::unique_ptr<CLI::App> app = make_app(a);
  std::vector<std::string> names;
  const auto add = [&names](const CLI::App* from, const std::string& prefix) {
    for (const CLI::Option* option : from->get_options()) {
      for (const std::string& name : option->get_lnames())
        names.push_back(std::string(prefix).append("--").append(name));
    }
  };
  add(app.get(), "");
  for (const CLI::App* command : app->get_subcommands({})) {
    add(command, command->get_name() + " ");
  }
  return names;
}

}  // namespace fencepost::cli
