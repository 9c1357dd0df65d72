#include "checker/transactions/variant_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "spec/base.h"
#include "spec/located_json.h"
#include "spec/variant.h"

namespace fencepost::transactions {
namespace {

namespace fs = std::filesystem;
namespace model = spec::transactions;
using model::Variant;
using model::VariantKind;

bool stands_in(const std::string& name, const fs::path& folder) {
  return fs::exists(folder / (name + ".json"));
}

/// Names do not lead out of the folder.
std::optional<VariantKind> kind_standing(const std::string& name, const fs::path& data) {
  if (name.find('/') != std::string::npos) return std::nullopt;
  for (int k = 0; k < model::kVariantKinds; ++k) {
    const auto kind = static_cast<VariantKind>(k);
    if (stands_in(name, data / fmt::format("{}s", model::name_of(kind)))) return kind;
  }
  return std::nullopt;
}

template <class Entries>
bool has_entry(const Entries& entries, const std::string& name) {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const auto& info) { return info.name == name; });
}

/// The kind of a variant of this model that the file is, or nothing. What is wrong with the file is
/// said by who reads it.
std::optional<VariantKind> kind_of_file(const std::string& path, const fs::path& spec) {
  const spec::JsonFile file = spec::JsonFile::read(path);
  const spec::LocatedJson& root = file.root();
  if (root.kind != spec::LocatedJson::Kind::kObject) return std::nullopt;
  const spec::LocatedJson* named = root.find("kind");
  if (named == nullptr || named->kind != spec::LocatedJson::Kind::kText) return std::nullopt;
  std::optional<VariantKind> kind;
  for (int k = 0; k < model::kVariantKinds; ++k) {
    if (model::name_of(static_cast<VariantKind>(k)) == named->text) {
      kind = static_cast<VariantKind>(k);
    }
  }
  if (!kind || *kind == VariantKind::kCoordinator) return kind;
  const spec::LocatedJson* entries = root.find("entries");
  bool here = false;
  bool there = false;
  if (entries != nullptr && entries->kind == spec::LocatedJson::Kind::kObject) {
    for (const auto& [name, value] : entries->members) {
      here = here || has_entry(model::entries(), name);
      there = there || has_entry(spec::entries(), name);
    }
  }
  if (here != there) return here ? kind : std::nullopt;
  const spec::LocatedJson* from = root.find("from");
  if (from == nullptr || from->kind != spec::LocatedJson::Kind::kText) return std::nullopt;
  const char* other = *kind == VariantKind::kClient ? "variants" : "brokers";
  if (stands_in(from->text, spec / other)) return std::nullopt;
  return kind_standing(from->text, spec / "transactions") == kind ? kind : std::nullopt;
}

/// Of a question, constant or not.
auto& name_in(auto& question, VariantKind kind) {
  switch (kind) {
    case VariantKind::kClient:
      return question.client;
    case VariantKind::kCoordinator:
      return question.coordinator;
    case VariantKind::kBroker:
      break;
  }
  return question.broker;
}

/// The nearest of what the variant starts from that a claim is about.
std::string base_of(const std::vector<Claim>& claims, const Variant& variant) {
  if (variant.lineage.size() < 2) {
    throw Error(Exit::kUsage,
                fmt::format("{} starts from nothing: let it start \"from\" the {} in whose place "
                            "the claims are to be asked of it",
                            variant.name, model::name_of(variant.kind)));
  }
  for (std::size_t k = 1; k < variant.lineage.size(); ++k) {
    for (const Claim& claim : claims) {
      for (const Question& question : claim.questions) {
        if (name_in(question, variant.kind) == variant.lineage[k]) return variant.lineage[k];
      }
    }
  }
  throw Error(Exit::kUsage, fmt::format("no claim is about {}, from which {} starts",
                                        variant.lineage[1], variant.name));
}

/// Puts the variant where its base stands and the row as the answers show it.
void put(Question& question, gate::ClaimRow& row, const Variant& variant, const fs::path& data) {
  const auto other = [&](VariantKind kind) {
    return kind == variant.kind ? variant
                                : model::load_variant(kind, name_in(question, kind), data);
  };
  question.behaviour = model::combine(other(VariantKind::kClient), other(VariantKind::kCoordinator),
                                      other(VariantKind::kBroker));
  name_in(question, variant.kind) = variant.name;
  require_possible(question);
  row.variant = question.client;  // a comparison does not show it
  row.broker =
      fmt::format("{} with {} and {}", question.client, question.coordinator, question.broker);
}

}  // namespace

std::optional<Variant> variant_named(const std::string& name, const fs::path& spec) {
  const fs::path data = spec / "transactions";
  if (name.ends_with(".json")) {
    const auto kind = kind_of_file(name, spec);
    if (!kind) return std::nullopt;
    return model::load_variant(*kind, name, data);
  }
  if (stands_in(name, spec / "variants") || stands_in(name, spec / "brokers")) return std::nullopt;
  const auto kind = kind_standing(name, data);
  if (!kind) return std::nullopt;
  return model::load_variant(*kind, name, data);
}

AskedOfVariant ask_of(const std::vector<Claim>& claims, const Variant& variant,
                      const fs::path& data) {
  const std::string base = base_of(claims, variant);
  if (base == variant.name) {
    throw Error(Exit::kUsage, fmt::format("{} has the name of what it starts from", base));
  }
  AskedOfVariant asked;
  std::set<std::pair<std::string, std::uint32_t>> seen;
  std::size_t impossible = 0;
  std::string why;
  for (const Claim& claim : claims) {
    Claim of_variant{claim.claim, claim.source, {}};
    of_variant.claim.rows.clear();
    of_variant.claim.expect = gate::Expect::kOpen;
    of_variant.claim.hoped = claim.claim.witnesses;  // of another variant too much to ask
    of_variant.claim.witnesses = 0;
    Claim of_base = of_variant;
    of_base.claim.of_base = true;
    for (std::size_t r = 0; r < claim.questions.size(); ++r) {
      Question question = claim.questions[r];
      gate::ClaimRow row = claim.claim.rows[r];
      if (name_in(question, variant.kind) != base) continue;
      if (!seen.emplace(question.key(), question.properties).second) continue;
      try {
        put(question, row, variant, data);
      } catch (const Error& error) {
        ++impossible;
        why = error.what();
        continue;
      }
      of_variant.questions.push_back(std::move(question));
      of_variant.claim.rows.push_back(std::move(row));
      of_base.questions.push_back(claim.questions[r]);
      of_base.claim.rows.push_back(claim.claim.rows[r]);
    }
    if (of_variant.questions.empty()) continue;
    asked.claims.push_back(std::move(of_variant));
    asked.claims.push_back(std::move(of_base));
  }
  if (asked.claims.empty()) throw Error(Exit::kUsage, why);
  asked.comparison = {variant.name, base, fmt::format("from which {} starts", variant.name)};
  if (impossible > 0) {
    asked.comparison.why +=
        fmt::format("; left out are {} rows that cannot be asked of it ({})", impossible, why);
  }
  return asked;
}

}  // namespace fencepost::transactions
