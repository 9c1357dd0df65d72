// Reads claims.json: what must hold of which variant, what must be refuted, and what is open. The
// format is described in checker/gate/README.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "spec/instance.h"
#include "spec/properties.h"
#include "spec/variant.h"

namespace fencepost::gate {

enum class Expect : std::uint8_t { kHolds, kRefuted, kOpen };
std::string_view name_of(Expect expect);

/// One question: a variant, where it runs, what may go wrong there, and a property.
struct ClaimRow {
  std::string variant;
  std::string broker;
  std::string instance_name;  ///< as in claims.json; "" if the claim describes it in place
  spec::Instance instance;    ///< faults and budget included
  std::string faults;         ///< the text of the faults, as `fencepost check --faults` takes it
  spec::Property property = spec::Property::kNoDuplicate;
  std::string model = {};  ///< empty: that of spec/model. Else `instance` holds only the budget
};

/// A claim of the file. The lists it gives are multiplied out: variants, then brokers, instances,
/// fault sets, properties.
struct Claim {
  std::string id;
  std::string says;
  std::string asks;      ///< the same as a question, for other variants; ends in "?"
  bool of_base = false;  ///< not of the file: asked of the base of a comparison
  std::string source;    ///< where the claim comes from, or empty
  Expect expect = Expect::kOpen;
  std::uint64_t witnesses = 0;  ///< notes that a run which holds must have seen, bit = note
  std::uint64_t hoped = 0;      ///< notes whose absence is only remarked
  bool slow = false;            ///< only run on request
  int line = 0;
  std::size_t fault_sets = 1;
  std::string shared_fault;  ///< a kind that stands in every fault set, if the file says so
  std::vector<ClaimRow> rows;
};

/// Whom the claims' questions were asked of instead, and with what the answers are compared.
struct Comparison {
  std::string variant;  ///< empty: the claims are as the file has them
  std::string base;     ///< empty: no comparison
  std::string why;      ///< why this base, or why none: half a sentence
};

struct Claims {
  std::vector<Claim> list;
  std::map<std::string, spec::Variant> clients;
  std::map<std::string, spec::Variant> brokers;
  Comparison comparison;  ///< only of claims that were asked of another variant
};

/// Reads a file of claims, with the variants and brokers of `<data>/variants` and `<data>/brokers`.
/// `extra` are further clients, known by their names (for "every" too).
///
/// Throws Error(kBadInput), naming file and line, for bad JSON, an unknown key, variant, broker,
/// instance, fault, property, witness or expectation, a wrong type, a claim whose id stands twice,
/// an instance that cannot be checked, and a claim that holds without witnesses.
Claims read_claims(const std::filesystem::path& file, const std::filesystem::path& data,
                   const std::vector<spec::Variant>& extra = {});

}  // namespace fencepost::gate
