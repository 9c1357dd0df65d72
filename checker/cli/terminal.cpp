#include "checker/cli/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <thread>

#include "spec/base.h"

namespace fencepost::cli {
namespace {

// The one piece of global state: a signal handler has nothing else to write to.
std::atomic<bool> stop_requested{false};

void on_interrupt(int) {
  if (stop_requested.exchange(true)) std::_Exit(static_cast<int>(Exit::kInconclusive));
}

/// Whether `folder` has a variant of that name.
bool stands_in(const std::string& name, const std::filesystem::path& folder) {
  return !name.ends_with(".json") && std::filesystem::exists(folder / (name + ".json"));
}

}  // namespace

spec::Variant load_client(const std::string& name, const std::filesystem::path& data,
                          bool takes_broker) {
  const auto fail = [&](const std::string& broker) {
    throw Error(Exit::kUsage,
                fmt::format("\"{}\" is a broker, not a client: {}", broker,
                            takes_broker ? fmt::format("name it with --broker {}", name)
                                         : "the claims say which brokers are asked about"));
  };
  const std::filesystem::path folder = data / "variants";
  if (!stands_in(name, folder) && stands_in(name, data / "brokers")) fail(name);
  spec::Variant variant = spec::load_variant(name, folder);
  if (variant.kind == spec::VariantKind::kBroker) fail(variant.name);
  return variant;
}

spec::Variant load_broker(const std::string& name, const std::filesystem::path& data) {
  const auto fail = [&](const std::string& client) {
    throw Error(
        Exit::kUsage,
        fmt::format("\"{}\" is a client, not a broker: name it with --variant {}", client, name));
  };
  const std::filesystem::path folder = data / "brokers";
  if (!stands_in(name, folder) && stands_in(name, data / "variants")) fail(name);
  spec::Variant variant = spec::load_variant(name, folder);
  if (variant.kind == spec::VariantKind::kClient) fail(variant.name);
  return variant;
}

std::filesystem::path spec_folder(const Arguments& arguments) {
  std::filesystem::path folder = arguments.spec_folder;
  if (folder.empty()) folder = FENCEPOST_SPEC_DIR;
  if (std::filesystem::is_directory(folder / "variants")) return folder;
  throw Error(Exit::kUsage,
              fmt::format("{} has no folder \"variants\": name the folder spec/ with --spec-dir or "
                          "in FENCEPOST_SPEC",
                          folder.string()));
}

const std::atomic<bool>* stop_flag() {
  static_assert(std::atomic<bool>::is_always_lock_free);
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  return &stop_requested;
}

unsigned threads_of(const Arguments& arguments) {
  if (arguments.limits.threads > 0) return arguments.limits.threads;
  return std::max(1U, std::thread::hardware_concurrency());
}

gate::Limits limits_of(const Arguments& arguments, unsigned threads) {
  gate::Limits limits;
  limits.memory_bytes = arguments.limits.memory_mib << 20U;
  if (arguments.limits.seconds > 0) limits.seconds = arguments.limits.seconds;
  if (arguments.limits.max_depth > 0) limits.max_depth = arguments.limits.max_depth;
  limits.threads = threads;
  limits.symmetry = arguments.limits.symmetry;
  limits.stop = stop_flag();
  return limits;
}

std::pair<std::size_t, std::size_t> rows_asked(int row, std::size_t rows,
                                               const std::string& claim) {
  if (row == 0) return {0, rows};
  const auto number = static_cast<std::size_t>(row);
  if (number > rows) {
    throw Error(Exit::kUsage,
                fmt::format("the claim \"{}\" has rows 1 to {}, not {}", claim, rows, row));
  }
  return {number - 1, number};
}

void require_no_row(int row) {
  if (row != 0) throw Error(Exit::kUsage, "--row is of --claim: name the claim, too");
}

bool colour_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) != 0 && (no_color == nullptr || *no_color == '\0');
}

void print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    throw Error(Exit::kBadInput, "standard output cannot be written");
  }
}

ProgressLine::ProgressLine() : shown_(::isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  if (width_ > 0) std::fprintf(stderr, "\r%*s\r", static_cast<int>(width_), "");
}

void ProgressLine::show(const std::string& text) {
  if (!shown_) return;
  std::fprintf(stderr, "\r%-*s", static_cast<int>(width_), text.c_str());
  width_ = text.size();
}

}  // namespace fencepost::cli
