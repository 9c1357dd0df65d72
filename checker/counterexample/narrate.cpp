#include "checker/counterexample/narrate.h"

#include <fmt/format.h>

#include "checker/counterexample/ghosts.h"
#include "checker/counterexample/talk.h"

namespace fencepost::checker {
namespace {

/// Marks the copies of messages that stand more than once.
std::string log_block(const spec::Model& model, const spec::Model::State& s, const Ghosts& ghosts,
                      int p) {
  const auto& q = s.partition[p];
  std::string text = fmt::format("log of partition {} (high watermark {}):\n", p, q.watermark.v);
  for (int i = 0; i < q.length.v; ++i) {
    const auto& entry = q.log[i];
    int copies = 0;
    int which = 0;
    for (int k = 0; k < q.length.v; ++k) {
      if (q.log[k].message.v != entry.message.v) continue;
      ++copies;
      if (k <= i) ++which;
    }
    text += fmt::format(
        "  offset {}  {}  epoch {} sequence {}  leader epoch {}{}{}\n", i,
        message_name(p, entry.message.v), entry.epoch.v, entry.sequence.v,
        ghosts.entry_leader_epoch[static_cast<std::size_t>(p)][static_cast<std::size_t>(i)],
        i >= q.watermark.v ? "  (not committed)" : "",
        copies > 1 ? fmt::format("  <-- copy {} of {}", which, copies) : "");
  }
  text += "  messages:";
  for (int m = 0; m < model.rules().messages(); ++m) {
    text += fmt::format(" {} {}{}", message_name(p, m), status_text(q.status[m].v),
                        m + 1 < model.rules().messages() ? "," : "");
  }
  return text + "\n";
}

}  // namespace

std::string message_name(int partition, int message) {
  return fmt::format("{}{}", static_cast<char>('A' + partition), message);
}

Narration narrate(const spec::Model& model, const ActionPath& path) {
  const std::vector<spec::Model::State> states = replay(model, path);
  Narration narration;
  Ghosts ghosts;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const spec::Action& action = model.action(path[i]);
    spec::Model::State scratch = states[i];
    const std::uint64_t notes = model.effect(path[i], scratch).notes;
    const Ghosts before = ghosts;
    ghosts.follow(action, states[i], states[i + 1], model.rules());
    narration.steps.push_back(
        talk({model, action, states[i], states[i + 1], before, ghosts, notes}));
  }
  for (int p = 0; p < model.rules().instance.partitions; ++p) {
    narration.logs.push_back(log_block(model, states.back(), ghosts, p));
  }
  return narration;
}

std::string narration_text(const Narration& narration, std::optional<std::size_t> loop_from) {
  std::string text;
  for (std::size_t i = 0; i < narration.steps.size(); ++i) {
    const TalkedStep& step = narration.steps[i];
    if (loop_from == i) text += "  -- from here the same steps again and again --\n";
    text += fmt::format("{:4}  {:<11} {}\n", i + 1, step.actor, step.text);
    for (const std::string& remark : step.remarks) text += fmt::format("{:18}^ {}\n", "", remark);
  }
  for (const std::string& log : narration.logs) text += log;
  return text;
}

}  // namespace fencepost::checker
