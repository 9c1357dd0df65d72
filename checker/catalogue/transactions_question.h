// Questions about the transactional model: a client, a coordinator and brokers with changed
// entries.
#pragma once

#include <filesystem>

#include "checker/catalogue/catalogue.h"
#include "spec/located_json.h"

namespace fencepost::catalogue {

/// Reads {"client", "coordinator", "broker", "change", "instance", "faults", "budget",
/// "property", "depth"}; `data` is the spec's folder, the variants are in its `transactions`.
/// Throws Error(kBadInput) with file and line.
Question read_transactions_question(const spec::JsonFile& file, const spec::LocatedJson& value,
                                    const std::filesystem::path& data);

}  // namespace fencepost::catalogue
