// Packs states, which are arrays of mostly small bytes, into as few bits as their widths allow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "checker/core/transition_system.h"

namespace fencepost::checker {

class Packing {
 public:
  /// How the bits are gathered. Both ways give the same bits.
  enum class Method { kPortable, kBmi2 };

  /// The faster method that this processor has.
  [[nodiscard]] static Method best_method();

  /// Requires: one width per byte of the state, each 0..8, as many as a multiple of 8;
  /// `method` is supported by this processor.
  explicit Packing(const ByteWidths& widths, Method method = best_method());

  /// Sizes in bits, in 32-bit words as stored, and in 64-bit words as packed; the latter two
  /// are at least 1.
  [[nodiscard]] std::size_t bits() const { return bits_; }
  [[nodiscard]] std::size_t stored_words() const { return stored_words_; }
  [[nodiscard]] std::size_t packed_words() const { return (stored_words_ + 1) / 2; }

  /// Writes `packed_words()` words, unused high bits zero. Asserts that no bit of the state beyond
  /// the widths is set. Requires: `state` has as many bytes as there are widths.
  void pack(const unsigned char* state, std::uint64_t* packed) const;

  /// The inverse: writes every byte of `state`. Reads `stored_words()` words.
  void unpack(const std::uint32_t* stored, unsigned char* state) const;

 private:
  // Eight bytes of the state with used bits, and how many those are.
  struct Group {
    std::uint64_t mask;
    std::uint32_t offset;
    std::uint32_t bits;
  };

  [[nodiscard]] std::uint64_t pack_bmi2(const unsigned char* state, std::uint64_t* packed) const;
  [[nodiscard]] std::uint64_t pack_portable(const unsigned char* state,
                                            std::uint64_t* packed) const;
  void unpack_bmi2(const std::uint32_t* stored, unsigned char* state) const;
  void unpack_portable(const std::uint32_t* stored, unsigned char* state) const;

  Method method_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> unused_;  // offsets of the eight bytes that are always zero
  std::size_t state_bytes_;
  std::size_t bits_ = 0;
  std::size_t stored_words_ = 1;
};

}  // namespace fencepost::checker
