// Partitions that are alike: what is asked of one need not be asked of the other.
#pragma once

#include "spec/model/rules.h"

namespace fencepost::spec {

/// Whether there are two partitions that mirror each other: exchange them, and with them the two
/// brokers if each led one of them at first. Then every run becomes a run of as many steps, so
/// that a property can be violated in one partition exactly if it can be in the other. No rule
/// names a partition or a broker by its number; what can tell them apart is the claim: faults that
/// only one partition may suffer. A test holds every action of every variant against this
/// (tests/unit/spec/mirror_test.cpp).
bool has_mirror(const Instance& instance);

}  // namespace fencepost::spec
