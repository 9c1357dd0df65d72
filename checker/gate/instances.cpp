#include "checker/gate/instances.h"

#include <fmt/format.h>

#include <vector>

#include "spec/base.h"
#include "spec/instance_text.h"

namespace fencepost::gate {
namespace {

using spec::Instance;
using spec::JsonFile;
using spec::LocatedJson;

const Instance& instance_named(const JsonFile& file, const LocatedJson& name,
                               const Instances& known) {
  const std::string& text = file.text_of(name, "an instance");
  const auto found = known.find(text);
  if (found != known.end()) return found->second;
  std::vector<std::string_view> names;
  for (const auto& [other, instance] : known) names.push_back(other);
  file.fail(name.line,
            fmt::format("unknown instance \"{}\"{}", text, spec::suggestion(text, names)));
}

Instance read_fields(const JsonFile& file, const LocatedJson& value, const Instances& known) {
  file.object_with(value, "an instance",
                   {"from", "partitions", "messages", "cold", "in-flight", "brokers", "epochs",
                    "max-epoch", "log"});
  const LocatedJson* from = value.find("from");
  Instance instance = from == nullptr ? Instance{} : instance_named(file, *from, known);
  const auto number = [&](std::string_view key, int& field) {
    const LocatedJson* given = value.find(key);
    if (given != nullptr) field = file.int_of(*given, fmt::format("\"{}\"", key), 0, 15);
  };
  number("partitions", instance.partitions);
  number("messages", instance.messages);
  number("in-flight", instance.in_flight);
  number("brokers", instance.brokers);
  number("epochs", instance.epochs);
  number("max-epoch", instance.max_epoch);
  number("log", instance.log);
  if (const LocatedJson* cold = value.find("cold")) {
    instance.warm = file.bool_of(*cold, "\"cold\"") ? 0 : 1;
  }
  try {
    spec::require_checkable(instance);
  } catch (const Error& error) {
    file.fail(value.line, error.what());
  }
  return instance;
}

}  // namespace

Instances read_instances(const JsonFile& file, const LocatedJson& object) {
  if (object.kind != LocatedJson::Kind::kObject) {
    file.fail(object.line, "\"instances\" must be an object {...}");
  }
  Instances instances;
  for (const auto& [name, value] : object.members) {
    instances[name] = read_fields(file, value, instances);
  }
  return instances;
}

NamedInstance read_instance(const JsonFile& file, const LocatedJson& value,
                            const Instances& known) {
  if (value.kind == LocatedJson::Kind::kText) {
    return {value.text, instance_named(file, value, known)};
  }
  return {"", read_fields(file, value, known)};
}

}  // namespace fencepost::gate
