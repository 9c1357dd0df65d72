#include "checker/counterexample/recording.h"

#include <fmt/format.h>

#include <cstring>

#include "checker/core/fair.h"
#include "checker/counterexample/narrate.h"
#include "spec/instance_text.h"

namespace fencepost::checker {
namespace {

using Json = nlohmann::ordered_json;
using State = spec::Model::State;

Json instance_json(const spec::Instance& i) {
  return {{"partitions", i.partitions}, {"messages", i.messages}, {"warm", i.warm},
          {"in_flight", i.in_flight},   {"brokers", i.brokers},   {"epochs", i.epochs},
          {"max_epoch", i.max_epoch},   {"log", i.log},           {"faults", faults_text(i.faults)},
          {"budget", i.faults.budget}};
}

Json behaviour_json(const spec::Behaviour& behaviour) {
  Json json = Json::object();
  for (std::size_t e = 0; e < spec::entries().size(); ++e) {
    const spec::EntryInfo& info = spec::entries()[e];
    json[std::string(info.name)] =
        info.values[static_cast<std::size_t>(spec::entry_value(behaviour, e))];
  }
  return json;
}

/// The cells that differ, in the order of the state.
Json changes(const State& before, const State& after, const spec::Rules& rules) {
  Json list = Json::array();
  const auto* old_bytes = reinterpret_cast<const std::uint8_t*>(&before);
  spec::visit_cells(after, rules, [&](const spec::Concrete::Cell& cell, const spec::CellPlace& at) {
    const auto offset = reinterpret_cast<const std::uint8_t*>(&cell) -
                        reinterpret_cast<const std::uint8_t*>(&after);
    if (old_bytes[offset] == cell.v) return;
    Json change = {{"field", at.field}};
    if (at.partition >= 0) change["partition"] = at.partition;
    if (at.index >= 0) change["index"] = at.index;
    change["from"] = old_bytes[offset];
    change["to"] = cell.v;
    list.push_back(change);
  });
  return list;
}

[[noreturn]] void bad(const std::string& name, std::size_t line, const std::string& what) {
  throw Error(Exit::kBadInput, fmt::format("{}:{}: {}", name, line, what));
}

/// The header's field, of the wanted kind.
const Json& field(const Json& object, const char* key, Json::value_t kind,
                  const std::string& name) {
  const auto it = object.find(key);
  const bool number =
      it != object.end() && it->is_number_integer() && kind == Json::value_t::number_integer;
  if (it == object.end() || (it->type() != kind && !number)) {
    bad(name, 1,
        fmt::format("the header needs the field \"{}\" (a {})", key, Json(kind).type_name()));
  }
  return *it;
}

int number(const Json& object, const char* key, const std::string& name) {
  return field(object, key, Json::value_t::number_integer, name).get<int>();
}

spec::Instance read_instance(const Json& header, const std::string& name) {
  const Json& json = field(header, "instance", Json::value_t::object, name);
  spec::Instance i;
  i.partitions = number(json, "partitions", name);
  i.messages = number(json, "messages", name);
  i.warm = number(json, "warm", name);
  i.in_flight = number(json, "in_flight", name);
  i.brokers = number(json, "brokers", name);
  i.epochs = number(json, "epochs", name);
  i.max_epoch = number(json, "max_epoch", name);
  i.log = number(json, "log", name);
  const auto faults = field(json, "faults", Json::value_t::string, name).get<std::string>();
  try {
    i.faults = spec::parse_faults(faults, number(json, "budget", name));
    spec::require_checkable(i);
  } catch (const Error& error) {
    bad(name, 1, error.what());
  }
  return i;
}

spec::Behaviour read_behaviour(const Json& header, const std::string& name) {
  const Json& json = field(header, "behaviour", Json::value_t::object, name);
  spec::Behaviour behaviour;
  for (std::size_t e = 0; e < spec::entries().size(); ++e) {
    const spec::EntryInfo& info = spec::entries()[e];
    const std::string key(info.name);
    const auto value = field(json, key.c_str(), Json::value_t::string, name).get<std::string>();
    const auto it = std::find(info.values.begin(), info.values.end(), value);
    if (it == info.values.end()) bad(name, 1, fmt::format("\"{}\" cannot be \"{}\"", key, value));
    spec::set_entry(behaviour, e, static_cast<int>(it - info.values.begin()));
  }
  return behaviour;
}

/// The action that the event names, by its kind and parameters.
ActionIndex find_action(const spec::Model& model, const traces::RawEvent& event,
                        const std::string& name, std::size_t line) {
  std::string text = event.event;
  for (const char* key : {"partition", "a", "b"}) {
    const auto it = event.body.find(key);
    if (it == event.body.end()) continue;
    if (!it->is_number_integer()) bad(name, line, fmt::format("\"{}\" must be a number", key));
    text += fmt::format(" {}={}", key, it->get<int>());
  }
  for (std::size_t a = 0; a < model.action_count(); ++a) {
    if (spec::action_text(model.action(a)) == text) return static_cast<ActionIndex>(a);
  }
  bad(name, line, fmt::format("this instance has no action \"{}\"", text));
}

}  // namespace

traces::RawTrace record(const Recording& recording) {
  const spec::Model model(recording.behaviour, recording.instance);
  const std::vector<State> states = replay(model, recording.path);
  const Narration narration = narrate(model, recording.path);
  traces::RawTrace trace;
  trace.source = "model";
  trace.header["observed"] = "everything";
  trace.header["property"] = spec::properties()[static_cast<std::size_t>(recording.property)].name;
  trace.header["variant"] = recording.variant;
  trace.header["broker"] = recording.broker;
  trace.header["instance"] = instance_json(recording.instance);
  trace.header["behaviour"] = behaviour_json(recording.behaviour);
  if (recording.loop_from) trace.header["loop_from"] = *recording.loop_from;
  for (std::size_t i = 0; i < recording.path.size(); ++i) {
    const spec::Action& action = model.action(recording.path[i]);
    traces::RawEvent event;
    event.actor = narration.steps[i].actor;
    event.event = spec::action_name(action.kind);
    if (action.partition >= 0) event.body["partition"] = action.partition;
    if (action.a >= 0) event.body["a"] = action.a;
    if (action.b >= 0) event.body["b"] = action.b;
    event.body["text"] = narration.steps[i].text;
    if (!narration.steps[i].remarks.empty()) event.body["remarks"] = narration.steps[i].remarks;
    event.body["changes"] = changes(states[i], states[i + 1], model.rules());
    trace.events.push_back(std::move(event));
  }
  return trace;
}

Recording read_recording(std::string_view text, const std::string& name) {
  const traces::RawTrace trace = traces::read_trace(text, name);
  if (trace.source != "model") {
    bad(name, 1,
        "this trace was not recorded from the model, so there is nothing to replay; "
        "`fencepost explain` reads imported traces");
  }
  Recording recording;
  const Json header = trace.header;
  recording.variant = field(header, "variant", Json::value_t::string, name);
  recording.broker = field(header, "broker", Json::value_t::string, name);
  recording.instance = read_instance(header, name);
  recording.behaviour = read_behaviour(header, name);
  const auto property = field(header, "property", Json::value_t::string, name).get<std::string>();
  const auto found = spec::property_named(property);
  if (!found) bad(name, 1, fmt::format("unknown property \"{}\"", property));
  recording.property = *found;
  const spec::Model model(recording.behaviour, recording.instance);
  State state = model.initial();
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const std::size_t line = i + 2;
    const ActionIndex action = find_action(model, trace.events[i], name, line);
    if (!model.guard(action, state)) {
      bad(name, line,
          fmt::format("this step cannot happen here: the guard of \"{}\" is false",
                      spec::action_text(model.action(action))));
    }
    const State before = state;
    if (model.effect(action, state).bounds != 0) bad(name, line, "this step exceeds a bound");
    const auto said = trace.events[i].body.find("changes");
    if (said == trace.events[i].body.end() || *said != changes(before, state, model.rules())) {
      bad(name, line, "this step changes something else than the file says");
    }
    recording.path.push_back(action);
  }
  if (header.contains("loop_from")) {
    const int from = number(header, "loop_from", name);
    if (from < 0 || static_cast<std::size_t>(from) >= recording.path.size()) {
      bad(name, 1, "\"loop_from\" must be the index of a step");
    }
    recording.loop_from = static_cast<std::size_t>(from);
  }
  // The texts, too, and numbers that were too large for their fields.
  const traces::RawTrace again = record(recording);
  if (again.header != trace.header) bad(name, 1, "the header is not that of this run");
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    if (again.events[i] == trace.events[i]) continue;
    bad(name, i + 2, "this step is described otherwise than the model does");
  }
  return recording;
}

bool violates(const spec::Model& model, const Recording& recording) {
  const std::vector<State> states = replay(model, recording.path);
  if (recording.property != spec::Property::kProgress) {
    return model.violated_partition(states.back(), recording.property) >= 0;
  }
  if (model.ended(states.back())) return false;
  if (recording.loop_from) return is_fair_loop(model, states, recording.path, *recording.loop_from);
  return !any_free_action(model, states.back());
}

}  // namespace fencepost::checker
