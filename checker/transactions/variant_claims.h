// A variant of the transactional model beside the one it starts from: the claims' questions asked
// of both, row by row, as gate::ask_of does for the other model.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "checker/transactions/claims.h"
#include "spec/transactions/variant.h"

namespace fencepost::transactions {

/// The client, coordinator or broker of the transactional model that `name` means, or nothing if
/// it means one of the other model. A name that both models have means the other one's. A .json
/// file is one of this model if its kind is coordinator, or if its entries are, or, without
/// entries, if what it starts from stands only here. `spec` is the folder with both models' data.
/// Throws Error(kBadInput) as `load_variant` does.
std::optional<spec::transactions::Variant> variant_named(const std::string& name,
                                                         const std::filesystem::path& spec);

struct AskedOfVariant {
  std::vector<Claim> claims;  ///< each followed by the same rows of the base
  gate::Comparison comparison;
};

/// What the claims ask of the nearest variant that `variant` starts from and that claims are
/// about, asked of `variant` in its place: open claims, each question once. Rows in which it cannot
/// run with the others are left out, and the comparison says so.
/// Throws Error(kUsage) if it starts from nothing, no claim is about what it starts from, or it can
/// run nowhere.
AskedOfVariant ask_of(const std::vector<Claim>& claims, const spec::transactions::Variant& variant,
                      const std::filesystem::path& data);

}  // namespace fencepost::transactions
