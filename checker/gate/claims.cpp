#include "checker/gate/claims.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/gate/claim_fields.h"
#include "checker/gate/fault_sets.h"
#include "checker/gate/instances.h"
#include "spec/base.h"
#include "spec/instance_text.h"
#include "spec/located_json.h"

namespace fencepost::gate {
namespace {

using spec::JsonFile;
using spec::LocatedJson;

const std::string kDefaultBroker = "kafka-2.5-to-4.4";
using Variants = std::map<std::string, spec::Variant>;

std::vector<std::string_view> names_of(const Variants& variants) {
  std::vector<std::string_view> names;
  for (const auto& [name, variant] : variants) names.push_back(name);
  return names;
}

std::uint64_t read_witnesses(const JsonFile& file, const LocatedJson& value) {
  std::uint64_t mask = 0;
  for (const std::string& name :
       read_names(file, value, "witness", names_of_table(spec::notes()))) {
    mask |= std::uint64_t{1} << static_cast<unsigned>(*spec::note_named(name));
  }
  return mask;
}

/// What a claim gives, before it is multiplied out.
struct Lists {
  std::vector<std::string> variants, brokers, properties;
  std::vector<NamedInstance> instances;
  FaultSets faults;
};

class ClaimsReader {
 public:
  ClaimsReader(const JsonFile& file, const Claims& claims) : file_(file), claims_(claims) {}

  void named_instances(const LocatedJson& object) { instances_ = read_instances(file_, object); }

  Claim claim(const LocatedJson& value) const {
    file_.object_with(value, "a claim",
                      {"id", "says", "asks", "source", "variant", "broker", "instance", "faults",
                       "budget", "property", "expect", "witnesses", "slow"});
    Claim claim;
    claim.line = value.line;
    claim.id = file_.text_of(file_.member(value, "id"), "\"id\"");
    claim.says = file_.text_of(file_.member(value, "says"), "\"says\"");
    if (const LocatedJson* source = value.find("source")) {
      claim.source = file_.text_of(*source, "\"source\"");
    }
    claim.expect = read_expect(file_, file_.member(value, "expect"));
    if (const LocatedJson* slow = value.find("slow")) claim.slow = file_.bool_of(*slow, "\"slow\"");
    if (const LocatedJson* witnesses = value.find("witnesses")) {
      claim.witnesses = read_witnesses(file_, *witnesses);
    }
    if (claim.expect == Expect::kHolds && claim.witnesses == 0) {
      file_.fail(value.line, "a claim that holds must list the witnesses it has to reach");
    }
    const Lists all = lists(value);
    claim.asks = question(value, claim.says, all.properties);
    multiply(all, value.line, claim);
    return claim;
  }

 private:
  /// The claim as a question: as given, or what it says if that is one, or made of its properties.
  std::string question(const LocatedJson& value, const std::string& says,
                       const std::vector<std::string>& properties) const {
    if (const LocatedJson* asks = value.find("asks")) {
      const std::string& text = file_.text_of(*asks, "\"asks\"");
      if (!text.ends_with('?'))
        file_.fail(asks->line, "\"asks\" must be a question that ends in ?");
      return text;
    }
    if (says.ends_with('?')) return says;
    return fmt::format("{} {} hold?", properties.size() > 1 ? "do" : "does",
                       fmt::join(properties, ", "));
  }

  Lists lists(const LocatedJson& value) const {
    Lists lists;
    lists.variants =
        read_names(file_, file_.member(value, "variant"), "variant", names_of(claims_.clients));
    lists.brokers = {kDefaultBroker};
    if (const LocatedJson* broker = value.find("broker")) {
      lists.brokers = read_names(file_, *broker, "broker", names_of(claims_.brokers));
    } else if (!claims_.brokers.contains(lists.brokers[0])) {
      file_.fail(value.line, fmt::format("\"broker\" is missing, and there is no \"{}\" to take "
                                         "instead",
                                         kDefaultBroker));
    }
    lists.properties = read_names(file_, file_.member(value, "property"), "property",
                                  names_of_table(spec::properties()));
    const LocatedJson& instance = file_.member(value, "instance");
    if (instance.kind == LocatedJson::Kind::kList) {
      if (instance.items.empty()) file_.fail(instance.line, "the list of instances is empty");
      for (const LocatedJson& item : instance.items) {
        lists.instances.push_back(read_instance(file_, item, instances_));
      }
    } else {
      lists.instances.push_back(read_instance(file_, instance, instances_));
    }
    const int budget = file_.int_of(file_.member(value, "budget"), "\"budget\"", 0, 15);
    lists.faults = read_fault_sets(file_, file_.member(value, "faults"), budget);
    return lists;
  }

  void multiply(const Lists& lists, int line, Claim& claim) const {
    claim.fault_sets = lists.faults.sets.size();
    claim.shared_fault = lists.faults.shared;
    for (const std::string& variant : lists.variants) {
      for (const std::string& broker : lists.brokers) {
        for (const NamedInstance& named : lists.instances) {
          for (const FaultSet& set : lists.faults.sets) {
            ClaimRow row{variant, broker, named.name, named.instance, set.text, {}};
            row.instance.faults = set.faults;
            require_checkable(row.instance, line);
            for (const std::string& property : lists.properties) {
              row.property = *spec::property_named(property);
              claim.rows.push_back(row);
            }
          }
        }
      }
    }
    FP_ASSERT(!claim.rows.empty());
  }

  void require_checkable(const spec::Instance& instance, int line) const {
    try {
      spec::require_checkable(instance);
    } catch (const Error& error) {
      file_.fail(line, error.what());
    }
  }

  const JsonFile& file_;
  const Claims& claims_;
  Instances instances_;
};

void add_variants(Variants& variants, const std::vector<spec::Variant>& loaded) {
  for (const spec::Variant& variant : loaded) variants.insert_or_assign(variant.name, variant);
}

}  // namespace

Claims read_claims(const std::filesystem::path& path, const std::filesystem::path& data,
                   const std::vector<spec::Variant>& extra) {
  Claims claims;
  add_variants(claims.clients, spec::load_variants(data / "variants"));
  add_variants(claims.clients, extra);
  add_variants(claims.brokers, spec::load_variants(data / "brokers"));
  const JsonFile file = JsonFile::read(path);
  file.object_with(file.root(), "a file of claims", {"says", "instances", "claims"});
  ClaimsReader reader(file, claims);
  if (const LocatedJson* instances = file.root().find("instances")) {
    reader.named_instances(*instances);
  }
  const LocatedJson& list = file.member(file.root(), "claims");
  if (list.kind != LocatedJson::Kind::kList)
    file.fail(list.line, "\"claims\" must be a list [...]");
  if (list.items.empty()) file.fail(list.line, "there is no claim in the list");
  for (const LocatedJson& value : list.items) {
    Claim claim = reader.claim(value);
    for (const Claim& other : claims.list) {
      if (other.id != claim.id) continue;
      file.fail(claim.line,
                fmt::format("the claim \"{}\" stands on line {} already", claim.id, other.line));
    }
    claims.list.push_back(std::move(claim));
  }
  return claims;
}

}  // namespace fencepost::gate
