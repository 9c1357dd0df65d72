// The recorded inputs of the project, as tests use them.
#pragma once

#include <string>

#include "traces/import/import.h"

namespace fencepost::test {

inline const std::string kCaptures = std::string(FENCEPOST_SOURCE_DIR) + "/traces/captures/";
inline const char* const kRollingRestart = "rolling-restart-topic-0188.wireshark.txt";
inline const char* const kSharedEpoch = "shared-epoch-topic-0011.wireshark.txt";
inline const char* const kSharedEpochLog = "shared-epoch-topic-0011.librdkafka.log";
inline const char* const kClientLogs[] = {"client-logs/dup-one-partition-2.15.0.log",
                                          "client-logs/dup-permanent-error-conditional-bump.log",
                                          "client-logs/dup-two-partitions-2.15.0.log",
                                          "client-logs/gap-heals-2.15.0.log",
                                          "client-logs/gap-loops-pr4972.log"};

/// The text of a capture or log.
inline std::string input_text(const std::string& name) {
  return traces::read_input(kCaptures + name);
}

/// Imports a text whose format is detected.
inline traces::Trace import_one(const std::string& text, const std::string& name = "input") {
  traces::Trace trace;
  traces::import_text(text, name, traces::detect_format(text, name), trace);
  return trace;
}

/// `text` with every `from` replaced by `to`.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// `text` without the lines that hold `part`.
inline std::string without_lines(const std::string& text, const std::string& part) {
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find('\n', at);
    end = end == std::string::npos ? text.size() : end + 1;
    const std::string line = text.substr(at, end - at);
    if (line.find(part) == std::string::npos) kept += line;
    at = end;
  }
  return kept;
}

}  // namespace fencepost::test
