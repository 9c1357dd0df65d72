// Questions about transactions, on the spec or on the implementation: a client, a coordinator and
// brokers with changed entries, and for the implementation a deliberate mistake of
// impl/transactions/mutant.h.
#pragma once

#include <filesystem>

#include "checker/catalogue/catalogue.h"
#include "spec/located_json.h"

namespace fencepost::catalogue {

/// Reads {"client", "coordinator", "broker", "change", "mutant", "grain", "instance", "faults",
/// "budget", "property", "depth"}. `model` is "transactions" or "impl-transactions"; "mutant" and
/// "grain" are the latter's only. `data` is the spec's folder, the variants are in its
/// `transactions`. Throws Error(kBadInput) with file and line.
Question read_transactions_question(const spec::JsonFile& file, const spec::LocatedJson& value,
                                    const std::string& model, const std::filesystem::path& data);

}  // namespace fencepost::catalogue
