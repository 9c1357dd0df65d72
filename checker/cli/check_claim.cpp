// `check --claim`: what a claim on the model in spec/model asks, search by search.
#include <fmt/format.h>

#include <cstdio>
#include <map>

#include "checker/cli/check_report.h"
#include "checker/cli/commands.h"
#include "checker/cli/terminal.h"
#include "checker/gate/claims.h"
#include "checker/gate/gate.h"
#include "checker/refinement/check_impl.h"
#include "checker/transactions/claims.h"
#include "spec/located_json.h"
#include "traces/trace_file.h"

namespace fencepost::cli {
namespace {

const gate::Claim& claim_named(const gate::Claims& claims, const std::string& id,
                               const std::filesystem::path& data) {
  std::vector<std::string_view> known;
  for (const gate::Claim& claim : claims.list) {
    if (claim.id == id) return claim;
    known.push_back(claim.id);
  }
  for (const transactions::Claim& claim : transactions::read_claims(data / "transactions")) {
    if (claim.claim.id != id) continue;
    throw Error(Exit::kUsage,
                fmt::format("\"{0}\" is a claim on the transactional model: fencepost "
                            "transactions --claim {0}",
                            id));
  }
  throw Error(Exit::kUsage,
              fmt::format("no claim is named \"{}\"{}", id, spec::suggestion(id, known)));
}

/// One search of the claim, and whom it is about.
struct Search {
  const gate::ClaimRow* row;
  gate::Task task;
};

/// Rows that ask the same but for the property are one search.
std::vector<Search> searches_of(const gate::Claims& claims, const gate::Claim& claim, int row) {
  const auto [first, end] = rows_asked(row, claim.rows.size(), claim.id);
  std::vector<Search> searches;
  std::map<gate::SearchKey, std::size_t> known;
  for (std::size_t r = first; r < end; ++r) {
    const gate::ClaimRow& asked = claim.rows[r];
    const auto [at, fresh] = known.try_emplace(gate::search_key(asked), searches.size());
    if (fresh) {
      gate::Task task;
      task.behaviour =
          spec::combine(claims.clients.at(asked.variant), claims.brokers.at(asked.broker));
      task.instance = asked.instance;
      searches.push_back({&asked, std::move(task)});
    }
    searches[at->second].task.properties |= gate::bit(asked.property);
  }
  return searches;
}

}  // namespace

Exit run_check_claim(const Arguments& arguments) {
  const CheckArguments& c = arguments.check;
  if (c.engine != "explicit") {
    throw Error(Exit::kUsage,
                "--claim is asked of the explicit engine: leave out --engine (gate --prove asks "
                "the solver)");
  }
  const std::filesystem::path data = spec_folder(arguments);
  const gate::Claims claims = gate::read_claims(data / "claims.json", data);
  const gate::Claim& claim = claim_named(claims, c.claim, data);
  if (!c.trace_out.empty()) traces::require_replaceable(c.trace_out);
  std::string text;
  std::string json;
  Exit code = Exit::kOk;
  bool written = false;
  const std::vector<Search> searches = searches_of(claims, claim, c.row);
  for (const Search& search : searches) {
    gate::Task task = search.task;
    task.limits = limits_of(arguments, threads_of(arguments));
    task.on = c.on;
    const gate::TaskResult result =
        c.on == "impl" ? refinement::check_on_impl(task) : gate::check_explicitly(task);
    const CheckReport report =
        make_report(claims.clients.at(search.row->variant), claims.brokers.at(search.row->broker),
                    task, result, claim.witnesses);
    if (!c.trace_out.empty() && !written) written = write_trace(report, c.trace_out);
    if (!text.empty()) text += "\n";
    text += report_text(report, c.statistics);
    if (!json.empty()) json += ",\n";
    json += report_json(report, c.statistics);
    code = checker::worse(code, report_exit(report));
  }
  if (!c.trace_out.empty() && !written) {
    std::fprintf(stderr, "fencepost: no counterexample, so %s is not written\n",
                 c.trace_out.c_str());
  }
  if (searches.size() != 1) json = fmt::format("[\n{}]\n", json);
  print(arguments.format == Format::kJson ? json : text);
  return code;
}

}  // namespace fencepost::cli
