// The spec with its lemmas as what a state can violate: for the explicit engine to check them on
// every state it visits.
#pragma once

#include "spec/lemmas.h"
#include "spec/model/model.h"

namespace fencepost::testing {

class LemmaModel : public spec::Model {
 public:
  using spec::Model::Model;

  /// Bit = spec::Lemma.
  [[nodiscard]] std::uint32_t violations(const State& s) const {
    const spec::Lemmas<spec::Concrete> lemmas{s, rules()};
    std::uint32_t mask = 0;
    for (int k = 0; k < spec::kLemmas; ++k) {
      const auto lemma = static_cast<spec::Lemma>(k);
      if (!spec::applies(lemma, rules())) continue;
      for (int p = 0; p < rules().instance.partitions; ++p) {
        if (!lemmas.holds(lemma, p).value()) mask |= 1U << k;
      }
    }
    return mask;
  }
};

}  // namespace fencepost::testing
