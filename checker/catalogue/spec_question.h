// Questions about the spec and the implementation: a client and a broker with changed entries, and
// for the implementation a deliberate mistake of impl/mutant.h.
#pragma once

#include <filesystem>

#include "checker/catalogue/catalogue.h"
#include "spec/located_json.h"

namespace fencepost::catalogue {

/// Reads {"client", "broker", "change", "mutant", "instance", "faults", "budget", "property",
/// "depth"}. `model` is "spec" or "impl"; "mutant" and the property "refinement" are impl's only.
/// Throws Error(kBadInput) with file and line.
Question read_spec_question(const spec::JsonFile& file, const spec::LocatedJson& value,
                            const std::string& model, const std::filesystem::path& data);

}  // namespace fencepost::catalogue
