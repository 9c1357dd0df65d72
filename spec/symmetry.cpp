#include "spec/symmetry.h"

#include <algorithm>
#include <numeric>

#include "spec/base.h"

namespace fencepost::spec {

Permutations::Permutations(int things) : things_(things) {
  FP_ASSERT(things >= 1 && things <= kMaxThings);
  Image image{};
  std::iota(image.begin(), image.end(), 0);
  do {
    images_.push_back(image);
  } while (std::next_permutation(image.begin(), image.begin() + things));
  for (int after = 0; after < count(); ++after) {
    for (int first = 0; first < count(); ++first) {
      Image both{};
      for (int x = 0; x < things; ++x) both[static_cast<std::size_t>(x)] = of(after, of(first, x));
      const int number = number_of(both);
      composed_[static_cast<std::size_t>(after)][static_cast<std::size_t>(first)] = number;
      if (number == 0) inverse_[static_cast<std::size_t>(first)] = after;
    }
  }
}

int Permutations::number_of(const Image& image) const {
  const auto same = [&](const Image& other) {
    return std::equal(image.begin(), image.begin() + things_, other.begin());
  };
  const auto found = std::find_if(images_.begin(), images_.end(), same);
  FP_ASSERT(found != images_.end());
  return static_cast<int>(found - images_.begin());
}

}  // namespace fencepost::spec
