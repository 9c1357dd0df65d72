#include "traces/trace_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>

#include "spec/base.h"

namespace fencepost::traces {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void bad(const std::string& name, std::size_t line, const std::string& what) {
  throw Error(Exit::kBadInput, fmt::format("{}:{}: {}", name, line, what));
}

Json parse_line(std::string_view line, const std::string& name, std::size_t number) {
  Json json = Json::parse(line.begin(), line.end(), nullptr, false);
  if (!json.is_object()) {
    bad(name, number, "this line is not one JSON object; a trace has one event a line");
  }
  return json;
}

std::string take_string(Json& json, const char* key, const std::string& name, std::size_t line) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_string()) {
    bad(name, line, fmt::format("\"{}\" is missing or not a string", key));
  }
  std::string value = found->get<std::string>();
  json.erase(key);
  return value;
}

/// The number of events that the header promises, if it does: then a trace cut at the end of a line
/// is known.
std::optional<std::size_t> take_count(Json& json, const std::string& name) {
  const auto found = json.find("events");
  if (found == json.end()) return std::nullopt;
  if (!found->is_number_unsigned()) bad(name, 1, "the header's \"events\" is no count");
  const auto count = found->get<std::size_t>();
  json.erase("events");
  return count;
}

void read_header(Json json, const std::string& name, RawTrace& trace) {
  if (take_string(json, "schema", name, 1) != kTraceSchema) {
    bad(name, 1, fmt::format("the header's \"schema\" is not \"{}\"", kTraceSchema));
  }
  const auto version = json.find("version");
  if (version == json.end() || !version->is_number_integer() || *version != kTraceVersion) {
    bad(name, 1,
        fmt::format("the header's \"version\" is not {}, the only one this program reads; record "
                    "or import the trace again",
                    kTraceVersion));
  }
  json.erase("version");
  trace.source = take_string(json, "source", name, 1);
  trace.header = std::move(json);
}

RawEvent read_event(Json json, const std::string& name, std::size_t line, std::size_t expected) {
  if (json.contains("schema")) bad(name, line, "a second header; a trace has one, in line 1");
  const auto index = json.find("i");
  if (index == json.end() || !index->is_number_integer() || *index != expected) {
    bad(name, line,
        fmt::format("the event's index \"i\" is not {}; events count from 0 without "
                    "a gap",
                    expected));
  }
  json.erase("i");
  RawEvent event;
  event.actor = take_string(json, "actor", name, line);
  event.event = take_string(json, "event", name, line);
  event.body = std::move(json);
  return event;
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string write_trace(const RawTrace& trace) {
  Json header = {{"schema", kTraceSchema},
                 {"version", kTraceVersion},
                 {"source", trace.source},
                 {"events", trace.events.size()}};
  header.update(trace.header);
  std::string text = dump(header);
  std::size_t index = 0;
  for (const RawEvent& event : trace.events) {
    Json json = {{"i", index++}, {"actor", event.actor}, {"event", event.event}};
    json.update(event.body);
    text += dump(json);
  }
  return text;
}

RawTrace read_trace(std::string_view text, const std::string& name) {
  if (text.empty()) bad(name, 1, "the file is empty; a trace begins with its header");
  RawTrace trace;
  std::optional<std::size_t> promised;
  std::size_t line = 0;
  while (!text.empty()) {
    ++line;
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      bad(name, line, "the last line has no line end, so it may be cut; record the trace again");
    }
    Json json = parse_line(text.substr(0, end), name, line);
    text.remove_prefix(end + 1);
    if (line == 1) {
      promised = take_count(json, name);
      read_header(std::move(json), name, trace);
    } else {
      trace.events.push_back(read_event(std::move(json), name, line, line - 2));
    }
  }
  if (promised && *promised != trace.events.size()) {
    bad(name, line,
        fmt::format("the trace ends here after {} of the {} events that its header promises, so it "
                    "is not whole; record the trace again",
                    trace.events.size(), *promised));
  }
  return trace;
}

bool looks_like_trace(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  return first.starts_with("{") && first.find("\"schema\"") != std::string_view::npos;
}

void require_replaceable(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::file_status there = fs::status(path, failed);
  if (fs::exists(there) && !fs::is_regular_file(there)) {
    throw Error(Exit::kBadInput,
                fmt::format("{}: is not a regular file and would be replaced; name another", path));
  }
  const fs::path parent = fs::path(path).parent_path();
  const fs::path folder = parent.empty() ? fs::path(".") : parent;
  if (!fs::is_directory(folder, failed) || ::access(folder.c_str(), W_OK | X_OK) != 0 ||
      (fs::exists(there) && ::access(path.c_str(), W_OK) != 0)) {
    throw Error(Exit::kBadInput,
                fmt::format("{}: cannot be written; check that the folder exists and that it may "
                            "be written to",
                            path));
  }
}

void write_file_whole(const std::string& path, std::string_view text) {
  require_replaceable(path);
  std::error_code failed;
  // A link stays a link: what it points to is replaced.
  const std::filesystem::path to = std::filesystem::exists(path)
                                       ? std::filesystem::canonical(path, failed)
                                       : std::filesystem::path(path);
  const std::string beside = fmt::format("{}.{}.part", to.string(), ::getpid());
  std::error_code ignored;
  std::ofstream out(beside, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out) {
    std::filesystem::remove(beside, ignored);
    throw Error(Exit::kBadInput,
                fmt::format("{}: cannot be written; check that there is room", path));
  }
  std::filesystem::rename(beside, to, failed);
  if (failed) {
    std::filesystem::remove(beside, ignored);
    throw Error(Exit::kBadInput,
                fmt::format("{}: cannot be replaced ({})", path, failed.message()));
  }
}

}  // namespace fencepost::traces
