#include <fmt/format.h>

#include <algorithm>

#include "checker/cli/commands.h"
#include "checker/cli/terminal.h"
#include "checker/gate/compare.h"
#include "checker/gate/gate.h"
#include "checker/gate/gate_json.h"
#include "checker/gate/gate_table.h"
#include "checker/gate/proof.h"
#include "checker/refinement/check_impl.h"
#include "checker/refinement/impl_claims.h"
#include "checker/refinement/transactions/check.h"
#include "checker/transactions/run.h"

namespace fencepost::cli {
namespace {

gate::Claims claims_for(const Arguments& arguments) {
  const std::filesystem::path data = spec_folder(arguments);
  const GateArguments& g = arguments.gate;
  gate::Claims claims =
      gate::read_claims(g.claims.empty() ? (data / "claims.json").string() : g.claims, data);
  if (g.variant.empty()) return claims;
  if (g.on == "impl") {
    throw Error(Exit::kUsage, "--variant asks the claims of the spec: leave out --on impl");
  }
  const spec::Variant variant = load_client(g.variant, data, false);
  const gate::Base base = gate::base_of(variant, data / "variants", arguments.check.variant);
  return gate::ask_of(claims, variant, base);
}

/// The claims on the transactional model, where the project's own claims are run.
std::vector<transactions::Claim> transactional_claims(const Arguments& arguments) {
  const GateArguments& g = arguments.gate;
  if (!g.variant.empty() || !g.claims.empty()) return {};
  auto claims = transactions::read_claims(spec_folder(arguments) / "transactions");
  if (g.on == "impl") claims = refinement::transactions::claims_for_impl(std::move(claims));
  return claims;
}

}  // namespace

Exit run_gate(const Arguments& arguments) {
  const bool on_impl = arguments.gate.on == "impl";
  gate::Claims claims = claims_for(arguments);
  if (on_impl) claims = refinement::claims_for_impl(claims);
  const std::vector<transactions::Claim> more = transactional_claims(arguments);
  for (const transactions::Claim& claim : more) claims.list.push_back(claim.claim);
  auto selected = gate::select(claims, arguments.gate.only, arguments.gate.all);
  const auto others = std::stable_partition(
      selected.begin(), selected.end(),
      [](const gate::Claim* claim) { return claim->rows.front().model.empty(); });
  const std::vector<const gate::Claim*> transactional(others, selected.end());
  selected.erase(others, selected.end());
  gate::GateOptions options;
  options.limits = limits_of(arguments, 1);
  options.parallel = threads_of(arguments);
  options.on = arguments.gate.on;
  if (arguments.gate.prove) {
    if (on_impl) throw Error(Exit::kUsage, "--prove speaks of the spec: leave out --on impl");
    options.prover = gate::proof_sentence;
    options.refuter = gate::refutation_sentence;
  }
  gate::GateResult result;
  {
    ProgressLine line;
    options.on_search = [&line](const gate::GateProgress& p) {
      line.show(fmt::format("{} of {} searches, {:.1f} M states", p.searches_done, p.searches,
                            static_cast<double>(p.states) / 1e6));
    };
    const gate::Checker checker =
        on_impl ? gate::Checker(refinement::check_on_impl) : gate::Checker(gate::check_explicitly);
    result = gate::run_gate(claims, selected, checker, options);
    const transactions::Searcher searcher =
        on_impl ? transactions::Searcher(refinement::transactions::check_on_impl)
                : transactions::Searcher(transactions::search);
    transactions::run_claims(more, transactional, options, result, searcher);
  }
  if (arguments.format == Format::kJson) {
    print(gate::gate_json(result));
  } else {
    print(gate::gate_table(result, {colour_wanted(), 130}));
  }
  return result.exit_code();
}

}  // namespace fencepost::cli
