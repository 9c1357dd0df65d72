#include "checker/transactions/claims.h"

#include <fmt/format.h>

#include <map>

#include "checker/gate/claim_fields.h"
#include "checker/transactions/shape.h"
#include "spec/base.h"
#include "spec/located_json.h"
#include "spec/transactions/variant.h"

namespace fencepost::transactions {
namespace {

namespace model = spec::transactions;
using model::Variant;
using model::VariantKind;
using spec::JsonFile;
using spec::LocatedJson;
using Variants = std::map<std::string, Variant>;

/// What a claim gives, before it is multiplied out.
struct Lists {
  std::vector<std::string> clients, coordinators, brokers, faults, properties;
  std::string instance_name;
  model::Instance instance;
  int budget = 0;
};

class ClaimsReader {
 public:
  ClaimsReader(const JsonFile& file, const std::filesystem::path& data) : file_(file) {
    for (int k = 0; k < model::kVariantKinds; ++k) {
      for (Variant& variant : model::load_variants(static_cast<VariantKind>(k), data)) {
        variants_[static_cast<std::size_t>(k)].emplace(variant.name, variant);
      }
    }
    instances_ = read_instances(file, file.member(file.root(), "instances"));
  }

  Claim claim(const LocatedJson& value) const {
    file_.object_with(value, "a claim",
                      {"id", "says", "client", "coordinator", "broker", "instance", "faults",
                       "budget", "property", "expect", "witnesses", "slow", "source"});
    Claim result;
    gate::Claim& claim = result.claim;
    claim.line = value.line;
    claim.id = file_.text_of(file_.member(value, "id"), "\"id\"");
    claim.says = file_.text_of(file_.member(value, "says"), "\"says\"");
    result.source = file_.text_of(file_.member(value, "source"), "\"source\"");
    claim.expect = gate::read_expect(file_, file_.member(value, "expect"));
    if (const LocatedJson* slow = value.find("slow")) claim.slow = file_.bool_of(*slow, "\"slow\"");
    if (const LocatedJson* witnesses = value.find("witnesses")) {
      for (const std::string& name :
           gate::read_names(file_, *witnesses, "witness", gate::names_of_table(model::notes()))) {
        claim.witnesses |= std::uint64_t{1} << static_cast<unsigned>(*model::note_named(name));
      }
    }
    if (claim.expect == gate::Expect::kHolds && claim.witnesses == 0) {
      file_.fail(value.line, "a claim that holds must list the witnesses it has to reach");
    }
    multiply(lists(value), value.line, result);
    return result;
  }

 private:
  [[nodiscard]] const Variants& of(VariantKind kind) const {
    return variants_[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] std::vector<std::string> names(const LocatedJson& value, VariantKind kind) const {
    std::vector<std::string_view> known;
    for (const auto& [name, variant] : of(kind)) known.push_back(name);
    const std::string_view what = model::name_of(kind);
    return gate::read_names(file_, file_.member(value, what), what, known);
  }
  [[nodiscard]] Lists lists(const LocatedJson& value) const {
    Lists lists;
    lists.clients = names(value, VariantKind::kClient);
    lists.coordinators = names(value, VariantKind::kCoordinator);
    lists.brokers = names(value, VariantKind::kBroker);
    lists.properties = gate::read_names(file_, file_.member(value, "property"), "property",
                                        gate::names_of_table(model::properties()));
    const LocatedJson& instance = file_.member(value, "instance");
    lists.instance_name = file_.text_of(instance, "\"instance\"");
    const auto found = instances_.find(lists.instance_name);
    if (found == instances_.end()) {
      std::vector<std::string_view> known;
      for (const auto& [name, known_instance] : instances_) known.push_back(name);
      file_.fail(instance.line, fmt::format("unknown instance \"{}\"{}", lists.instance_name,
                                            spec::suggestion(lists.instance_name, known)));
    }
    lists.instance = found->second;
    lists.budget = file_.int_of(file_.member(value, "budget"), "\"budget\"", 0, 15);
    const LocatedJson& faults = file_.member(value, "faults");
    if (faults.kind == LocatedJson::Kind::kList) {
      if (faults.items.empty()) file_.fail(faults.line, "\"faults\" must not be an empty list");
      for (const LocatedJson& item : faults.items) {
        lists.faults.push_back(file_.text_of(item, "an item of \"faults\""));
      }
    } else {
      lists.faults.push_back(file_.text_of(faults, "\"faults\""));
    }
    return lists;
  }

  void multiply(const Lists& lists, int line, Claim& result) const {
    result.claim.fault_sets = lists.faults.size();
    for (const std::string& client : lists.clients) {
      for (const std::string& coordinator : lists.coordinators) {
        for (const std::string& broker : lists.brokers) {
          for (const std::string& faults : lists.faults) {
            const Question question =
                question_of(lists, {client, coordinator, broker}, faults, line);
            for (const std::string& property : lists.properties) {
              add(question, lists, *model::property_named(property), result);
            }
          }
        }
      }
    }
  }
  [[nodiscard]] Question question_of(const Lists& lists, const std::array<std::string, 3>& who,
                                     const std::string& faults, int line) const {
    Question question{who[0], who[1], who[2], {}, lists.instance, faults, 0};
    try {
      question.behaviour = model::combine(of(VariantKind::kClient).at(who[0]),
                                          of(VariantKind::kCoordinator).at(who[1]),
                                          of(VariantKind::kBroker).at(who[2]));
      question.instance.faults = model::parse_faults(faults, lists.budget);
      for (const std::string& property : lists.properties) {
        question.properties |= bit(*model::property_named(property));
      }
      require_possible(question);
    } catch (const Error& error) {
      file_.fail(line, error.what());
    }
    return question;
  }
  static void add(Question question, const Lists& lists, Property property, Claim& result) {
    question.properties = bit(property);
    gate::ClaimRow row;
    row.variant = question.client;
    row.broker = fmt::format("{} and {}", question.coordinator, question.broker);
    row.instance_name = lists.instance_name;
    row.faults = question.faults;
    row.instance.faults.budget = lists.budget;
    row.model = kModelName;
    result.claim.rows.push_back(std::move(row));
    result.questions.push_back(std::move(question));
  }

  const JsonFile& file_;
  std::array<Variants, model::kVariantKinds> variants_;
  Instances instances_;
};

}  // namespace

std::vector<Claim> read_claims(const std::filesystem::path& data) {
  const JsonFile file = JsonFile::read(data / "claims.json");
  file.object_with(file.root(), "a file of claims", {"says", "instances", "claims"});
  const ClaimsReader reader(file, data);
  const LocatedJson& list = file.member(file.root(), "claims");
  if (list.kind != LocatedJson::Kind::kList) {
    file.fail(list.line, "\"claims\" must be a list [...]");
  }
  std::vector<Claim> claims;
  for (const LocatedJson& value : list.items) {
    Claim claim = reader.claim(value);
    for (const Claim& other : claims) {
      if (other.claim.id != claim.claim.id) continue;
      file.fail(claim.claim.line, fmt::format("the claim \"{}\" stands on line {} already",
                                              claim.claim.id, other.claim.line));
    }
    claims.push_back(std::move(claim));
  }
  return claims;
}

}  // namespace fencepost::transactions
