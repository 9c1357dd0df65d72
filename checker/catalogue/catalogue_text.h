// The answers of the catalogue as a table and as JSON.
#pragma once

#include <string>
#include <vector>

#include "checker/catalogue/catalogue.h"

namespace fencepost::catalogue {

/// A line per row: how it ended, by which property at which depth, and the defect. With `details`
/// also the interleaving, what was searched, and what was changed. The last line counts.
std::string catalogue_text(const std::vector<RowAnswer>& answers, bool details);

std::string catalogue_json(const std::vector<RowAnswer>& answers);

/// How many rows ended so.
std::size_t count(const std::vector<RowAnswer>& answers, Outcome outcome);

}  // namespace fencepost::catalogue
