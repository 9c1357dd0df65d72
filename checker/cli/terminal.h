// What the commands need of the world around them: the data folder, Ctrl-C, the terminal.
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "checker/cli/options.h"
#include "checker/gate/task.h"
#include "spec/variant.h"

namespace fencepost::cli {

/// The folder of variants, brokers and claims.json: as given, else where this was built from.
/// Throws Error(kUsage) if it is not there.
std::filesystem::path spec_folder(const Arguments& arguments);

/// The client that `--variant` names, or the broker of `--broker`: a name or a .json file, in the
/// folders of `data` (`spec_folder`). Throws Error(kUsage) if it is the other kind, with the option
/// that takes it if the command has one, and Error(kBadInput) as spec::load_variant does.
spec::Variant load_client(const std::string& name, const std::filesystem::path& data,
                          bool takes_broker = true);
spec::Variant load_broker(const std::string& name, const std::filesystem::path& data);

/// Becomes true on the first Ctrl-C; a second one ends the program at once. The first call
/// installs the handler.
const std::atomic<bool>* stop_flag();

/// The limits of a search, with the stop flag, for the given number of threads.
gate::Limits limits_of(const Arguments& arguments, unsigned threads);

/// Threads asked for, or one per core.
unsigned threads_of(const Arguments& arguments);

/// The rows of a claim that `--row` means, as indices [first, end): all for 0.
/// Throws Error(kUsage) for a row that the claim has not.
std::pair<std::size_t, std::size_t> rows_asked(int row, std::size_t rows, const std::string& claim);
/// Throws Error(kUsage) if a row is asked for without a claim.
void require_no_row(int row);

/// Whether text for standard output may be coloured: a terminal, and NO_COLOR is not set.
bool colour_wanted();

/// Prints the text to standard output. Throws Error(kBadInput) if it cannot be written.
void print(std::string_view text);

/// A line on standard error that overwrites itself; silent if that is not a terminal. The
/// destructor clears it.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  [[nodiscard]] bool shown() const { return shown_; }
  void show(const std::string& text);

 private:
  bool shown_;
  std::size_t width_ = 0;
};

}  // namespace fencepost::cli
