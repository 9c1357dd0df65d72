#include "checker/transactions/shape.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <functional>
#include <vector>

#include "spec/base.h"

namespace fencepost::transactions {
namespace {

using spec::JsonFile;
using spec::LocatedJson;
using spec::transactions::Instance;

/// A field by its name; exactly one of the two members is set.
struct Field {
  std::string_view name;
  int Instance::*number = nullptr;
  bool Instance::*flag = nullptr;
};

constexpr std::array<Field, 15> kFields{{
    {"producers", &Instance::producers, nullptr},
    {"overlap", nullptr, &Instance::overlap},
    {"partitions", &Instance::partitions, nullptr},
    {"offsets", nullptr, &Instance::offsets},
    {"rereads", nullptr, &Instance::rereads},
    {"endless", nullptr, &Instance::endless},
    {"messages", &Instance::messages, nullptr},
    {"in-flight", &Instance::in_flight, nullptr},
    {"inputs", &Instance::inputs, nullptr},
    {"attempts", &Instance::attempts, nullptr},
    {"epochs", &Instance::epochs, nullptr},
    {"exhausted-at", &Instance::exhausted_at, nullptr},
    {"ids", &Instance::ids, nullptr},
    {"log", &Instance::log, nullptr},
    {"late", &Instance::late, nullptr},
}};

std::string known_fields(std::string_view word) {
  std::vector<std::string_view> known;
  for (const Field& field : kFields) known.push_back(field.name);
  return spec::suggestion(word, known);
}

const Field* field_named(std::string_view name) {
  for (const Field& field : kFields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

void read_field(const JsonFile& file, const std::string& name, const LocatedJson& value,
                Instance& instance) {
  const Field* field = field_named(name);
  if (field == nullptr) {
    file.fail(value.line,
              fmt::format("unknown key \"{}\" in an instance{}", name, known_fields(name)));
  }
  const std::string what = fmt::format("\"{}\"", name);
  if (field->flag != nullptr) {
    instance.*field->flag = file.bool_of(value, what);
  } else {
    instance.*field->number = file.int_of(value, what, 0, 15);
  }
}

}  // namespace

Instance read_instance(const JsonFile& file, const LocatedJson& value, const Instances& known) {
  if (value.kind != LocatedJson::Kind::kObject) {
    file.fail(value.line, "an instance must be an object {...}");
  }
  Instance instance;
  if (const LocatedJson* from = value.find("from")) {
    const std::string& name = file.text_of(*from, "\"from\"");
    const auto found = known.find(name);
    if (found == known.end()) file.fail(from->line, fmt::format("unknown instance \"{}\"", name));
    instance = found->second;
  }
  for (const auto& [name, field] : value.members) {
    if (name != "from") read_field(file, name, field, instance);
  }
  const std::string_view fault = spec::transactions::instance_fault(instance);
  if (!fault.empty()) file.fail(value.line, std::string(fault));
  return instance;
}

Instances read_instances(const JsonFile& file, const LocatedJson& object) {
  Instances instances;
  if (object.kind != LocatedJson::Kind::kObject) {
    file.fail(object.line, "\"instances\" must be an object {...}");
  }
  for (const auto& [name, value] : object.members) {
    instances[name] = read_instance(file, value, instances);
  }
  return instances;
}

void apply_shape(std::string_view text, Instance& instance) {
  while (!text.empty()) {
    const auto comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    const auto equals = item.find('=');
    const std::string_view name = item.substr(0, equals);
    const Field* field = field_named(name);
    if (field == nullptr) {
      throw Error(Exit::kUsage,
                  fmt::format("an instance has no \"{}\"{}", name, known_fields(name)));
    }
    int value = 1;
    if (equals != std::string_view::npos) {
      const std::string_view digits = item.substr(equals + 1);
      const char* end = digits.data() + digits.size();
      const auto [stop, error] = std::from_chars(digits.data(), end, value);
      const int most = field->flag != nullptr ? 1 : 15;
      if (error != std::errc() || stop != end || value < 0 || value > most) {
        throw Error(Exit::kUsage, fmt::format("\"{}\" needs a number from 0 to {}", item, most));
      }
    }
    if (field->flag != nullptr) {
      instance.*field->flag = value == 1;
    } else {
      instance.*field->number = value;
    }
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
}

}  // namespace fencepost::transactions
