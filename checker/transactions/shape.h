// Instances of the transactional model as claims and the command line write them.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "spec/located_json.h"
#include "spec/transactions/instance.h"

namespace fencepost::transactions {

using Instances = std::map<std::string, spec::transactions::Instance, std::less<>>;

/// Reads the object of named instances; one may start `from` one that stands above it. Keys are
/// the fields of an instance, in the words of `shape_of`. Throws Error(kBadInput) with file and
/// line.
Instances read_instances(const spec::JsonFile& file, const spec::LocatedJson& object);

/// Reads an object with the fields of an instance, and perhaps `from`. Throws as above.
spec::transactions::Instance read_instance(const spec::JsonFile& file,
                                           const spec::LocatedJson& value, const Instances& known);

/// Changes the instance as "producers=2,offsets,inputs=2" says; a field without a value is 1.
/// Throws Error(kUsage) for an unknown field and a value that is no small number.
void apply_shape(std::string_view text, spec::transactions::Instance& instance);

}  // namespace fencepost::transactions
