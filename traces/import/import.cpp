#include "traces/import/import.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "spec/base.h"
#include "traces/import/librdkafka_log.h"
#include "traces/import/wireshark_text.h"

namespace fencepost::traces {
namespace {

[[noreturn]] void bad(const std::string& sentence) { throw Error(Exit::kBadInput, sentence); }

// The magic numbers of pcap (both byte orders, both clocks) and pcapng.
bool is_packet_capture(std::string_view text) {
  constexpr std::array<std::string_view, 5> kMagic = {"\xd4\xc3\xb2\xa1", "\xa1\xb2\xc3\xd4",
                                                      "\x4d\x3c\xb2\xa1", "\xa1\xb2\x3c\x4d",
                                                      "\x0a\x0d\x0d\x0a"};
  for (const std::string_view magic : kMagic) {
    if (text.starts_with(magic)) return true;
  }
  return false;
}

// Appends the parts of an already imported trace; its inputs move behind those there.
void append(Trace&& from, Trace& to) {
  const auto shift = static_cast<std::int64_t>(to.inputs.size());
  for (Input& input : from.inputs) to.inputs.push_back(std::move(input));
  for (Problem& problem : from.problems) {
    problem.where.input += shift;
    to.problems.push_back(std::move(problem));
  }
  for (Event& event : from.events) {
    event.evidence.input += shift;
    to.events.push_back(std::move(event));
  }
}

}  // namespace

std::string read_input(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) bad(fmt::format("{}: there is no such file", path));
  if (std::filesystem::is_directory(status)) {
    bad(fmt::format("{}: this is a folder; name the file in it", path));
  }
  const auto refuse_size = [&] {
    bad(
        fmt::format("{}: larger than {} MiB, the most that is read at once; cut out the part "
                    "around the duplicate",
                    path, kLargestInput >> 20));
  };
  if (std::filesystem::is_regular_file(status) &&
      std::filesystem::file_size(path, error) > kLargestInput && !error) {
    refuse_size();
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) bad(fmt::format("{}: cannot be opened; check its permissions", path));
  std::string text;
  std::array<char, 1 << 16> block{};
  while (in.read(block.data(), block.size()), in.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > kLargestInput) refuse_size();
  }
  if (in.bad()) bad(fmt::format("{}: cannot be read to its end", path));
  if (text.empty()) bad(fmt::format("{}: the file is empty", path));
  return text;
}

Format detect_format(std::string_view text, const std::string& name) {
  if (is_packet_capture(text)) {
    bad(
        fmt::format("{}: this is a packet capture, not its print-out; print it with `tshark -V` or "
                    "export packet dissections as plain text",
                    name));
  }
  if (looks_like_trace(text)) return Format::kTrace;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    if (is_wireshark_line(line)) return Format::kWiresharkText;
    if (is_librdkafka_line(line)) return Format::kLibrdkafkaLog;
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  if (text.find('\0') != std::string_view::npos) {
    bad(
        fmt::format("{}: this is a binary file; give a Wireshark text print-out, a librdkafka "
                    "debug log or a trace",
                    name));
  }
  bad(
      fmt::format("{}: no line of it is of a Wireshark text print-out, a librdkafka debug log or a "
                  "trace; those are the formats read",
                  name));
}

void import_text(std::string_view text, const std::string& name, Format format, Trace& trace) {
  switch (format) {
    case Format::kTrace:
      append(from_raw(read_trace(text, name), name), trace);
      return;
    case Format::kWiresharkText:
      append(import_wireshark_text(text, name), trace);
      return;
    case Format::kLibrdkafkaLog:
      append(import_librdkafka_log(text, name), trace);
      return;
  }
}

}  // namespace fencepost::traces
