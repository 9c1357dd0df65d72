// Behaviours and instances of the transactional tests.
#pragma once

#include <string>

#include "spec/transactions/variant.h"

namespace fencepost::testing {

namespace txn = spec::transactions;

inline const std::string kAllTxnFaults =
    "answer-lost,late-init,late-bump,late-request,disconnect,late-produce,not-leader,"
    "message-timeout,application-abort,coordinator-move,transaction-timeout,"
    "transactional-id-expiry,producer-id-expiry,late-marker,crash";

inline txn::Behaviour txn_behaviour(const std::string& client, const std::string& coordinator,
                                    const std::string& broker) {
  const std::string data = std::string(FENCEPOST_SOURCE_DIR) + "/spec/transactions";
  return txn::combine(txn::load_variant(txn::VariantKind::kClient, client, data),
                      txn::load_variant(txn::VariantKind::kCoordinator, coordinator, data),
                      txn::load_variant(txn::VariantKind::kBroker, broker, data));
}

/// One transaction an instance, or as many as its inputs; one attempt more.
inline txn::Instance txn_instance(int producers, int partitions, const std::string& faults,
                                  int budget) {
  txn::Instance n;
  n.producers = producers;
  n.partitions = partitions;
  n.epochs = txn::kMaxEpochs;
  n.ids = 2;
  n.log = 12;
  n.faults = txn::parse_faults(faults, budget);
  return n;
}

}  // namespace fencepost::testing
