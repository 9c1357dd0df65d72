// Reads the claims on the transactional model. The format is that of the other model's claims
// (checker/gate/README.md), with a coordinator beside client and broker.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "checker/gate/claims.h"
#include "checker/transactions/search.h"

namespace fencepost::transactions {

/// What stands in gate::ClaimRow::model of these claims' rows.
inline constexpr std::string_view kModelName = "transactions";

/// A claim for the gate's table, and what each of its rows asks: one property each.
struct Claim {
  gate::Claim claim;
  std::string source;               ///< where the claim comes from
  std::vector<Question> questions;  ///< by row
};

/// Reads `<data>/claims.json` with the variants beside it.
///
/// Throws Error(kBadInput), naming file and line, for bad JSON, an unknown key, variant, instance,
/// fault, property, witness or expectation, a wrong type, an id that stands twice, a combination
/// that is impossible, and a claim that holds without witnesses.
std::vector<Claim> read_claims(const std::filesystem::path& data);

}  // namespace fencepost::transactions
