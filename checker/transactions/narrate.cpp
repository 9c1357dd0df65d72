#include "checker/transactions/narrate.h"

#include <fmt/format.h>

#include <array>

#include "checker/transactions/talk.h"

namespace fencepost::transactions {
namespace {

namespace model = spec::transactions;
using model::EntryKind;

constexpr std::array<std::string_view, model::kEntryKinds> kFates{
    "", "open", "committed", "aborted", "not transactional", "commit marker", "abort marker"};

std::string entry_text(const model::Rules& rules, int p, int offset,
                       const model::LogEntry<spec::Concrete>& entry) {
  const std::string head =
      fmt::format("  offset {}  id {} epoch {}", offset, entry.pid.v, entry.epoch.v);
  const std::string_view fate = kFates[entry.kind.v];
  if (entry.kind.v > static_cast<int>(EntryKind::kPlain)) {
    return fmt::format("{}  {}\n", head, fate);
  }
  const std::string name = transaction_name(entry.owner.v, entry.attempt.v);
  const std::string what = rules.instance.is_offsets(p)
                               ? fmt::format("position behind input {}", entry.input.v)
                               : fmt::format("sequence {}  message {} for input {}",
                                             entry.sequence.v, entry.message.v, entry.input.v);
  return fmt::format("{}  {} of {}: {}{}\n", head, what, name, fate,
                     entry.stale.v != 0 ? "  <-- appended after its right had passed" : "");
}

std::string told_text(const model::Model::State& s, const model::Rules& rules) {
  static constexpr std::array<std::string_view, 3> kTold{"nothing yet", "committed", "aborted"};
  std::string text = "the application was told:";
  for (int i = 0; i < rules.instance.producers; ++i) {
    for (int a = 1; a <= s.producer[i].attempt.v; ++a) {
      text += fmt::format(" {} {},", transaction_name(i, a), kTold[s.producer[i].told[a].v]);
    }
  }
  if (text.back() == ',') text.back() = '\n';
  return text.back() == '\n' ? text : text + " nothing\n";
}

}  // namespace

checker::Narration narrate(const model::Model& system, const checker::ActionPath& path) {
  const std::vector<model::Model::State> states = checker::replay(system, path);
  checker::Narration narration;
  for (std::size_t i = 0; i < path.size(); ++i) {
    model::Model::State scratch = states[i];
    const std::uint64_t notes = system.effect(path[i], scratch).notes;
    narration.steps.push_back(
        talk({system, system.action(path[i]), states[i], states[i + 1], notes}));
  }
  const model::Rules& rules = system.rules();
  for (int p = 0; p < rules.partitions(); ++p) {
    const auto& q = states.back().partition[p];
    std::string text = fmt::format("log of {}:\n", partition_name(rules, p));
    for (int e = 0; e < q.length.v; ++e) text += entry_text(rules, p, e, q.log[e]);
    narration.logs.push_back(std::move(text));
  }
  if (rules.behaviour.transactional) narration.logs.push_back(told_text(states.back(), rules));
  return narration;
}

}  // namespace fencepost::transactions
