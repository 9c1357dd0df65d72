// A variant beside the one it starts from: the claims' questions asked of both, row by row.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "checker/gate/gate.h"

namespace fencepost::gate {

/// What a variant is compared with, or nothing, and why: half a sentence.
struct Base {
  std::optional<spec::Variant> variant;
  std::string why;
};

/// The variant that `variant` starts from. If it starts from nothing: the client named `usual` of
/// `folder`, unless it has that name itself (two of one name cannot be told apart) or the same
/// entries.
/// Throws Error(kBadInput) as spec::load_variant does.
Base base_of(const spec::Variant& variant, const std::filesystem::path& folder,
             const std::string& usual);

/// What the claims ask of any variant, asked of this one: open claims worded as questions, each
/// question once. With a base every claim is followed by the same rows of the base, which
/// `compare_rows` takes away again. A witness of the claim that is not reached becomes a remark.
Claims ask_of(const Claims& claims, const spec::Variant& variant, const Base& base = {});

/// Moves the rows of the base into those they are compared with, and marks what changed.
/// Requires: the rows are of claims of `ask_of` with a base, whole claims, in their order.
void compare_rows(GateResult& result);

/// What changed, in lines without line ends: the counts; property by property the claims that
/// became better or worse; and one sentence about safety. Requires: there is a base.
std::vector<std::string> comparison_lines(const GateResult& result);

/// The first and the last of them: what the comparison says in short.
std::string comparison_sentence(const GateResult& result);

}  // namespace fencepost::gate
