#include "checker/gate/proof.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "checker/counterexample/narrate.h"
#include "checker/explicit/explicit_search.h"
#include "checker/gate/concretize.h"
#include "checker/gate/induction_text.h"
#include "checker/symbolic/spec_system.h"
#include "spec/instance_text.h"
#include "spec/lemmas.h"
#include "spec/located_json.h"
#include "spec/model/model.h"

namespace fencepost::gate {
namespace {

using checker::SpecSystem;
using spec::Property;

/// How far the searches after a failed step go, beside the task's own limits.
constexpr double kSearchSeconds = 10;

constexpr std::string_view kUnclaimed =
    "no lemmas are claimed of this variant with these faults (spec/lemmas.h)";

constexpr std::string_view kNotCovered =
    "nothing is claimed of any number of partitions where a bump waits for nothing: another "
    "partition's bump, with this one's requests in flight, is no step of the environment "
    "(spec/README.md); leave out --any-partitions";

/// The spec with properties and lemmas as what a state can violate: lemmas from bit
/// `kSafetyProperties` on.
class FactModel : public spec::Model {
 public:
  using spec::Model::Model;
  [[nodiscard]] std::uint32_t violations(const State& s) const {
    std::uint32_t mask = spec::Model::violations(s);
    const spec::Lemmas<spec::Concrete> lemmas{s, rules()};
    for (int k = 0; k < spec::kLemmas; ++k) {
      for (int p = 0; p < rules().instance.partitions; ++p) {
        if (!lemmas.holds(static_cast<spec::Lemma>(k), p).value()) {
          mask |= 1U << (spec::kSafetyProperties + k);
        }
      }
    }
    return mask;
  }
};
// These fill the mask: before one more lemma or property, widen to 64 bits the masks of what a
// state violates, here, in spec::Model::violations and in the explicit engine (`properties`,
// `violated`).
static_assert(spec::kSafetyProperties + spec::kLemmas <= 32);

/// One partition in place of each: what may happen in any of them may happen in it.
void among_any(spec::Instance& instance) {
  instance.partitions = 1;
  for (int k = 0; k < spec::kFaultKinds; ++k) {
    const auto kind = static_cast<spec::Fault>(k);
    if (instance.faults.allows(kind)) instance.faults.allow(kind);
  }
  // A closed connection that leaves a late request of another partition can leave none of this one.
  if (instance.faults.allows(spec::Fault::kLateRequest)) {
    instance.faults.allow(spec::Fault::kDisconnect);
  }
}

spec::Instance instance_of(const ProofRequest& request) {
  spec::Instance instance = request.task.instance;
  instance.faults.unlimited = true;
  if (request.any_partitions) among_any(instance);
  // A log without duplicates never holds more; that a step never exceeds it is proved, too.
  instance.log = instance.total_messages();
  return instance;
}

void require_lemmas(const ProofRequest& request, const spec::Rules& rules) {
  if (request.task.asks(Property::kProgress)) {
    throw Error(Exit::kUsage,
                "progress speaks of whole runs, not of states: the symbolic engines do not check "
                "it; use --engine explicit");
  }
  std::vector<std::string_view> known;
  for (const spec::LemmaInfo& info : spec::lemmas()) known.push_back(info.name);
  for (const std::string& name : request.lemmas) {
    const auto lemma = spec::lemma_named(name);
    if (!lemma) {
      throw Error(Exit::kUsage,
                  fmt::format("unknown lemma \"{}\"{}", name, spec::suggestion(name, known)));
    }
    if (!spec::applies(*lemma, rules)) {
      throw Error(Exit::kUsage, fmt::format("the lemma \"{}\" is not claimed of this variant with "
                                            "these faults",
                                            name));
    }
  }
}

std::vector<std::size_t> chosen_facts(const ProofRequest& request, const SpecSystem& system) {
  std::vector<std::size_t> facts;
  for (std::size_t f = 0; f < system.facts().size(); ++f) {
    const checker::Fact& fact = system.facts()[f];
    const bool chosen =
        fact.property >= 0 || request.lemmas.empty() ||
        std::find(request.lemmas.begin(), request.lemmas.end(), fact.name) != request.lemmas.end();
    if (chosen) facts.push_back(f);
  }
  return facts;
}

/// Which properties and lemmas the facts are, as bits of a FactModel.
std::uint32_t mask_of(const SpecSystem& system, const std::vector<std::size_t>& facts) {
  std::uint32_t mask = 0;
  for (const std::size_t f : facts) {
    const checker::Fact& fact = system.facts()[f];
    const int bit = fact.property >= 0
                        ? fact.property
                        : spec::kSafetyProperties + static_cast<int>(*spec::lemma_named(fact.name));
    mask |= 1U << bit;
  }
  return mask;
}

/// Looks for a reachable state that breaks a fact. A property: it is refuted. A lemma: it is false.
void search_for_breaks(const ProofRequest& request, std::uint32_t mask, ProofResult& result) {
  const Task& task = request.task;
  const FactModel model(task.behaviour, task.instance, task.properties);
  checker::SearchOptions options;
  options.properties = mask;
  options.memory_bytes = task.limits.memory_bytes;
  options.seconds = std::min(task.limits.seconds, kSearchSeconds);
  options.threads = task.limits.threads;
  options.stop = task.limits.stop;
  options.stop_when_decided = false;
  const checker::SearchResult found = checker::search(model, options);
  result.search = found.stats;
  for (const checker::Violation& v : found.violations) {
    if (v.property >= spec::kSafetyProperties) continue;
    Finding finding{static_cast<Property>(v.property), -1, v.path, {}};
    const auto last = checker::replay(model, v.path).back();
    finding.partition = model.violated_partition(last, finding.property);
    FP_ASSERT(finding.partition >= 0);
    result.findings.push_back(std::move(finding));
  }
  // A broken protocol breaks lemmas on the way to its counterexample: that is no false lemma.
  if (!result.findings.empty() || found.violations.empty()) return;
  const checker::Violation& v = found.violations.front();
  const auto& lemma =
      spec::lemmas()[static_cast<std::size_t>(v.property - spec::kSafetyProperties)];
  const auto last = checker::replay(model, v.path).back();
  throw Error(Exit::kBadInput,
              fmt::format("the lemma \"{}\" is false of this variant: \"{}\" does not hold after "
                          "{} steps, in the state\n{}reached by\n{}",
                          lemma.name, lemma.says, v.depth, state_text(model.rules(), last),
                          checker::narration_text(checker::narrate(model, v.path))));
}

/// With an environment: a refutation that needs other partitions than the task has.
void search_among_any(const ProofRequest& request, ProofResult& result) {
  if (!request.any_partitions || !result.findings.empty()) return;
  AbstractRefutation found = refute_any_partitions(request.task);
  result.unknown = found.inconclusive;
  if (!found.finding) return;
  result.findings.push_back(*found.finding);
  result.refuted = found.instance;
}

checker::InductionOptions options_of(const ProofRequest& request) {
  checker::InductionOptions options;
  options.stated_bounds = 1U << static_cast<unsigned>(spec::Bound::kEpochs);
  options.limits.stop = request.task.limits.stop;
  const Limits& limits = request.task.limits;
  if (limits.seconds < 1e9) options.limits.seconds = limits.seconds;
  return options;
}

std::string certificate_text(const ProofRequest& request, const ProofResult& result,
                             const SpecSystem& system) {
  std::vector<std::string_view> names;
  for (const checker::Fact& fact : system.facts()) {
    if (fact.property >= 0 && fact.partition == 0) names.push_back(fact.name);
  }
  return fmt::format(
      "A proof by induction that {} hold{} at any depth of {}{}, with any number of faults of "
      "these kinds: {}; producer epochs up to {}.\n",
      fmt::join(names, ", "), names.size() == 1 ? "s" : "", spec::instance_text(result.instance),
      request.any_partitions ? ", for any number of partitions" : "",
      spec::faults_text(result.instance.faults), result.instance.epochs);
}

/// The second proof, in fresh solvers; on paper if a certificate is asked for.
void prove_again(const ProofRequest& request, const SpecSystem& system,
                 const std::vector<std::size_t>& facts, ProofResult& result) {
  checker::InductionOptions options = options_of(request);
  options.fresh = true;
  checker::InductionResult again;
  if (request.certificate.empty()) {
    again = checker::prove(system, facts, options);
  } else {
    const checker::Certificate certificate = checker::write_certificate(
        system, facts, options, request.certificate, certificate_text(request, result, system));
    again = certificate.result;
    if (again.proved) {
      result.confirmation =
          checker::confirm_by_cvc5(certificate, request.certificate, request.task.limits.stop);
    }
  }
  result.proved = again.proved;
  result.seconds += again.seconds;
  result.unknown = again.unknown;
  FP_ASSERT(again.proved || !again.unknown.empty());
}

/// Of any number of partitions, where the environment does not stand for the others: refutations of
/// the task's own instance only.
void refute_uncovered(const ProofRequest& request, ProofResult& result) {
  search_for_breaks(request, request.task.properties, result);
  if (result.findings.empty()) result.unknown = kNotCovered;
}

/// Without lemmas: refutations, or that there are none to prove it with.
void refute_only(const ProofRequest& request, ProofResult& result) {
  search_for_breaks(request, request.task.properties, result);
  search_among_any(request, result);
  if (result.findings.empty() && result.unknown.empty()) result.unknown = kUnclaimed;
}

/// With lemmas: the claimed properties.
void prove_claimed(const ProofRequest& request, ProofResult& result) {
  const SpecSystem system(request.task.behaviour, result.instance,
                          {result.claimed, true, request.any_partitions});
  const std::vector<std::size_t> facts = chosen_facts(request, system);
  result.induction = checker::prove(system, facts, options_of(request));
  result.unknown = result.induction.unknown;
  result.seconds = result.induction.seconds;
  if (result.induction.proved) return prove_again(request, system, facts, result);
  if (result.induction.failures.empty() || request.diagnosis == Diagnosis::kNone) return;
  search_for_breaks(request, mask_of(system, facts), result);
  if (request.diagnosis != Diagnosis::kFull) return;
  search_among_any(request, result);
  if (!result.findings.empty()) return;
  const checker::CounterexampleToInduction& failure = result.induction.failures.front();
  Reachability reachability{Reachable::kYes, "after 0 steps", {}};
  if (failure.action) {
    reachability = find_state(system, request.any_partitions, failure.state,
                              request.task.limits.memory_bytes, kSearchSeconds);
  }
  result.failure = failure_text(system, failure, reachability);
}

/// Whether a property is weaker where this kind is allowed, too, though the run is the same:
/// well-formed excuses entries that are marked as unchecked, and a broker marks what it accepts
/// without an entry only where state can vanish (Broker::add).
bool weakens(spec::Fault kind, const Task& task) {
  if (!task.asks(Property::kWellFormed)) return false;
  const spec::Rules now{task.behaviour, task.instance};
  Task more = task;
  more.instance.faults.allow(kind);
  const spec::Rules then{more.behaviour, more.instance};
  return then.state_can_vanish() && !now.state_can_vanish();
}

/// Adds every kind of fault with which the properties can still be proved: what holds with more
/// faults holds with fewer. Every run with fewer is one with more: a kind adds actions, only widens
/// guards (Client::can_learn_leader), and adds cells that hold 0 in a run without it, all but
/// `unchecked`. Such a run violates the same properties: none reads another of those cells, and
/// what excuses a failure (Client::nothing_lost) is 0. As to `unchecked` see `weakens`. Kinds that
/// must be named are not added: a restart would change which epochs are of one producer id.
void grow_faults(Task& task) {
  for (int k = 0; k < spec::kFaultKinds; ++k) {
    const auto kind = static_cast<spec::Fault>(k);
    if (spec::fault_kinds()[static_cast<std::size_t>(k)].by_name_only) continue;
    Task more = task;
    if (more.instance.faults.budget == 0) more.instance.faults.budget = 1;
    if (weakens(kind, more)) continue;
    more.instance.faults.allow(kind);
    const ProofRequest request{more, true, {}, ""};
    const std::uint32_t provable =
        spec::provable_properties({more.behaviour, instance_of(request)});
    if ((task.properties & ~provable) == 0) task.instance.faults = more.instance.faults;
  }
}

std::string behaviour_key(const spec::Behaviour& behaviour) {
  std::string key;
  for (std::size_t e = 0; e < spec::entries().size(); ++e) {
    key += fmt::format("{},", spec::entry_value(behaviour, e));
  }
  return key;
}

}  // namespace

ProofResult prove_by_induction(const ProofRequest& request) {
  ProofResult result;
  result.instance = instance_of(request);
  result.refuted = request.task.instance;
  const spec::Rules rules{request.task.behaviour, result.instance};
  require_lemmas(request, rules);
  if (request.any_partitions && !checker::environment_covers(request.task.behaviour)) {
    refute_uncovered(request, result);
    return result;
  }
  result.claimed = request.task.properties & spec::provable_properties(rules);
  if (result.claimed == 0) {
    refute_only(request, result);
    return result;
  }
  ProofRequest claimed = request;
  claimed.task.properties = result.claimed;
  prove_claimed(claimed, result);
  const std::uint32_t rest = request.task.properties & ~result.claimed;
  if (rest != 0 && result.findings.empty()) search_for_breaks(request, rest, result);
  return result;
}

namespace {

// A property may need the others, and it costs about as much to prove all as to prove one.
ProofResult prove_with_help(const Task& task, std::uint32_t provable) {
  ProofRequest request{task, true, {}, "", Diagnosis::kNone};
  request.task.properties = provable;
  ProofResult all = prove_by_induction(request);
  if (all.proved || !all.unknown.empty()) return all;
  ProofResult asked = prove_by_induction({task, true, {}, "", Diagnosis::kFalseLemmas});
  if (asked.findings.empty()) return asked;
  const Finding& finding = asked.findings.front();
  throw Error(
      Exit::kBadInput,
      fmt::format("lemmas are claimed to prove {} of this variant, but it does not hold: with {} "
                  "it is violated after {} steps",
                  spec::properties()[static_cast<std::size_t>(finding.property)].name,
                  spec::faults_text(task.instance.faults), finding.depth()));
}

struct Sentence {
  std::string says;
  bool proved = false;
};

Sentence sentence_of(const Task& task) {
  if (!checker::environment_covers(task.behaviour)) return {};
  const ProofRequest request{task, true, {}, ""};
  const std::uint32_t provable = spec::provable_properties({task.behaviour, instance_of(request)});
  if ((task.properties & ~provable) != 0) return {};
  const ProofResult result = prove_with_help(task, provable);
  const std::string engine = fmt::format("induction (Z3 {})", checker::z3_version());
  if (result.proved) {
    return {fmt::format(
                "proved at any depth, for any number of partitions and of these faults, epochs up "
                "to {}: {}, {:.2f} s",
                result.instance.epochs, engine, result.seconds),
            true};
  }
  return {fmt::format("not proved beyond this instance: {}: {}", engine,
                      result.unknown.empty() ? "the induction step fails" : result.unknown),
          false};
}

}  // namespace

std::string proof_sentence(const Task& task) { return sentence_of(task).says; }

std::string SharedProofs::operator()(const Task& task) {
  Task grown = task;
  grow_faults(grown);
  if (grown.instance.faults == task.instance.faults) return known(task).sentence;
  // What is not proved with more faults, or has a false lemma there, may be with the task's own; if
  // it is false there, too, the second call says so.
  try {
    const Proof& proof = known(grown);
    if (proof.proved) return proof.sentence;
  } catch (const Error& error) {
    if (error.code() != Exit::kBadInput) throw;
  }
  return known(task).sentence;
}

const SharedProofs::Proof& SharedProofs::known(const Task& task) {
  const spec::Instance& i = task.instance;
  const std::string key = fmt::format("{} {} {} {} {} {} {} {} {}", task.properties, i.messages,
                                      i.warm, i.in_flight, i.brokers, i.epochs, i.max_epoch,
                                      spec::faults_text(i.faults), behaviour_key(task.behaviour));
  std::shared_ptr<Proof> proof;
  {
    const std::lock_guard lock(known_->mutex);
    std::shared_ptr<Proof>& slot = known_->proofs[key];
    if (slot == nullptr) slot = std::make_shared<Proof>();
    proof = slot;
  }
  std::call_once(proof->once, [&] {
    const Sentence sentence = sentence_of(task);
    proof->sentence = sentence.says;
    proof->proved = sentence.proved;
  });
  return *proof;
}

checker::Answer judge_proof(const ProofRequest& request, const ProofResult& result,
                            spec::Property property) {
  FP_ASSERT(request.task.asks(property));
  checker::Answer answer;
  answer.property = spec::properties()[static_cast<std::size_t>(property)].name;
  answer.instance = spec::instance_text(result.instance);
  answer.engine = fmt::format("induction (Z3 {})", checker::z3_version());
  answer.version = checker::version();
  answer.seconds = result.seconds;
  for (const Finding& finding : result.findings) {
    if (finding.property != property) continue;
    answer.verdict = checker::Verdict::kRefuted;
    answer.depth = finding.depth();
    answer.partition = finding.partition;
    answer.instance = spec::instance_text(result.refuted);
  }
  const bool is_claimed = (result.claimed & bit(property)) != 0;
  const bool proved = result.proved && is_claimed;
  if (proved) {
    answer.verdict = checker::Verdict::kProved;
  } else if (answer.verdict != checker::Verdict::kRefuted) {
    answer.reason = result.unknown;
    if (answer.reason.empty()) answer.reason = is_claimed ? "the induction step fails" : kUnclaimed;
  }
  answer.not_covered =
      checker::not_covered(answer.verdict, answer.depth, checker::PropertyKind::kSafety);
  if (proved) {
    answer.not_covered = fmt::format(
        "says nothing of more messages, requests in flight or brokers{}, nor of epochs above {}",
        request.any_partitions ? "" : ", nor of more partitions", result.instance.epochs);
  }
  return answer;
}

}  // namespace fencepost::gate
