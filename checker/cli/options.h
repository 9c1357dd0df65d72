// The options of every command, as values. `parse` fills them; nothing else reads argv.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/instance.h"

namespace fencepost::cli {

enum class Command : std::uint8_t {
  kGate,
  kMatrix,
  kCheck,
  kExplain,
  kReplay,
  kSimulate,
  kTrace,
  kMutants,
  kVariants,
  kProperties,
  kFaults,
  kLemmas,
  kTransactions,
};

enum class Format : std::uint8_t { kText, kJson };

/// Limits that the searching commands share.
struct SearchLimits {
  unsigned threads = 0;  ///< 0: one per core
  std::size_t memory_mib = 2048;
  double seconds = 0;           ///< 0: no limit
  std::uint32_t max_depth = 0;  ///< 0: no limit
  bool symmetry = true;         ///< one state of those that differ in partitions' numbers
};

struct GateArguments {
  std::vector<std::string> only;
  bool all = false;
  bool prove = false;
  bool full = false;        ///< `prove`, and the implementation beside the spec
  std::string variant;      ///< asks the claims' questions of this one
  std::string claims;       ///< a file instead of <spec>/claims.json
  std::string on = "spec";  ///< "spec" or "impl"
};

struct CheckArguments {
  std::string claim;  ///< asks its rows instead of what the other options describe
  int row = 0;        ///< of the claim, from 1; 0: all
  std::string variant = "librdkafka-2.15";
  std::string broker = "kafka-2.5-to-4.4";
  std::vector<std::string> properties;  ///< empty: all
  spec::Instance instance;
  bool cold = false;
  std::string faults = "leader-lost,stale-view,disconnect";
  int budget = 2;
  std::string engine = "explicit";  ///< explicit, z3, bmc, induction
  std::vector<std::string> lemmas;  ///< of induction; empty: all
  std::string certificate;          ///< folder for the proof, or empty
  bool any_partitions = false;
  std::string on = "spec";  ///< "spec" or "impl"
  std::string trace_out;
  bool statistics = false;
};

struct MatrixArguments {
  std::vector<std::string> clients;     ///< empty: all
  std::vector<std::string> brokers;     ///< empty: all
  std::vector<std::string> properties;  ///< empty: all
  spec::Instance instance;
  bool cold = false;
  std::string faults = "leader-lost,disconnect,permanent-error";
  int budget = 2;
  std::string on = "spec";  ///< "spec" or "impl"
  MatrixArguments() {
    instance.messages = 2;
    instance.epochs = 7;
  }
};

/// One search of the transactional model: a claim's, or as described.
struct TransactionsArguments {
  std::string claim;
  int row = 0;        ///< of the claim, from 1; 0: all
  bool list = false;  ///< only say what there is
  std::string client = "librdkafka-2.15";
  std::string coordinator = "kip-360";
  std::string broker = "kafka-2.5";
  std::string shape;                    ///< changes of the default instance
  std::vector<std::string> properties;  ///< empty: all
  std::string faults = "none";
  int budget = 0;
  std::string trace_out;
};

struct ExplainArguments {
  std::vector<std::string> files;
  std::vector<std::string> logs;
  std::string trace_out;
};

struct SimulateArguments {
  std::string variant = "librdkafka-2.15";
  std::string broker = "kafka-2.5-to-4.4";
  std::uint64_t seed = 1;
  std::uint64_t steps = 100'000;
  int partitions = 4;
  int messages = 1'000;
  int brokers = 3;
  int in_flight = 5;
  int batch = 1;
  std::string faults = "leader-lost,stale-view,disconnect";
  int faults_per_mille = 5;
  std::string grain = "fine";    ///< as impl::parse_grain takes it
  std::string compare = "auto";  ///< with the spec: auto, always, never
  int runs = 1;                  ///< one after another, each with the next seed
  std::string trace_out;
  std::string schedule;      ///< a file of choices to take instead of random ones
  std::string schedule_out;  ///< where to write the shrunk schedule
  bool shrink = true;
};

struct MutantsArguments {
  std::string only;  ///< id of a row, or a pattern of * and ?; empty: all
  bool details = false;
  std::string catalogue;  ///< folder instead of tests/catalogue
};

struct LemmasArguments {
  std::string variant = "librdkafka-deferred";
  std::string broker = "kafka-2.5-to-4.4";
  std::string faults = "all-but:late-request,cache-shrink,expiry";
  int messages = 2;
  int in_flight = 2;
  bool search = false;                  ///< look for lemmas, instead of listing those there are
  std::vector<std::string> without;     ///< begin with all lemmas but these; empty: with none
  std::vector<std::string> properties;  ///< empty: all that the lemmas are made for
  std::string certificate;              ///< folder for the proof, or empty
  int partitions = 1;
  int epochs = 3;
  int budget = -1;  ///< faults of the states that candidates are held against; -1: as they like
};

struct Arguments {
  Command command = Command::kGate;
  Format format = Format::kText;
  std::string spec_folder;
  SearchLimits limits;
  GateArguments gate;
  CheckArguments check;
  MatrixArguments matrix;
  TransactionsArguments transactions;
  ExplainArguments explain;
  SimulateArguments simulate;
  MutantsArguments mutants;
  LemmasArguments lemmas;
  std::string trace_file;
  std::string replay_file;
  std::string replay_on = "spec";  ///< "spec" or "impl"
};

/// What `parse` found out: either arguments to run, or a text to print and an exit code (help,
/// version, a usage mistake).
struct Parsed {
  bool run = false;
  Arguments arguments;
  std::string text;
  int exit_code = 0;
};

/// Reads the command line. Never throws, never prints.
Parsed parse(int argc, const char* const* argv);

/// Every option of every command, as "check --budget": for the test that each is documented.
std::vector<std::string> option_names();

}  // namespace fencepost::cli
