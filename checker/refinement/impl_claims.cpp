#include "checker/refinement/impl_claims.h"

#include <algorithm>

#include "checker/refinement/impl_system.h"

namespace fencepost::refinement {
namespace {

void reduce(gate::ClaimRow& row, gate::Expect expect) {
  const spec::Instance asked = row.instance;
  spec::Instance& i = row.instance;
  if (i.partitions > 1) i.messages = std::min(i.messages, 2);
  if (expect == gate::Expect::kHolds) i.faults.budget = std::min(i.faults.budget, 1);
  if (i.messages != asked.messages) row.instance_name.clear();  // the heading describes it
}

}  // namespace

gate::Claims claims_for_impl(const gate::Claims& claims) {
  gate::Claims asked = claims;
  std::erase_if(asked.list,
                [](const gate::Claim& claim) { return claim.expect == gate::Expect::kOpen; });
  for (gate::Claim& claim : asked.list) {
    claim.witnesses = 0;
    for (gate::ClaimRow& row : claim.rows) reduce(row, claim.expect);
    std::erase_if(claim.rows, [&](const gate::ClaimRow& row) {
      const spec::Behaviour behaviour =
          spec::combine(claims.clients.at(row.variant), claims.brokers.at(row.broker));
      return !impl_instance_fault(behaviour, row.instance).empty();
    });
  }
  std::erase_if(asked.list, [](const gate::Claim& claim) { return claim.rows.empty(); });
  return asked;
}

}  // namespace fencepost::refinement
