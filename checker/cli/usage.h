// What is said of a command line that is wrong: one sentence that names what was wrong, the nearest
// names that would be right, and where to look.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace fencepost::cli {

/// Accepts one of the names, in any case, as it is in the list. For CLI::Option::transform.
CLI::Validator one_of(std::vector<std::string> names);

/// Accepts a whole number from `low` to `high`.
CLI::Validator whole_number(std::uint64_t low, std::uint64_t high);

/// Accepts a number from `low` to `high`, fractions too.
CLI::Validator number(double low, double high);

/// The sentence, without "fencepost: " and line end. Requires: `app` threw `error`, which is
/// neither a call for help nor for the version.
std::string usage_sentence(const CLI::App& app, const CLI::ParseError& error);

}  // namespace fencepost::cli
