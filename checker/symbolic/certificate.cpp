#include "checker/symbolic/certificate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <memory>

#include "spec/base.h"

namespace fencepost::checker {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReadme = "README.txt";
constexpr std::string_view kCannotBeMade = "the folder for the certificate cannot be made";

[[noreturn]] void refuse(const fs::path& path, std::string_view why) {
  throw Error(Exit::kBadInput, fmt::format("{}: {}", path.string(), why));
}

void write_file(const fs::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) refuse(path, "cannot be written");
}

bool is_ours(const fs::path& path) {
  return path.filename() == kReadme || path.extension() == ".smt2";
}

/// The nearest folder above `path`, or itself, that exists.
fs::path existing(fs::path path) {
  std::error_code ignored;
  while (!path.empty() && !fs::exists(path, ignored)) path = path.parent_path();
  return path.empty() ? fs::path(".") : path;
}

/// Makes the folder, or empties the one of an earlier certificate.
void prepare(const fs::path& folder) {
  require_certificate_folder(folder);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) refuse(folder, kCannotBeMade);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    fs::remove(entry.path(), error);
  }
}

/// What a command writes to its standard output; empty if it cannot be run.
std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  if (pipe == nullptr) return text;
  char buffer[256];
  while (std::fgets(buffer, sizeof buffer, pipe.get()) != nullptr) text += buffer;
  return text;
}

std::string quoted(const fs::path& path) {
  std::string text = "'";
  for (const char c : path.string()) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  return text + "'";
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// "This is cvc5 version 1.0.3 [...]" is "cvc5 1.0.3".
std::string cvc5_name() {
  const std::string line = first_line(output_of("cvc5 --version 2>/dev/null"));
  const std::string mark = "version ";
  const auto at = line.find(mark);
  if (line.find("cvc5") == std::string::npos || at == std::string::npos) return {};
  const std::string rest = line.substr(at + mark.size());
  return "cvc5 " + rest.substr(0, rest.find_first_of(" [\n"));
}

}  // namespace

void require_certificate_folder(const fs::path& folder) {
  const fs::path there = existing(folder);
  std::error_code error;
  if (!fs::is_directory(there, error) || ::access(there.c_str(), W_OK | X_OK) != 0) {
    refuse(folder, kCannotBeMade);
  }
  if (there != folder) return;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (is_ours(entry.path())) continue;
    refuse(folder, fmt::format("is no folder of a certificate: it holds {}; name an empty one",
                               entry.path().filename().string()));
  }
  if (error) refuse(folder, "cannot be read");
}

Certificate write_certificate(const FormulaSystem& system, const std::vector<std::size_t>& facts,
                              const InductionOptions& options, const fs::path& folder,
                              const std::string& says) {
  prepare(folder);
  Certificate certificate;
  std::string readme = says;
  readme +=
      "\nEvery file asks for a counterexample to one step of the proof. The proof is right "
      "if every one is\nanswered \"unsat\".\n\n";
  InductionOptions fresh = options;
  fresh.fresh = true;
  fresh.on_query = [&](const std::string& name, const std::string& what, const std::string& smt) {
    const std::string file = name + ".smt2";
    write_file(folder / file, fmt::format("; {}\n(set-logic QF_BV)\n{}", what, smt));
    // A query that failed with the facts of one partition comes again with all: the last counts.
    auto& files = certificate.files;
    if (!files.empty() && files.back() == file) return;
    files.push_back(file);
    readme += fmt::format("{:<20} {}\n", file, what);
  };
  certificate.result = prove(system, facts, fresh);
  readme += "\nThe facts:\n";
  for (const std::size_t f : facts) {
    const Fact& fact = system.facts()[f];
    if (fact.partition > 0) continue;
    readme += fmt::format("  {}: {}\n", fact.name, fact.says);
  }
  write_file(folder / kReadme, readme);
  return certificate;
}

Confirmation confirm_by_cvc5(const Certificate& certificate, const fs::path& folder,
                             const std::atomic<bool>* stop) {
  Confirmation confirmation;
  confirmation.solver = cvc5_name();
  if (confirmation.solver.empty()) return confirmation;
  for (const std::string& file : certificate.files) {
    if (stop != nullptr && stop->load()) {
      confirmation.refused = "interrupted";
      return confirmation;
    }
    const std::string answer =
        first_line(output_of("cvc5 --lang=smt2 " + quoted(folder / file) + " 2>&1"));
    if (answer != "unsat") {
      confirmation.refused = fmt::format("{}: {}", file, answer.empty() ? "no answer" : answer);
      return confirmation;
    }
    ++confirmation.confirmed;
  }
  confirmation.whole = !certificate.files.empty();
  return confirmation;
}

}  // namespace fencepost::checker
