#include "checker/gate/lemma_finder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "checker/explicit/each_state.h"
#include "checker/explicit/explicit_search.h"
#include "checker/gate/induction_text.h"
#include "checker/symbolic/spec_system.h"
#include "checker/symbolic/spec_vocabulary.h"
#include "spec/instance_text.h"
#include "spec/model/model.h"

namespace fencepost::gate {
namespace {

using checker::SpecSystem;

/// How long violations are looked for where the instance's log is too short for them.
constexpr double kViolationSeconds = 10;
/// Limit of each query about a larger instance.
constexpr double kLargerSeconds = 20;

constexpr std::uint32_t kStatedBounds = 1U << static_cast<unsigned>(spec::Bound::kEpochs);

/// Facts of one name, one a partition.
struct Group {
  std::string name;
  int property = -1;
  std::vector<std::size_t> facts;
};

class Finder {
 public:
  explicit Finder(const FindRequest& request)
      : request_(request),
        system_(request.behaviour, request.instance,
                {request.properties, !request.given.empty(), false}),
        grammar_(checker::spec_vocabulary(system_.rules())),
        proposer_(grammar_, request.limits.stop) {
    result_.without_words = checker::cells_without_words(system_.rules());
    for (int literals = 1; literals <= 3; ++literals) {
      result_.grammar.push_back(grammar_.size(literals));
    }
  }

  FindResult run() {
    group_facts();
    explore();
    if (result_.unknown.empty()) search();
    return result_;
  }

 private:
  void group_facts() {
    for (std::size_t f = 0; f < system_.facts().size(); ++f) {
      const checker::Fact& fact = system_.facts()[f];
      const auto& given = request_.given;
      if (fact.property < 0 && std::find(given.begin(), given.end(), fact.name) == given.end()) {
        continue;
      }
      auto at = std::find_if(groups_.begin(), groups_.end(),
                             [&](const Group& g) { return g.name == fact.name; });
      if (at == groups_.end()) at = groups_.insert(at, Group{fact.name, fact.property, {}});
      at->facts.push_back(f);
    }
    for (const Group& g : groups_) {
      FindTarget target;
      target.name = g.name;
      target.property = g.property >= 0;
      result_.targets.push_back(std::move(target));
    }
  }

  void explore() {
    spec::Instance instance = request_.instance;
    if (instance.partitions > 1 && others_can_rest()) explore_one_partition();
    if (request_.budget >= 0) {
      instance.faults.unlimited = false;
      instance.faults.budget = request_.budget;
    }
    result_.explored = explore(instance, [&](const spec::Model::State& state) {
      proposer_.observe(checker::cell_values(state, system_.rules()));
    });
    const bool all = result_.explored.all() &&
                     (result_.explored_of_one.states == 0 || result_.explored_of_one.all());
    if (!all && result_.unknown.empty()) look_for_violations();
    std::vector<unsigned> maxima;
    for (const checker::CellInfo& cell : system_.cells()) maxima.push_back(cell.max);
    proposer_.spoil_observed(maxima);
  }

  /// The first search that finds one is told of.
  void note_violations(const checker::SearchResult& found, const spec::Instance& instance) {
    for (const checker::Violation& v : found.violations) {
      for (std::size_t k = 0; k < groups_.size(); ++k) {
        FindTarget& target = result_.targets[k];
        if (groups_[k].property != v.property || target.end == FindTarget::End::kFalse) continue;
        target.end = FindTarget::End::kFalse;
        target.depth = v.depth;
        target.where = fmt::format(
            "{} partition{}, logs of up to {} entries, {}", instance.partitions,
            instance.partitions == 1 ? "" : "s", instance.log,
            instance.faults.unlimited ? std::string("any number of faults")
                                      : fmt::format("at most {} faults", instance.faults.budget));
      }
    }
  }

  // The log of the instance has no room for a duplicate: what is wrong shows in a longer one.
  void look_for_violations() {
    spec::Instance longer = request_.instance;
    longer.log = std::min(2 * longer.log, spec::kMaxLog);
    const spec::Model model(request_.behaviour, longer, request_.properties);
    checker::SearchOptions options;
    options.properties = request_.properties;
    options.memory_bytes = request_.limits.memory_bytes;
    options.seconds = kViolationSeconds;
    options.stop = request_.limits.stop;
    note_violations(checker::search(model, options), longer);
  }

  // Nothing obliges the other partitions to do anything, and a partition at rest, with nothing in
  // flight or unresolved, keeps no other from doing what it does alone. What one partition does
  // leaves such others as they are, but for these two, which write a new epoch into every one.
  [[nodiscard]] bool others_can_rest() const {
    return request_.behaviour.bump_restamps != spec::Restamps::kAll &&
           !request_.instance.faults.allows(spec::Fault::kProducerRestart);
  }

  /// Requires: `others_can_rest`.
  void explore_one_partition() {
    spec::Instance one = request_.instance;
    one.partitions = 1;
    const spec::Model all(request_.behaviour, request_.instance);
    spec::Model::State whole = all.initial();
    result_.explored_of_one = explore(one, [&](const spec::Model::State& state) {
      whole.mode = state.mode;
      whole.epoch = state.epoch;
      whole.partition[0] = state.partition[0];
      proposer_.observe(checker::cell_values(whole, system_.rules()));
    });
  }

  /// Calls f(state) for each reachable state, and takes note of what is false in one.
  template <class F>
  Explored explore(const spec::Instance& instance, F&& f) {
    const spec::Model model(request_.behaviour, instance, request_.properties);
    checker::SearchOptions options;
    options.properties = request_.properties;
    options.stop_when_decided = false;
    options.memory_bytes = request_.limits.memory_bytes;
    options.stop = request_.limits.stop;
    const checker::SearchResult found = checker::each_state(
        model, options, [&](const spec::Model::State& state, std::size_t) { f(state); });
    note_violations(found, instance);
    Explored explored;
    explored.states = found.stats.distinct;
    explored.log = instance.log;
    // Epochs are a bound that is stated of the proof, too.
    explored.log_cut = found.stats.bound_hits[static_cast<std::size_t>(spec::Bound::kLog)] > 0;
    if (found.end == checker::SearchEnd::kInterrupted) result_.unknown = "interrupted";
    if (found.end != checker::SearchEnd::kExhausted) {
      const bool memory = found.end == checker::SearchEnd::kMemory;
      explored.stopped = memory ? "the memory for states is used up" : "interrupted";
    }
    return explored;
  }

  void search() {
    std::vector<std::vector<std::size_t>> targets;
    std::vector<std::size_t> numbers;
    for (std::size_t k = 0; k < groups_.size(); ++k) {
      if (result_.targets[k].end == FindTarget::End::kFalse) continue;
      targets.push_back(groups_[k].facts);
      numbers.push_back(k);
    }
    checker::LemmaSearchOptions options;
    options.limits.stop = request_.limits.stop;
    if (request_.limits.seconds < 1e9) options.seconds = request_.limits.seconds;
    options.stated_bounds = kStatedBounds;
    options.on_progress = request_.on_progress;
    const checker::LemmaSearchResult found =
        checker::search_lemmas(system_, grammar_, proposer_, targets, options);
    result_.minimal = found.minimal;
    result_.progress = found.progress;
    result_.queries = found.queries;
    result_.unknown = found.unknown;
    for (std::size_t k = 0; k < targets.size(); ++k) {
      take(found, k, result_.targets[numbers[k]]);
    }
    for (const checker::Candidate& c : found.lemmas) {
      result_.lemmas.push_back({grammar_.formula(c), grammar_.sentence(c)});
    }
    result_.seconds = found.seconds;
    prove_again(found);
    // Once is not enough to call it proved.
    for (FindTarget& target : result_.targets) {
      const bool closed = target.end == FindTarget::End::kClosed;
      if (closed && !result_.proved_again) target.end = FindTarget::End::kUndecided;
    }
  }

  void take(const checker::LemmaSearchResult& found, std::size_t k, FindTarget& target) const {
    if (found.closed[k]) target.end = FindTarget::End::kClosed;
    if (!found.failures[k]) return;
    target.end = FindTarget::End::kBeyond;
    const Reachability reachability{
        Reachable::kUndecided, "no clause of the grammar that holds so far excludes it", {}};
    target.failure = failure_text(system_, *found.failures[k], reachability);
  }

  /// What is closed and the lemmas, of this system.
  [[nodiscard]] std::vector<std::size_t> closed_facts(const SpecSystem& system,
                                                      const checker::WithCandidates& with) const {
    std::vector<std::size_t> facts;
    for (std::size_t f = 0; f < with.facts().size(); ++f) {
      const auto target =
          std::find_if(result_.targets.begin(), result_.targets.end(),
                       [&](const FindTarget& t) { return t.name == with.facts()[f].name; });
      const bool closed =
          target != result_.targets.end() && target->end == FindTarget::End::kClosed;
      if (closed || f >= system.facts().size()) facts.push_back(f);
    }
    return facts;
  }
  [[nodiscard]] checker::InductionOptions induction() const {
    checker::InductionOptions how;
    how.limits.stop = request_.limits.stop;
    how.stated_bounds = kStatedBounds;
    return how;
  }

  [[nodiscard]] std::string certificate_text() const {
    std::vector<std::string> names;
    for (const FindTarget& t : result_.targets) {
      if (t.end == FindTarget::End::kClosed) names.push_back(t.name);
    }
    std::string text = fmt::format(
        "A proof by induction that {} hold{} at any depth of {}, with any number of faults of "
        "these "
        "kinds: {}; producer epochs up to {}. The lemmas were found by a search:\n",
        fmt::join(names, ", "), names.size() == 1 ? "s" : "",
        spec::instance_text(request_.instance), spec::faults_text(request_.instance.faults),
        request_.instance.epochs);
    for (const FoundLemma& lemma : result_.lemmas) text += fmt::format("  {}\n", lemma.sentence);
    return text;
  }

  /// In fresh solvers; on paper if a certificate is asked for.
  checker::InductionResult prove_freshly(const std::vector<checker::Candidate>& lemmas) {
    const checker::WithCandidates with(system_, grammar_, lemmas);
    const std::vector<std::size_t> facts = closed_facts(system_, with);
    checker::InductionOptions how = induction();
    how.fresh = true;
    if (request_.certificate.empty()) return checker::prove(with, facts, how);
    const checker::Certificate certificate =
        checker::write_certificate(with, facts, how, request_.certificate, certificate_text());
    if (certificate.result.proved) {
      result_.confirmation =
          checker::confirm_by_cvc5(certificate, request_.certificate, request_.limits.stop);
    }
    return certificate.result;
  }

  /// What is closed, once more, and of larger instances.
  void prove_again(const checker::LemmaSearchResult& found) {
    const bool some =
        std::any_of(result_.targets.begin(), result_.targets.end(),
                    [](const FindTarget& t) { return t.end == FindTarget::End::kClosed; });
    if (!some || !found.unknown.empty()) return;
    const checker::InductionResult proof = prove_freshly(found.lemmas);
    result_.proved_again = proof.proved;
    result_.unknown = proof.unknown;
    result_.seconds += proof.seconds;
    FP_ASSERT(proof.proved || !proof.unknown.empty());
    if (proof.proved) try_larger(found.lemmas);
  }

  void try_larger(const std::vector<checker::Candidate>& lemmas) {
    for (int spec::Instance::*field :
         {&spec::Instance::messages, &spec::Instance::in_flight, &spec::Instance::partitions}) {
      spec::Instance larger = request_.instance;
      ++(larger.*field);
      larger.log = larger.total_messages();
      if (!spec::instance_fault(larger).empty()) continue;
      const SpecSystem system(request_.behaviour, larger,
                              {request_.properties, !request_.given.empty(), false});
      const checker::Grammar grammar(checker::spec_vocabulary(system.rules()));
      if (grammar.size(1) != grammar_.size(1)) continue;
      const checker::WithCandidates with(system, grammar, lemmas);
      result_.larger.push_back(
          answer_of(with, closed_facts(system, with), spec::instance_text(larger)));
    }
  }

  /// Once is not enough to call it proved.
  [[nodiscard]] LargerInstance answer_of(const checker::WithCandidates& with,
                                         const std::vector<std::size_t>& facts,
                                         const std::string& instance) const {
    using Answer = LargerInstance::Answer;
    checker::InductionOptions how = induction();
    how.limits.seconds = kLargerSeconds;
    const checker::InductionResult first = checker::prove(with, facts, how);
    if (!first.failures.empty()) return {instance, Answer::kNotEnough, ""};
    if (!first.proved) return {instance, Answer::kUndecided, first.unknown};
    how.fresh = true;
    const checker::InductionResult again = checker::prove(with, facts, how);
    FP_ASSERT(again.proved || (again.failures.empty() && !again.unknown.empty()));
    if (again.proved) return {instance, Answer::kProved, ""};
    return {instance, Answer::kUndecided, again.unknown};
  }

  const FindRequest& request_;
  const SpecSystem system_;
  const checker::Grammar grammar_;
  checker::Proposer proposer_;
  std::vector<Group> groups_;
  FindResult result_;
};

}  // namespace

FindResult find_lemmas(const FindRequest& request) { return Finder(request).run(); }

}  // namespace fencepost::gate
