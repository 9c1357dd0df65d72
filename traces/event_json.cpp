#include "traces/event_json.h"

#include <fmt/format.h>

#include <type_traits>
#include <utility>

#include "spec/base.h"
#include "traces/event_fields.h"
#include "traces/import/scanner.h"

namespace fencepost::traces {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};

// Thrown while one line is read; the caller adds file and line.
struct FieldError {
  std::string what;
};

template <class T>
Json write_value(const T& value);

struct Writer {
  Json& json;
  template <class T>
  void operator()(const char* name, const T& value) {
    if constexpr (IsOptional<T>::value) {
      if (value) json[name] = write_value(*value);
    } else if constexpr (IsVector<T>::value) {
      if (!value.empty()) json[name] = write_value(value);
    } else {
      json[name] = write_value(value);
    }
  }
};

template <class T>
Json write_value(const T& value) {
  if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::int64_t>) {
    return value;
  } else if constexpr (IsVector<T>::value) {
    Json array = Json::array();
    for (const auto& item : value) array.push_back(write_value(item));
    return array;
  } else {
    Json object = Json::object();
    Writer writer{object};
    Fields<T>::visit(writer, value);
    return object;
  }
}

template <class T>
void read_value(const Json& json, const char* name, T& value);

struct Reader {
  const Json& json;
  std::size_t known = 0;
  template <class T>
  void operator()(const char* name, T& value) {
    const auto found = json.find(name);
    if (found == json.end()) {
      if constexpr (IsOptional<T>::value || IsVector<T>::value) return;
      throw FieldError{fmt::format("\"{}\" is missing", name)};
    }
    ++known;
    if constexpr (IsOptional<T>::value) {
      read_value(*found, name, value.emplace());
    } else {
      read_value(*found, name, value);
    }
  }
};

template <class T>
void read_object(const Json& json, const char* name, T& value) {
  if (!json.is_object()) throw FieldError{fmt::format("\"{}\" is not an object", name)};
  Reader reader{json};
  Fields<T>::visit(reader, value);
  if (reader.known != json.size()) {
    throw FieldError{fmt::format("\"{}\" has a field that this version does not know", name)};
  }
}

template <class T>
void read_value(const Json& json, const char* name, T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    if (!json.is_string()) throw FieldError{fmt::format("\"{}\" is not a string", name)};
    value = json.get<std::string>();
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    if (!json.is_number_integer()) throw FieldError{fmt::format("\"{}\" is not a number", name)};
    value = json.get<std::int64_t>();
    if (!is_sane(value)) throw FieldError{fmt::format("\"{}\" is out of range", name)};
  } else if constexpr (IsVector<T>::value) {
    if (!json.is_array()) throw FieldError{fmt::format("\"{}\" is not a list", name)};
    for (const Json& item : json) read_value(item, name, value.emplace_back());
  } else {
    read_object(json, name, value);
  }
}

template <std::size_t... I>
bool read_payload(const std::string& event, const Json& body, Payload& payload,
                  std::index_sequence<I...>) {
  const auto try_one = [&]<class E>(std::type_identity<E>) {
    if (event != Fields<E>::kName) return false;
    read_object(body, "event", payload.emplace<E>());
    return true;
  };
  return (try_one(std::type_identity<std::variant_alternative_t<I, Payload>>{}) || ...);
}

Event read_event(const RawEvent& raw, std::size_t inputs) {
  Event event;
  event.actor = raw.actor;
  Json body = raw.body;
  const auto evidence = body.find("evidence");
  if (evidence == body.end()) throw FieldError{"\"evidence\" is missing"};
  read_object(*evidence, "evidence", event.evidence);
  if (event.evidence.input < 0 || event.evidence.input >= static_cast<std::int64_t>(inputs)) {
    throw FieldError{"\"evidence\" names an input that the header does not list"};
  }
  body.erase("evidence");
  constexpr auto kKinds = std::make_index_sequence<std::variant_size_v<Payload>>();
  if (!read_payload(raw.event, body, event.payload, kKinds)) {
    throw FieldError{fmt::format("\"{}\" is no event of an imported trace", raw.event)};
  }
  return event;
}

const Json& list_of(const Json& header, const char* key) {
  static const Json kEmpty = Json::array();
  const auto found = header.find(key);
  if (found == header.end()) return kEmpty;
  if (!found->is_array()) throw FieldError{fmt::format("\"{}\" is not a list", key)};
  return *found;
}

void read_header(const Json& header, Trace& trace) {
  for (const Json& json : list_of(header, "inputs")) {
    Input input;
    for (const auto& [key, field] :
         {std::pair{"file", &input.file}, {"format", &input.format}, {"clock", &input.clock}}) {
      if (!json.is_object() || !json.contains(key)) {
        throw FieldError{fmt::format("an input lacks \"{}\"", key)};
      }
      read_value(json[key], key, *field);
    }
    trace.inputs.push_back(std::move(input));
  }
  for (const Json& json : list_of(header, "problems")) {
    Problem problem;
    if (!json.is_object() || !json.contains("where") || !json.contains("what")) {
      throw FieldError{"a problem lacks \"where\" or \"what\""};
    }
    read_object(json["where"], "where", problem.where);
    if (problem.where.input < 0 ||
        problem.where.input >= static_cast<std::int64_t>(trace.inputs.size())) {
      throw FieldError{"a problem names an input that the header does not list"};
    }
    read_value(json["what"], "what", problem.what);
    trace.problems.push_back(std::move(problem));
  }
}

struct SchemaWriter {
  Json properties = Json::object();
  Json required = Json::array();
  template <class T>
  void operator()(const char* name, const T& value) {
    properties[name] = describe(value);
    if constexpr (!IsOptional<T>::value && !IsVector<T>::value) required.push_back(name);
  }
  template <class T>
  static Json describe(const T& value) {
    if constexpr (std::is_same_v<T, std::string>) {
      return {{"type", "string"}};
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
      return {{"type", "integer"}};
    } else if constexpr (IsOptional<T>::value) {
      return describe(typename T::value_type{});
    } else if constexpr (IsVector<T>::value) {
      return {{"type", "array"}, {"items", describe(typename T::value_type{})}};
    } else {
      SchemaWriter inner;
      Fields<T>::visit(inner, value);
      return inner.object();
    }
  }
  [[nodiscard]] Json object() const {
    return {{"type", "object"},
            {"properties", properties},
            {"required", required},
            {"additionalProperties", false}};
  }
};

template <std::size_t... I>
Json event_schemas(std::index_sequence<I...>) {
  Json list = Json::array();
  const auto add = [&]<class E>(std::type_identity<E>) {
    SchemaWriter writer;
    writer.properties["i"] = {{"type", "integer"}, {"minimum", 0}};
    writer.properties["actor"] = {{"type", "string"}};
    writer.properties["event"] = {{"const", Fields<E>::kName}};
    for (const char* key : {"i", "actor", "event"}) writer.required.push_back(key);
    writer("evidence", Evidence{});
    const E value{};
    Fields<E>::visit(writer, value);
    list.push_back(writer.object());
  };
  (add(std::type_identity<std::variant_alternative_t<I, Payload>>{}), ...);
  return list;
}

Json observed(const Trace& trace) {
  Json list = Json::array();
  for (const char* format : {"wireshark-text", "librdkafka-log"}) {
    for (const Input& input : trace.inputs) {
      if (input.format != format) continue;
      list.push_back(input.format == "wireshark-text" ? "requests and answers on the wire"
                                                      : "what the client logged");
      break;
    }
  }
  return list;
}

}  // namespace

std::string_view event_name(const Payload& payload) {
  return std::visit([](const auto& e) { return Fields<std::decay_t<decltype(e)>>::kName; },
                    payload);
}

RawTrace to_raw(const Trace& trace) {
  RawTrace raw;
  raw.source = kImportSource;
  raw.header["observed"] = observed(trace);
  raw.header["inputs"] = Json::array();
  for (const Input& input : trace.inputs) {
    raw.header["inputs"].push_back(
        {{"file", input.file}, {"format", input.format}, {"clock", input.clock}});
  }
  if (!trace.problems.empty()) raw.header["problems"] = Json::array();
  for (const Problem& problem : trace.problems) {
    raw.header["problems"].push_back(
        {{"where", write_value(problem.where)}, {"what", problem.what}});
  }
  for (const Event& event : trace.events) {
    RawEvent line{event.actor, std::string(event_name(event.payload)), Json::object()};
    line.body["evidence"] = write_value(event.evidence);
    line.body.update(std::visit([](const auto& e) { return write_value(e); }, event.payload));
    raw.events.push_back(std::move(line));
  }
  return raw;
}

Trace from_raw(const RawTrace& raw, const std::string& name) {
  if (raw.source != kImportSource) {
    throw Error(Exit::kBadInput,
                fmt::format("{}:1: this trace has the source \"{}\", not \"{}\": it records no "
                            "capture or client log; give the file it was made from",
                            name, raw.source, kImportSource));
  }
  Trace trace;
  std::size_t line = 1;
  try {
    read_header(raw.header, trace);
    for (const RawEvent& event : raw.events) {
      ++line;
      trace.events.push_back(read_event(event, trace.inputs.size()));
    }
  } catch (const FieldError& error) {
    throw Error(Exit::kBadInput,
                fmt::format("{}:{}: {}; import the original again", name, line, error.what));
  }
  return trace;
}

Json trace_schema() {
  Json text = {{"type", "string"}};
  Json header = {{"type", "object"},
                 {"properties",
                  {{"schema", {{"const", kTraceSchema}}},
                   {"version", {{"const", kTraceVersion}}},
                   {"source", text},
                   {"events", {{"type", "integer"}, {"minimum", 0}}},
                   {"observed", {{"type", "array"}, {"items", text}}},
                   {"inputs", {{"type", "array"}}},
                   {"problems", {{"type", "array"}}},
                   {"bounds", {{"type", "object"}}}}},
                 {"required", {"schema", "version", "source"}}};
  Json schema;
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "one line of a fencepost trace: the header, or an event of an imported trace";
  schema["header"] = header;
  schema["events"] = event_schemas(std::make_index_sequence<std::variant_size_v<Payload>>());
  return schema;
}

}  // namespace fencepost::traces
