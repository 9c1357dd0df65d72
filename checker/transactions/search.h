// One search of the transactional model: what is asked, what comes back, and the verdicts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "checker/core/path.h"
#include "checker/core/search.h"
#include "checker/core/verdict.h"
#include "checker/gate/task.h"
#include "spec/transactions/behaviour.h"
#include "spec/transactions/instance.h"
#include "spec/transactions/model.h"
#include "spec/transactions/properties.h"

namespace fencepost::transactions {

using spec::transactions::Property;

struct Question {
  std::string client, coordinator, broker;  ///< their names, for answers
  spec::transactions::Behaviour behaviour;
  spec::transactions::Instance instance;  ///< faults included
  std::string faults;                     ///< as text
  std::uint32_t properties = 0;           ///< bit = Property, progress included

  [[nodiscard]] bool asks(Property property) const {
    return ((properties >> static_cast<unsigned>(property)) & 1U) != 0;
  }
  /// Questions with equal keys share a search.
  [[nodiscard]] std::string key() const;
};

/// Throws Error(kUsage) if an endless question asks what cannot be endless or what its instance
/// forgets (spec/transactions/endless.h).
void require_possible(const Question& question);

constexpr std::uint32_t bit(Property property) { return 1U << static_cast<unsigned>(property); }

/// A counterexample, replayed. For progress `loop` is what repeats for ever; it is empty if the
/// run ends in a state in which nothing can happen any more.
struct Finding {
  Property property{};
  checker::ActionPath stem;
  checker::ActionPath loop;
  std::string remark = {};  ///< what the replay could not confirm, a sentence, or empty

  [[nodiscard]] std::uint32_t depth() const {
    return static_cast<std::uint32_t>(stem.size() + loop.size());
  }
};

struct Found {
  gate::TaskResult facts;         ///< counts, notes, how it ended; its `findings` stay empty
  std::vector<Finding> findings;  ///< at most one per property
  std::string on = "spec";        ///< what was searched, as in checker::Answer
};

inline constexpr std::uint32_t kSafetyMask =
    (1U << static_cast<unsigned>(spec::transactions::kSafetyProperties)) - 1;

/// The options of an explicit search of the question, whatever system it explores.
checker::SearchOptions options_of(const Question& question, const gate::Limits& limits);

/// Replays a counterexample on the spec and adds it to what was found; one that shows nothing
/// becomes the error `failure`. One of an endless instance is also replayed where nothing is
/// forgotten (history.h); if a bound ends that, the finding's remark says so.
void add_confirmed(const spec::transactions::Model& model, Finding finding,
                   const std::string& failure, Found& found);

std::string_view property_name(const Finding& finding);

/// The explicit engine on the question. Every counterexample is replayed; one that does not show
/// what it should comes back as `facts.error`.
Found search(const Question& question, const gate::Limits& limits);

/// The verdict on one property, as gate::judge gives it for the other model; witnesses are bits of
/// spec::transactions::Note. Requires: the question asks for the property.
checker::Answer judge(const Question& question, const Found& found, const gate::Limits& limits,
                      Property property, std::uint64_t witnesses);

/// "never reached: ..." with the witnesses (bit = spec::transactions::Note) not seen, or empty.
std::string missing_witnesses(const Found& found, std::uint64_t witnesses);

const Finding* finding_for(const Found& found, Property property);

}  // namespace fencepost::transactions
