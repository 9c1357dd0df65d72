// A small generator with a fixed algorithm, so that a seed gives the same run everywhere.
#pragma once

#include <cstdint>

namespace fencepost::impl {

/// SplitMix64 (Steele, Lea, Flood 2014). The standard library's distributions differ between
/// implementations, so none is used.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  /// 0 .. n-1. Requires: n > 0.
  int below(int n) {
    return static_cast<int>((next() >> 32U) * static_cast<std::uint64_t>(n) >> 32U);
  }

 private:
  std::uint64_t state_;
};

}  // namespace fencepost::impl
