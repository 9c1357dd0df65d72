// The instances of claims.json: named ones, which start from one another, and ones in place.
#pragma once

#include <map>
#include <string>

#include "spec/instance.h"
#include "spec/located_json.h"

namespace fencepost::gate {

struct NamedInstance {
  std::string name;
  spec::Instance instance;
};

using Instances = std::map<std::string, spec::Instance, std::less<>>;

/// Reads the object of named instances; one may start `from` one that stands above it.
/// Throws Error(kBadInput) with file and line.
Instances read_instances(const spec::JsonFile& file, const spec::LocatedJson& object);

/// A name, or an object with the fields of an instance and perhaps `from`.
/// Throws Error(kBadInput) with file and line.
NamedInstance read_instance(const spec::JsonFile& file, const spec::LocatedJson& value,
                            const Instances& known);

}  // namespace fencepost::gate
