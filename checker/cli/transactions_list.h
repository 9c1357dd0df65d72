// What there is of the transactional model, as text and as JSON.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace fencepost::cli {

/// A part of the listing: for people and for programs.
struct Listing {
  std::string text;
  nlohmann::ordered_json json;
};

/// The variants of `data`, entry by entry, with sources; `json` is a list.
Listing transactional_variants(const std::filesystem::path& data);
/// `json` has "properties" and "witnesses".
Listing transactional_properties();
/// `json` is a list.
Listing transactional_faults();

}  // namespace fencepost::cli
