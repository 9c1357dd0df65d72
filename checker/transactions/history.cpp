#include "checker/transactions/history.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "spec/base.h"

namespace fencepost::transactions {
namespace {

namespace model = spec::transactions;
using model::Model;
using End = HistoryReplay::End;

Model with_history(const Model& endless) {
  model::Instance instance = endless.rules().instance;
  FP_ASSERT(instance.endless);
  instance.endless = false;
  instance.attempts = model::kMaxAttempts;
  instance.epochs = model::kMaxEpochs;
  instance.log = model::kMaxLog;
  return {endless.rules().behaviour, instance};
}

/// The same can happen, and both have ended or neither.
bool alike(const Model& endless, const Model::State& forgets, const Model& whole,
           const Model::State& keeps) {
  for (std::size_t a = 0; a < endless.action_count(); ++a) {
    if (endless.guard(a, forgets) != whole.guard(a, keeps)) return false;
  }
  return endless.ended(forgets) == whole.ended(keeps);
}

}  // namespace

HistoryReplay replay_with_history(const Model& endless, const Finding& finding) {
  const Model whole = with_history(endless);
  FP_ASSERT(whole.action_count() == endless.action_count());
  checker::ActionPath path = finding.stem;
  path.insert(path.end(), finding.loop.begin(), finding.loop.end());
  Model::State forgets = endless.initial();
  Model::State keeps = whole.initial();
  for (std::size_t step = 0; step < path.size(); ++step) {
    FP_ASSERT(endless.guard(path[step], forgets));
    if (!alike(endless, forgets, whole, keeps)) return {End::kDiffers, step, 0};
    const spec::StepInfo info = whole.effect(path[step], keeps);
    if (info.bounds != 0) return {End::kBound, step, info.bounds};
    FP_ASSERT(endless.effect(path[step], forgets).bounds == 0);
  }
  bool shows = alike(endless, forgets, whole, keeps);
  if (finding.property != Property::kProgress) {
    shows = shows && (whole.violations(keeps) & bit(finding.property)) != 0;
  }
  return {shows ? End::kShows : End::kDiffers, path.size(), 0};
}

std::string remark_of(const HistoryReplay& replay, const Finding& finding) {
  if (replay.end != End::kBound) return {};
  std::vector<std::string_view> met;
  for (int k = 0; k < model::kBounds; ++k) {
    if ((replay.bounds >> k & 1U) != 0) {
      met.push_back(model::kBoundNames[static_cast<std::size_t>(k)]);
    }
  }
  return fmt::format("without forgetting replayed for {} of {} steps only: the bound on {} was hit",
                     replay.steps, finding.depth(), fmt::join(met, " and "));
}

}  // namespace fencepost::transactions
