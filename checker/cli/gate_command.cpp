#include <fmt/format.h>

#include <algorithm>

#include "checker/cli/commands.h"
#include "checker/cli/terminal.h"
#include "checker/gate/beside.h"
#include "checker/gate/compare.h"
#include "checker/gate/gate.h"
#include "checker/gate/gate_json.h"
#include "checker/gate/gate_table.h"
#include "checker/gate/proof.h"
#include "checker/refinement/check_impl.h"
#include "checker/refinement/impl_claims.h"
#include "checker/refinement/transactions/check.h"
#include "checker/transactions/run.h"
#include "checker/transactions/variant_claims.h"

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
std::vector<transactions::Claim> transactional_claims(const Arguments& arguments, bool on_impl) {
  const GateArguments& g = arguments.gate;
  if (!g.variant.empty() || !g.claims.empty()) return {};
  auto claims = transactions::read_claims(spec_folder(arguments) / "transactions");
  if (on_impl) claims = refinement::transactions::claims_for_impl(std::move(claims));
  return claims;
}

/// The claims of both models and, of those, what was selected.
struct Asked {
  gate::Claims claims;
  std::vector<transactions::Claim> more;
  std::vector<const gate::Claim*> first, transactional;
};

/// What the claims on the transactional model ask of one of its own variants; of the other model
/// nothing.
Asked ask_transactional(const Arguments& arguments, const spec::transactions::Variant& variant) {
  const GateArguments& g = arguments.gate;
  if (g.on == "impl") {
    throw Error(Exit::kUsage, "--variant asks the claims of the spec: leave out --on impl");
  }
  if (!g.claims.empty()) {
    throw Error(Exit::kUsage, fmt::format("{} is a {} of the transactional model, and --claims "
                                          "names claims of the other one: leave out one of them",
                                          variant.name, spec::transactions::name_of(variant.kind)));
  }
  const std::filesystem::path data = spec_folder(arguments) / "transactions";
  transactions::AskedOfVariant of =
      transactions::ask_of(transactions::read_claims(data), variant, data);
  Asked asked;
  asked.claims.comparison = of.comparison;
  asked.more = std::move(of.claims);
  for (const transactions::Claim& claim : asked.more) asked.claims.list.push_back(claim.claim);
  return asked;
}

Asked ask(const Arguments& arguments, bool on_impl) {
  if (!arguments.gate.variant.empty()) {
    const auto variant =
        transactions::variant_named(arguments.gate.variant, spec_folder(arguments));
    if (variant) return ask_transactional(arguments, *variant);
  }
  Asked asked;
  asked.claims = claims_for(arguments);
  if (on_impl) asked.claims = refinement::claims_for_impl(asked.claims);
  asked.more = transactional_claims(arguments, on_impl);
  for (const transactions::Claim& claim : asked.more) asked.claims.list.push_back(claim.claim);
  return asked;
}

void select(const Arguments& arguments, Asked& asked) {
  asked.first = gate::select(asked.claims, arguments.gate.only, arguments.gate.all);
  const auto others = std::stable_partition(
      asked.first.begin(), asked.first.end(),
      [](const gate::Claim* claim) { return claim->rows.front().model.empty(); });
  asked.transactional.assign(others, asked.first.end());
  asked.first.erase(others, asked.first.end());
}

/// The same claims as `other`, as far as they are asked here.
void select_as(const Asked& other, Asked& asked) {
  const auto wanted = [&](const gate::Claim& claim) {
    const auto same = [&](const gate::Claim* one) { return one->id == claim.id; };
    return std::any_of(other.first.begin(), other.first.end(), same) ||
           std::any_of(other.transactional.begin(), other.transactional.end(), same);
  };
  for (const gate::Claim& claim : asked.claims.list) {
    if (!wanted(claim)) continue;
    (claim.rows.front().model.empty() ? asked.first : asked.transactional).push_back(&claim);
  }
}

/// Throws Error(kUsage) if nothing is left.
Asked asked_of_impl(const Arguments& arguments, const Asked& spec) {
  Asked asked = ask(arguments, true);
  select_as(spec, asked);
  if (asked.first.empty() && asked.transactional.empty() && !arguments.gate.full) {
    throw Error(Exit::kUsage,
                "none of these claims is asked of the implementation: they are open, or it has not "
                "the client, the faults or the size (check --on impl says which)");
  }
  return asked;
}

gate::GateResult check(const Asked& asked, const gate::GateOptions& options) {
  const bool on_impl = options.on == "impl";
  const gate::Checker checker =
      on_impl ? gate::Checker(refinement::check_on_impl) : gate::Checker(gate::check_explicitly);
  const transactions::Searcher searcher =
      on_impl ? transactions::Searcher(refinement::transactions::check_on_impl)
              : transactions::Searcher(transactions::search);
  gate::GateResult result = gate::run_gate(asked.claims, asked.first, checker, options);
  transactions::Confirmation confirmation;
  if (options.refuter) confirmation = transactions::solvers();
  transactions::run_claims(asked.more, asked.transactional, options, result, searcher,
                           confirmation);
  // Claims of one model are compared at a time; run_gate has seen to those of the other.
  if (!asked.claims.comparison.base.empty() && asked.first.empty()) gate::compare_rows(result);
  return result;
}

gate::GateOptions options_of(const Arguments& arguments) {
  const GateArguments& g = arguments.gate;
  gate::GateOptions options;
  options.limits = limits_of(arguments, 1);
  options.parallel = threads_of(arguments);
  options.on = g.on;
  if (!g.prove && !g.full) return options;
  if (g.on == "impl") {
    throw Error(Exit::kUsage, fmt::format("{} speaks of the spec: leave out --on impl",
                                          g.full ? "--full" : "--prove"));
  }
  if (g.full && !g.variant.empty()) {
    throw Error(Exit::kUsage, "--full asks the claims as they are: leave out --variant");
  }
  options.prover = gate::SharedProofs();
  options.refuter = gate::refutation_sentence;
  return options;
}

}  // namespace

Exit run_gate(const Arguments& arguments) {
  gate::GateOptions options = options_of(arguments);
  Asked asked = ask(arguments, false);
  select(arguments, asked);
  if (options.on == "impl") asked = asked_of_impl(arguments, asked);
  Asked on_impl;
  gate::GateResult result;
  {
    ProgressLine line;
    options.on_search = [&line](const gate::GateProgress& p) {
      line.show(fmt::format("{} of {} searches, {:.1f} M states", p.searches_done, p.searches,
                            static_cast<double>(p.states) / 1e6));
    };
    result = check(asked, options);
    if (arguments.gate.full && !result.interrupted) {
      on_impl = asked_of_impl(arguments, asked);
      options.on = "impl";
      options.prover = nullptr;
      options.refuter = nullptr;
      static_cast<void>(gate::put_beside(result, check(on_impl, options)));
    }
  }
  if (arguments.format == Format::kJson) {
    print(gate::gate_json(result));
  } else {
    print(gate::gate_table(result, {colour_wanted(), 130}));
  }
  return result.exit_code();
}

}  // namespace fencepost::cli
